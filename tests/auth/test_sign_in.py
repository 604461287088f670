"""Signing in and out: the two paths, the cookie, what is refused, and the waiting times."""

import pytest
from argon2 import PasswordHasher

from erp.auth import attempts, passwords, setup
from erp.auth.throttle import Throttle
from erp.store.control import Session, User
from tests.auth.conftest import bearer, code_of
from tests.conftest import PASSWORD


@pytest.fixture
def anna(installation):
    return installation.newcomer("Anna")


def set_cookie(answer):
    return {part.strip().lower() for part in answer.headers["set-cookie"].split(";")}


@pytest.mark.parametrize("path", ["/auth/login", "/auth/sign-in/email", "/auth/login/"])
def test_both_paths_sign_in(acme, path):
    answer = acme.installation.call("POST", path, {"email": acme.email.upper(), "password": PASSWORD})
    assert answer.status_code == 200
    data = answer.json["data"]
    assert data["user"] == acme.user
    assert data["session"]["activeWorkspaceId"] is None
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


def test_signing_in_without_a_selection_shows_no_workspace(acme, sign_in):
    assert sign_in(acme.email).json["data"]["workspace"] is None


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
        f"erp_session={token}".lower(),
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
    assert set_cookie(answer) >= {f"__host-erp_session={token}".lower(), "secure", "httponly", "path=/"}
    assert not any(part.startswith("domain") for part in set_cookie(answer))
    assert answer.cookies["__Host-erp_device"].secure
    cookie = {"Cookie": f"__Host-erp_session={token}", "Sec-Fetch-Site": "same-origin"}
    assert installation.call("GET", "/auth/session", headers=cookie, **tls).status_code == 200
    plain = {"Cookie": f"erp_session={token}", "Sec-Fetch-Site": "same-origin"}
    assert installation.call("GET", "/auth/session", headers=plain, **tls).status_code == 401
    out = installation.call("POST", "/auth/logout", headers=cookie, **tls)
    assert set_cookie(out) >= {'__host-erp_session=""', "secure", "path=/"}


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "http://localhost:9999"}],
)
def test_a_page_of_another_site_signs_nobody_in(anna, sign_in, headers):
    assert code_of(sign_in(anna.email, headers=headers)) == (403, "cross_site")


def test_a_token_that_was_planted_before_is_not_used(anna, sign_in):
    planted = {"Cookie": "erp_session=erp_planted", "Origin": "http://localhost:8420"}
    token = sign_in(anna.email, headers=planted).json["data"]["session"]["token"]
    assert token not in ("erp_planted", anna.token)
    assert code_of(anna.installation.call("GET", "/auth/session", headers=bearer("erp_planted")))[0] == 401


def test_signing_out_ends_the_session_at_once(anna):
    out = anna.call("POST", "/auth/logout")
    assert (out.status_code, out.json["data"]) == (200, {})
    assert set_cookie(out) >= {'erp_session=""', "expires=thu, 01 jan 1970 00:00:00 gmt", "path=/"}
    anna.refused("GET", "/auth/session", status=401, code="not_authenticated")


def test_signing_out_by_cookie_ends_the_session(anna):
    cookie = {"Cookie": f"erp_session={anna.token}", "Origin": "http://localhost:8420"}
    assert anna.installation.call("POST", "/auth/logout", headers=cookie).status_code == 200
    anna.refused("GET", "/auth/session", status=401)


def test_signing_out_leaves_other_sessions(anna, sign_in):
    token = sign_in(anna.email).json["data"]["session"]["token"]
    anna.call("POST", "/auth/logout")
    assert anna.installation.call("GET", "/auth/session", headers=bearer(token)).status_code == 200


@pytest.mark.parametrize("headers", [{}, bearer("erp_dead"), {"Authorization": "Basic x"}, {"Authorization": "Bearer"}])
def test_signing_out_succeeds_without_a_session(installation, headers):
    assert installation.call("POST", "/auth/logout", headers=headers).status_code == 200


