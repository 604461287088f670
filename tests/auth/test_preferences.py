"""How users want to see the program."""

import pytest

from tests.auth.conftest import bearer


def test_without_a_choice_the_system_decides_and_letters_are_commands(anna):
    preferences = anna.ok("GET", "/auth/preferences")
    assert preferences == {
        "id": anna.user["id"],
        "version": 1,
        "createdAt": preferences["createdAt"],
        "updatedAt": preferences["createdAt"],
        "locale": "en",
        "theme": "system",
        "singleKeys": True,
        "screens": {},
    }


def test_preferences_are_in_the_session_and_in_the_answer_to_signing_in(anna, sign_in):
    change = {"locale": "de-AT", "theme": "dark", "singleKeys": False, "screens": {"invoices": {"columns": ["total"]}}}
    changed = anna.call("PATCH", "/auth/preferences", change)
    assert changed.headers["etag"] == '"2"'
    assert changed.json["data"]["version"] == 2
    assert changed.json["data"].items() >= change.items()
    assert anna.ok("GET", "/auth/session")["preferences"] == changed.json["data"]
    assert sign_in(anna.email).json["data"]["preferences"] == changed.json["data"]
    assert anna.ok("GET", "/auth/preferences") == changed.json["data"]


def test_the_language_is_that_of_the_user(anna):
    anna.ok("PATCH", "/auth/preferences", {"locale": "de"})
    assert anna.ok("GET", "/auth/session")["user"]["locale"] == "de"
    anna.ok("PATCH", "/auth/me", {"locale": "fr"})
    assert anna.ok("GET", "/auth/preferences")["locale"] == "fr"


def test_preferences_are_of_one_user(acme):
    clerk = acme.colleague("accountant")
    clerk.ok("PATCH", "/auth/preferences", {"theme": "dark"})
    assert acme.ok("GET", "/auth/preferences")["theme"] == "system"


def test_a_screen_replaces_what_it_kept_and_leaves_the_others(anna):
    anna.ok("PATCH", "/auth/preferences", {"screens": {"invoices": {"sort": "date", "wide": True}, "time": {"w": 1.5}}})
    kept = anna.ok("PATCH", "/auth/preferences", {"screens": {"invoices": {"sort": "due"}, "board": {}}})["screens"]
    assert kept == {"invoices": {"sort": "due"}, "time": {"w": 1.5}, "board": {}}
    kept = anna.ok("PATCH", "/auth/preferences", {"screens": {"time": None}})["screens"]
    assert kept == {"invoices": {"sort": "due"}, "board": {}}


def test_what_is_kept_comes_back_as_it_was_sent(anna):
    sent = {"filters": [{"q": "Größe <b>"}, None, 0.1, 12345678901234567890, "\U0001f980"]}
    assert anna.ok("PATCH", "/auth/preferences", {"screens": {"tasks": sent}})["screens"] == {"tasks": sent}


def test_all_screens_together_keep_8_kilobytes(anna):
    around = len('{"a":{"x":""}}')
    anna.ok("PATCH", "/auth/preferences", {"screens": {"a": {"x": "y" * (8192 - around)}}})
    refusal = anna.refused("PATCH", "/auth/preferences", {"screens": {"b": {}}, "theme": "dark"}, status=422)
    (complaint,) = refusal["details"]
    assert (complaint["field"], complaint["code"]) == ("screens", "too_long")
    assert complaint["message"] == "All screens together can keep 8192 bytes; this would be 8199."
    assert anna.ok("GET", "/auth/preferences")["theme"] == "system", "a refusal leaves nothing half done"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"locale": "german!"}, "bad_format"),
        ({"theme": "pink"}, "not_one_of"),
        ({"singleKeys": 1}, "wrong_type"),
        ({"screens": {"invoices": "wide"}}, "wrong_type"),
        ({"screens": None}, "wrong_type"),
        ({"font": "large"}, "unknown_field"),
    ],
)
def test_an_unacceptable_preference_is_named(anna, change, code):
    (complaint,) = anna.refused("PATCH", "/auth/preferences", change, status=422)["details"]
    assert (complaint["field"].split(".")[0].split("[")[0], complaint["code"]) == (next(iter(change)), code)


def test_a_change_that_was_overtaken_is_refused(anna):
    anna.ok("PATCH", "/auth/preferences", {"theme": "dark"}, headers={"If-Match": '"1"'})
    anna.refused("PATCH", "/auth/preferences", {"theme": "light"}, headers={"If-Match": '"1"'}, status=412)
    assert anna.ok("PATCH", "/auth/preferences", {"theme": "dark"})["version"] == 2, "nothing changed"


def test_preferences_leave_the_version_of_the_user_alone(anna):
    anna.ok("PATCH", "/auth/preferences", {"screens": {"invoices": {}}})
    anna.ok("PATCH", "/auth/me", {"name": "Anna B."}, headers={"If-Match": '"1"'})


def test_a_script_reads_preferences_and_does_not_change_them(acme):
    script = acme.ok("POST", "/auth/tokens", {"name": "Export", "workspaceId": acme.workspace_id})["token"]
    assert acme.installation.call("GET", "/auth/preferences", headers=bearer(script)).status_code == 200
    refused = acme.installation.call("PATCH", "/auth/preferences", {"theme": "dark"}, headers=bearer(script))
    assert refused.status_code == 403
