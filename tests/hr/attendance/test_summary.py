import datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from erp.hr.attendance import days as attendance
from erp.hr.attendance.models import AttendanceRecord
from erp.hr.calendar import work_calendar
from tests.conftest import examples
from tests.hr.attendance.records import NOW, employee_at_work, grant_leave, marked_day, punch

SUMMARY = "/hr/attendance/summary"
FEBRUARY = [f"2026-02-{day:02}" for day in range(1, 29)]


@pytest.fixture(autouse=True)
def _wednesday(clock_at):
    clock_at(NOW)


@pytest.fixture
def anna(acme):
    return employee_at_work(acme)


def summary(office, **params):
    return office.ok("GET", SUMMARY, params=params)


def month(office, **params):
    (row,) = summary(office, **params)
    return row


def test_a_month_is_summed_up(acme, anna):
    acme.ok("POST", "/hr/holidays", {"date": "2026-02-25", "name": "Founders' day"})
    marked_day(acme, anna, "2026-02-02", punch("02-02 08:00", "18:00"), breakMinutes=60)
    marked_day(acme, anna, "2026-02-03", punch("02-03 08:00", "12:00"))
    marked_day(acme, anna, "2026-02-04", status="half_day")
    marked_day(acme, anna, "2026-02-05", status="absent")
    marked_day(acme, anna, "2026-02-07", punch("02-07 08:00", "10:00"))
    marked_day(acme, anna, "2026-02-09", status="on_leave")
    grant_leave(acme, anna, "2026-02-10")
    grant_leave(acme, anna, "2026-02-11", endHalf=True)
    marked_day(acme, anna, "2026-02-11", punch("02-11 13:00", "17:00"))
    assert month(acme, month="2026-02") == {
        "employeeId": anna,
        "employeeNumber": "EMP-0001",
        "employeeName": "Anna",
        "month": "2026-02",
        "workedMinutes": 540 + 240 + 240 + 120 + 240,
        "expectedMinutes": (20 - 1 - 1 - 1) * 480 - 240,
        "overtimeMinutes": 60 + 120,
        "presentDays": "4",
        "absentDays": "1.5",
        "leaveDays": "2.5",
        "missingDays": 20 - 1 - 7,
        "lateMinutes": 0,
        "leftEarlyMinutes": 0,
    }


def test_a_half_day_with_leave_for_the_rest_is_no_absence(acme, anna):
    grant_leave(acme, anna, "2026-02-04", startHalf=True)
    marked_day(acme, anna, "2026-02-04", status="half_day")
    found = month(acme, month="2026-02")
    assert (found["presentDays"], found["absentDays"], found["leaveDays"]) == ("0.5", "0", "0.5")


def test_in_the_present_month_only_days_that_are_over_are_missing(acme, anna):
    found = month(acme)
    assert (found["month"], found["missingDays"], found["expectedMinutes"]) == ("2026-03", 7, 22 * 480)
    assert month(acme, month="2026-04")["missingDays"] == 0


def test_everyone_employed_in_the_month_has_a_row_in_order_of_name(acme, anna):
    employee_at_work(acme, "Zoe", hireDate="2026-02-28")
    employee_at_work(acme, "Ben", hireDate="2026-03-01")
    assert [row["employeeName"] for row in summary(acme, month="2026-02")] == ["Anna", "Zoe"]
    assert [row["employeeName"] for row in summary(acme)] == ["Anna", "Ben", "Zoe"]
    assert [row["employeeName"] for row in summary(acme, employeeId=anna)] == ["Anna"]
    assert summary(acme, month="2025-12") == []
    ben = summary(acme)[1]["employeeId"]
    assert [row["employeeName"] for row in summary(acme, employeeId=f"{ben},{anna}")] == ["Anna", "Ben"]
    assert [row["employeeName"] for row in summary(acme, **{"not.employeeId": ben})] == ["Anna", "Zoe"]
    error = acme.refused("GET", SUMMARY, params={"employeeId": f"{anna},x,y"}, status=422)
    assert [each["message"] for each in error["details"]] == [f"Not in this workspace: {name}." for name in "xy"]
    cleo = employee_at_work(acme, "Cleo", keepsAttendance=False)
    named = {day: [row["employeeName"] for row in summary(acme, date=day)] for day in ("2026-02-27", "2026-03-02")}
    assert named == {"2026-02-27": ["Anna"], "2026-03-02": ["Anna", "Ben", "Zoe"]}
    marked_day(acme, cleo, "2026-03-02", punch("03-02 08:00", "12:00"))
    assert [row["month"] for row in summary(acme, date="2026-03-02", employeeId=cleo)] == ["2026-03"]


