"""Illness during leave: it takes the place of the days that it covers, and gives them back once it is cancelled."""

import pytest

from tests.hr.employees.employees import at
from tests.hr.leave.applications import ask, balance, close, decide, hired, leave, left, type_id, week

FIVE_DAYS = week("1111100")


@pytest.fixture(autouse=True)
def _in_september(acme, clock_at):
    at(acme, clock_at, "2026-09-28")


@pytest.fixture
def mia(acme):
    """Someone with 20 days of annual leave, and two weeks of it approved, 5 to 16 October."""
    return hired(acme, workSchedule=FIVE_DAYS)


@pytest.fixture
def holiday(acme, mia):
    return approved(acme, mia, "2026-10-05", "2026-10-16")


def approved(office, employee, start, end=None, code="annual", **fields):
    asked = ask(office, start, end, employeeId=employee, leaveTypeId=type_id(office, code), **fields)
    return decide(office, asked)


def ill(office, employee, start, end=None, **fields):
    return approved(office, employee, start, end, "sick", **fields)


def shown(office, asked):
    return office.ok("GET", f"/hr/leaves/{asked['id']}")


def replaced(office, asked):
    """The days of leave that other leave has taken, what is left of each, and by which leave."""
    return [
        (day["date"], day["counted"], day["replacedByLeaveId"])
        for day in shown(office, asked)["dayDetails"]
        if "replacedByLeaveId" in day
    ]


def test_days_of_illness_leave_the_holiday_and_come_back_to_the_balance(acme, mia, holiday):
    assert (holiday["days"], balance(acme, mia)["balance"]) == ("10", "10")
    sick = ill(acme, mia, "2026-10-08", "2026-10-09")
    assert shown(acme, holiday)["days"] == "8"
    assert replaced(acme, holiday) == [("2026-10-08", "0", sick["id"]), ("2026-10-09", "0", sick["id"])]
    (why,) = {day["why"] for day in shown(acme, holiday)["dayDetails"] if "replacedByLeaveId" in day}
    assert why == "Replaced by other leave"
    assert balance(acme, mia)["balance"] == "12"
    assert balance(acme, mia, "sick")["taken"] == "2"
    (event, *_) = acme.ok("GET", "/workspace/events", params={"resourceId": holiday["id"], "resourceType": "leave"})
    assert (event["type"], event["data"]["daysBefore"], event["data"]["days"]) == ("leave.recounted", "10", "8")


def test_illness_from_noon_on_leaves_the_morning(acme, mia, holiday):
    sick = ill(acme, mia, "2026-10-08", "2026-10-09", startHalf=True)
    assert (sick["days"], shown(acme, holiday)["days"], balance(acme, mia)["balance"]) == ("1.5", "8.5", "11.5")
    assert replaced(acme, holiday) == [("2026-10-08", "0.5", sick["id"]), ("2026-10-09", "0", sick["id"])]


def test_nothing_leaves_the_holiday_before_the_illness_is_approved(acme, mia, holiday):
    asked = ask(acme, "2026-10-08", employeeId=mia, leaveTypeId=type_id(acme, "sick"))
    assert shown(acme, holiday)["days"] == "10"
    decide(acme, asked, "reject")
    assert (shown(acme, holiday)["days"], replaced(acme, holiday)) == ("10", [])


@pytest.mark.parametrize("how", ["cancel", "decision/undo"])
def test_cancelled_illness_puts_the_days_back(acme, mia, holiday, how):
    sick = ill(acme, mia, "2026-10-08", "2026-10-09", startHalf=True)
    acme.ok("POST", f"/hr/leaves/{sick['id']}/{how}", {})
    assert (shown(acme, holiday)["days"], replaced(acme, holiday)) == ("10", [])
    assert balance(acme, mia)["balance"] == "10"


def test_a_day_that_was_worked_is_not_put_back(acme, mia, holiday, clock_at):
    sick = ill(acme, mia, "2026-10-07", "2026-10-09")
    at(acme, clock_at, "2026-10-26")
    acme.ok("POST", "/hr/attendance", {"employeeId": mia, "date": "2026-10-09"})
    decide(acme, sick, "cancel")
    assert shown(acme, holiday)["days"] == "9"
    assert [day for day, *_ in replaced(acme, holiday)] == ["2026-10-09"]
    assert balance(acme, mia)["balance"] == "11"


def test_days_that_the_balance_no_longer_covers_are_not_put_back(acme, mia, holiday):
    sick = ill(acme, mia, "2026-10-07", "2026-10-09")
    approved(acme, mia, "2026-11-02", "2026-11-13")
    approved(acme, mia, "2026-11-16", "2026-11-17")
    decide(acme, sick, "cancel")
    assert (shown(acme, holiday)["days"], left(acme, mia)) == ("8", ("0", "0", "0"))
    assert [day for day, *_ in replaced(acme, holiday)] == ["2026-10-08", "2026-10-09"]


def test_leave_with_every_day_replaced_is_cancelled_and_revived(acme, mia):
    short = approved(acme, mia, "2026-10-08", "2026-10-11")
    asked = ask(acme, "2026-10-12", employeeId=mia)
    sick = ill(acme, mia, "2026-10-07", "2026-10-12")
    assert [shown(acme, one)["status"] for one in (short, asked)] == ["cancelled", "cancelled"]
    assert left(acme, mia) == ("20", "0", "20")
    decide(acme, sick, "cancel")
    assert [(shown(acme, one)["status"], shown(acme, one)["days"]) for one in (short, asked)] == [
        ("approved", "2"),
        ("pending", "1"),
    ]
    assert left(acme, mia) == ("18", "1", "17")


