import json
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from erp.hr.payroll.calculation.brackets import Context, assess, cut, tax
from erp.hr.payroll.calculation.values import Bracket, LineRounding
from erp.hr.payroll.calculation.wording import rounded
from tests.hr.payroll.calculation.payslips import cents, component, micro
from tests.paths import DATA

SCHEDULES = json.loads((DATA / "tax_brackets.json").read_text())["schedules"]
CASES = [
    pytest.param(schedule["brackets"], case, id=f"{schedule['id']} {case['income']}")
    for schedule in SCHEDULES
    for case in schedule["published"] + schedule["computed"]
]


def table(rows):
    ends = [cents(row["over"]) for row in rows[1:]] + [None]
    return tuple(Bracket(end, micro(row["rate_percent"])) for end, row in zip(ends, rows, strict=True))


def taxed(income, brackets, **others):
    return assess(component("tax", "deduction", "brackets", brackets=brackets, **others), income, Context("USD")).amount


@pytest.mark.parametrize(("rows", "case"), CASES)
def test_a_published_table_gives_the_published_tax(rows, case):
    assert taxed(cents(case["income"]), table(rows)) == cents(case["tax"])


US = table(SCHEDULES[0]["brackets"])


def test_the_end_of_a_bracket_belongs_to_it():
    assert cut(Fraction(1160000), US) == (None, [(Fraction(1160000), micro("10"))])
    assert [rate for _, rate in cut(Fraction(1160001), US)[1]] == [micro("10"), micro("12")]


def test_the_arithmetic_is_shown_in_words():
    assessed = assess(component("tax", "deduction", "brackets", brackets=US), 4715000, Context("USD"))
    assert assessed.words == "10 % of 11,600.00 + 12 % of 35,550.00 = 5,426.00"


def test_a_bracket_may_begin_with_a_fixed_amount():
    """By hand: 10 % from 1,000.00 on, above 2,000.00 it is 120.00 and 20 % of the rest, above 4,000.00 also 30 %."""
    fixed = (
        Bracket(100000, 0),
        Bracket(200000, micro("10")),
        Bracket(400000, micro("20"), 12000),
        Bracket(None, micro("30")),
    )
    worked_out = {
        "1000": "0",
        "1500": "50",
        "2000": "100",
        "2000.01": "120",
        "3200": "360",
        "4000": "520",
        "5000": "820",
    }
    assert {pay: taxed(cents(pay), fixed) for pay in worked_out} == {pay: cents(tax) for pay, tax in worked_out.items()}
    owed = component("tax", "deduction", "brackets", brackets=fixed)
    assert assess(owed, 500000, Context("EUR")).words == "120.00 + 20 % of 2,000.00 + 30 % of 1,000.00 = 820.00"
    monthly = component("tax", "deduction", "brackets", brackets=fixed, bracket_period="year")
    assert assess(monthly, 25000, Context("EUR", Fraction(12))).amount == 2667  # 3,000.00 a year: 320.00 / 12


def test_a_yearly_table_is_applied_to_the_year_and_divided():
    monthly = component("tax", "deduction", "brackets", brackets=US, bracket_period="year")
    assessed = assess(monthly, 385000, Context("USD", Fraction(12)))
    assert assessed.amount == 44267
    assert assessed.words == (
        "3,850.00 × 12 = 46,200.00 a year: 10 % of 11,600.00 + 12 % of 34,600.00 = 5,312.00; ÷ 12 = 442.67"
    )


def test_a_cumulative_table_takes_what_is_left_of_the_year_so_far():
    so_far = component("tax", "deduction", "brackets", brackets=US, bracket_period="year", method="cumulative")
    assessed = assess(so_far, 385000, Context("USD", Fraction(12), base_before=800000, taken_before=80000))
    assert assessed.amount == 39000
    assert assessed.words == (
        "11,850.00 so far this year: 10 % of 11,600.00 + 12 % of 250.00 = 1,190.00; less 800.00 taken before = 390.00"
    )


