"""Members: who can change whom, and who must stay."""

import pytest

from erp.kernel import config
from erp.kernel.roles import ROLES, may_grant
from erp.store import control
from erp.store.control import User
from tests.members.conftest import member_id

REST = [role for role in ROLES if role not in ("owner", "admin")]


def second_owner(acme):
    return acme.colleague("owner")


def test_every_member_sees_who_is_in_the_workspace(acme, stranger):
    viewer = acme.colleague("viewer")
    rows = viewer.ok("GET", "/workspace/members")
    assert [(row["user"]["email"], row["role"]) for row in rows] == [(acme.email, "owner"), (viewer.email, "viewer")]
    olga = rows[0]
    assert olga["user"] == {"id": acme.user["id"], "email": acme.email, "name": "Olga"}
    assert (olga["status"], olga["employeeId"], olga["version"]) == ("active", None, 1)
    assert olga["joinedAt"].endswith("Z")


@pytest.mark.parametrize(
    ("params", "names"),
    [
        ({"q": "olg"}, ["Olga"]),
        ({"q": "viewer"}, ["Viewer"]),
        ({"q": "%"}, []),
        ({"role": "viewer"}, ["Viewer"]),
        ({"status": "suspended"}, ["Member"]),
        ({"status": "active", "sort": "-name"}, ["Viewer", "Olga"]),
        ({"sort": "createdAt"}, ["Olga", "Viewer", "Member"]),
    ],
)
def test_members_are_found_by_text_role_and_status(acme, params, names):
    acme.colleague("viewer")
    suspended = acme.colleague("member")
    acme.ok("PATCH", f"/workspace/members/{member_id(acme, suspended)}", {"status": "suspended"})
    assert [row["user"]["name"] for row in acme.ok("GET", "/workspace/members", params=params)] == names


def test_the_list_of_members_comes_in_pages(acme):
    acme.colleague("viewer")
    first = acme.call("GET", "/workspace/members", params={"limit": "1", "total": "true"}).json
    assert first["page"]["total"] == 2
    rest = acme.ok("GET", "/workspace/members", params={"limit": "1", "cursor": first["page"]["nextCursor"]})
    assert [first["data"][0]["user"]["name"], rest[0]["user"]["name"]] == ["Olga", "Viewer"]


@pytest.mark.parametrize("granter", ["owner", "admin"])
@pytest.mark.parametrize("old", ROLES)
def test_a_role_is_changed_by_members_who_can_grant_the_old_and_the_new_one(acme, granter, old):
    boss = acme if granter == "owner" else acme.colleague("admin")
    person = acme.colleague(old)
    path = f"/workspace/members/{member_id(acme, person)}"
    for new in ROLES:
        if may_grant(granter, old) and may_grant(granter, new):
            assert boss.ok("PATCH", path, {"role": new})["role"] == new
            acme.ok("PATCH", path, {"role": old})
        else:
            boss.refused("PATCH", path, {"role": new}, status=403, code="forbidden")
            assert person.ok("GET", f"/workspace/{acme.workspace_id}")["role"] == old


@pytest.mark.parametrize("role", REST)
def test_nobody_else_changes_or_removes_members(acme, role):
    colleague, viewer = acme.colleague(role), acme.colleague("viewer")
    path = f"/workspace/members/{member_id(acme, viewer)}"
    colleague.refused("PATCH", path, {"role": "hr"}, status=403, code="forbidden")
    colleague.refused("DELETE", path, status=403, code="forbidden")
    assert len(acme.ok("GET", "/workspace/members")) == 3


def test_an_admin_neither_suspends_nor_removes_an_owner(acme):
    admin = acme.colleague("admin")
    second_owner(acme)
    path = f"/workspace/members/{member_id(acme, acme)}"
    admin.refused("PATCH", path, {"status": "suspended"}, status=403, code="forbidden")
    admin.refused("DELETE", path, status=403, code="forbidden")


