"""A manager sees and decides on the attendance and the leave of the people who report to them, and of no one else."""

import pytest

from tests.hr.attendance.records import employee_at_work, marked_day
from tests.hr.leave.applications import ask, decide, hired, hired_colleague

WAYS = ("approve", "reject", "cancel")


@pytest.fixture(autouse=True)
def _march(clock_at):
    """Tuesday, 3 March 2026."""
    clock_at("2026-03-03T09:00:00Z")


@pytest.fixture
def boss(acme):
    """Mona, a manager: Lea reports to her, Ben to Lea; Zoe reports to no one."""
    return acme.once(_boss)


def _boss(acme):
    boss = acme.colleague("manager")
    boss.employee_id = hired(acme, "Mona", user=boss)
    boss.lea = hired(acme, "Lea", managerEmployeeId=boss.employee_id)
    boss.ben = hired(acme, "Ben", managerEmployeeId=boss.lea)
    boss.zoe = hired(acme, "Zoe")
    return boss


def test_a_manager_decides_on_the_leave_of_those_below_them_only(acme, boss):
    for who in (boss.lea, boss.ben):
        assert decide(boss, ask(acme, "2026-05-04", employeeId=who))["status"] == "approved"
        assert decide(boss, ask(acme, "2026-05-05", employeeId=who), "reject")["status"] == "rejected"
        assert decide(boss, ask(acme, "2026-05-06", employeeId=who), "cancel")["status"] == "cancelled"
    asked = ask(acme, "2026-05-04", employeeId=boss.zoe)
    for what in WAYS:
        error = boss.refused("POST", f"/hr/leaves/{asked['id']}/{what}", {}, status=403, code="forbidden")
        assert error["message"] == "This person does not report to you. Ask their manager or HR."
    assert decide(acme.colleague("hr"), asked)["status"] == "approved"


def test_a_manager_reads_the_leave_of_those_below_them_and_their_own(acme, boss):
    asked = {who: ask(acme, "2026-05-04", employeeId=who) for who in (boss.lea, boss.ben, boss.zoe, boss.employee_id)}
    mine = {boss.lea, boss.ben, boss.employee_id}
    assert {each["employeeId"] for each in boss.ok("GET", "/hr/leaves")} == mine
    assert {each["employeeId"] for each in boss.ok("GET", "/hr/leave-balances")} == mine
    assert [each["id"] for each in boss.ok("GET", "/hr/leaves", params={"employeeId": boss.ben})] == [
        asked[boss.ben]["id"]
    ]
    assert boss.ok("GET", f"/hr/leaves/{asked[boss.ben]['id']}")["employeeName"] == "Ben"
    for path in ("/hr/leaves", "/hr/leave-balances"):
        boss.refused("GET", path, params={"employeeId": boss.zoe}, status=403, code="forbidden")
    boss.refused("GET", f"/hr/leaves/{asked[boss.zoe]['id']}", status=403, code="forbidden")
    assert len(acme.colleague("hr").ok("GET", "/hr/leaves")) == 4


def test_a_manager_reads_the_adjustments_of_those_below_them(acme, boss):
    for who, status in ((boss.ben, 200), (boss.zoe, 404)):
        made = acme.ok("POST", "/hr/leave-adjustments", {"employeeId": who, "days": "1", "note": "Test"})
        assert boss.call("GET", f"/hr/leave-adjustments/{made['id']}").status_code == status


def test_the_calendar_shows_a_manager_pending_leave_and_its_type_of_those_below_them_only(acme, boss):
    for who in (boss.ben, boss.zoe):
        decide(acme, ask(acme, "2026-03-09", employeeId=who))
        ask(acme, "2026-03-10", employeeId=who)
    absences = boss.ok("GET", "/hr/leaves/calendar")["absences"]
    assert [(each["name"], each["status"], "leaveTypeId" in each) for each in absences] == [
        ("Ben", "approved", True),
        ("Zoe", "approved", False),
        ("Ben", "pending", True),
    ]


