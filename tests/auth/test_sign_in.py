"""Signing in and out: the two paths, the workspace that is selected, the cookie, and what is refused."""

import pytest
from argon2 import PasswordHasher

from erp.auth import passwords, setup
from erp.store.control import Session, User
from tests.auth.conftest import bearer, code_of
from tests.conftest import PASSWORD


def set_cookie(answer):
    return {part.strip().lower() for part in answer.headers["set-cookie"].split(";")}


@pytest.mark.parametrize("path", ["/auth/login", "/auth/sign-in/email", "/auth/login/"])
def test_both_paths_sign_in(acme, path):
    answer = acme.installation.call("POST", path, {"email": acme.email.upper(), "password": PASSWORD})
    assert answer.status_code == 200
    data = answer.json["data"]
    assert data["user"] == acme.user
    assert data["session"]["activeWorkspaceId"] == acme.workspace_id
    assert [(w["id"], w["role"], w["status"]) for w in data["workspaces"]] == [(acme.workspace_id, "owner", "active")]
    mine = acme.installation.call("GET", "/auth/session", headers=bearer(data["session"]["token"]))
    assert mine.json["data"]["session"]["id"] == data["session"]["id"]


def test_a_wrong_address_and_a_wrong_password_get_the_same_answer(anna, sign_in):
    wrong_password, wrong_email = sign_in(anna.email, "not the password"), sign_in("nobody@example.com")
    answers = []
    for answer in (wrong_password, wrong_email):
        assert code_of(answer) == (401, "wrong_credentials")
        assert "set-cookie" not in answer.headers
        error = {**answer.json["error"], "requestId": ""}
        answers.append((error, sorted(answer.headers), answer.headers["www-authenticate"]))
    assert answers[0] == answers[1]


def test_an_unknown_address_costs_a_hash_too(anna, sign_in, monkeypatch):
    compared = []

    def remember(password_hash, password):
        compared.append(password_hash)
        return False

    monkeypatch.setattr(passwords, "verify", remember)
    sign_in("nobody@example.com")
    sign_in(anna.email)
    assert compared[0] is None
    assert compared[1].startswith("$argon2id$")


def test_a_disabled_user_gets_the_answer_of_an_unknown_one(anna, sign_in, records):
    with records(write=True):
        User.update(status="disabled").execute()
    assert [code_of(sign_in(anna.email)) for _ in range(7)][5:] == [
        (401, "wrong_credentials"),
        (429, "rate_limited"),
    ], "the right password of a disabled user counts as a wrong one"
    anna.refused("GET", "/auth/session", status=401, code="not_authenticated")


def test_signing_in_can_select_a_workspace(acme, sign_in):
    data = sign_in(acme.email, body={"workspaceId": acme.workspace_id}).json["data"]
    assert data["session"]["activeWorkspaceId"] == acme.workspace_id
    assert data["workspace"] == acme.ok("GET", "/auth/session")["workspace"]
    assert data["workspace"]["settings"]["baseCurrency"] == "EUR"


def selected(answer):
    data = answer.json["data"]
    assert (data["workspace"] or {}).get("id") == data["session"]["activeWorkspaceId"]
    return data["session"]["activeWorkspaceId"]


def test_signing_in_selects_the_only_workspace_of_a_person(acme, sign_in):
    assert selected(sign_in(acme.email)) == acme.workspace_id


def test_a_person_who_has_never_selected_one_enters_the_only_workspace_and_chooses_between_two(installation, sign_in):
    anna = installation.newcomer("Anna")
    assert selected(sign_in(anna.email)) is None
    first = anna.ok("POST", "/workspace", {"name": "First"})["id"]
    assert selected(sign_in(anna.email)) == first
    anna.ok("POST", "/workspace", {"name": "Second"})
    assert selected(sign_in(anna.email)) is None


def test_signing_in_selects_the_workspace_that_was_used_last_on_any_device(acme, sign_in):
    second = acme.ok("POST", "/workspace", {"name": "Second"})["id"]
    acme.select(second)
    acme.ok("POST", "/auth/logout")
    assert selected(sign_in(acme.email)) == second
    assert selected(sign_in(acme.email, body={"workspaceId": acme.workspace_id})) == acme.workspace_id
    assert selected(sign_in(acme.email)) == acme.workspace_id, "what is named at the sign-in counts as used"


def test_signing_in_can_select_no_workspace(acme, sign_in):
    assert selected(sign_in(acme.email, body={"workspaceId": None})) is None
    assert selected(sign_in(acme.email)) == acme.workspace_id


