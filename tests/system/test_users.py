import json

import pytest

from erp.auth import named_tokens
from erp.kernel import caller
from erp.kernel.caller import Caller
from erp.kernel.errors import SignInRequired
from erp.store import control
from erp.store.control import Outbox, PasswordReset, Session, User
from erp.system import users
from erp.system.users import UserStatusChange
from tests.conftest import PASSWORD


@pytest.fixture
def ann(acme):
    """A colleague in Olga's office; Olga, who came first, is the instance admin."""
    return acme.colleague("accountant")


def disable(admin, person, **options):
    return admin.ok("PATCH", f"/system/users/{person.user['id']}", {"status": "disabled"}, **options)


def enable(admin, person):
    return admin.ok("PATCH", f"/system/users/{person.user['id']}", {"status": "active"})


def test_the_admin_sees_every_user_whatever_workspace_they_are_in(acme, ann, stranger):
    listed = {each["email"]: each for each in acme.ok("GET", "/system/users")}
    assert list(listed) == sorted([acme.email, ann.email, stranger.email])
    assert listed[acme.email].pop("lastSeenAt") >= acme.user["createdAt"]
    assert listed[acme.email] == {
        **{name: acme.user[name] for name in ("id", "email", "name", "createdAt", "version", "updatedAt")},
        "status": "active",
        "hasTwoFactor": False,
        "isInstanceAdmin": True,
        "workspaces": 1,
    }
    assert not listed[ann.email]["isInstanceAdmin"]


def test_users_are_found_by_name_address_and_status(acme, ann, stranger):
    def found(**parameters):
        return [each["email"] for each in acme.ok("GET", "/system/users", params=parameters)]

    assert found(q="accoun") == [ann.email]
    assert found(q=stranger.email[:4]) == [stranger.email]
    disable(acme, ann)
    assert found(status="disabled") == [ann.email]
    assert found(status="active", sort="-email") == sorted([acme.email, stranger.email], reverse=True)


def test_a_user_without_a_session_has_not_been_seen_lately(acme, ann):
    ann.ok("POST", "/auth/logout")
    ordered = acme.ok("GET", "/system/users", params={"sort": "lastSeenAt"})
    assert [(each["email"], each["lastSeenAt"] is None) for each in ordered] == [(ann.email, True), (acme.email, False)]


def test_a_disabled_user_is_out_at_once_with_all_tokens(acme, ann):
    token = ann.ok("POST", "/auth/tokens", {"name": "Export", "workspaceId": acme.workspace_id})["token"]
    calendar = ann.ok("POST", "/tasks/calendar-address")["url"].partition("/api/v1")[2]
    assert acme.installation.call("GET", calendar).status_code == 200
    assert disable(acme, ann)["status"] == "disabled"
    for bearer in (ann.token, token):
        answer = acme.installation.call("GET", "/auth/session", headers={"Authorization": f"Bearer {bearer}"})
        assert (answer.status_code, answer.json["error"]["code"]) == (401, "not_authenticated")
    assert acme.installation.call("GET", calendar).status_code == 404
    signing_in = {"email": ann.email, "password": PASSWORD}
    assert acme.installation.call("POST", "/auth/login", signing_in).status_code == 401


def test_a_link_to_set_a_password_does_not_outlive_the_disabling(acme, ann):
    acme.ok("POST", "/auth/password-resets", {"userId": ann.user["id"]})
    disable(acme, ann)
    with acme.acting(), control.read():
        assert not PasswordReset.select().where(PasswordReset.user == ann.user["id"]).exists()
        assert not Session.select().where(Session.user == ann.user["id"]).exists()


def test_an_enabled_user_signs_in_again_and_finds_their_role(acme, ann):
    token = ann.ok("POST", "/auth/tokens", {"name": "Export", "workspaceId": acme.workspace_id})["token"]
    disable(acme, ann)
    assert enable(acme, ann)["status"] == "active"
    for bearer in (ann.token, token):
        ann.refused("GET", "/auth/session", status=401, headers={"Authorization": f"Bearer {bearer}"})
    answer = acme.installation.call("POST", "/auth/login", {"email": ann.email, "password": PASSWORD})
    ann.token = answer.json["data"]["session"]["token"]
    ann.select(acme.workspace_id)
    assert ann.ok("GET", "/auth/session")["workspace"]["role"] == "accountant"


def test_an_admin_who_was_disabled_a_moment_ago_cannot_enable_themselves(acme, ann):
    with acme.acting(), control.write():
        User.update(is_instance_admin=True).where(User.id == ann.user["id"]).execute()
    disable(acme, ann)
    admitted_a_moment_before = Caller(user_id=ann.user["id"], name="Ann", email=ann.email, is_instance_admin=True)
    with acme.acting(), caller.acting(admitted_a_moment_before), pytest.raises(SignInRequired), control.write():
        users.change(ann.user["id"], UserStatusChange(status="active"))
    assert acme.ok("GET", "/system/users", params={"status": "disabled"})[0]["email"] == ann.email


