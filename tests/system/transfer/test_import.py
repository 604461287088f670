"""A workspace arrives at another installation: the same books, and its people as far as they are there."""

from pathlib import Path
from typing import Any

import pytest

from erp.commands.data import COMMAND_LINE
from erp.kernel.errors import NotFound
from erp.store import control, router
from erp.store.control import User, Workspace
from erp.store.records import new_id
from erp.system.checks import files as checking
from erp.system.transfer import registration, user_ids
from tests.conftest import PASSWORD, Installation, Office
from tests.finance.billing.time_logs import hourly_project, project_task, time_log
from tests.finance.reports.trees import unproven
from tests.hr.payroll.payrolls import paid_employee
from tests.system.transfer.exports import (
    NOW,
    Busy,
    at_the_command_line,
    export,
    import_workspace,
    moved,
    register,
    rewritten,
    tables,
    translated,
    unpacked,
)

ALIKE = [
    "/finance/reports/trial-balance?date=2026-12-31",
    "/finance/reports/balance-sheet?date=2026-12-31",
    "/finance/accounts",
    "/finance/contacts",
    "/finance/invoices",
    "/finance/payments",
    "/finance/periods",
    "/projects",
    "/projects/{project}",
    "/projects/{project}/summary",
    "/tasks",
    "/tasks/{task}/comments",
    "/tasks/time-logs",
    "/tasks/time-logs?groupBy=user",
    "/workspace/views",
    "/hr/employees",
    "/hr/attendance",
    "/hr/attendance-corrections",
    "/hr/leaves",
    "/hr/leave-balances",
    "/hr/payroll/runs",
    "/hr/payroll/payslips",
]


@pytest.fixture
def busy(installation: Installation, clock_at) -> Busy:
    clock_at(NOW)
    return installation.once(Busy, installation)


def members(office: Office) -> list[tuple[str, str, str]]:
    shown = office.ok("GET", "/workspace/members")
    return [(each["user"]["name"], each["role"], each["status"]) for each in shown]


def test_everything_is_there_as_it_was_and_shows_the_people_by_their_users_there(
    busy: Busy, elsewhere: Installation, tmp_path: Path
) -> None:
    here = [busy.olga, busy.max, busy.maria]
    there = moved(busy.olga, elsewhere, tmp_path, busy.max, busy.maria)
    ids = {old.user["id"]: new.user["id"] for old, new in zip(here, there, strict=True)}
    for path in ALIKE:
        path = path.format(project=busy.project, task=busy.task["id"])
        before, after = (unproven(office.ok("GET", path)) for office in (busy.olga, there[0]))
        assert after == translated(after, {}) == translated(before, ids), path
        assert before, path
    journals = [office.ok("GET", "/finance/journals") for office in (busy.olga, there[0])]
    assert journals[0] == journals[1]
    assert there[0].ok("GET", f"/workspace/{busy.olga.workspace_id}")["numberFormats"]
    assert sorted(members(there[0])) == [
        ("Manager", "manager", "active"),
        ("Member", "member", "active"),
        ("Olga", "owner", "active"),
    ]


def test_a_person_without_a_user_there_is_no_member_and_is_still_named(
    busy: Busy, elsewhere: Installation, tmp_path: Path
) -> None:
    olga, _, _ = moved(busy.olga, elsewhere, tmp_path, busy.max, busy.maria)
    gone = busy.hanna.user["id"]
    said = olga.ok("GET", f"/tasks/{busy.task['id']}/comments", params={"sort": "createdAt"})
    assert [(each["author"]["name"], each["author"]["id"] == gone) for each in said] == [
        ("Member", False),
        ("Admin", True),
        ("Manager", False),
    ]
    (log_of_hers,) = olga.ok("GET", "/tasks/time-logs", params={"userId": gone})
    assert (log_of_hers["userName"], log_of_hers["minutes"]) == ("Admin", 30)
    views = olga.ok("GET", "/workspace/views")
    assert sorted((each["name"], each["ownerName"]) for each in views) == [("Ours", "Admin"), ("Ours", "Member")]
    spent = olga.ok("GET", f"/projects/{busy.project}/summary")
    assert "Admin" in str(spent)
    assert [each["id"] for each in olga.ok("GET", "/tasks", params={"assigneeUserId": gone})] == [busy.task["id"]]
    olga.ok("PATCH", f"/tasks/{busy.task['id']}", {"assigneeUserIds": [gone, olga.user["id"]]})
    olga.refused("POST", "/tasks", {"title": "Test", "assigneeUserIds": [gone]}, status=422)
    olga.refused("DELETE", "/tasks/timer", params={"userId": gone}, status=409, code="no_timer")