def test_a_workspace_that_a_person_has_left_is_not_selected_again(acme, sign_in, installation):
    anna = acme.colleague("member")
    own = anna.ok("POST", "/workspace", {"name": "Own"})["id"]
    assert selected(sign_in(anna.email)) == acme.workspace_id
    anna.ok("POST", "/workspace/leave")
    assert selected(sign_in(anna.email)) == own


def test_selecting_a_workspace_changes_no_version_of_the_preferences(acme):
    before = acme.ok("GET", "/auth/preferences")
    acme.select(acme.workspace_id)
    assert acme.ok("GET", "/auth/preferences") == before


@pytest.mark.parametrize("workspace", ["the stranger's", "none at all"])
def test_signing_in_to_a_workspace_of_others_opens_no_session(acme, stranger, sign_in, records, workspace):
    named = stranger.workspace_id if workspace == "the stranger's" else "018f0000-0000-7000-8000-000000000000"
    with records():
        before = Session.select().count()
    answer = sign_in(acme.email, body={"workspaceId": named})
    assert code_of(answer) == (403, "not_a_member")
    assert "set-cookie" not in answer.headers
    with records():
        assert Session.select().count() == before


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(anna, sign_in):
    answer = sign_in(anna.email)
    token = answer.json["data"]["session"]["token"]
    assert set_cookie(answer) == {
        f"{anna.installation.cookie()}={token}".lower(),
        "httponly",
        "samesite=strict",
        "path=/",
        f"max-age={30 * 86400}",
    }


def test_under_tls_the_cookie_belongs_to_this_host_alone(install):
    installation = install(public_url="https://erp.example.com")
    code = setup.open_setup(installation.config)
    body = {"email": "anna@example.com", "password": PASSWORD, "name": "Anna", "setupCode": code}
    tls = {"host": "erp.example.com", "port": 443, "protocol": "https"}
    answer = installation.call("POST", "/auth/register", body, **tls)
    token = answer.json["data"]["session"]["token"]
    name = f"__Host-{installation.cookie()}"
    assert set_cookie(answer) >= {f"{name}={token}".lower(), "secure", "httponly", "path=/"}
    assert not any(part.startswith("domain") for part in set_cookie(answer))
    assert answer.cookies[f"__Host-{installation.cookie('erp_device')}"].secure
    cookie = {"Cookie": f"{name}={token}", "Sec-Fetch-Site": "same-origin"}
    assert installation.call("GET", "/auth/session", headers=cookie, **tls).status_code == 200
    plain = {"Cookie": f"{installation.cookie()}={token}", "Sec-Fetch-Site": "same-origin"}
    assert installation.call("GET", "/auth/session", headers=plain, **tls).status_code == 401
    out = installation.call("POST", "/auth/logout", headers=cookie, **tls)
    assert set_cookie(out) >= {f'{name.lower()}=""', "secure", "path=/"}


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "http://localhost:9999"}],
)
def test_a_page_of_another_site_signs_nobody_in(anna, sign_in, headers):
    assert code_of(sign_in(anna.email, headers=headers)) == (403, "cross_site")


def test_a_token_that_was_planted_before_is_not_used(anna, sign_in):
    planted = {"Cookie": f"{anna.installation.cookie()}=erp_planted", "Origin": "http://localhost:8420"}
    token = sign_in(anna.email, headers=planted).json["data"]["session"]["token"]
    assert token not in ("erp_planted", anna.token)
    assert code_of(anna.installation.call("GET", "/auth/session", headers=bearer("erp_planted")))[0] == 401


def test_signing_out_ends_the_session_at_once(anna):
    out = anna.call("POST", "/auth/logout")
    assert (out.status_code, out.json["data"]) == (200, {})
    assert set_cookie(out) >= {f'{anna.installation.cookie()}=""', "expires=thu, 01 jan 1970 00:00:00 gmt", "path=/"}
    anna.refused("GET", "/auth/session", status=401, code="not_authenticated")


def test_signing_out_by_cookie_ends_the_session(anna):
    cookie = {"Cookie": f"{anna.installation.cookie()}={anna.token}", "Origin": "http://localhost:8420"}
    assert anna.installation.call("POST", "/auth/logout", headers=cookie).status_code == 200
    anna.refused("GET", "/auth/session", status=401)


def test_signing_out_leaves_other_sessions(anna, sign_in):
    token = sign_in(anna.email).json["data"]["session"]["token"]
    anna.call("POST", "/auth/logout")
    assert anna.installation.call("GET", "/auth/session", headers=bearer(token)).status_code == 200


@pytest.mark.parametrize("headers", [{}, bearer("erp_dead"), {"Authorization": "Basic x"}, {"Authorization": "Bearer"}])
def test_signing_out_succeeds_without_a_session(installation, headers):
    assert installation.call("POST", "/auth/logout", headers=headers).status_code == 200


