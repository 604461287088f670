from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from erp.kernel import days


def day(text):
    return date.fromisoformat(text)


@pytest.mark.parametrize(
    ("start", "count", "unit", "of_month", "found"),
    [
        ("2026-01-31", 3, "day", None, "2026-02-03"),
        ("2026-01-31", 2, "week", None, "2026-02-14"),
        ("2026-01-31", 1, "month", None, "2026-02-28"),
        ("2027-11-30", 3, "month", None, "2028-02-29"),
        ("2026-02-28", 1, "month", 31, "2026-03-31"),
        ("2024-02-29", 1, "year", None, "2025-02-28"),
        ("2025-02-28", 3, "year", 29, "2028-02-29"),
        ("2026-12-15", 1, "month", None, "2027-01-15"),
        ("2199-11-30", 1, "month", 31, "2199-12-31"),
        ("2199-12-30", 1, "day", None, "2199-12-31"),
    ],
)
def test_a_day_some_units_later(start, count, unit, of_month, found):
    assert days.later(day(start), count, unit, of_month) == day(found)


@pytest.mark.parametrize(
    ("start", "count", "unit"),
    [("2199-12-31", 1, "day"), ("2199-12-25", 1, "week"), ("2199-12-01", 1, "month"), ("2199-01-01", 1, "year")],
)
def test_there_is_no_day_after_the_last(start, count, unit):
    assert days.later(day(start), count, unit) is None


@given(st.dates(days.FIRST_DAY, days.LAST_DAY), st.integers(-1200, 1200))
def test_months_are_counted_alike_there_and_back(start, months):
    found = days.months_later(start, months)
    assert days.months_between(start, found) == months
    assert found.day == start.day or (days.is_month_end(found) and found.day < start.day)


def test_an_earlier_month():
    assert days.months_later(day("2026-03-31"), -1) == day("2026-02-28")
    assert days.months_later(day("2026-01-15"), -13) == day("2024-12-15")


def test_ends_of_months_and_beginnings_of_weeks():
    assert [days.month_end(day(text)) for text in ("2026-02-01", "2028-02-29", "2026-12-31")] == [
        day("2026-02-28"),
        day("2028-02-29"),
        day("2026-12-31"),
    ]
    assert not days.is_month_end(day("2028-02-28"))
    assert [days.monday(day(text)) for text in ("2026-11-23", "2026-11-29")] == [day("2026-11-23")] * 2