def test_a_member_signs_in_there_and_finds_her_time_her_timer_and_her_pay(
    busy: Busy, elsewhere: Installation, tmp_path: Path
) -> None:
    olga, maria = moved(busy.olga, elsewhere, tmp_path, busy.maria)
    ids = {busy.olga.user["id"]: olga.user["id"], busy.maria.user["id"]: maria.user["id"]}
    assert maria.user["id"] != busy.maria.user["id"]
    mine = maria.ok("GET", "/hr/me")
    assert mine == translated(busy.maria.ok("GET", "/hr/me"), ids)
    assert [slip["net"] for slip in mine["payslips"]] == ["2600.00"]
    logs = maria.ok("GET", "/tasks/time-logs", params={"userId": "me"})
    assert sorted(each["minutes"] for each in logs) == [90, 150]
    assert maria.ok("GET", "/tasks/timer")["taskId"] == busy.task["id"]
    stopped = maria.ok("POST", "/tasks/timer/stop", {})
    assert stopped["userId"] == maria.user["id"]


def test_a_password_that_cannot_be_opened_there_is_asked_for_again(
    acme: Office, elsewhere: Installation, tmp_path: Path
) -> None:
    ann = paid_employee(acme, "Ann")
    acme.ok("PATCH", f"/hr/employees/{ann}", {"payslipPassword": "Übers Meer 7"})
    (there,) = moved(acme, elsewhere, tmp_path)
    assert there.ok("GET", f"/hr/employees/{ann}")["hasPayslipPassword"] is False


def test_the_log_holds_and_tells_who_came_along(busy: Busy, elsewhere: Installation, tmp_path: Path) -> None:
    olga, maria = moved(busy.olga, elsewhere, tmp_path, busy.maria)
    assert olga.ok("GET", "/workspace/events/verify")["isValid"] is True
    (event, *before) = olga.ok("GET", "/workspace/events", params={"limit": 200})
    assert before == busy.olga.ok("GET", "/workspace/events", params={"limit": 200})
    assert (event["type"], event["actor"]["name"]) == ("workspace.imported", COMMAND_LINE.name)
    came = [(each["name"], each["formerUserIds"], each["userId"]) for each in event["data"]["members"]]
    assert came == [
        ("Olga", [busy.olga.user["id"]], olga.user["id"]),
        ("Member", [busy.maria.user["id"]], maria.user["id"]),
    ]
    assert [each["name"] for each in event["data"]["leftBehind"]] == ["Manager", "Admin"]
    assert event["data"]["discardedTimers"] == 1
    path = elsewhere.config.workspaces_dir / f"{olga.workspace_id}.db"
    assert checking.workspace_file(path).problems == []


def test_nothing_but_the_ids_of_those_who_came_along_is_changed(
    busy: Busy, elsewhere: Installation, tmp_path: Path
) -> None:
    file = export(busy.olga, tmp_path)
    came = [register(elsewhere, each.email) for each in (busy.olga, busy.maria)]
    ids = dict(zip((busy.olga.user["id"], busy.maria.user["id"]), (each.user["id"] for each in came), strict=True))
    import_workspace(file, elsewhere)
    before = tables(unpacked(file, tmp_path / "unpacked"))
    with at_the_command_line(elsewhere):
        router.close_all()
        after = tables(control.workspace_path(busy.olga.workspace_id))
    assert after.pop("sqlite_schema") == before.pop("sqlite_schema")
    assert [row for row in after["event"] if row in before["event"]] == before["event"]
    assert len(after.pop("event")) == len(before.pop("event")) + 1
    people = {each: each.user["id"] for each in busy.people}
    assert {id for id, *_ in after.pop("person")} == set(people.values())
    assert {id for id, *_ in before.pop("person")} <= set(people.values())
    before["timer"] = [row for row in before["timer"] if people[busy.hanna] not in row]
    for name, rows in before.items():
        expected = rows if name in user_ids.HISTORY else [tuple(ids.get(value, value) for value in row) for row in rows]
        assert after[name] == sorted(expected, key=repr), name
    live = [value for name, rows in after.items() if name not in user_ids.HISTORY for row in rows for value in row]
    assert [value for value in live if people[busy.maria] in str(value)] == [f"Ask {people[busy.maria]}"]
    assert sum(value in ids.values() for value in live) > 30


