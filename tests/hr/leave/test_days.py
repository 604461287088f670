"""How days of leave are counted, against published calendars and against each other."""

import json
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from erp.hr.calendar.work_days import Holiday, WorkCalendar
from erp.hr.leave import days as leave_days
from tests.hr.leave.applications import ask, hired, type_id, week
from tests.paths import DATA

DATA = json.loads((DATA / "working_days.json").read_text())
ALL = [(case, False, False, case["working_days"]) for case in DATA["cases"]] + [
    (case, case["first_day_half"], case["last_day_half"], case["leave_days"]) for case in DATA["half_days"]
]
EVER = ((date(2000, 1, 1), None),)


def calendar_of(case):
    minutes = tuple(week(case["week"]).values())
    holidays = dict.fromkeys(map(date.fromisoformat, case["holidays"]), Holiday("Holiday"))
    return WorkCalendar(minutes, employments=EVER, holidays=holidays)


@pytest.mark.parametrize(("case", "first", "last", "expected"), ALL, ids=[each[0]["id"] for each in ALL])
def test_leave_takes_the_days_of_the_published_calendar(case, first, last, expected):
    start, end = date.fromisoformat(case["from"]), date.fromisoformat(case["to"])
    counted = leave_days.count(calendar_of(case), start, end, first, last)
    assert sum(day.days for day in counted) == round(float(expected) * 100)
    assert len(counted) == (end - start).days + 1


ASKED = [each for each in ALL[::8] + ALL[-len(DATA["half_days"]) :] if float(each[3])]


@pytest.mark.parametrize(("case", "first", "last", "expected"), ASKED, ids=[each[0]["id"] for each in ASKED])
def test_a_request_shows_the_days_of_the_published_calendar(acme, case, first, last, expected):
    for day in case["holidays"]:
        acme.ok("POST", "/hr/holidays", {"date": day, "name": "Holiday"})
    mia = hired(acme, workSchedule=week(case["week"]))
    halves = {"startHalf": first, "endHalf": last}
    asked = ask(acme, case["from"], case["to"], employeeId=mia, leaveTypeId=type_id(acme, "unpaid"), **halves)
    assert float(asked["days"]) == float(expected)
    assert sum(float(day["counted"]) for day in asked["dayDetails"]) == float(expected)


DAYS = st.dates(date(2026, 1, 1), date(2026, 12, 31))
HOLIDAYS = st.builds(Holiday, st.just("Holiday"), st.sampled_from([None, "morning", "afternoon"]))
CALENDARS = st.builds(
    WorkCalendar,
    usual=st.tuples(*[st.sampled_from([0, 240, 480])] * 7),
    employments=st.just(EVER),
    holidays=st.dictionaries(DAYS, HOLIDAYS, max_size=20),
)


@given(CALENDARS, DAYS, st.integers(0, 40), st.integers(0, 40), st.booleans(), st.booleans(), st.booleans())
def test_leave_that_is_split_in_two_takes_the_same_days(calendar, start, length, place, first_half, last_half, at_noon):
    end = start + timedelta(days=length)
    cut = start + timedelta(days=min(place, length))
    splits_a_half = at_noon and ((cut == start and first_half) or (cut == end and last_half))
    if (start == end and first_half and last_half) or splits_a_half or (cut == end and not at_noon):
        return
    whole = leave_days.count(calendar, start, end, first_half, last_half)
    early = leave_days.count(calendar, start, cut, first_half, at_noon)
    late = leave_days.count(calendar, cut if at_noon else cut + timedelta(days=1), end, at_noon, last_half)
    assert sum(day.days for day in whole) == sum(day.days for day in (*early, *late))


def test_a_day_without_employment_takes_nothing_and_says_so():
    calendar = WorkCalendar((480,) * 7, employments=((date(2026, 5, 5), date(2026, 5, 5)),))
    counted = leave_days.count(calendar, date(2026, 5, 4), date(2026, 5, 6))
    assert [(day.days, day.why) for day in counted] == [(0, "Not employed"), (100, "Working day"), (0, "Not employed")]


def test_payroll_asks_for_approved_leave_only(acme, clock_at):
    clock_at("2026-03-02T09:00:00Z")
    mia, ben = hired(acme, "Mia"), hired(acme, "Ben")
    unpaid = type_id(acme, "unpaid")
    morning = ask(acme, "2026-05-04", employeeId=mia, endHalf=True)
    afternoon = ask(acme, "2026-05-04", "2026-05-05", employeeId=mia, leaveTypeId=unpaid, startHalf=True)
    ask(acme, "2026-05-06", employeeId=mia)
    weekend = ask(acme, "2026-05-08", "2026-05-11", employeeId=ben)
    for asked in (morning, afternoon, weekend):
        acme.ok("POST", f"/hr/leaves/{asked['id']}/approve", {})
    with acme.books():
        found = leave_days.approved_between([mia, ben], date(2026, 5, 1), date(2026, 5, 10))
        assert leave_days.approved_between([ben], date(2026, 6, 1), date(2026, 6, 30)) == {}
    assert found == {
        mia: {date(2026, 5, 4): [(50, True), (50, False)], date(2026, 5, 5): [(100, False)]},
        ben: {date(2026, 5, 8): [(100, True)]},
    }