def test_a_yearly_cap_is_reached_in_the_month_that_exceeds_it():
    fund = component(
        "fund", "deduction", "percent_of_gross", percent=micro("10"), base_cap=1000000, bracket_period="year",
        method="cumulative",
    )  # fmt: skip
    taken: list[int] = []
    for month in range(4):
        taken.append(assess(fund, 300000, Context("USD", base_before=300000 * month, taken_before=sum(taken))).amount)
    assert taken == [30000, 30000, 30000, 10000]


def test_caps_limit_the_base_and_the_amount_and_are_explained():
    percentage = {"kind": "deduction", "calculation": "percent_of_gross", "percent": micro("5")}
    capped = assess(component("a", **percentage, base_cap=300000), 400000, Context("USD"))
    assert (capped.amount, capped.words) == (15000, "5 % of 3,000.00 (4,000.00 capped at 3,000.00) = 150.00")
    bounded = assess(component("b", **percentage, amount_cap=10000), 400000, Context("USD"))
    assert (bounded.amount, bounded.words) == (10000, "5 % of 4,000.00, at most 100.00 = 100.00")


@pytest.mark.parametrize(("mode", "expected"), [("half_up", 3), ("half_down", 2), ("down", 2)])
def test_half_a_cent_is_rounded_as_the_component_says(mode, expected):
    half = component("a", "deduction", "percent_of_gross", percent=micro("5"), rounding=mode)
    assert assess(half, 50, Context("USD")).amount == expected


@pytest.mark.parametrize(
    ("value", "half_up", "half_down", "down"),
    [
        ("2.5", 3, 2, 2),
        ("2.51", 3, 3, 2),
        ("2.49", 2, 2, 2),
        ("-2.5", -3, -2, -2),
        ("-2.51", -3, -3, -2),
        ("4", 4, 4, 4),
    ],
)
def test_rounding_is_symmetric_about_zero(value, half_up, half_down, down):
    modes: tuple[LineRounding, ...] = ("half_up", "half_down", "down")
    assert [rounded(Fraction(value), mode) for mode in modes] == [half_up, half_down, down]


def test_a_base_below_zero_bears_no_tax():
    assert taxed(-100000, US) == 0


ends = st.lists(st.integers(1, 10**9), min_size=0, max_size=6, unique=True).map(sorted)


@st.composite
def tables(draw):
    bounds = [*draw(ends), None]
    rates = draw(st.lists(st.integers(0, 100 * 10**4), min_size=len(bounds), max_size=len(bounds)))
    return tuple(Bracket(end, rate * 100) for end, rate in zip(bounds, rates, strict=True))


@given(tables(), st.integers(0, 2 * 10**9))
def test_brackets_are_the_sum_of_their_slices_rounded_once(brackets, income):
    naive, start = Decimal(0), 0
    for bracket in brackets:
        end = income if bracket.up_to is None else min(income, bracket.up_to)
        naive += Decimal(max(0, end - start)) * bracket.rate / 10**8
        start = max(start, end)
    assert taxed(income, brackets) == int(naive.to_integral_value(ROUND_HALF_UP))


@given(tables(), st.integers(0, 2 * 10**9), st.integers(0, 10**6))
def test_more_pay_never_bears_less_tax_nor_more_than_itself(brackets, income, more):
    before, after = tax(Fraction(income), brackets), tax(Fraction(income + more), brackets)
    assert before <= after <= before + more
    assert sum(part for part, _ in cut(Fraction(income), brackets)[1]) == income


@given(tables(), st.lists(st.integers(0, 10**8), min_size=1, max_size=12))
def test_a_cumulative_year_ends_with_the_tax_of_the_year(brackets, months):
    so_far = component("tax", "deduction", "brackets", brackets=brackets, bracket_period="year", method="cumulative")
    earned = taken = 0
    for month in months:
        taken += assess(so_far, month, Context("USD", Fraction(12), earned, taken)).amount
        earned += month
    assert taken == taxed(sum(months), brackets)