def test_a_workspace_goes_there_and_back_again(busy: Busy, elsewhere: Installation, tmp_path: Path) -> None:
    """Olga's user was unknown there at first; when it comes back, her work of all times is one person's."""
    file = export(busy.max, tmp_path / "out.zip")
    max_there = register(elsewhere, busy.max.email)
    import_workspace(file, elsewhere)
    admin = elsewhere.call("POST", "/auth/login", {"email": "admin@elsewhere.example", "password": PASSWORD})
    ada = Office(elsewhere, "admin@elsewhere.example", admin.json["data"])
    ada.select(busy.olga.workspace_id)
    maria_there = register(elsewhere, busy.maria.email, "Maria")
    invite = ada.ok("POST", "/workspace/invites", {"email": busy.maria.email, "role": "member"})
    maria_there.ok("POST", "/workspace/invites/accept", {"token": invite["token"]})
    all_three = [busy.maria.user["id"], maria_there.user["id"], max_there.user["id"]]
    ada.ok("PATCH", f"/tasks/{busy.task['id']}", {"assigneeUserIds": all_three})
    back = export(ada, tmp_path / "back.zip")
    router.close_all()
    for path in busy.olga.installation.config.workspaces_dir.glob("*.db"):
        path.unlink()
    with at_the_command_line(busy.olga.installation), control.write():
        Workspace.delete().execute()
    done = import_workspace(back, busy.olga.installation)
    assert [member.email for member in done.members] == [busy.max.email, busy.maria.email, busy.olga.email]
    busy.olga.select(busy.olga.workspace_id)
    task = busy.olga.ok("GET", f"/tasks/{busy.task['id']}")
    assert task["assigneeUserIds"] == sorted([busy.max.user["id"], busy.maria.user["id"]])
    assert busy.olga.ok("GET", "/workspace/events/verify")["isValid"] is True


def test_the_employee_record_of_a_person_left_behind_is_linked_when_they_join_there(
    busy: Busy, elsewhere: Installation, tmp_path: Path
) -> None:
    own = {"email": busy.hanna.email}
    (employee,) = (each for each in busy.olga.ok("GET", "/hr/employees") if each["userId"] == busy.hanna.user["id"])
    busy.olga.ok("PATCH", f"/hr/employees/{employee['id']}", own)
    (olga,) = moved(busy.olga, elsewhere, tmp_path)
    assert olga.ok("GET", f"/hr/employees/{employee['id']}")["userId"] == busy.hanna.user["id"]
    hanna = register(elsewhere, busy.hanna.email)
    invite = olga.ok("POST", "/workspace/invites", {"email": busy.hanna.email, "role": "admin"})
    hanna.ok("POST", "/workspace/invites/accept", {"token": invite["token"]})
    hanna.select(olga.workspace_id)
    assert hanna.ok("GET", "/hr/me")["employee"]["id"] == employee["id"]
    assert [slip["net"] for slip in hanna.ok("GET", "/hr/me")["payslips"]] == ["2600.00"]


def test_two_members_with_one_address_become_one_person(acme: Office, elsewhere: Installation, tmp_path: Path) -> None:
    """No installation of ours has two such users; another may distinguish addresses in other ways."""
    one, two = acme.colleague("member"), acme.colleague("manager")
    work = project_task(acme, hourly_project(acme)["id"], assigneeUserIds=[one.user["id"], two.user["id"]])
    for person in (one, two):
        time_log(person, work["id"], 60)
        person.ok("POST", f"/tasks/{work['id']}/timer/start", {})
    for person in (one, two):
        paid_employee(acme, person.user["name"], user=person)

    def same_address(manifest: dict[str, Any]) -> None:
        for member in manifest["members"][1:]:
            member |= {"email": "One@Example.com", "status": "of another program"}

    file = rewritten(export(acme, tmp_path), same_address)
    olga, person = register(elsewhere, acme.email), register(elsewhere, "one@example.com", "Una")
    import_workspace(file, elsewhere)
    for each in (olga, person):
        each.select(acme.workspace_id)
    assert members(olga)[1:] == [("Una", "manager", "active")]
    assert olga.ok("GET", f"/tasks/{work['id']}")["assigneeUserIds"] == [person.user["id"]]
    assert [each["minutes"] for each in person.ok("GET", "/tasks/time-logs", params={"userId": "me"})] == [60, 60]
    person.ok("DELETE", "/tasks/timer")
    linked = [each["userId"] for each in olga.ok("GET", "/hr/employees")]
    assert sorted(linked, key=str) == [person.user["id"], None]


