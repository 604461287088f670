import json
from calendar import monthrange
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from erp.hr.calendar.work_days import Holiday, WorkCalendar
from erp.hr.payroll.calculation.payslip import compute
from erp.hr.payroll.calculation.values import NamedComponent
from tests.hr.payroll.calculation.payslips import (
    FULL_WEEK,
    cents,
    component,
    days_between,
    inputs,
    partial_payslips,
    payslip,
    salary,
)
from tests.paths import DATA

ORACLE = json.loads((DATA / "payroll.json").read_text())["proration"]
MARCH = date(2026, 3, 1), date(2026, 3, 31)
FEBRUARY = date(2026, 2, 1), date(2026, 2, 28)


def joining(day, week=FULL_WEEK, **others):
    return WorkCalendar(week, employments=[(day, None)], **others)


@pytest.mark.parametrize("case", ORACLE, ids=lambda case: case["id"])
def test_joining_within_a_month_of_22_working_days_pays_the_published_part(case):
    joined = days_between(*MARCH)[-1]
    while sum(day.weekday() < 5 for day in days_between(joined, MARCH[1])) < case["days"]:
        joined = date.fromordinal(joined.toordinal() - 1)
    paid = payslip(*MARCH, salary(cents(case["monthly"])), calendar=joining(joined))
    assert (paid.gross, paid.days.working, paid.days.paid) == (
        cents(case["expected"]),
        case["of"] * 100,
        case["days"] * 100,
    )


def test_a_raise_within_the_month_pays_each_part_at_its_own_amount_rounded_separately():
    paid = payslip(*MARCH, salary(300000), salary(360000, date(2026, 3, 20)))
    assert [line.amount for line in paid.lines] == [190909, 130909]
    assert paid.gross == 321818
    assert paid.lines[1].explanation == "3,600.00 × 8 of 22 working days = 1,309.09"


def test_terms_that_differ_only_in_components_pay_the_whole_month():
    named = NamedComponent("bonus", 100)
    paid = payslip(*MARCH, salary(100000), salary(100000, date(2026, 3, 11), "monthly", named))
    assert [line.amount for line in paid.lines] == [100000]


def test_a_public_holiday_on_a_working_day_counts_on_both_sides():
    holidays = {date(2026, 3, 25): "Spring", date(2026, 3, 28): "On a Saturday"}
    paid = payslip(*MARCH, salary(220000), calendar=joining(date(2026, 3, 16), holidays=holidays))
    assert (paid.gross, paid.days.paid) == (120000, 1200)


def test_unpaid_leave_counts_as_unpaid_to_the_half_day_and_paid_leave_as_paid():
    leave = {date(2026, 3, 4): 100, date(2026, 3, 5): 50}
    paid = payslip(*MARCH, salary(220000), unpaid_leave=leave, paid_leave={date(2026, 3, 6): 100})
    assert (paid.gross, paid.days.unpaid_leave, paid.days.paid_leave, paid.days.paid) == (205000, 150, 100, 2050)


def test_a_leaver_is_paid_until_the_last_day():
    gone = WorkCalendar(FULL_WEEK, employments=[(date(2020, 1, 1), date(2026, 3, 13))])
    assert payslip(*MARCH, salary(220000), calendar=gone).gross == 100000


def test_calendar_days_count_every_day():
    paid = payslip(*MARCH, salary(310000), calendar=joining(date(2026, 3, 22)), basis="calendar_days")
    assert paid.gross == 100000
    assert paid.lines[0].explanation == "3,100.00 × 10 of 31 calendar days = 1,000.00"


@pytest.mark.parametrize(
    ("period", "joined", "expected"),
    [
        (FEBRUARY, date(2026, 2, 1), 300000),
        (FEBRUARY, date(2026, 2, 16), 150000),
        (FEBRUARY, date(2026, 2, 28), 30000),
        ((date(2028, 2, 1), date(2028, 2, 29)), date(2028, 2, 29), 20000),
        (MARCH, date(2026, 3, 1), 300000),
        (MARCH, date(2026, 3, 16), 150000),
        (MARCH, date(2026, 3, 30), 10000),
        (MARCH, date(2026, 3, 31), 0),
    ],
)
def test_every_month_has_thirty_days_where_the_basis_says_so(period, joined, expected):
    assert payslip(*period, salary(300000), calendar=joining(joined), basis="fixed_30").gross == expected


def test_a_period_of_several_months_pays_each_by_its_own_days():
    paid = payslip(date(2026, 2, 16), date(2026, 4, 15), salary(400000))
    assert [line.amount for line in paid.lines] == [200000, 400000, 200000]
    assert paid.lines[0].explanation == "February 2026: 4,000.00 × 10 of 20 working days = 2,000.00"


def test_the_part_that_completes_a_month_is_what_earlier_parts_left():
    cuts = [date(2026, 3, 10), date(2026, 3, 12), date(2026, 3, 17), date(2026, 3, 20)]
    parts = partial_payslips(*MARCH, cuts, salary(100000))
    assert [part.gross for part in parts] == [31818, 9091, 13636, 13636, 31819]
    assert parts[-1].lines[0].explanation == (
        "1,000.00 × 7 of 22 working days, the last of the month: 1,000.00 − 681.81 paid before = 318.19"
    )