def test_an_admin_removes_an_admin(acme):
    admin, other = acme.colleague("admin"), acme.colleague("admin")
    assert admin.ok("DELETE", f"/workspace/members/{member_id(acme, other)}") == {}
    assert len(acme.ok("GET", "/workspace/members")) == 2


@pytest.mark.parametrize("body", [{"role": "admin"}, {"status": "suspended"}, {"role": "viewer", "status": "active"}])
def test_the_last_owner_can_be_neither_demoted_nor_suspended(acme, body):
    acme.colleague("admin")
    path = f"/workspace/members/{member_id(acme, acme)}"
    acme.refused("PATCH", path, body, status=409, code="last_owner")
    assert acme.ok("GET", f"/workspace/{acme.workspace_id}")["role"] == "owner"


def test_the_last_owner_can_neither_be_removed_nor_leave(acme):
    acme.refused("DELETE", f"/workspace/members/{member_id(acme, acme)}", status=409, code="last_owner")
    acme.refused("POST", "/workspace/leave", status=409, code="last_owner")
    assert len(acme.ok("GET", "/workspace/members")) == 1


def test_an_owner_who_cannot_sign_in_does_not_count(acme):
    suspended, disabled = second_owner(acme), second_owner(acme)
    acme.ok("PATCH", f"/workspace/members/{member_id(acme, suspended)}", {"status": "suspended"})
    with config.use(acme.installation.config), control.write():
        User.find(disabled.user["id"]).change(status="disabled")
    acme.refused("POST", "/workspace/leave", status=409, code="last_owner")


def test_one_of_two_owners_can_leave_and_the_other_then_stays(acme):
    other = second_owner(acme)
    assert acme.ok("POST", "/workspace/leave") == {}
    acme.refused("GET", "/workspace/members", status=403, code="not_a_member")
    other.refused("POST", "/workspace/leave", status=409, code="last_owner")


def test_any_other_member_can_leave(acme):
    viewer = acme.colleague("viewer")
    viewer.ok("POST", "/workspace/leave")
    viewer.refused("GET", f"/workspace/{acme.workspace_id}", status=403, code="not_a_member")
    assert viewer.ok("GET", "/workspace") == []


def test_a_removed_member_is_out_with_the_next_request(acme):
    member = acme.colleague("member")
    member.ok("GET", "/workspace/members")
    acme.ok("DELETE", f"/workspace/members/{member_id(acme, member)}")
    member.refused("GET", "/workspace/members", status=403, code="not_a_member")


def test_the_name_of_someone_who_has_gone_stays_where_they_worked(acme):
    removed, left = acme.colleague("member"), acme.colleague("viewer")
    people = [removed.user["id"], left.user["id"]]
    task = acme.ok("POST", "/tasks", {"title": "Move", "assigneeUserIds": people})
    removed.ok("POST", f"/tasks/{task['id']}/time-logs", {"date": "2026-03-02", "minutes": 30})
    mine = next(row for row in acme.ok("GET", "/workspace/members") if row["user"]["id"] == people[0])
    acme.ok("DELETE", f"/workspace/members/{mine['id']}")
    left.ok("POST", "/workspace/leave")
    names = dict(zip(people, ["Member", "Viewer"], strict=True))
    shown = acme.ok("GET", f"/tasks/{task['id']}")
    assert shown["assigneeNames"] == [names[id] for id in shown["assigneeUserIds"]]
    assert acme.ok("GET", "/tasks")[0]["assigneeNames"] == shown["assigneeNames"]
    assert [log["userName"] for log in acme.ok("GET", "/tasks/time-logs")] == ["Member"]


def test_a_suspended_member_is_out_with_the_next_request_until_activated_again(acme):
    member = acme.colleague("member")
    path = f"/workspace/members/{member_id(acme, member)}"
    acme.ok("PATCH", path, {"status": "suspended"})
    member.refused("GET", "/workspace/members", status=403, code="not_a_member")
    assert member.ok("GET", "/workspace") == []
    acme.ok("PATCH", path, {"status": "active"})
    member.ok("GET", "/workspace/members")


