"""Part-timers: an allowance counts in working days of the person's own week, unless the leave type says otherwise."""

import pytest

from tests.hr.leave.applications import ask, balance, hired, type_id, week

THREE, FOUR, SIX = week("1010100"), week("1111000"), week("1111110")


@pytest.fixture(autouse=True)
def _march(clock_at):
    """Monday, 2 March 2026."""
    clock_at("2026-03-02T09:00:00Z")


def allow(office, **fields):
    return office.ok("PATCH", f"/hr/leave-types/{type_id(office)}", fields)


@pytest.mark.parametrize(
    ("allowance", "schedule", "own"),
    [("20", THREE, "12"), ("28", THREE, "16.8"), ("20", FOUR, "16"), ("20", SIX, "24"), ("28", week("1111100"), "28")],
)
def test_an_allowance_counts_in_days_of_the_persons_own_week(acme, allowance, schedule, own):
    allow(acme, allowanceDays=allowance)
    assert balance(acme, hired(acme, workSchedule=schedule))["balance"] == own


def test_a_leave_type_with_a_calendar_allowance_gives_everyone_the_whole(acme):
    assert allow(acme, allowanceBasis="calendar")["allowanceBasis"] == "calendar"
    assert balance(acme, hired(acme, workSchedule=THREE))["balance"] == "20"


def test_the_full_week_is_that_of_the_office(acme):
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"weekend": ["sun"]})
    assert balance(acme, hired(acme, workSchedule=THREE))["balance"] == "10"


def test_a_schedule_that_changes_within_the_year_counts_by_days(acme):
    mia = hired(acme)
    body = {"workSchedule": THREE, "workScheduleFrom": "2026-07-01"}
    acme.ok("PATCH", f"/hr/employees/{mia}", body)
    assert balance(acme, mia)["balance"] == "15.97", "20 × (181 + 184 × 3 ÷ 5) ÷ 365"
    assert balance(acme, mia, year=2027)["balance"] == "12"
    acme.ok("PATCH", f"/hr/employees/{mia}", {"workSchedule": week("1111100"), "workScheduleFrom": "2026-07-01"})
    assert balance(acme, mia)["balance"] == "20"


def test_a_part_timer_who_leaves_has_the_share_of_both(acme):
    mia = hired(acme, workSchedule=THREE)
    acme.ok("POST", f"/hr/employees/{mia}/terminate", {"date": "2026-09-18"})
    assert balance(acme, mia)["balance"] == "8.58", "12 × 261 ÷ 365"


@pytest.mark.parametrize(("allowance", "own"), [("20", "12"), ("28", "16.8"), ("11", "6.6")])
def test_twelve_months_of_a_part_timer_accrue_to_their_allowance(acme, allowance, own):
    allow(acme, accrual="monthly", allowanceDays=allowance)
    assert balance(acme, hired(acme, workSchedule=THREE), date="2026-12-31")["accrued"] == own


def test_a_month_in_which_the_schedule_changes_accrues_by_days(acme):
    allow(acme, accrual="monthly", allowanceDays="24")
    mia = hired(acme)
    body = {"workSchedule": THREE, "workScheduleFrom": "2026-03-16"}
    acme.ok("PATCH", f"/hr/employees/{mia}", body)
    assert balance(acme, mia, date="2026-03-31")["accrued"] == "5.59", "2 + 2 + 2 × 15 ÷ 31 + 1.2 × 16 ÷ 31"


def test_what_was_granted_stays_when_a_leave_type_changes_its_basis(acme):
    allow(acme, allowanceBasis="calendar")
    mia = hired(acme, workSchedule=THREE)
    allow(acme, allowanceBasis="own_week")
    assert balance(acme, mia)["balance"] == "20"
    assert balance(acme, mia, year=2027)["balance"] == "12"


def test_a_part_timer_takes_a_week_for_three_days(acme):
    mia = hired(acme, workSchedule=THREE)
    assert ask(acme, "2026-05-04", "2026-05-10", employeeId=mia)["days"] == "3"


def missing(office):
    days = office.ok("GET", "/hr/attendance", params={"isMissing": "true", "dateFrom": "2026-02-23"})
    return {each["employeeName"] for each in days}


def missing_in_summary(office):
    months = office.ok("GET", "/hr/attendance/summary", params={"month": "2026-02"})
    return {each["employeeName"]: each["missingDays"] for each in months}


def unmarked_in_payroll(office):
    body = {"periodStart": "2026-02-01", "periodEnd": "2026-02-28", "dryRun": True}
    warnings = office.ok("POST", "/hr/payroll/run", body)["warnings"]
    return {item["name"] for each in warnings if each["code"] == "unmarked_days" for item in each["items"]}


def test_people_without_attendance_are_never_missing(acme):
    pay = {"payType": "hourly", "amount": "20.00", "frequency": "monthly"}
    hired(acme, "Ann", hired="2026-02-01", compensation=pay)
    ben = hired(acme, "Ben", hired="2026-02-01", compensation=pay, keepsAttendance=False)
    assert acme.ok("GET", f"/hr/employees/{ben}")["keepsAttendance"] is False
    assert missing(acme) == unmarked_in_payroll(acme) == {"Ann"}
    assert missing_in_summary(acme) == {"Ann": 20, "Ben": 0}
    acme.ok("PATCH", f"/hr/employees/{ben}", {"keepsAttendance": True})
    assert missing(acme) == unmarked_in_payroll(acme) == {"Ann", "Ben"}
    assert missing_in_summary(acme) == {"Ann": 20, "Ben": 20}