def test_a_month_with_a_day_of_unpaid_leave_is_never_completed():
    parts = partial_payslips(*MARCH, [date(2026, 3, 10)], salary(100000), unpaid_leave={date(2026, 3, 3): 100})
    assert [part.gross for part in parts] == [27273, 68182]


def test_an_employee_without_scheduled_days_is_paid_by_calendar_days():
    paid = payslip(*MARCH, salary(310000), calendar=joining(date(2026, 3, 22), week=(0,) * 7))
    assert (paid.gross, paid.days.working, paid.days.paid) == (100000, 3100, 1000)


@pytest.mark.parametrize(("frequency", "last", "amount"), [("weekly", 8, 500), ("biweekly", 15, 1000)])
def test_a_week_or_a_fortnight_pays_its_amount_even_with_holidays(frequency, last, amount):
    calendar = joining(date(2020, 1, 1), holidays={date(2026, 3, 3): Holiday("Spring")})
    terms = salary(amount, frequency=frequency)
    assert payslip(date(2026, 3, 2), date(2026, 3, last), terms, calendar=calendar).gross == amount


def test_a_fortnight_can_begin_on_any_day_and_contain_a_change_of_schedule():
    week = (480, 480, 480, 0, 0, 0, 0)
    calendar = WorkCalendar(
        FULL_WEEK, [(date(2020, 1, 1), FULL_WEEK), (date(2026, 3, 11), week)], [(date(2020, 1, 1), None)]
    )
    assert (
        payslip(date(2026, 3, 5), date(2026, 3, 18), salary(90000, frequency="biweekly"), calendar=calendar).gross
        == 90000
    )


def test_days_off_a_fortnight_are_counted_against_its_scheduled_days():
    terms = salary(100000, frequency="biweekly")
    paid = payslip(date(2026, 3, 2), date(2026, 3, 15), terms, unpaid_leave={date(2026, 3, 4): 50})
    assert paid.gross == 95000
    assert paid.lines[0].explanation == "1,000.00 × 9.5 paid days ÷ 10 working days of two weeks = 950.00"


def test_weekly_pay_of_a_longer_period_is_for_all_its_weeks():
    paid = payslip(date(2026, 3, 2), date(2026, 3, 29), salary(50000, frequency="weekly"))
    assert [line.amount for line in paid.lines] == [200000]


def test_a_prorated_allowance_counts_for_the_days_on_which_the_pay_names_it():
    lunch = replace(component("lunch", "earning", "fixed", is_prorated=True), applies_to_all=False)
    named = NamedComponent("lunch", 2200)
    paid = payslip(*MARCH, salary(100000), salary(100000, date(2026, 3, 16), "monthly", named), components=[lunch])
    assert [(line.code, line.amount) for line in paid.lines][1:] == [("lunch", 1200)]


@pytest.mark.parametrize("amount", [1, 100])
def test_days_already_paid_are_not_paid_again(amount):
    assert compute(inputs(*MARCH, salary(amount), due=[])).gross == 0


months = st.sampled_from([(2026, 2), (2028, 2), (2026, 3), (2026, 4), (2027, 1)]).map(
    lambda month: (date(*month, 1), date(*month, monthrange(*month)[1]))
)
weeks = st.tuples(*[st.sampled_from([0, 240, 480])] * 7)
bases = st.sampled_from(["working_days", "calendar_days", "fixed_30"])


@given(months, weeks, weeks, bases, st.data())
def test_the_parts_of_a_month_sum_to_the_whole(month, week, other_week, basis, data):
    days = days_between(*month)
    holidays = dict.fromkeys(data.draw(st.lists(st.sampled_from(days), max_size=4)), Holiday("Holiday"))
    changed = data.draw(st.sampled_from(days))
    schedules = [(date(2020, 1, 1), week), (changed, other_week)]
    calendar = WorkCalendar(week, schedules, [(date(2020, 1, 1), None)], holidays)
    cuts = data.draw(st.lists(st.sampled_from(days[:-1]), max_size=6, unique=True))
    amount = data.draw(st.integers(0, 10**9))
    allowance = component("allowance", "earning", "fixed", amount=data.draw(st.integers(0, 10**6)), is_prorated=True)
    parts = partial_payslips(*month, cuts, salary(amount), calendar=calendar, basis=basis, components=[allowance])
    assert sum(part.base for part in parts) == amount
    assert sum(part.gross for part in parts) == amount + allowance.amount


@given(months, weeks, bases, st.data())
def test_a_leaver_and_a_successor_together_cost_one_month(month, week, basis, data):
    """A leaver, and a successor from the next day on, together cost what one employee would, to the cent."""
    last = data.draw(st.sampled_from(days_between(*month)[:-1]))
    amount = data.draw(st.integers(0, 10**7))
    leaver = WorkCalendar(week, employments=[(date(2020, 1, 1), last)])
    successor = WorkCalendar(week, employments=[(date.fromordinal(last.toordinal() + 1), None)])
    both = [payslip(*month, salary(amount), calendar=calendar, basis=basis).gross for calendar in (leaver, successor)]
    assert abs(sum(both) - amount) <= 1
    assert all(0 <= gross <= amount for gross in both)
