import json
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from erp.hr.calendar.work_days import Holiday, WorkCalendar
from erp.hr.payroll.calculation.payslip import line_keys
from erp.hr.payroll.calculation.values import Bracket, NamedComponent, Overtime, PayTerms, YearToDate
from erp.kernel.money import LIMIT, OutOfRange
from tests.hr.payroll.calculation.payslips import (
    FULL_WEEK,
    cents,
    component,
    days_between,
    hourly,
    micro,
    payslip,
    salary,
)
from tests.paths import DATA

ORACLE = json.loads((DATA / "payroll.json").read_text())
YEARS = [case for case in ORACLE["payslips"] if case["kind"] == "year_of_monthly_brackets"]
SLIPS = [case for case in ORACLE["payslips"] if case["kind"] == "payslip"]
MARCH = date(2026, 3, 1), date(2026, 3, 31)
WEEK = date(2026, 3, 2), date(2026, 3, 8)


def named(case):
    return case["id"]


def last_of(month):
    return date.fromordinal(date(2026 + month // 12, month % 12 + 1, 1).toordinal() - 1)


@pytest.mark.parametrize("case", YEARS, ids=named)
def test_monthly_brackets_take_the_published_amounts_of_a_year(case):
    ends = [cents(row["over"]) for row in case["brackets"][1:]] + [None]
    rows = zip(ends, case["brackets"], strict=True)
    insurance = component(
        "nic", "deduction", "brackets", brackets=tuple(Bracket(end, micro(row["rate_percent"])) for end, row in rows)
    )
    taken = [
        payslip(date(2026, month, 1), last_of(month), salary(cents(amount)), components=[insurance]).deductions
        for month, amount in enumerate(case["monthly_pay"], 1)
    ]
    assert taken == [cents(amount) for amount in case["expected"]["per_month"]]
    assert sum(taken) == cents(case["expected"]["year"])


@pytest.mark.parametrize("case", SLIPS, ids=named)
def test_a_published_payslip_comes_to_its_totals(case):
    kinds = {"deductions": "deduction", "employer": "employer_contribution"}
    components = [
        component(f"{field}-{number}", kind, "fixed", amount=cents(amount))
        for field, kind in kinds.items()
        for number, amount in enumerate(case[field])
    ]
    (earned,) = case["earnings"]
    paid = payslip(*MARCH, salary(cents(earned["rate"])), components=components)
    expected = {name: cents(amount) for name, amount in case["expected"].items()}
    assert (paid.gross, paid.deductions, paid.net) == (expected["gross"], expected["deductions"], expected["net"])
    assert paid.gross + paid.employer_contributions == expected["employer_cost"]
    assert (paid.lines[0].quantity, paid.lines[0].rate) == (micro(earned["qty"]), micro(earned["rate"]))


def overtime_of(case):
    rule = Overtime(int(case["threshold_hours"]) * 60, "week", micro(case["multiplier"]))
    return component("overtime", "earning", "overtime", overtime=rule)


@pytest.mark.parametrize("case", ORACLE["overtime"], ids=named)
def test_overtime_on_hourly_pay_adds_its_premium_on_the_regular_rate(case):
    worked = dict.fromkeys(days_between(*WEEK)[:5], int(case["hours"]) * 12)
    bonus = component("bonus", "earning", "fixed", amount=cents(case["bonus"]))
    terms = hourly(cents(case["hourly_rate"]))
    paid = payslip(*WEEK, terms, worked_minutes=worked, components=[overtime_of(case), bonus], currency="USD")
    assert paid.gross == cents(case["expected"]["total"])
    shown = case["expected"]["regular_rate"]
    assert f"6 h × {shown} × 0.5 on top of the hours themselves" in paid.lines[-1].explanation


LATE = component("late", "earning", "overtime", overtime=Overtime(2400, "week", micro("1.5")))
DAILY = component("daily", "earning", "overtime", overtime=Overtime(480, "day", micro("2")))


def test_overtime_on_a_salary_pays_the_hours_too():
    """A salary of 1,040.00 a month is 240.00 a week, 6.00 an hour; source: 29 CFR 778.113."""
    worked = dict.fromkeys(days_between(*WEEK)[:5], 9 * 60)
    paid = payslip(*MARCH, salary(104000), worked_minutes=worked, components=[LATE], currency="USD")
    assert paid.lines[-1].amount == 5 * 900
    assert paid.lines[-1].explanation == "overtime beyond 40 h a week: 5 h × 6.00 × 1.5 = 45.00"


def test_a_taxable_bonus_raises_overtime_on_a_salary_by_its_premium_alone():
    worked = dict.fromkeys(days_between(*WEEK)[:5], 10 * 60)
    bonus = component("bonus", "earning", "fixed", amount=5000)
    untaxed = component("lunch", "earning", "fixed", amount=5000, is_taxable=False)
    terms = salary(24000, frequency="weekly")
    paid = payslip(*WEEK, terms, worked_minutes=worked, components=[LATE, bonus, untaxed])
    assert paid.lines[-1].amount == 10 * 600 + 10 * 700 // 2


def test_pay_that_changes_within_a_week_makes_overtime_of_the_average():
    """24 hours at 10.00 and 24 at 12.00 are 11.00 an hour, not the rate of the last; source: 29 CFR 778.115."""
    worked = dict(zip(days_between(*WEEK), (480, 480, 480, 720, 720), strict=False))
    raised = replace(hourly(1200), effective_from=date(2026, 3, 5))
    paid = payslip(*WEEK, hourly(1000), raised, worked_minutes=worked, components=[LATE])
    assert [line.amount for line in paid.lines] == [24000, 28800, 8 * 550]


def test_each_day_has_its_own_rate_where_overtime_is_by_the_day():
    worked = dict.fromkeys(days_between(*WEEK)[:2], 600)
    raised = replace(hourly(1200), effective_from=date(2026, 3, 3))
    paid = payslip(*WEEK, hourly(1000), raised, worked_minutes=worked, components=[DAILY])
    assert paid.lines[-1].amount == 2 * 1000 + 2 * 1200


def test_overtime_is_not_paid_on_other_overtime():
    """60 hours at 10.00: a half more beyond 40, and again beyond 50, both of the rate without overtime."""
    worked = dict.fromkeys(days_between(*WEEK)[:5], 12 * 60)
    later = replace(LATE, id="later", code="later", overtime=Overtime(3000, "week", micro("1.5")))
    paid = payslip(*WEEK, hourly(1000), worked_minutes=worked, components=[LATE, later])
    assert [line.amount for line in paid.lines] == [60000, 20 * 500, 10 * 500]


def test_piece_rates_make_overtime_of_what_an_hour_came_to():
    """245.50 by the piece and 20.00 for waiting, in 50 hours: 5.31 an hour; source: 29 CFR 778.111."""
    worked = dict.fromkeys(days_between(*WEEK)[:5], 600)
    piece = component("piece", "earning", "fixed", amount=24550)
    waiting = component("waiting", "earning", "fixed", amount=2000)
    paid = payslip(*WEEK, hourly(0), worked_minutes=worked, components=[LATE, piece, waiting])
    assert paid.gross == 29205


def test_overtime_of_a_week_belongs_to_the_days_beyond_the_threshold_in_either_period():
    """The week from 30 March to 5 April: 40 hours are full on the Friday, in April."""
    worked = dict.fromkeys(days_between(date(2026, 3, 30), date(2026, 4, 4)), 600)
    march = payslip(*MARCH, hourly(600), worked_minutes=worked, components=[LATE])
    april = payslip(date(2026, 4, 1), date(2026, 4, 30), hourly(600), worked_minutes=worked, components=[LATE])
    assert [line.code for line in march.lines] == ["hours"]
    assert [(line.code, line.amount) for line in april.lines] == [("hours", 4 * 6000), ("late", 20 * 300)]


def test_daily_overtime_ignores_the_other_days():
    worked = {WEEK[0]: 540, date(2026, 3, 3): 300}
    assert payslip(*WEEK, hourly(1000), worked_minutes=worked, components=[DAILY]).lines[-1].amount == 1000


def test_hours_are_paid_to_the_minute_and_a_holiday_only_if_worked():
    spring = {date(2026, 3, 3): Holiday("Spring")}
    calendar = WorkCalendar(FULL_WEEK, employments=[(date(2020, 1, 1), None)], holidays=spring)
    worked = {date(2026, 3, 2): 445, date(2026, 3, 3): 60}
    leave = {date(2026, 3, 3): 100, date(2026, 3, 4): 50}
    paid = payslip(*WEEK, hourly(1300), worked_minutes=worked, paid_leave=leave, calendar=calendar)
    assert [(line.code, line.amount, line.explanation) for line in paid.lines] == [
        ("hours", 10942, "8 h 25 min × 13.00 an hour = 109.42"),
        ("paid_leave", 5200, "4 h of paid leave × 13.00 an hour = 52.00"),
    ]
    assert paid.days.worked_minutes == 505


def test_hourly_pay_without_time_is_warned_of():
    paid = payslip(*WEEK, hourly(1300))
    assert (paid.gross, [warning.code for warning in paid.warnings]) == (0, ["no_time"])


def test_days_without_pay_are_warned_of():
    paid = payslip(*MARCH, salary(220000, date(2026, 3, 16)))
    assert paid.gross == 120000
    assert [warning.code for warning in paid.warnings] == ["missing_pay"]
    assert payslip(*MARCH).lines == ()


def test_net_pay_below_zero_is_warned_of():
    loan = component("loan", "deduction", "fixed", amount=150000)
    paid = payslip(*MARCH, salary(100000), components=[loan])
    assert paid.net == -50000
    assert [(warning.code, warning.message) for warning in paid.warnings] == [
        ("net_below_zero", "Net pay is below zero: -500.00.")
    ]


PENSION = component("pension", "deduction", "percent_of_gross", percent=micro("5"), is_pre_tax=True)
TAX = component("tax", "deduction", "brackets", brackets=(Bracket(100000, 0), Bracket(None, micro("20"))))
LUNCH = component("lunch", "earning", "fixed", amount=10000, is_taxable=False)


def test_brackets_see_taxable_earnings_less_what_is_deducted_before_tax():
    paid = payslip(*MARCH, salary(300000), components=[TAX, PENSION, LUNCH])
    assert [(line.code, line.amount) for line in paid.lines] == [
        ("salary", 300000), ("lunch", 10000), ("pension", 15500), ("tax", 36900),
    ]  # fmt: skip
    assert (paid.base, paid.gross, paid.taxable, paid.net) == (300000, 310000, 284500, 257600)


def test_percentages_are_of_base_pay_or_of_all_earnings_and_the_employer_pays_on_top():
    bonus = component("bonus", "earning", "percent_of_base", percent=micro("10"))
    health = component("health", "employer_contribution", "percent_of_gross", percent=micro("7.3"))
    fund = component("fund", "employer_contribution", "percent_of_base", percent=micro("1"), amount_cap=1000)
    paid = payslip(*MARCH, salary(200000), components=[health, fund, bonus])
    assert (paid.gross, paid.net, paid.employer_contributions) == (220000, 220000, 16060 + 1000)


def test_an_amount_per_hour_counts_the_hours_worked():
    shift = component("shift", "earning", "per_hour", amount=250)
    assert payslip(*WEEK, hourly(1000), worked_minutes={WEEK[0]: 450}, components=[shift]).gross == 7500 + 1875


def test_an_employees_own_amounts_replace_those_of_the_component():
    mine = [NamedComponent("pension", percent=micro("8")), NamedComponent("lunch", amount=500)]
    terms = salary(100000, date(2020, 1, 1), "monthly", *mine)
    paid = payslip(*MARCH, terms, components=[LUNCH, PENSION])
    assert [line.amount for line in paid.lines] == [100000, 500, 8040]


def test_a_component_that_no_terms_name_is_not_paid():
    paid = payslip(*MARCH, salary(100000), components=[replace(LUNCH, applies_to_all=False)])
    assert paid.gross == 100000


def test_a_component_without_any_amount_is_left_out_with_a_warning():
    paid = payslip(*MARCH, salary(100000), components=[replace(LUNCH, amount=None), replace(PENSION, percent=None)])
    assert (paid.net, [warning.code for warning in paid.warnings]) == (100000, ["incomplete_component"] * 2)


def test_the_components_of_the_last_terms_count():
    old = salary(100000, date(2020, 1, 1), "monthly", NamedComponent("gym"))
    new = salary(100000, date(2026, 3, 16), "monthly", NamedComponent("car"))
    both = [replace(LUNCH, id=code, code=code, applies_to_all=False) for code in ("gym", "car")]
    assert [line.code for line in payslip(*MARCH, old, new, components=both).lines] == ["salary", "car"]


def test_the_year_to_date_counts_for_each_base():
    shares = {"kind": "deduction", "percent": micro("10"), "bracket_period": "year", "method": "cumulative"}
    capped = component("capped", calculation="percent_of_gross", base_cap=250000, **shares)
    of_base = component("of-base", calculation="percent_of_base", **shares)
    before = YearToDate(base=90000, gross=200000, taxable=200000, components={"capped": 20000, "of-base": 9000})
    paid = payslip(*MARCH, salary(100000), components=[capped, of_base], year_to_date=before)
    assert [line.amount for line in paid.lines] == [100000, 5000, 10000]


@pytest.mark.parametrize(
    ("start", "end", "frequency", "amount", "taken"),
    [
        (*MARCH, "monthly", 300000, 100000),
        (date(2026, 1, 15), date(2026, 2, 14), "monthly", 300000, 100000),
        (date(2026, 1, 1), date(2026, 3, 31), "monthly", 300000, 300000),
        (date(2026, 3, 2), date(2026, 3, 15), "biweekly", 138462, 46154),
        (date(2026, 3, 2), date(2026, 3, 29), "biweekly", 138462, 92308),
        (*WEEK, "weekly", 69231, 23077),
    ],
)
def test_a_yearly_table_takes_the_length_of_the_period_into_account(start, end, frequency, amount, taken):
    """Of 36,000.00 a year: nothing of the first 12,000.00 and 50 % of the rest, which is 12,000.00."""
    brackets = (Bracket(1200000, 0), Bracket(None, micro("50")))
    table = component("tax", "deduction", "brackets", brackets=brackets, bracket_period="year")
    deductions = payslip(
        start, end, salary(amount, frequency=frequency), components=[table], basis="fixed_30"
    ).deductions
    assert deductions == taken


def test_the_rest_of_a_payslip_is_computed_from_overridden_amounts():
    paid = payslip(*MARCH, salary(100000), components=[PENSION, LUNCH], overrides={"salary/1": 200000, "lunch/1": 0})
    assert [(line.amount, line.computed_amount) for line in paid.lines] == [
        (200000, 100000),
        (0, 10000),
        (10000, 10000),
    ]
    assert (paid.gross, paid.net) == (200000, 190000)
    assert paid.parts[0].amount == 100000


def test_line_keys_are_by_component_and_order():
    assert line_keys([(None, "salary"), (None, "salary"), ("id", "x")]) == ["salary/1", "salary/2", "id/1"]


def test_every_line_has_the_accounts_that_it_is_posted_to():
    owed = replace(PENSION, liability_account_id="owed")
    fund = replace(
        PENSION, id="fund", kind="employer_contribution", expense_account_id="cost", liability_account_id="due"
    )
    paid = payslip(*MARCH, salary(100000), components=[owed, fund], salaries_account_id="wages")
    accounts = [(line.expense_account_id, line.liability_account_id) for line in paid.lines]
    assert accounts == [("wages", None), (None, "owed"), ("cost", "due")]


def test_amounts_beyond_what_the_books_hold_are_refused():
    with pytest.raises(OutOfRange):
        payslip(*MARCH, salary(LIMIT), components=[component("bonus", "earning", "fixed", amount=1)])
    assert payslip(*MARCH, salary(LIMIT)).lines[0].rate is None


@pytest.mark.parametrize(("currency", "shown"), [("JPY", "360,000 × 22"), ("KWD", "360.000 × 22")])
def test_amounts_have_the_decimals_of_their_currency(currency, shown):
    assert payslip(*MARCH, salary(360000), currency=currency).lines[0].explanation.startswith(shown)


figures = st.integers(0, 10**7)
percents = st.integers(0, 50).map(lambda whole: whole * 10**6)
calculations: st.SearchStrategy[Any] = st.one_of(
    st.builds(dict, calculation=st.just("fixed"), amount=figures, is_prorated=st.booleans()),
    st.builds(dict, calculation=st.sampled_from(["percent_of_base", "percent_of_gross"]), percent=percents),
    st.builds(dict, calculation=st.just("per_hour"), amount=figures),
    st.just({"calculation": "brackets", "brackets": TAX.brackets}),
    st.just({"calculation": "overtime", "overtime": LATE.overtime}),
)
options = {
    "base_cap": st.none() | figures,
    "amount_cap": st.none() | figures,
    "rounding": st.sampled_from(["half_up", "half_down", "down"]),
    "is_taxable": st.booleans(),
    "is_pre_tax": st.booleans(),
    "bracket_period": st.sampled_from(["period", "year"]),
}


@st.composite
def component_lists(draw):
    drawn = draw(st.lists(st.tuples(st.sampled_from(["earning", "deduction", "employer_contribution"]), calculations)))
    return [
        component(f"c{number}", kind, **calculation, **{name: draw(value) for name, value in options.items()})
        for number, (kind, calculation) in enumerate(drawn)
        if kind == "earning" or calculation["calculation"] != "overtime"
        if kind != "earning" or calculation["calculation"] not in ("brackets", "percent_of_gross")
    ]


pays = st.builds(
    PayTerms,
    st.dates(date(2026, 1, 1), date(2026, 3, 31)),
    st.sampled_from(["salary", "hourly"]),
    figures,
    st.sampled_from(["monthly", "biweekly", "weekly"]),
)


@given(component_lists(), st.lists(pays, max_size=3), st.lists(st.integers(0, 900), min_size=31, max_size=31))
def test_the_lines_of_a_payslip_make_up_its_totals(components, terms, worked):
    dated = sorted({term.effective_from: term for term in terms}.values(), key=lambda term: term.effective_from)
    minutes = dict(zip(days_between(*MARCH), worked, strict=True))
    paid = payslip(*MARCH, *dated, components=components, worked_minutes=minutes)
    sums = {
        kind: sum(line.amount for line in paid.lines if line.kind == kind)
        for kind in ("earning", "deduction", "employer_contribution")
    }
    assert sums == {
        "earning": paid.gross,
        "deduction": paid.deductions,
        "employer_contribution": paid.employer_contributions,
    }
    assert paid.net == paid.gross - paid.deductions
    assert all(line.explanation for line in paid.lines)
    assert paid.base == sum(line.amount for line in paid.lines if line.component_id is None)
