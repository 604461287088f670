"""The dates of what recurs."""

from calendar import monthrange
from datetime import date, timedelta
from itertools import islice, pairwise, takewhile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from erp.finance.billing.recurring.dates import Schedule, last, nth, occurrences, period

LEAP_DAY = date(2024, 2, 29)
days = st.dates(date(1999, 1, 1), date(2100, 12, 31))
every = st.integers(1, 14)
bounded = st.builds(
    Schedule,
    start=days,
    every=every,
    unit=st.sampled_from(["day", "week", "month", "year"]),
    until=st.none() | days,
    times=st.none() | st.integers(1, 60),
)
monthly = st.builds(
    Schedule, start=days, every=every, unit=st.sampled_from(["month", "year"]), day=st.none() | st.integers(1, 31)
)


def first(schedule: Schedule, most: int = 40) -> list[date]:
    return list(islice(occurrences(schedule), most))


def texts(schedule: Schedule, most: int) -> list[str]:
    return [day.isoformat() for day in first(schedule, most)]


@pytest.mark.parametrize(
    ("start", "fields", "expected"),
    [
        ("2026-01-31", {"unit": "month"}, "2026-01-31 2026-02-28 2026-03-31 2026-04-30"),
        ("2026-02-28", {"unit": "month"}, "2026-02-28 2026-03-28 2026-04-28"),
        ("2026-02-28", {"unit": "month", "day": 31}, "2026-02-28 2026-03-31 2026-04-30"),
        ("2026-01-20", {"unit": "month", "every": 3, "day": 15}, "2026-02-15 2026-05-15 2026-08-15"),
        ("2026-11-30", {"unit": "month", "every": 3}, "2026-11-30 2027-02-28 2027-05-30"),
        ("2024-02-29", {"unit": "year"}, "2024-02-29 2025-02-28 2026-02-28 2027-02-28 2028-02-29"),
        ("2026-01-20", {"unit": "year", "day": 15}, "2027-01-15 2028-01-15"),
        ("2026-01-30", {"unit": "week", "every": 2}, "2026-01-30 2026-02-13 2026-02-27"),
        ("2026-02-27", {"unit": "day"}, "2026-02-27 2026-02-28 2026-03-01"),
    ],
)
def test_dates_are_counted_from_the_first_one(start, fields, expected):
    schedule = Schedule(**{"start": date.fromisoformat(start), "every": 1, **fields})
    assert texts(schedule, len(expected.split())) == expected.split()


def test_a_schedule_ends_after_a_day_or_a_number_of_times():
    schedule = Schedule(start=date(2026, 1, 31), every=1, unit="month", until=date(2026, 3, 30))
    assert texts(schedule, 9) == ["2026-01-31", "2026-02-28"]
    schedule = Schedule(start=date(2026, 1, 31), every=1, unit="month", times=3)
    assert texts(schedule, 9) == ["2026-01-31", "2026-02-28", "2026-03-31"]


def test_a_schedule_without_an_end_stops_where_dates_do():
    assert last(Schedule(start=LEAP_DAY, every=1, unit="month")) is None
    for unit in ("day", "month"):
        schedule = Schedule(start=date(2199, 12, 1), every=20, unit=unit)
        assert all(day.year == 2199 for day in occurrences(schedule))
        assert period(schedule, date(2199, 12, 1))[1] <= date(2199, 12, 31)


@given(monthly)
def test_each_is_in_its_month_and_as_near_to_its_day_as_the_month_allows(schedule):
    anchor = schedule.day or schedule.start.day
    step = schedule.every * (12 if schedule.unit == "year" else 1)
    found = first(schedule)
    for day in found:
        assert day.day == min(anchor, monthrange(day.year, day.month)[1])
    for one, other in pairwise(found):
        assert (other.year - one.year) * 12 + other.month - one.month == step
    assert found[0] >= schedule.start
    assert found[0] - schedule.start < timedelta(days=366 if schedule.unit == "year" else 31)


@given(bounded)
def test_none_is_before_the_start_or_after_the_end(schedule):
    found = list(islice(occurrences(schedule), 80))
    assert found == sorted(set(found))
    assert all(schedule.start <= day <= (schedule.until or day) for day in found)
    assert len(found) <= (schedule.times or len(found))
    end = last(schedule)
    if schedule.times is not None:
        assert end == (found[-1] if found else None)
    if end is not None:
        assert end in occurrences(schedule)
        assert next(occurrences(schedule, end), None) is None


@given(bounded, days)
def test_those_after_a_day_are_the_rest(schedule, day):
    unbounded = Schedule(start=schedule.start, every=schedule.every, unit=schedule.unit)
    before = len(list(takewhile(lambda each: each <= day, occurrences(unbounded))))
    expected = [each for each in (nth(schedule, before + n) for n in range(5)) if each is not None]
    assert list(islice(occurrences(schedule, day), 5)) == expected


@given(monthly)
def test_the_times_that_they_stand_for_follow_each_other_without_gap(schedule):
    found = first(schedule, 12)
    for one, other in pairwise(found):
        assert period(schedule, one) == (one, other - timedelta(days=1))
