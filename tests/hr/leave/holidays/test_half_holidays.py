"""Half holidays: what they leave of a day's work and of a day of leave."""

import pytest

from tests.hr.employees.employees import at
from tests.hr.leave.applications import ask, balance, decide, hired, leave, type_id, week

EVE = {"date": "2026-12-24", "name": "Christmas Eve", "part": "afternoon"}
DAY = "2026-12-24"


@pytest.fixture(autouse=True)
def _in_november(acme, clock_at):
    at(acme, clock_at, "2026-11-26")


@pytest.fixture
def mia(acme):
    """An employee who works 7:45 a day."""
    return hired(acme, workSchedule={day: 465 * bool(minutes) for day, minutes in week("1111100").items()})


def approved(office, employee, start, end=None, **fields):
    return decide(office, ask(office, start, end, employeeId=employee, **fields))


def counted(asked):
    return [day["counted"] for day in asked["dayDetails"]]


def test_the_import_adds_the_afternoons_of_the_two_eves(acme, mia):
    body = {"year": 2026, "country": "DE", "halfDays": True}
    added = {holiday["date"]: holiday for holiday in acme.ok("POST", "/hr/holidays/import", body)["added"]}
    assert (added[DAY]["part"], added["2026-12-31"]["part"]) == ("afternoon", "afternoon")
    assert (added[DAY]["name"], added["2026-12-31"]["name"]) == ("Heiligabend", "Silvester")
    assert added["2026-12-25"]["part"] == "day"
    acme.ok("DELETE", f"/hr/holidays/{added['2026-12-26']['id']}")
    asked = ask(acme, "2026-12-21", "2026-12-31", employeeId=mia)
    assert asked["days"] == "7"
    assert counted(asked) == ["1", "1", "1", "0.5", "0", "0", "0", "1", "1", "1", "0.5"]


def test_the_import_keeps_a_holiday_that_is_there_and_the_next_year_has_its_halves_too(acme, mia):
    acme.ok("POST", "/hr/holidays", {"date": DAY, "name": "Closed"})
    answer = acme.ok("POST", "/hr/holidays/import", {"year": 2026, "country": "GB", "halfDays": True})
    assert [(row["name"], row["part"]) for row in answer["skipped"]] == [("Closed", "day")]
    assert ("New Year's Eve", "afternoon") in [(row["name"], row["part"]) for row in answer["added"]]
    ask(acme, "2027-03-01", employeeId=mia)
    (eve,) = acme.ok("GET", "/hr/holidays", params={"dateFrom": "2027-12-31", "dateTo": "2027-12-31"})
    assert (eve["name"], eve["part"]) == ("New Year's Eve", "afternoon")


def test_a_country_without_the_choice_gets_whole_holidays_alone(acme):
    added = acme.ok("POST", "/hr/holidays/import", {"year": 2026, "country": "DE"})["added"]
    assert {holiday["part"] for holiday in added} == {"day"}
    assert DAY not in [holiday["date"] for holiday in added]


@pytest.mark.parametrize(
    ("halves", "days", "why"),
    [
        ({}, "0.5", "Holiday from noon: Christmas Eve"),
        ({"endHalf": True}, "0.5", "Half day, until noon"),
    ],
)
def test_leave_takes_the_half_that_is_worked(acme, mia, halves, days, why):
    acme.ok("POST", "/hr/holidays", EVE)
    asked = ask(acme, DAY, employeeId=mia, **halves)
    assert (asked["days"], asked["dayDetails"][0]["why"]) == (days, why)


def test_leave_of_the_free_half_takes_nothing(acme, mia):
    acme.ok("POST", "/hr/holidays", EVE)
    body = leave(DAY, employeeId=mia, startHalf=True)
    error = acme.refused("POST", "/hr/leaves", body, status=422, code="no_leave_days")
    assert error["message"].endswith("Holiday: Christmas Eve.")
    asked = ask(acme, DAY, "2026-12-28", employeeId=mia, startHalf=True)
    assert counted(asked) == ["0", "1", "0", "0", "1"]