def test_a_hash_of_older_parameters_is_renewed(anna, sign_in, records):
    weak = PasswordHasher(time_cost=3, memory_cost=16, parallelism=1).hash(PASSWORD)
    with records(write=True):
        User.update(password_hash=weak).execute()
    assert sign_in(anna.email).status_code == 200
    with records():
        stored = User.get().password_hash
    assert stored != weak
    assert not passwords.needs_rehash(stored)
    assert sign_in(anna.email).status_code == 200


def test_a_password_that_changes_in_the_meantime_does_not_sign_in(anna, sign_in, records, monkeypatch):
    def verify_slowly(password_hash, password):
        with records(write=True):
            User.update(password_hash="another").execute()
        return True

    monkeypatch.setattr(passwords, "verify", verify_slowly)
    monkeypatch.setattr(passwords, "needs_rehash", lambda password_hash: False)
    assert code_of(sign_in(anna.email)) == (401, "wrong_credentials")


BROWSER = {"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost:8420"}


@pytest.mark.parametrize(("headers", "has"), [({}, 1), (BROWSER, 0)])  # she has registered without a browser
def test_the_twenty_first_session_ends_the_one_unused_for_longest(anna, sign_in, clock_at, headers, has):
    def opened(moment):
        clock_at(moment)
        return sign_in(anna.email, headers=headers).json["data"]["session"]["token"]

    def is_alive(token):
        return anna.installation.call("GET", "/auth/session", headers=bearer(token)).status_code == 200

    first, second = opened("2026-03-02T08:00:00Z"), opened("2026-03-02T08:01:00Z")
    others = [opened(f"2026-03-02T08:{minute:02}:00Z") for minute in range(2, 20 - has)]
    clock_at("2026-03-02T10:00:00Z")
    assert is_alive(first)  # and is now the one used last
    newest = opened("2026-03-02T10:01:00Z")
    assert [is_alive(token) for token in (first, second, *others, newest)] == [True, False, *[True] * (19 - has)]


def test_a_script_that_signs_in_again_and_again_signs_nobody_out_of_a_browser(anna, sign_in):
    browser = sign_in(anna.email, headers=BROWSER).json["data"]["session"]["token"]
    for _ in range(21):
        assert sign_in(anna.email).status_code == 200
    assert anna.installation.call("GET", "/auth/session", headers=bearer(browser)).status_code == 200


@pytest.mark.parametrize("path", ["/auth/login", "/auth/sign-in/email"])
def test_a_script_with_a_cookie_jar_signs_in_again(anna, path):
    body = {"email": anna.email, "password": PASSWORD}
    jar = {"Cookie": f"{anna.installation.cookie()}={anna.token}"}
    assert anna.installation.call("POST", path, body, headers=jar).status_code == 200
    assert code_of(anna.installation.call("POST", "/projects", {"name": "P"}, headers=jar)) == (403, "cross_site")


def test_passwords_are_taken_as_typed_except_for_their_normal_form(installation):
    body = {"email": "jo@example.com", "name": "Jo", "password": "  d\u00e9j\u00e0 vu  "}
    assert installation.call("POST", "/auth/register", body).status_code == 201

    def sign_in(password):
        answer = installation.call("POST", "/auth/login", {"email": "jo@example.com", "password": password})
        return answer.status_code

    assert sign_in("  de\u0301ja\u0300 vu  ") == 200
    assert sign_in("d\u00e9j\u00e0 vu") == 401


def test_a_body_without_a_password_is_refused_field_by_field(installation):
    answer = installation.call("POST", "/auth/login", {"email": "x"})
    assert {detail["field"] for detail in answer.json["error"]["details"]} == {"email", "password"}


def test_no_byte_of_an_answer_tells_a_known_address_from_an_unknown_one(anna, sign_in, clock_at):
    """Reliability A3, from the first try to the one that has to wait."""
    clock_at("2026-03-01T09:00:00Z")
    seen = []
    for email in (anna.email, "nobody@example.com"):
        answers = [sign_in(email, "not the password") for _ in range(7)]
        ids = [answer.headers["x-request-id"] for answer in answers]
        seen.append(
            [
                (answer.status, answer.text.replace(id, ""), sorted(answer.headers.items() - {("x-request-id", id)}))
                for answer, id in zip(answers, ids, strict=True)
            ]
        )
    assert seen[0] == seen[1]
    assert [status for status, *_ in seen[0]][-2:] == ["401 Unauthorized", "429 Too Many Requests"]
