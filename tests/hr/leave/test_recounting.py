"""Leave counted again: another week for one person, and a holiday that moves."""

import pytest

from tests.hr.employees.employees import at, change, hire, path_of

FULL = dict.fromkeys(("mon", "tue", "wed", "thu", "fri"), 480)
SHORT = dict.fromkeys(("mon", "tue", "wed"), 480)
SALARY = {"payType": "salary", "amount": "2000.00", "frequency": "monthly"}


@pytest.fixture(autouse=True)
def _in_november(acme, clock_at):
    at(acme, clock_at, "2026-11-26")


def kind(office, code):
    return next(row["id"] for row in office.ok("GET", "/hr/leave-types") if row["code"] == code)


def leave(office, employee, first, last, code="annual", **more):
    body = {"employeeId": employee["id"], "startDate": first, "endDate": last, "leaveTypeId": kind(office, code)}
    asked = office.ok("POST", "/hr/leaves", body | more)
    return office.ok("POST", f"/hr/leaves/{asked['id']}/approve", {})


def balance(office, employee, year, code="annual"):
    params = {"employeeId": employee["id"], "leaveTypeId": kind(office, code), "year": str(year)}
    return office.ok("GET", "/hr/leave-balances", params=params)[0]


def days(office, id):
    shown = office.ok("GET", f"/hr/leaves/{id}")
    return shown["days"], [detail["counted"] for detail in shown["dayDetails"]]


def test_a_shorter_week_takes_fewer_days_of_leave_and_grants_fewer(acme):
    mia = hire(acme, workSchedule=FULL)
    asked = leave(acme, mia, "2027-02-01", "2027-02-05")
    week = {"workSchedule": SHORT, "workScheduleFrom": "2027-01-01"}
    recounted = [{"id": asked["id"], "days": "3", "daysBefore": "5"}]
    assert change(acme, mia, dryRun=True, **week)["recountedLeaves"] == recounted
    assert days(acme, asked["id"])[0] == "5"
    assert change(acme, mia, **week)["recountedLeaves"] == recounted
    now = balance(acme, mia, 2027)
    assert (days(acme, asked["id"])[0], now["allocated"], now["available"]) == ("3", "12", "9")
    events = acme.ok("GET", "/workspace/events", params={"resourceId": asked["id"], "resourceType": "leave"})
    assert (events[0]["type"], events[0]["data"]["daysBefore"]) == ("leave.recounted", "5")


def test_a_longer_week_takes_more_of_unpaid_leave_from_the_pay(acme):
    mia = hire(acme, workSchedule=SHORT, compensation=SALARY)
    asked = leave(acme, mia, "2026-12-07", "2026-12-11", "unpaid")
    assert days(acme, asked["id"])[0] == "3"
    change(acme, mia, workSchedule=FULL, workScheduleFrom="2026-12-07")
    assert days(acme, asked["id"])[0] == "5"
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"payrollFourEyes": False})
    body = {"periodStart": "2026-12-01", "periodEnd": "2026-12-31", "payDate": "2026-12-31"}
    run = acme.ok("POST", "/hr/payroll/run", body)
    assert run["payslips"][0]["gross"] == "1523.81"


def test_leave_that_is_over_and_leave_that_waits_follow_too(acme):
    mia = hire(acme, workSchedule=FULL)
    over = leave(acme, mia, "2026-11-02", "2026-11-06")
    body = {"employeeId": mia["id"], "startDate": "2026-12-10", "endDate": "2026-12-11"}
    waiting = acme.ok("POST", "/hr/leaves", body)
    changed = change(acme, mia, workSchedule=SHORT, workScheduleFrom="2026-11-01")
    assert {row["id"]: row["days"] for row in changed["recountedLeaves"]} == {over["id"]: "3", waiting["id"]: "0"}
    assert acme.ok("GET", f"/hr/leaves/{waiting['id']}")["status"] == "cancelled"
    assert balance(acme, mia, 2026)["taken"] == "3"
    assert "recountedLeaves" not in change(acme, mia, workSchedule=SHORT, workScheduleFrom="2026-11-01")


def holiday(office, day):
    return office.ok("POST", "/hr/holidays", {"date": day, "name": "Day off"})["id"]


def taken(office, employee):
    return [balance(office, employee, year)["taken"] for year in (2026, 2027)]


def test_a_holiday_that_moves_over_the_new_year_moves_a_day_between_the_years(acme):
    mia = hire(acme, workSchedule=FULL)
    moving = holiday(acme, "2026-12-31")
    holiday(acme, "2027-01-01")
    asked = leave(acme, mia, "2026-12-28", "2027-01-06")
    assert taken(acme, mia) == ["3", "3"]
    (recounted,) = acme.ok("PATCH", f"/hr/holidays/{moving}", {"date": "2027-01-05"})["recountedLeaves"]
    assert (recounted["daysBefore"], recounted["days"]) == ("6", "6")
    assert recounted["changedDates"] == ["2026-12-31", "2027-01-05"]
    assert taken(acme, mia) == ["4", "2"]
    assert days(acme, asked["id"])[1] == ["1", "1", "1", "1", "0", "0", "0", "1", "0", "1"]


def test_a_holiday_that_moves_within_a_week_moves_the_free_day(acme):
    mia = hire(acme, workSchedule=FULL)
    moving = holiday(acme, "2027-02-02")
    asked = leave(acme, mia, "2027-02-01", "2027-02-05")
    assert days(acme, asked["id"])[1] == ["1", "0", "1", "1", "1"]
    acme.ok("PATCH", f"/hr/holidays/{moving}", {"date": "2027-02-04"})
    assert days(acme, asked["id"])[1] == ["1", "1", "1", "0", "1"]
    assert acme.ok("GET", path_of(mia))["status"] == "active"