def test_after_five_wrong_passwords_one_has_to_wait(anna, sign_in):
    answers = [sign_in(anna.email, "wrong password") for _ in range(6)]
    assert {code_of(answer)[0] for answer in answers} == {401}
    waiting = sign_in(anna.email)
    assert code_of(waiting) == (429, "rate_limited")
    assert 1 <= int(waiting.headers["retry-after"]) <= 60
    assert waiting.headers["retry-after"] in waiting.json["error"]["message"]


def test_someone_who_has_to_wait_is_refused_before_any_hashing(anna, sign_in, monkeypatch):
    for _ in range(6):
        sign_in(anna.email, "wrong password")
    monkeypatch.setattr(passwords, "verify", lambda *_: pytest.fail("hashed"))
    assert code_of(sign_in(anna.email))[0] == 429


def test_nobody_is_locked_out_from_elsewhere(anna, sign_in):
    for _ in range(6):
        sign_in(anna.email.upper(), "wrong password", remote_addr="192.0.2.7")
    assert sign_in(anna.email, remote_addr="192.0.2.7").status_code == 429
    assert sign_in(anna.email, remote_addr="192.0.2.8").status_code == 200


def test_an_address_that_tries_many_users_waits_for_all_who_never_signed_in_there(anna, sign_in, monkeypatch):
    monkeypatch.setattr(passwords, "verify", lambda password_hash, password: False)
    for n in range(30):
        assert sign_in(f"user{n}@example.com", remote_addr="192.0.2.7").status_code == 401
    assert sign_in(anna.email, remote_addr="192.0.2.7").status_code == 429


def clocked(monkeypatch):
    """Count failures by a clock that stands still."""
    throttle = Throttle(lambda: 1000.0)
    monkeypatch.setattr(attempts, "_throttle", lambda data_dir: throttle)


def fail_for_many(sign_in, **options):
    for n in range(30):
        assert sign_in(f"user{n}@elsewhere.example", "wrong password", **options).status_code == 401


