"""Registration: who can register, who becomes the administrator, and what is refused."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from erp.auth import passwords, setup
from erp.kernel import config
from erp.store import control
from erp.store.control import User
from tests.auth.conftest import code_of
from tests.conftest import PASSWORD, Installation

ANNA = {"email": "anna@example.com", "password": PASSWORD, "name": "Anna"}
BEN = {"email": "ben@example.com", "password": PASSWORD, "name": "Ben"}
FAR = {"remote_addr": "192.0.2.7"}


def register(installation, body=ANNA, **options):
    return installation.call("POST", "/auth/register", body, **options)


def complaint(answer):
    (detail,) = answer.json["error"]["details"]
    return answer.status_code, detail["field"], detail["code"]


@pytest.fixture
def code(installation):
    return setup.open_setup(installation.config)


def test_the_first_user_is_the_administrator_and_no_other(installation):
    first, second = register(installation), register(installation, BEN)
    assert first.status_code == second.status_code == 201
    assert first.json["data"]["user"]["isInstanceAdmin"] is True
    assert second.json["data"]["user"]["isInstanceAdmin"] is False


@pytest.mark.parametrize(
    ("mode", "options", "answered"),
    [
        ("open", {}, ("open", True)),
        ("open", FAR, ("open", True)),
        ("invite", {}, ("invite", False)),
        ("closed", {}, ("closed", False)),
    ],
)
def test_anyone_can_ask_who_can_register(tmp_path, mode, options, answered):
    installation = Installation(tmp_path / "data", registration=mode)
    asked = installation.call("GET", "/auth/register").json["data"]
    assert asked == {"mode": "setup", "isOpenToYou": True, "hasSession": False}
    far = installation.call("GET", "/auth/register", **FAR).json["data"]
    assert far == {"mode": "setup", "isOpenToYou": False, "hasSession": False}
    assert register(installation).status_code == 201
    asked = installation.call("GET", "/auth/register", **options).json["data"]
    assert (asked["mode"], asked["isOpenToYou"]) == answered


def test_a_new_user_is_signed_in_and_in_no_workspace(installation):
    answer = register(installation)
    data = answer.json["data"]
    assert data["workspaces"] == []
    assert data["session"]["activeWorkspaceId"] is None
    assert answer.cookies[installation.cookie()].value == data["session"]["token"]
    mine = installation.call(
        "GET", "/auth/session", headers={"Authorization": f"Bearer {data['session']['token']}"}
    ).json["data"]
    assert mine["user"] == data["user"]
    assert (mine["user"]["email"], mine["user"]["name"]) == ("anna@example.com", "Anna")


@pytest.mark.parametrize(("asked", "locale"), [("de-AT,de;q=0.9,en;q=0.5", "de"), ("fr,en;q=0.5", "en"), ("fr", "en")])
def test_a_new_user_has_the_language_of_their_browser(installation, asked, locale):
    answer = register(installation, headers={"Accept-Language": asked})
    assert answer.json["data"]["user"]["locale"] == locale


@pytest.mark.parametrize(
    "place",
    [
        FAR,
        {"remote_addr": "::ffff:192.0.2.7"},
        {"host": "erp.example", "remote_addr": "127.0.0.1"},
        {"host": "192.168.1.5"},
    ],
)
def test_nobody_from_elsewhere_becomes_the_first_user(install, place):
    installation = install(allowed_hosts=("erp.example", "192.168.1.5"))
    assert code_of(register(installation, **place)) == (403, "registration_closed")
    assert register(installation).status_code == 201


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "::ffff:127.0.0.1", "127.9.9.9"])
def test_the_first_user_registers_on_the_computer_itself(installation, address):
    assert register(installation, remote_addr=address).status_code == 201


def preview(installation, code):
    return installation.call("POST", "/auth/register/preview", {"setupCode": code}, **FAR)


def test_a_setup_link_says_until_when_it_works(installation, clock_at):
    clock_at("2026-03-02T09:00:00Z")
    code = setup.open_setup(installation.config)
    assert preview(installation, code).json["data"] == {"expiresAt": "2026-03-02T09:30:00.000Z"}


def test_a_setup_link_that_is_unknown_or_has_expired_says_so_before_a_form_is_filled_in(installation, clock_at):
    clock_at("2026-03-02T09:00:00Z")
    code = setup.open_setup(installation.config)
    for late, tried in ((False, f"{code}x"), (True, code)):
        if late:
            clock_at("2026-03-02T09:30:01Z")
        answer = preview(installation, tried)
        assert code_of(answer) == (403, "registration_closed")
        assert answer.json["error"]["message"].startswith("This set-up link no longer works")


def test_a_setup_link_says_that_somebody_is_the_administrator_already(installation):
    code = setup.open_setup(installation.config)
    register(installation, {**ANNA, "setupCode": code}, **FAR)
    answer = preview(installation, code)
    assert code_of(answer) == (403, "registration_closed")
    assert answer.json["error"]["message"] == "This server already has an administrator. Sign in instead."


def test_behind_a_proxy_no_peer_counts_as_local(install):
    installation = install(public_url="https://erp.example.com")
    assert code_of(register(installation)) == (403, "registration_closed")
    code = setup.open_setup(installation.config)
    assert register(installation, {**ANNA, "setupCode": code}).status_code == 201


def test_the_setup_code_lets_the_first_user_in_from_elsewhere(installation, code):
    assert code_of(register(installation, {**ANNA, "setupCode": code + "x"}, **FAR)) == (403, "registration_closed")
    answer = register(installation, {**ANNA, "setupCode": code}, **FAR)
    assert answer.status_code == 201
    assert answer.json["data"]["user"]["isInstanceAdmin"] is True
    assert code_of(register(installation, {**BEN, "setupCode": code})) == (403, "registration_closed")


def test_the_setup_code_is_valid_for_half_an_hour(installation, clock_at):
    clock_at("2026-03-01T09:00:00Z")
    code = setup.open_setup(installation.config)
    clock_at("2026-03-01T09:30:00Z")
    assert code_of(register(installation, {**ANNA, "setupCode": code}, **FAR)) == (403, "registration_closed")
    clock_at("2026-03-01T09:29:59Z")
    assert register(installation, {**ANNA, "setupCode": code}, **FAR).status_code == 201


def test_an_installation_with_a_user_offers_no_setup_code(installation):
    register(installation)
    assert setup.open_setup(installation.config) is None


@pytest.mark.parametrize("mode", ["invite", "closed"])
def test_the_first_user_registers_whatever_the_setting_and_nobody_after_them(install, mode):
    installation = install(registration=mode)
    assert register(installation).status_code == 201
    assert code_of(register(installation, BEN)) == (403, "registration_closed")


@pytest.mark.parametrize(("mode", "status"), [("open", 201), ("invite", 201), ("closed", 403)])
def test_an_invite_lets_a_user_register_unless_registration_is_closed(install, mode, status):
    acme = install(registration=mode).office("Olga")
    invite = acme.ok("POST", "/workspace/invites", {"email": "Ben@Example.com", "role": "accountant"})
    answer = register(acme.installation, {**BEN, "inviteToken": invite["token"]})
    assert answer.status_code == status
    if status == 201:
        (joined,) = answer.json["data"]["workspaces"]
        assert (joined["id"], joined["role"], joined["status"]) == (acme.workspace_id, "accountant", "active")
        events = acme.ok("GET", "/workspace/events")
        assert [event["actor"]["name"] for event in events if event["type"] == "member.joined"] == ["Ben"]


def test_a_wrong_invite_makes_no_user(acme):
    invite = acme.ok("POST", "/workspace/invites", {"email": "carl@example.com", "role": "member"})
    for_another = register(acme.installation, {**BEN, "inviteToken": invite["token"]})
    unknown = register(acme.installation, {**BEN, "inviteToken": "erp_nonsense"})
    assert code_of(for_another) == (403, "invite_for_another")
    assert code_of(unknown) == (404, "not_found")
    assert register(acme.installation, BEN).status_code == 201


@pytest.mark.parametrize("email", ["anna@example.com", "ANNA@Example.COM", "  anna@example.com "])
def test_an_e_mail_address_is_taken_once_whatever_its_case(installation, email):
    register(installation)
    assert code_of(register(installation, {**ANNA, "email": email})) == (409, "already_exists")


def test_two_spellings_of_one_letter_are_the_same_address(installation):
    register(installation, {**ANNA, "email": "j\u00fcrgen@example.com"})
    assert code_of(register(installation, {**ANNA, "email": "JU\u0308RGEN@example.com"})) == (409, "already_exists")


@pytest.mark.parametrize(
    ("change", "field", "code"),
    [
        ({"password": "short"}, "password", "too_short"),
        ({"password": "x" * 129}, "password", "too_long"),
        ({"password": "Anna@Example.com"}, "password", "too_guessable"),
        ({"password": "password123"}, "password", "too_guessable"),
        ({"password": "qwertzuiop"}, "password", "too_guessable"),
        ({"email": "anna"}, "email", "bad_format"),
        ({"name": " "}, "name", "required"),
        ({"isInstanceAdmin": True}, "isInstanceAdmin", "unknown_field"),
    ],
)
def test_an_unacceptable_value_is_named(installation, change, field, code):
    assert complaint(register(installation, {**ANNA, **change})) == (422, field, code)
    assert register(installation).json["data"]["user"]["isInstanceAdmin"] is True


def test_every_wrong_field_is_named_at_once(installation):
    answer = register(installation, {"email": "x", "password": PASSWORD})
    assert {detail["field"] for detail in answer.json["error"]["details"]} == {"email", "name"}


def test_a_guessable_password_is_named_with_every_other_wrong_field(installation):
    def fields(**body):
        details = register(installation, {**ANNA, **body}).json["error"]["details"]
        return {(detail["field"], detail["code"]) for detail in details}

    wrong_email = ("email", "bad_format")
    assert fields(email="x", password="password123") == {wrong_email, ("password", "too_guessable")}
    assert fields(email="x", password="short") == {wrong_email, ("password", "too_short")}
    assert fields(email="x", name="Bartholomew", password="bartholomew1") == {
        wrong_email,
        ("password", "too_guessable"),
    }


def test_no_page_of_another_site_registers(installation):
    assert code_of(register(installation, headers={"Origin": "https://evil.example"})) == (403, "cross_site")


def test_registering_takes_no_idempotency_key(installation):
    assert code_of(register(installation, headers={"Idempotency-Key": "once"})) == (400, "bad_parameter")


@pytest.fixture
def cheap_hash(monkeypatch):
    """Hash at no cost, so that all simultaneous requests reach the rule."""
    monkeypatch.setattr(passwords, "hash_password", lambda password: "cheap")


def at_once(count, act):
    gate = threading.Barrier(count)

    def go(n):
        gate.wait()
        return act(n)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(go, range(count)))


def test_of_twenty_who_register_first_one_is_the_administrator(installation, cheap_hash):
    answers = at_once(20, lambda n: register(installation, {**ANNA, "email": f"user{n}@example.com"}))
    assert {answer.status_code for answer in answers} == {201}
    assert [answer.json["data"]["user"]["isInstanceAdmin"] for answer in answers].count(True) == 1
    with config.use(installation.config), control.read():
        assert User.select().where(User.is_instance_admin).count() == 1


def test_of_twenty_with_one_setup_code_one_gets_in(installation, cheap_hash, code):
    def claim(n):
        body = {**ANNA, "email": f"user{n}@example.com", "setupCode": code}
        return register(installation, body, remote_addr=f"192.0.2.{n}")

    assert sorted(answer.status_code for answer in at_once(20, claim)) == [201] + [403] * 19


def test_of_twenty_with_one_address_one_has_it(installation, cheap_hash):
    answers = at_once(20, lambda n: register(installation, remote_addr=f"127.0.1.{n}"))
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 19


def test_someone_who_guesses_setup_codes_has_to_wait(installation, code):
    answers = [register(installation, {**ANNA, "setupCode": f"guess{n}"}, **FAR) for n in range(7)]
    assert code_of(answers[4]) == (403, "registration_closed")
    assert code_of(answers[6]) == (429, "rate_limited")


@pytest.mark.parametrize("mode", ["open", "invite"])
def test_without_a_matching_invite_one_does_not_learn_who_is_a_user(install, mode, cheap_hash):
    acme = install(registration=mode).office("Olga")
    for_ben = acme.ok("POST", "/workspace/invites", {"email": BEN["email"], "role": "member"})["token"]
    for token, expected in (("erp_guess", (404, "not_found")), (for_ben, (403, "invite_for_another"))):
        for email in (acme.email, "nobody@example.com"):
            answer = register(acme.installation, {**ANNA, "email": email, "inviteToken": token})
            assert code_of(answer) == expected


def test_an_invited_user_can_register_even_if_the_log_cannot_be_written_now(acme, spoil):
    invite = acme.ok("POST", "/workspace/invites", {"email": ANNA["email"], "role": "member"})
    spoil(acme)
    answer = register(acme.installation, {**ANNA, "inviteToken": invite["token"]})
    assert answer.status_code == 201
    assert [workspace["role"] for workspace in answer.json["data"]["workspaces"]] == ["member"]


def test_the_name_of_the_workspace_that_invites_is_no_password(installation):
    olga = installation.newcomer("Olga")
    olga.select(olga.ok("POST", "/workspace", {"name": "Kolibri"})["id"])
    invite = olga.ok("POST", "/workspace/invites", {"email": "ben@example.com", "role": "member"})
    ben = {"email": "ben@example.com", "name": "Ben", "inviteToken": invite["token"]}
    weak = register(installation, {**ben, "password": "Kolibri2026"})
    assert complaint(weak) == (422, "password", "too_guessable")
    assert register(installation, {**ben, "password": PASSWORD}).status_code == 201