def expected_on(office, employee, day=DAY):
    """The expected minutes of a day, shown by a record of it."""
    params = {"employeeId": employee, "dateFrom": day, "dateTo": day}
    rows = office.ok("GET", "/hr/attendance", params=params)
    return [(row["expectedMinutes"], row["workedMinutes"], row["overtimeMinutes"]) for row in rows]


def test_half_of_the_minutes_are_expected_rounded_up(acme, mia, clock_at):
    eve = acme.ok("POST", "/hr/holidays", EVE)
    at(acme, clock_at, "2027-01-04")
    acme.ok("POST", "/hr/attendance", {"employeeId": mia, "date": DAY})
    assert expected_on(acme, mia) == [(233, 233, 0)]
    acme.ok("PATCH", f"/hr/holidays/{eve['id']}", {"part": "day"})
    assert expected_on(acme, mia) == [(0, 465, 465)]
    acme.ok("PATCH", f"/hr/holidays/{eve['id']}", {"part": "morning"})
    assert expected_on(acme, mia) == [(233, 233, 0)]
    acme.ok("DELETE", f"/hr/holidays/{eve['id']}")
    assert expected_on(acme, mia) == [(465, 465, 0)]


@pytest.mark.parametrize(
    ("halves", "expected", "leave_days"),
    [({}, 0, "0.5"), ({"endHalf": True}, 0, "0.5"), ({"startHalf": True}, 233, "0")],
)
def test_leave_leaves_of_half_a_holiday_what_it_does_not_cover(acme, mia, clock_at, halves, expected, leave_days):
    body = {"employeeId": mia, "leaveTypeId": type_id(acme, "unpaid"), **halves}
    asked = decide(acme, ask(acme, DAY, **body))
    acme.ok("POST", "/hr/holidays", EVE)
    assert acme.ok("GET", f"/hr/leaves/{asked['id']}")["status"] == ("cancelled" if leave_days == "0" else "approved")
    at(acme, clock_at, "2027-01-04")
    month = acme.ok("GET", "/hr/attendance/summary", params={"month": "2026-12", "employeeId": mia})[0]
    assert month["expectedMinutes"] == 22 * 465 + expected
    assert month["leaveDays"] == leave_days


def test_a_change_of_the_part_counts_leave_again(acme, mia):
    eve = acme.ok("POST", "/hr/holidays", EVE | {"part": "day"})
    asked = approved(acme, mia, "2026-12-23", "2026-12-24")
    assert asked["days"] == "1"
    (recounted,) = acme.ok("PATCH", f"/hr/holidays/{eve['id']}", {"part": "afternoon"})["recountedLeaves"]
    assert (recounted["daysBefore"], recounted["days"], recounted["changedDates"]) == ("1", "1.5", [DAY])
    assert balance(acme, mia)["taken"] == "1.5"
    assert acme.ok("PATCH", f"/hr/holidays/{eve['id']}", {"name": "Eve"})["recountedLeaves"] == []


def test_hourly_pay_of_leave_on_half_a_holiday_is_for_the_half(acme, clock_at):
    pay = {"payType": "hourly", "amount": "20.00", "frequency": "monthly"}
    mia = hired(acme, workSchedule=week("1111100"), compensation=pay)
    acme.ok("POST", "/hr/holidays", EVE)
    approved(acme, mia, "2026-12-23", "2026-12-24")
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"payrollFourEyes": False})
    body = {"periodStart": "2026-12-01", "periodEnd": "2026-12-31", "payDate": "2026-12-31"}
    assert acme.ok("POST", "/hr/payroll/run", body)["payslips"][0]["gross"] == "240.00"


def test_the_leave_calendar_says_which_half_is_free(acme):
    acme.ok("POST", "/hr/holidays", EVE)
    (shown,) = acme.ok("GET", "/hr/leaves/calendar", params={"dateFrom": DAY, "dateTo": DAY})["holidays"]
    assert shown == EVE | {"siteIds": [], "siteNames": []}