def marked(answer):
    """The headers of the browser that got this answer, once it is signed out."""
    return {"Cookie": f"erp_device={answer.cookies['erp_device'].value}", "Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def quick(monkeypatch):
    """Compare passwords without hashing them."""
    monkeypatch.setattr(passwords, "verify", lambda password_hash, password: password == PASSWORD)


def test_someone_who_has_signed_in_from_an_address_does_not_wait_for_guesses_at_others_there(
    anna, sign_in, quick, monkeypatch
):
    clocked(monkeypatch)
    ben = anna.installation.newcomer("Ben")
    assert sign_in(anna.email, remote_addr="192.0.2.7").status_code == 200
    fail_for_many(sign_in, remote_addr="192.0.2.7")
    waiting = sign_in(ben.email, remote_addr="192.0.2.7")
    assert (code_of(waiting), waiting.headers["retry-after"]) == ((429, "rate_limited"), "600")
    assert sign_in(anna.email, remote_addr="192.0.2.7").status_code == 200


def test_the_browser_of_a_user_never_waits_for_the_failures_of_others(anna, sign_in, quick, monkeypatch):
    clocked(monkeypatch)
    ben = anna.installation.newcomer("Ben")
    browser = marked(sign_in(ben.email, remote_addr="198.51.100.3"))
    fail_for_many(sign_in, remote_addr="192.0.2.7")
    for _ in range(6):
        sign_in(ben.email, "wrong password", remote_addr="198.51.100.3")
    for address in ("192.0.2.7", "198.51.100.3"):
        assert sign_in(ben.email, remote_addr=address).status_code == 429
        assert sign_in(ben.email, remote_addr=address, headers=browser).status_code == 200


def test_the_browser_of_a_user_waits_for_its_own_failures(anna, sign_in, quick, monkeypatch):
    clocked(monkeypatch)
    browser = marked(sign_in(anna.email))
    for _ in range(6):
        assert sign_in(anna.email, "wrong password", headers=browser).status_code == 401
    assert code_of(sign_in(anna.email, headers=browser)) == (429, "rate_limited")
    assert sign_in(anna.email).status_code == 200


@pytest.mark.parametrize("spoilt", ["", "~~~", "a.b.c", "2999-01-01.x.y", "\u00e9.b.c", "x" * 5000])
def test_a_mark_that_was_made_up_makes_no_browser_known(anna, sign_in, quick, monkeypatch, spoilt):
    clocked(monkeypatch)
    fail_for_many(sign_in, remote_addr="192.0.2.7")
    made_up = {"Cookie": f"erp_device={spoilt}", "Sec-Fetch-Site": "same-origin"}
    assert sign_in(anna.email, remote_addr="192.0.2.7", headers=made_up).status_code == 429


def test_the_mark_of_one_user_helps_no_one_to_try_another(anna, sign_in, quick, monkeypatch):
    clocked(monkeypatch)
    ben = anna.installation.newcomer("Ben")
    browser = marked(sign_in(ben.email, remote_addr="198.51.100.3"))
    fail_for_many(sign_in, remote_addr="192.0.2.7")
    assert sign_in(anna.email, remote_addr="192.0.2.7", headers=browser).status_code == 429


def test_a_mark_lasts_a_year(anna, sign_in, quick, monkeypatch, clock_at):
    clocked(monkeypatch)
    clock_at("2026-03-01T09:00:00Z")
    browser = marked(sign_in(anna.email, remote_addr="198.51.100.3"))
    fail_for_many(sign_in, remote_addr="192.0.2.7")
    clock_at("2027-03-02T09:00:00Z")
    assert sign_in(anna.email, remote_addr="192.0.2.7", headers=browser).status_code == 429
    clock_at("2027-02-28T09:00:00Z")
    assert sign_in(anna.email, remote_addr="192.0.2.7", headers=browser).status_code == 200


def test_a_browser_that_two_users_share_knows_both_and_keeps_their_marks_when_they_sign_out(
    anna, sign_in, quick, monkeypatch
):
    clocked(monkeypatch)
    ben = anna.installation.newcomer("Ben")
    first = sign_in(anna.email, remote_addr="198.51.100.3")
    second = sign_in(ben.email, remote_addr="198.51.100.3", headers=marked(first))
    out = anna.call("POST", "/auth/logout", headers=marked(second))
    assert "erp_device" not in out.cookies
    fail_for_many(sign_in, remote_addr="192.0.2.7")
    for person in (anna, ben):
        assert sign_in(person.email, remote_addr="192.0.2.7", headers=marked(second)).status_code == 200


def test_the_mark_of_a_browser_is_out_of_reach_of_scripts_and_other_sites(anna, sign_in):
    mark = sign_in(anna.email).cookies["erp_device"]
    assert (mark.http_only, mark.same_site, mark.path, mark.secure) == (True, "Strict", "/", False)
    assert mark.max_age == 365 * 86400
    assert anna.email not in mark.value
    assert anna.user["id"] not in mark.value


def test_a_right_password_clears_the_wrong_ones(anna, sign_in):
    for _ in range(2):
        for _ in range(4):
            assert sign_in(anna.email, "wrong password").status_code == 401
        assert sign_in(anna.email).status_code == 200


def test_when_all_slots_are_taken_the_answer_is_to_try_again(anna, sign_in, monkeypatch):
    monkeypatch.setattr(passwords, "slot", passwords.Slots(1, queue=0).take)
    with passwords.slot():
        busy = sign_in(anna.email)
    assert code_of(busy) == (503, "busy")
    assert busy.headers["retry-after"] == "1"
    assert sign_in(anna.email).status_code == 200


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


def test_the_twenty_first_session_ends_the_oldest(anna, sign_in):
    second = sign_in(anna.email).json["data"]["session"]["token"]
    for _ in range(19):
        assert sign_in(anna.email).status_code == 200
    anna.refused("GET", "/auth/session", status=401)
    alive = anna.installation.call("GET", "/auth/sessions", headers=bearer(second))
    assert len(alive.json["data"]) == 20


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
