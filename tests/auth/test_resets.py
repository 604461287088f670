"""Links to reset a password: who creates them, for whom, and that each works once."""

import pytest

from erp.auth import resets, users
from erp.kernel import config
from erp.kernel.errors import NotFound, Refusal
from erp.store.control import User
from tests.auth.conftest import bearer, code_of
from tests.conftest import PASSWORD

NEW = "staple of the long stable"


@pytest.fixture
def admin(installation):
    return installation.newcomer("Olga")


@pytest.fixture
def anna(admin, installation):
    return installation.newcomer("Anna")


def issue(admin, user):
    return admin.ok("POST", "/auth/password-resets", {"userId": user.user["id"]})


def redeem(installation, token, password=NEW):
    return installation.call("POST", "/auth/password-resets/redeem", {"token": token, "newPassword": password})


def login(person, password):
    return person.installation.call("POST", "/auth/login", {"email": person.email, "password": password}).status_code


def test_a_link_sets_a_new_password_and_ends_every_session(admin, anna):
    made = issue(admin, anna)
    assert made["link"] == f"http://127.0.0.1:8420/#reset={made['token']}"
    assert redeem(anna.installation, made["token"]).status_code == 200
    anna.refused("GET", "/auth/session", status=401)
    assert (login(anna, PASSWORD), login(anna, NEW)) == (401, 200)
    admin.ok("GET", "/auth/session")


def preview(installation, token):
    return installation.call("POST", "/auth/password-resets/preview", {"token": token})


def test_a_link_says_whose_password_it_sets_and_can_still_be_used(admin, anna, clock_at):
    clock_at("2026-03-02T09:00:00Z")
    token = issue(admin, anna)["token"]
    shown = preview(anna.installation, token).json["data"]
    assert shown == {"email": anna.email, "expiresAt": "2026-03-02T10:00:00.000Z"}
    assert redeem(anna.installation, token).status_code == 200


def test_a_link_that_was_used_has_expired_or_was_never_made_says_so_before_a_password_is_typed(admin, anna, clock_at):
    clock_at("2026-03-02T09:00:00Z")
    used, late = issue(admin, anna)["token"], issue(admin, admin)["token"]
    redeem(anna.installation, used)
    clock_at("2026-03-02T10:00:01Z")
    for token in (used, late, "nonsense"):
        answer = preview(anna.installation, token)
        assert code_of(answer) == (404, "not_found")
        assert answer.json["error"]["message"].startswith("This link no longer works.")


def test_a_reset_also_ends_the_named_tokens(acme):
    script = acme.ok("POST", "/auth/tokens", {"name": "nightly", "workspaceId": acme.workspace_id})["token"]
    redeem(acme.installation, issue(acme, acme)["token"])
    assert acme.installation.call("GET", "/auth/session", headers=bearer(script)).status_code == 401


def test_a_link_works_once(admin, anna):
    token = issue(admin, anna)["token"]
    redeem(anna.installation, token)
    assert code_of(redeem(anna.installation, token, "another password")) == (404, "not_found")
    assert login(anna, NEW) == 200


def test_a_link_works_for_an_hour(admin, anna, clock_at):
    clock_at("2026-03-01T09:00:00Z")
    person = anna.installation.newcomer("Ben")
    with config.use(anna.installation.config):
        first, second = resets.issue_reset_link(person.email), resets.issue_reset_link(anna.email)
    clock_at("2026-03-01T10:00:00Z")
    assert code_of(redeem(anna.installation, first.partition("=")[2])) == (404, "not_found")
    clock_at("2026-03-01T09:59:59Z")
    assert redeem(anna.installation, second.partition("=")[2]).status_code == 200


def test_a_new_link_makes_the_earlier_one_void(admin, anna):
    earlier, later = issue(admin, anna)["token"], issue(admin, anna)["token"]
    assert redeem(anna.installation, earlier).status_code == 404
    assert redeem(anna.installation, later).status_code == 200


def test_a_token_of_something_else_is_refused(admin, anna):
    assert code_of(redeem(anna.installation, anna.token)) == (404, "not_found")


@pytest.mark.parametrize("password", ["short", "x" * 129, "Anna"])
def test_a_weak_password_is_refused_and_the_link_stays_valid(admin, anna, password):
    token = issue(admin, anna)["token"]
    answer = redeem(anna.installation, token, password)
    assert answer.status_code == 422
    assert [detail["field"] for detail in answer.json["error"]["details"]] == ["newPassword"]
    anna.ok("GET", "/auth/session")
    assert redeem(anna.installation, token).status_code == 200


def test_only_an_instance_admin_creates_links(admin, anna):
    anna.refused("POST", "/auth/password-resets", {"userId": anna.user["id"]}, status=403, code="forbidden")


def test_no_link_is_made_for_another_instance_admin(admin, anna, records):
    with records(write=True):
        User.update(is_instance_admin=True).where(User.id == anna.user["id"]).execute()
    admin.refused("POST", "/auth/password-resets", {"userId": anna.user["id"]}, status=403, code="forbidden")
    assert issue(admin, admin)["userId"] == admin.user["id"]


def test_a_link_for_an_unknown_user_is_refused(admin):
    (complaint,) = admin.refused("POST", "/auth/password-resets", {"userId": "nobody"}, status=422)["details"]
    assert (complaint["field"], complaint["code"]) == ("userId", "unknown_reference")


@pytest.mark.parametrize("registration", ["open", "closed"])
def test_the_first_user_from_the_command_line_is_the_administrator(install, registration):
    installation = install(registration=registration)
    with config.use(installation.config):
        users.create(" Anna@example.com", "Anna", PASSWORD, is_admin=False)
        users.create("ben@example.com", "Ben", PASSWORD, is_admin=False)
        users.create("carl@example.com", "Carl", PASSWORD, is_admin=True)
        listed = users.list_users()
    assert listed == [
        ("Anna@example.com", "Anna", "active", True),
        ("ben@example.com", "Ben", "active", False),
        ("carl@example.com", "Carl", "active", True),
    ]


@pytest.mark.parametrize(
    ("email", "name", "password", "message"),
    [
        ("anna", "Anna", PASSWORD, "email:"),
        ("anna@example.com", "", PASSWORD, "name:"),
        ("anna@example.com", "Anna", "short", "password: Must have at least 10 characters."),
        ("OLGA1@example.com", "Olga", PASSWORD, "already"),
    ],
)
def test_the_command_line_says_what_is_wrong(admin, email, name, password, message):
    with config.use(admin.installation.config):
        with pytest.raises(Refusal, match=message):
            users.create(email, name, password, is_admin=False)
        assert len(users.list_users()) == 1


def test_the_command_line_makes_no_link_for_an_unknown_user(admin):
    with config.use(admin.installation.config), pytest.raises(NotFound):
        resets.issue_reset_link("nobody@example.com")


def test_a_link_is_void_once_the_password_has_changed(admin, anna, installation):
    made = issue(admin, anna)
    anna.ok("POST", "/auth/change-password", {"currentPassword": PASSWORD, "newPassword": "another good password"})
    assert code_of(redeem(installation, made["token"])) == (404, "not_found")