def test_an_enabled_user_has_no_calendar_address_and_no_invite_left(acme):
    ben = acme.colleague("admin")
    calendar = ben.ok("POST", "/tasks/calendar-address")["url"].partition("/api/v1")[2]
    invite = ben.ok("POST", "/workspace/invites", {"email": "ben@private.example", "role": "admin"})["token"]
    disable(acme, ben)
    enable(acme, ben)
    assert acme.installation.call("GET", calendar).status_code == 404
    answer = acme.installation.call("POST", "/workspace/invites/preview", {"token": invite})
    assert answer.json["error"]["code"] == "invite_revoked"
    assert acme.ok("GET", "/workspace/events", params={"type": "invite.revoked"})


def test_a_token_that_was_being_made_at_that_moment_does_not_come_to_life_later(acme, ann):
    admitted_a_moment_before = Caller(user_id=ann.user["id"], name="Ann", email=ann.email)
    disable(acme, ann)
    with acme.acting(), caller.acting(admitted_a_moment_before), control.write():
        _, token = named_tokens.make(named_tokens.NewToken(name="Late", workspace_id=acme.workspace_id))
    enable(acme, ann)
    ann.refused("GET", "/auth/session", status=401, headers={"Authorization": f"Bearer {token}"})


def test_an_admin_cannot_disable_themselves(acme):
    acme.refused(
        "PATCH", f"/system/users/{acme.user['id']}", {"status": "disabled"}, status=409, code="disabling_oneself"
    )
    assert acme.ok("GET", "/auth/session")["user"]["id"] == acme.user["id"]


def test_one_of_two_admins_who_disable_each_other_stays(acme, ann):
    with acme.acting(), control.write():
        User.update(is_instance_admin=True).where(User.id == ann.user["id"]).execute()
    disable(acme, ann)
    admitted_a_moment_before = Caller(user_id=ann.user["id"], name="Ann", email=ann.email, is_instance_admin=True)
    with acme.acting(), caller.acting(admitted_a_moment_before), pytest.raises(SignInRequired), control.write():
        users.change(acme.user["id"], UserStatusChange(status="disabled"))
    assert acme.ok("GET", "/auth/session")


def test_another_admin_can_be_disabled(acme, ann):
    with acme.acting(), control.write():
        User.update(is_instance_admin=True).where(User.id == ann.user["id"]).execute()
    ann.ok("GET", "/system/users")
    disable(acme, ann)
    ann.refused("GET", "/system/users", status=401)


def test_the_only_owner_of_a_workspace_can_be_disabled_and_the_others_go_on(acme, stranger):
    colleague = stranger.colleague("accountant")
    disable(acme, stranger)
    assert colleague.ok("GET", "/workspace/members")
    enable(acme, stranger)


def test_their_workspaces_log_it_once_and_the_chains_hold(acme, ann):
    def logged():
        events = acme.ok("GET", "/workspace/events", params={"limit": "200"})
        return [
            (each["type"], each["resource"], each["actor"]["id"]) for each in events if each["type"].startswith("user.")
        ]

    disable(acme, ann)
    disable(acme, ann)
    who = {"type": "user", "id": ann.user["id"]}
    assert logged() == [("user.disabled", who, acme.user["id"])]
    enable(acme, ann)
    assert sorted(logged()) == sorted([("user.disabled", who, acme.user["id"]), ("user.active", who, acme.user["id"])])
    assert acme.ok("GET", "/workspace/events/verify")["brokenAt"] is None
    with acme.acting(), control.read():
        assert not Outbox.select().exists()


def test_a_workspace_that_cannot_log_it_now_does_not_keep_a_user_enabled(acme, ann, spoil):
    spoil(acme)
    assert disable(acme, ann)["status"] == "disabled"
    with acme.acting(), control.read():
        (waiting,) = Outbox.select()
        assert json.loads(waiting.event)["event"]["type"] == "user.disabled"


def test_a_stale_version_changes_nothing(acme, ann):
    seen = next(each for each in acme.ok("GET", "/system/users") if each["id"] == ann.user["id"])
    disable(acme, ann, headers={"If-Match": f'"{seen["version"]}"'})
    route = f"/system/users/{ann.user['id']}"
    stale = {"If-Match": f'"{seen["version"]}"'}
    acme.refused("PATCH", route, {"status": "active"}, status=412, code="version_mismatch", headers=stale)
    ann.refused("GET", "/auth/session", status=401)


@pytest.mark.parametrize(("verb", "path"), [("GET", "/system/users"), ("PATCH", "/system/users/x")])
def test_an_owner_who_is_no_instance_admin_is_not_let_near(acme, stranger, verb, path):
    body = {"status": "disabled"} if verb == "PATCH" else None
    stranger.refused(verb, path, body, status=403, code="forbidden")


@pytest.mark.parametrize("body", [{"status": "gone"}, {"status": None}, {"isInstanceAdmin": True}])
def test_nothing_else_is_changed_of_a_user(acme, ann, body):
    acme.refused("PATCH", f"/system/users/{ann.user['id']}", body, status=422, code="validation_failed")


def test_an_unknown_user_is_not_found(acme):
    acme.refused("PATCH", "/system/users/nobody", {"status": "disabled"}, status=404, code="not_found")