def test_leave_that_was_cancelled_by_a_person_stays_so(acme, mia, holiday):
    sick = ill(acme, mia, "2026-10-08")
    decide(acme, holiday, "cancel")
    decide(acme, sick, "cancel")
    assert shown(acme, holiday)["status"] == "cancelled"
    assert balance(acme, mia)["balance"] == "20"


def test_two_sick_notes_of_one_day_share_it(acme, mia, holiday):
    morning = ill(acme, mia, "2026-10-08", endHalf=True)
    afternoon = ill(acme, mia, "2026-10-08", startHalf=True)
    assert replaced(acme, holiday) == [("2026-10-08", "0", afternoon["id"])]
    decide(acme, afternoon, "cancel")
    assert replaced(acme, holiday) == [("2026-10-08", "0.5", morning["id"])]
    decide(acme, morning, "cancel")
    assert (shown(acme, holiday)["days"], replaced(acme, holiday)) == ("10", [])


def test_illness_over_illness_and_leave_over_illness_overlap(acme, mia, holiday):
    ill(acme, mia, "2026-10-19", "2026-10-20")
    for code in ("sick", "annual", "unpaid"):
        body = leave("2026-10-20", employeeId=mia, leaveTypeId=type_id(acme, code))
        acme.refused("POST", "/hr/leaves", body, status=422, code="leave_overlap")
    body = leave("2026-10-08", employeeId=mia, leaveTypeId=type_id(acme, "unpaid"))
    acme.refused("POST", "/hr/leaves", body, status=422, code="leave_overlap")


def test_a_type_interrupts_only_where_it_is_said(acme, mia, holiday):
    kinds = {kind["code"]: kind["interruptsLeave"] for kind in acme.ok("GET", "/hr/leave-types")}
    assert kinds == {"annual": False, "sick": True, "unpaid": False}
    acme.ok("PATCH", f"/hr/leave-types/{type_id(acme, 'sick')}", {"interruptsLeave": False})
    body = leave("2026-10-08", employeeId=mia, leaveTypeId=type_id(acme, "sick"))
    acme.refused("POST", "/hr/leaves", body, status=422, code="leave_overlap")
    child = {"name": "Child ill", "code": "child", "accrual": "none", "allowNegative": True, "interruptsLeave": True}
    acme.ok("POST", "/hr/leave-types", child)
    approved(acme, mia, "2026-10-08", code="child")
    assert shown(acme, holiday)["days"] == "9"


def test_leave_that_is_approved_after_the_illness_takes_what_is_left(acme, mia):
    asked = ask(acme, "2026-10-05", "2026-10-16", employeeId=mia)
    ill(acme, mia, "2026-10-08", "2026-10-09")
    assert left(acme, mia) == ("20", "8", "12")
    assert decide(acme, asked)["days"] == "8"
    assert left(acme, mia) == ("12", "0", "12")


def test_another_week_and_a_holiday_count_what_the_illness_has_left(acme, mia, holiday):
    ill(acme, mia, "2026-10-08", "2026-10-09", startHalf=True)
    acme.ok("POST", "/hr/holidays", {"date": "2026-10-12", "name": "Day off"})
    assert shown(acme, holiday)["days"] == "7.5"
    version = acme.ok("GET", f"/hr/employees/{mia}")["version"]
    change = {"workSchedule": week("1110000"), "workScheduleFrom": "2026-10-01", "version": version}
    acme.ok("PATCH", f"/hr/employees/{mia}", change)
    assert shown(acme, holiday)["days"] == "5"


def test_a_late_sick_note_in_a_closed_year_gives_carried_days_back(acme, mia, clock_at):
    acme.ok("PATCH", f"/hr/leave-types/{type_id(acme)}", {"carryForwardMaxDays": "3"})
    approved(acme, mia, "2026-10-05", "2026-10-30")
    at(acme, clock_at, "2027-01-04")
    close(acme)
    assert balance(acme, mia)["balance"] == "20"
    sick = ill(acme, mia, "2026-10-05", "2026-10-06")
    assert balance(acme, mia)["carriedIn"] == "2"
    spent = approved(acme, mia, "2027-02-01", "2027-03-02")
    assert balance(acme, mia)["balance"] == "0"
    decide(acme, sick, "cancel")
    assert balance(acme, mia)["balance"] == "0"
    decide(acme, spent, "cancel")
    assert balance(acme, mia)["balance"] == "22"


def test_after_payroll_the_days_are_replaced_and_nothing_is_to_be_paid(acme, clock_at):
    pay = {"payType": "salary", "amount": "2000.00", "frequency": "monthly"}
    mia = hired(acme, workSchedule=FIVE_DAYS, compensation=pay)
    holiday = approved(acme, mia, "2026-10-05", "2026-10-16")
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"payrollFourEyes": False})
    at(acme, clock_at, "2026-11-02")
    body = {"periodStart": "2026-10-01", "periodEnd": "2026-10-31", "payDate": "2026-10-31"}
    run = acme.ok("POST", "/hr/payroll/run", body)
    acme.ok("POST", f"/hr/payroll/runs/{run['id']}/approve", {})
    sick = ill(acme, mia, "2026-10-08", "2026-10-09")
    assert shown(acme, holiday)["days"] == "8"
    assert acme.ok("GET", "/hr/payroll/differences") == []
    decide(acme, sick, "cancel")
    assert shown(acme, holiday)["days"] == "10"
    assert acme.ok("GET", "/hr/payroll/differences") == []