def test_a_manager_reads_the_attendance_of_those_below_them_only(acme, boss):
    marked = {who: marked_day(acme, who, "2026-03-02") for who in (boss.ben, boss.zoe)}
    assert [each["employeeId"] for each in boss.ok("GET", "/hr/attendance")] == [boss.ben]
    mine = {boss.lea, boss.ben, boss.employee_id}
    assert {each["employeeId"] for each in boss.ok("GET", "/hr/attendance/summary")} == mine
    missing = boss.ok("GET", "/hr/attendance", params={"isMissing": "true"})
    assert {each["employeeId"] for each in missing} == {boss.lea, boss.employee_id}
    assert boss.ok("GET", f"/hr/attendance/{marked[boss.ben]['id']}")["employeeName"] == "Ben"
    boss.refused("GET", f"/hr/attendance/{marked[boss.zoe]['id']}", status=403, code="forbidden")
    for path in ("/hr/attendance", "/hr/attendance/summary"):
        boss.refused("GET", path, params={"employeeId": boss.zoe}, status=403, code="forbidden")


def test_a_manager_decides_on_corrections_of_those_below_them_only(acme, boss):
    def correction(who):
        body = {"employeeId": who, "date": "2026-03-02", "status": "present", "reason": "Forgot it"}
        return acme.ok("POST", "/hr/attendance-corrections", body)

    for what in ("approve", "reject"):
        boss.ok("POST", f"/hr/attendance-corrections/{correction(boss.ben)['id']}/{what}", {})
    other = correction(boss.zoe)
    for what in ("approve", "reject"):
        path = f"/hr/attendance-corrections/{other['id']}/{what}"
        error = boss.refused("POST", path, {}, status=403, code="forbidden")
        assert error["message"] == "This person does not report to you. Ask their manager or HR."
    boss.refused("GET", f"/hr/attendance-corrections/{other['id']}", status=403, code="forbidden")
    assert {each["employeeId"] for each in boss.ok("GET", "/hr/attendance-corrections")} == {boss.ben}


def test_a_manager_without_an_employee_record_has_no_one_below_them(acme):
    manager, mia = acme.colleague("manager"), employee_at_work(acme, "Mia")
    asked = ask(acme, "2026-05-04", employeeId=mia)
    manager.refused("POST", f"/hr/leaves/{asked['id']}/approve", {}, status=403, code="forbidden")
    for path in ("/hr/leaves", "/hr/leave-balances", "/hr/attendance", "/hr/attendance/summary"):
        assert manager.ok("GET", path) == []


def test_a_manager_of_people_with_another_role_decides_on_nothing(acme):
    """The right comes with the role; whom it is about, with the reporting line."""
    member, id = hired_colleague(acme, "member")
    asked = ask(acme, "2026-05-04", employeeId=hired(acme, "Ben", managerEmployeeId=id))
    member.refused("POST", f"/hr/leaves/{asked['id']}/approve", {}, status=403, code="forbidden")


@pytest.mark.parametrize(
    ("role", "is_shown"), [("owner", True), ("admin", True), ("hr", True), ("accountant", False), ("manager", False)]
)
def test_phone_and_address_are_for_human_resources_and_the_person(acme, role, is_shown):
    address = {"line1": "Hafenstraße 1", "city": "Hamburg", "country": "DE"}
    mia = acme.colleague("member")
    id = hired(acme, "Mia", user=mia, phone="+49 40 123456", address=address)
    reader = acme if role == "owner" else acme.colleague(role)
    (listed,) = reader.ok("GET", "/hr/employees")
    for shown in (listed, reader.ok("GET", f"/hr/employees/{id}")):
        assert ("phone" in shown, "address" in shown) == (is_shown, is_shown)
    sheet = reader.call("GET", "/hr/employees", params={"format": "csv"}).text
    assert ("+49 40 123456" in sheet, "Hafenstra" in sheet) == (is_shown, is_shown)
    own = mia.ok("GET", "/hr/me")["employee"]
    assert (own["phone"], own["address"]["city"]) == ("+49 40 123456", "Hamburg")