def test_a_lower_role_applies_to_the_next_request(acme):
    admin = acme.colleague("admin")
    admin.ok("GET", "/workspace/invites")
    acme.ok("PATCH", f"/workspace/members/{member_id(acme, admin)}", {"role": "viewer"})
    admin.refused("GET", "/workspace/invites", status=403, code="forbidden")


def test_a_member_of_another_workspace_is_not_found(acme, stranger):
    path = f"/workspace/members/{member_id(stranger, stranger)}"
    acme.refused("PATCH", path, {"role": "viewer"}, status=404, code="not_found")
    acme.refused("DELETE", path, status=404, code="not_found")
    acme.refused("DELETE", "/workspace/members/nobody", status=404, code="not_found")
    assert len(stranger.ok("GET", "/workspace/members")) == 1


@pytest.mark.parametrize(
    ("body", "field"),
    [({"role": "king"}, "role"), ({"status": "gone"}, "status"), ({"userId": "x"}, "userId"), ({"role": None}, "role")],
)
def test_a_member_is_changed_only_in_ways_that_exist(acme, body, field):
    viewer = acme.colleague("viewer")
    error = acme.refused("PATCH", f"/workspace/members/{member_id(acme, viewer)}", body, status=422)
    assert [complaint["field"] for complaint in error["details"]] == [field]


def test_a_change_of_a_member_checks_the_expected_version(acme):
    viewer = acme.colleague("viewer")
    path = f"/workspace/members/{member_id(acme, viewer)}"
    answer = acme.call("PATCH", path, {"role": "hr"}, headers={"If-Match": '"1"'})
    assert answer.headers["ETag"] == '"2"'
    acme.refused("PATCH", path, {"role": "member"}, headers={"If-Match": '"1"'}, status=412)
    acme.refused("DELETE", path, headers={"If-Match": '"1"'}, status=412)


def test_the_log_shows_every_change_of_a_member(acme):
    viewer, leaver = acme.colleague("viewer"), acme.colleague("hr")
    path = f"/workspace/members/{member_id(acme, viewer)}"
    acme.ok("PATCH", path, {"role": "member", "status": "suspended"})
    acme.ok("PATCH", path, {"role": "member"})
    acme.ok("DELETE", path)
    leaver.ok("POST", "/workspace/leave")
    newest = acme.ok("GET", "/workspace/events", params={"resourceType": "member", "limit": "3"})
    assert [(event["type"], event["data"], event["actor"]["id"]) for event in newest] == [
        ("member.left", {"userId": leaver.user["id"], "role": "hr"}, leaver.user["id"]),
        ("member.removed", {"userId": viewer.user["id"], "role": "member"}, acme.user["id"]),
        (
            "member.updated",
            {
                "userId": viewer.user["id"],
                "role": {"from": "viewer", "to": "member"},
                "status": {"from": "active", "to": "suspended"},
            },
            acme.user["id"],
        ),
    ]
    assert acme.ok("GET", "/workspace/events/verify")["isValid"]


def test_a_member_who_comes_back_has_to_create_tokens_and_calendar_addresses_again(acme):
    anna = acme.colleague("member")
    token = anna.ok("POST", "/auth/tokens", {"name": "Report", "workspaceId": acme.workspace_id})["token"]
    calendar = anna.ok("POST", "/tasks/calendar-address")["url"].partition("/api/v1")[2]
    acme.ok("DELETE", f"/workspace/members/{member_id(acme, anna)}")
    invite = acme.ok("POST", "/workspace/invites", {"email": anna.email, "role": "member"})
    anna.ok("POST", "/workspace/invites/accept", {"token": invite["token"]})
    headers = {"Authorization": f"Bearer {token}"}
    assert acme.installation.call("GET", "/tasks", headers=headers).status_code == 401
    assert acme.installation.call("GET", calendar).status_code == 404