def test_members_see_only_their_own_month(acme, anna):
    mia = acme.colleague("member")
    own = employee_at_work(acme, "Mia", mia)
    assert month(mia)["employeeId"] == own
    mia.refused("GET", SUMMARY, params={"employeeId": anna}, status=403, code="forbidden")
    assert acme.colleague("viewer").ok("GET", SUMMARY) == []
    assert len(summary(acme.colleague("hr"))) == 2


@pytest.mark.parametrize("wrong", ["2026-13", "2026", "1899-12", "2026-03-01"])
def test_a_malformed_month_is_refused(acme, wrong):
    acme.refused("GET", SUMMARY, params={"month": wrong}, status=400, code="bad_parameter")


def test_the_summary_is_also_a_spreadsheet(acme, anna):
    answer = acme.call("GET", SUMMARY, params={"format": "csv"})
    head, row = answer.text.splitlines()
    assert head.split(",")[:5] == ["employeeId", "employeeNumber", "employeeName", "month", "workedMinutes"]
    assert row.startswith(f'"{anna}","EMP-0001","Anna","2026-03",0,')


def test_payroll_asks_for_worked_minutes_and_for_days_without_a_record(acme, anna):
    ben = employee_at_work(acme, "Ben")
    marked_day(acme, anna, "2026-03-02", punch("03-02 08:00", "10:00"))
    marked_day(acme, anna, "2026-03-03", status="absent")
    start, end = datetime.date(2026, 3, 2), datetime.date(2026, 3, 31)
    with acme.books():
        calendars = work_calendar.of([anna, ben], start, end)
        worked = attendance.worked_between([anna, ben], start, end)
        unmarked = attendance.unmarked_between([anna, ben], start, end, calendars)
        assert attendance.worked_between([], start, end) == {}
    assert worked == {anna: {start: 120, datetime.date(2026, 3, 3): 0}, ben: {}}
    assert [day.day for day in unmarked[anna]] == [4, 5, 6, 9, 10]
    assert [day.day for day in unmarked[ben]] == [2, 3, 4, 5, 6, 9, 10]


@st.composite
def _months(draw):
    """Records of some days of February: their status, and with punches the hours from eight on."""
    days = draw(st.lists(st.sampled_from(FEBRUARY), unique=True, max_size=12))
    statuses = st.sampled_from(["present", "remote", "half_day", "absent", "on_leave", "holiday"])
    records = []
    for day in days:
        status, hours = draw(statuses), draw(st.integers(0, 15))
        works = hours and status in ("present", "remote", "half_day")
        punches = [punch(f"{day[5:]} 08:00", f"{8 + hours:02}:00")] if works else []
        records.append({"date": day, "status": status, "punches": punches})
    return records


@given(_months())
@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_month_is_the_sum_of_its_days(acme, anna, records):
    with acme.books(write=True):
        AttendanceRecord.delete().execute()
    if records:
        acme.ok("POST", "/hr/attendance", {"records": [{"employeeId": anna, **each} for each in records]})
    days = acme.ok("GET", "/hr/attendance", params={"limit": "200"})
    params = {"isMissing": "true", "dateFrom": "2026-02-01", "dateTo": "2026-02-28"}
    missing = acme.ok("GET", "/hr/attendance", params=params)
    found = month(acme, month="2026-02")
    for name in ("workedMinutes", "overtimeMinutes"):
        assert found[name] == sum(day[name] for day in days)
    assert found["expectedMinutes"] == sum(day["expectedMinutes"] for day in [*days, *missing])
    assert found["missingDays"] == len(missing)