def test_two_who_change_ids_are_not_taken_for_one_another(acme: Office, tmp_path: Path) -> None:
    one, two = acme.colleague("member"), acme.colleague("manager")
    ids = [one.user["id"], two.user["id"]]
    work = hourly_project(acme, ownerUserId=ids[0], memberUserIds=ids)["id"]
    time_log(one, project_task(acme, work, assigneeUserIds=ids)["id"], 45)
    copy = unpacked(export(acme, tmp_path), tmp_path / "unpacked")
    before = tables(copy)
    with registration.editing(copy) as connection:
        user_ids.replace(connection, {ids[0]: ids[1], ids[1]: ids[0]})
    after = tables(copy)
    for name in ("project_member", "task_assignee"):
        assert after[name] == before[name]
    (log_before,), (log_after,) = before["time_log"], after["time_log"]
    assert log_after == tuple({ids[0]: ids[1]}.get(value, value) for value in log_before)
    assert after["sqlite_schema"] == before["sqlite_schema"]


@pytest.mark.parametrize("spelling", ["OLGA1@Example.COM", "olga1@example.com"])
def test_members_are_found_however_their_address_is_written(
    acme: Office, elsewhere: Installation, tmp_path: Path, spelling: str
) -> None:
    there = register(elsewhere, spelling)
    done = import_workspace(export(acme, tmp_path), elsewhere)
    assert [(member.user_id, member.role) for member in done.members] == [(there.user["id"], "owner")]


def test_without_an_owner_who_can_sign_in_the_administrator_owns_it(
    acme: Office, elsewhere: Installation, tmp_path: Path
) -> None:
    there = register(elsewhere, acme.email)
    with at_the_command_line(elsewhere), control.write():
        User.update(status="disabled").where(User.id == there.user["id"]).execute()
    done = import_workspace(export(acme, tmp_path), elsewhere)
    assert [(member.name, member.role) for member in done.members] == [("Somebody", "owner"), ("Ada", "owner")]


def test_a_suspended_member_stays_suspended_and_is_no_owner_to_rely_on(
    acme: Office, elsewhere: Installation, tmp_path: Path
) -> None:
    acme.colleague("owner")
    (other,) = (each for each in acme.ok("GET", "/workspace/members") if each["user"]["name"] == "Owner")
    acme.ok("PATCH", f"/workspace/members/{other['id']}", {"status": "suspended"})
    register(elsewhere, other["user"]["email"], "Otto")
    done = import_workspace(export(acme, tmp_path), elsewhere)
    found = [(member.name, member.role, member.status) for member in done.members]
    assert found == [("Otto", "owner", "suspended"), ("Ada", "owner", "active")]


def test_the_owner_may_be_named(acme: Office, elsewhere: Installation, tmp_path: Path) -> None:
    colleague = acme.colleague("member")
    register(elsewhere, acme.email, "Olga")
    mia = register(elsewhere, colleague.email, "Mia")
    file = export(acme, tmp_path)
    with pytest.raises(NotFound, match="No active user here has the e-mail address who@example"):
        import_workspace(file, elsewhere, owner="who@example.com")
    done = import_workspace(file, elsewhere, owner=colleague.email.upper())
    assert [(member.name, member.role) for member in done.members] == [("Olga", "owner"), ("Mia", "owner")]
    mia.select(acme.workspace_id)
    mia.ok("POST", f"/workspace/{acme.workspace_id}/archive")


def test_a_user_id_is_found_wherever_it_appears(acme: Office, tmp_path: Path) -> None:
    colleague, other = acme.colleague("member"), new_id()
    acme.ok("POST", "/tasks", {"title": "Test", "description": f"Ask ({colleague.user['id']})."})
    copy = unpacked(export(acme, tmp_path), tmp_path / "unpacked")
    with registration.editing(copy) as connection:
        assert user_ids.mentioned(connection, [colleague.user["id"], other]) == {colleague.user["id"]}
