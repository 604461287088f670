"""What users change about themselves."""

import pytest

from erp.auth import passwords
from erp.store.control import User
from tests.auth.conftest import bearer
from tests.conftest import PASSWORD

NEW = "staple of the long stable"


def login(person, password):
    return person.installation.call("POST", "/auth/login", {"email": person.email, "password": password})


def test_users_change_their_name_language_and_time_zone(anna):
    changed = anna.call("PATCH", "/auth/me", {"name": "Anna B.", "locale": "de-AT", "timeZone": "Europe/Vienna"})
    assert changed.headers["etag"] == '"2"'
    user = anna.ok("GET", "/auth/session")["user"]
    assert user == changed.json["data"]
    assert (user["name"], user["locale"], user["timeZone"]) == ("Anna B.", "de-AT", "Europe/Vienna")


def test_fields_that_are_not_sent_stay(anna):
    anna.ok("PATCH", "/auth/me", {"timeZone": "Asia/Tokyo"})
    user = anna.ok("PATCH", "/auth/me", {"locale": "ja"})
    assert (user["name"], user["timeZone"], user["locale"]) == ("Anna", "Asia/Tokyo", "ja")


def test_a_user_has_no_time_zone_until_they_set_one_and_can_clear_it(anna):
    assert anna.user["timeZone"] is None
    assert anna.ok("PATCH", "/auth/me", {"timeZone": "Asia/Tokyo"})["timeZone"] == "Asia/Tokyo"
    assert anna.ok("PATCH", "/auth/me", {"timeZone": None})["timeZone"] is None


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"timeZone": "Europe"}, "unknown_time_zone"),
        ({"timeZone": "../etc/passwd"}, "unknown_time_zone"),
        ({"timeZone": "Mars/Olympus"}, "unknown_time_zone"),
        ({"locale": "german!"}, "bad_format"),
        ({"name": None}, "wrong_type"),
        ({"isInstanceAdmin": False}, "read_only"),
        ({"email": "other@example.com"}, "read_only"),
    ],
)
def test_an_unacceptable_value_is_named(anna, change, code):
    (complaint,) = anna.refused("PATCH", "/auth/me", change, status=422)["details"]
    assert (complaint["field"], complaint["code"]) == (next(iter(change)), code)


def test_a_change_that_was_overtaken_is_refused(anna):
    anna.ok("PATCH", "/auth/me", {"locale": "de"}, headers={"If-Match": '"1"'})
    anna.refused("PATCH", "/auth/me", {"locale": "fr"}, headers={"If-Match": '"1"'}, status=412)
    assert anna.ok("GET", "/auth/session")["user"]["locale"] == "de"


def script(office, name):
    """The headers of a script with a named token."""
    return bearer(office.ok("POST", "/auth/tokens", {"name": name, "workspaceId": office.workspace_id})["token"])


def still_works(office, headers):
    return office.installation.call("GET", "/auth/session", headers=headers).status_code == 200


def test_a_new_password_ends_the_other_sessions_and_the_named_tokens(acme, stranger):
    other = bearer(login(acme, PASSWORD).json["data"]["session"]["token"])
    nightly, of_a_stranger = script(acme, "nightly"), script(stranger, "nightly")
    acme.ok("POST", "/auth/change-password", {"currentPassword": PASSWORD, "newPassword": NEW})
    assert [still_works(acme, headers) for headers in (other, nightly, of_a_stranger)] == [False, False, True]
    assert acme.ok("GET", "/auth/tokens") == []
    acme.ok("GET", "/auth/session")
    assert login(acme, PASSWORD).status_code == 401
    assert login(acme, NEW).status_code == 200


def test_a_new_password_leaves_the_named_tokens_that_are_kept_by_name(acme):
    nightly, export = script(acme, "nightly"), script(acme, "export")
    body = {"currentPassword": PASSWORD, "newPassword": NEW, "keepTokens": ["nightly"]}
    acme.ok("POST", "/auth/change-password", body)
    assert [still_works(acme, headers) for headers in (nightly, export)] == [True, False]
    assert [token["name"] for token in acme.ok("GET", "/auth/tokens")] == ["nightly"]


def test_a_token_to_keep_that_nobody_has_changes_no_password(acme, stranger):
    nightly, _ = script(acme, "nightly"), script(stranger, "theirs")
    body = {"currentPassword": PASSWORD, "newPassword": NEW, "keepTokens": ["nightly", "weekly", "theirs"]}
    error = acme.refused("POST", "/auth/change-password", body, status=422, code="validation_failed")
    assert [(complaint["field"], complaint["code"]) for complaint in error["details"]] == [
        ("keepTokens[1]", "unknown_reference"),
        ("keepTokens[2]", "unknown_reference"),
    ]
    assert still_works(acme, nightly)
    assert login(acme, PASSWORD).status_code == 200


def test_a_new_password_leaves_the_sessions_of_others(anna, installation):
    ben = installation.newcomer("Ben")
    anna.ok("POST", "/auth/change-password", {"currentPassword": PASSWORD, "newPassword": NEW})
    ben.ok("GET", "/auth/session")


@pytest.mark.parametrize(
    ("body", "field", "code"),
    [
        ({"currentPassword": "wrong", "newPassword": NEW}, "currentPassword", "wrong_password"),
        ({"currentPassword": PASSWORD, "newPassword": "short"}, "newPassword", "too_short"),
        ({"currentPassword": PASSWORD, "newPassword": "anna1@EXAMPLE.com"}, "newPassword", "too_guessable"),
    ],
)
def test_an_unacceptable_password_changes_nothing(anna, body, field, code):
    (complaint,) = anna.refused("POST", "/auth/change-password", body, status=422)["details"]
    assert (complaint["field"], complaint["code"]) == (field, code)
    assert login(anna, PASSWORD).status_code == 200


def test_someone_who_guesses_the_current_password_has_to_wait(anna):
    for _ in range(6):
        body = {"currentPassword": "wrong", "newPassword": NEW}
        anna.refused("POST", "/auth/change-password", body, status=422)
    right = {"currentPassword": PASSWORD, "newPassword": NEW}
    anna.refused("POST", "/auth/change-password", right, status=429, code="rate_limited")


def test_of_two_changes_of_a_password_at_once_the_later_is_refused(anna, records, monkeypatch):
    def verify_slowly(password_hash, password):
        with records(write=True):
            User.update(password_hash="another").execute()
        return True

    monkeypatch.setattr(passwords, "verify", verify_slowly)
    body = {"currentPassword": PASSWORD, "newPassword": NEW}
    anna.refused("POST", "/auth/change-password", body, status=409, code="password_changed")
    with records():
        assert User.get().password_hash == "another"


def test_the_name_of_ones_own_workspace_is_no_password(installation):
    olga = installation.newcomer("Olga")
    olga.select(olga.ok("POST", "/workspace", {"name": "Kolibri"})["id"])
    body = {"currentPassword": PASSWORD, "newPassword": "Kolibri2026"}
    (complaint,) = olga.refused("POST", "/auth/change-password", body, status=422)["details"]
    assert (complaint["field"], complaint["code"]) == ("newPassword", "too_guessable")
