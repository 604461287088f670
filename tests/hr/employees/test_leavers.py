"""People who leave: their access, timers and reports, and all of it given back."""

import pytest

from tests.hr.employees.employees import at, hire, path_of
from tests.members.conftest import member_id
from tests.refusals import complaint

PAY = {"payType": "salary", "amount": "3000.00", "frequency": "monthly"}


@pytest.fixture(autouse=True)
def _in_november(acme, clock_at):
    at(acme, clock_at, "2026-11-26")


def leave(office, employee, day="2026-11-20", **more):
    return office.ok("POST", path_of(employee, "/terminate"), {"date": day, **more})


def turned_away(person):
    return person.call("GET", "/hr/me").json.get("error", {}).get("code")


def leavers(office):
    return office.ok("GET", "/workspace/home")["leaversWithAccess"]["items"]


def test_someone_who_has_left_reads_nothing_any_more(acme):
    gone, other = acme.colleague("hr"), hire(acme, compensation=PAY)
    made = hire(acme, name="Gone", userId=gone.user["id"])
    gone.ok("GET", path_of(other, "/compensations"))
    assert leave(acme, made)["accessEndsAt"] == "2026-11-21T00:00:00.000Z"
    gone.refused("GET", path_of(other, "/compensations"), status=403, code="not_a_member")
    assert gone.ok("GET", "/workspace") == []
    assert leavers(acme) == []


def test_access_ends_with_the_last_day_where_the_person_lives(acme, clock_at):
    gone = acme.colleague("member")
    made = hire(acme, userId=gone.user["id"], timeZone="America/New_York")
    leave(acme, made, "2026-11-27")
    clock_at("2026-11-28T04:59:00Z")
    assert turned_away(gone) is None
    clock_at("2026-11-28T05:00:00Z")
    assert turned_away(gone) == "not_a_member"


def test_access_ends_now_or_is_kept_as_asked(acme):
    gone = acme.colleague("member")
    made = hire(acme, userId=gone.user["id"])
    assert leave(acme, made, access="keep")["accessEndsAt"] is None
    assert turned_away(gone) is None
    assert [row["employeeId"] for row in leavers(acme)] == [made["id"]]
    acme.ok("POST", path_of(made, "/terminate/undo"))
    leave(acme, made, "2026-12-31", access="end_now")
    assert turned_away(gone) == "not_a_member"


def test_undoing_gives_the_access_back_and_so_does_an_admin(acme):
    gone = acme.colleague("member")
    made = hire(acme, userId=gone.user["id"])
    leave(acme, made)
    acme.ok("POST", path_of(made, "/terminate/undo"))
    assert turned_away(gone) is None
    leave(acme, made)
    row = next(row for row in acme.ok("GET", "/workspace/members") if row["user"]["id"] == gone.user["id"])
    assert ("activate" in row["can"], row["accessEndsAt"]) == (True, "2026-11-21T00:00:00.000Z")
    acme.ok("PATCH", f"/workspace/members/{member_id(acme, gone)}", {"status": "active"})
    assert turned_away(gone) is None


def test_the_last_owner_and_an_owner_whom_hr_ends_stay(acme):
    mine = hire(acme, userId=acme.user["id"])
    assert leave(acme, mine)["accessEndsAt"] is None
    acme.ok("POST", path_of(mine, "/terminate/undo"))
    acme.colleague("owner")
    assert leave(acme.colleague("hr"), mine)["accessEndsAt"] is None
    assert turned_away(acme) is None


def test_the_timer_of_a_leaver_stops_and_open_tasks_are_told(acme, clock_at):
    gone = acme.colleague("member")
    made = hire(acme, userId=gone.user["id"])
    tasks = [acme.ok("POST", "/tasks", {"title": title, "assigneeUserIds": [gone.user["id"]]}) for title in "AB"]
    acme.ok("PATCH", f"/tasks/{tasks[1]['id']}", {"status": "cancelled"})
    gone.ok("POST", f"/tasks/{tasks[0]['id']}/timer/start", {})
    clock_at("2026-11-26T11:00:00Z")
    assert leave(acme, made)["openTasks"] == 1
    (log,) = acme.ok("GET", "/tasks/time-logs")
    assert (log["userId"], log["minutes"]) == (gone.user["id"], 120)


@pytest.fixture
def team(acme):
    """A head, a manager with a user, their two reports, and another person."""
    boss = acme.colleague("manager")
    head = hire(acme, name="Head")
    manager = hire(acme, name="Boss", userId=boss.user["id"], managerEmployeeId=head["id"])
    reports = [hire(acme, name=name, managerEmployeeId=manager["id"]) for name in ("Ann", "Ben")]
    return boss, manager, reports


def managers(office):
    return {row["name"]: row["managerName"] for row in office.ok("GET", "/hr/employees")}


def test_reports_go_to_the_managers_manager_the_day_after(acme, clock_at, team):
    _, manager, _ = team
    assert leave(acme, manager, "2026-11-26")["reports"] == 2
    assert managers(acme) == {"Head": None, "Boss": "Head", "Ann": "Boss", "Ben": "Boss"}
    at(acme, clock_at, "2026-11-27")
    assert managers(acme) == {"Head": None, "Boss": "Head", "Ann": "Head", "Ben": "Head"}
    rows = acme.ok("GET", "/hr/employees", params={"managerEmployeeId": acme.ok("GET", "/hr/employees")[-1]["id"]})
    assert {row["name"] for row in rows} == {"Boss", "Ann", "Ben"}
    acme.ok("POST", path_of(manager, "/terminate/undo"))
    assert managers(acme)["Ann"] == "Boss"


def test_reports_go_to_the_one_who_is_named_and_that_one_to_the_manager_above(acme, team):
    _, manager, (ann, _) = team
    leave(acme, manager, reportsToEmployeeId=ann["id"])
    assert managers(acme) == {"Head": None, "Boss": "Head", "Ann": "Head", "Ben": "Ann"}
    back = {"date": "2026-12-01"}
    acme.ok("POST", path_of(manager, "/rehire"), back)
    assert managers(acme) == {"Head": None, "Boss": "Head", "Ann": "Head", "Ben": "Ann"}


def test_a_manager_who_has_left_decides_nothing_and_the_successor_does(acme, clock_at, team):
    boss, manager, (ann, ben) = team
    successor = acme.colleague("manager")
    leave(acme, manager, access="keep", reportsToEmployeeId=ann["id"])
    asked = acme.ok("POST", "/hr/leaves", {"employeeId": ben["id"], "startDate": "2026-12-01", "endDate": "2026-12-01"})
    boss.refused("POST", f"/hr/leaves/{asked['id']}/approve", {}, status=403)
    acme.ok("PATCH", path_of(manager), {"userId": None})
    acme.ok("PATCH", path_of(ann), {"userId": successor.user["id"]})
    assert successor.ok("POST", f"/hr/leaves/{asked['id']}/approve", {})["status"] == "approved"


@pytest.mark.parametrize(
    ("who", "code"), [("self", "leaving"), ("nobody", "unknown_reference"), ("gone", "terminated")]
)
def test_reports_go_to_someone_who_stays(acme, team, who, code):
    _, manager, (ann, _) = team
    leave(acme, ann)
    named = {"self": manager["id"], "nobody": "nobody", "gone": ann["id"]}[who]
    body = {"date": "2026-11-20", "reportsToEmployeeId": named}
    error = acme.refused("POST", path_of(manager, "/terminate"), body, status=422)
    assert complaint(error) == ("reportsToEmployeeId", code)
