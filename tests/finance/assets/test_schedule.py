"""The schedule of depreciation: the figures of the design, and what holds for any terms."""

from datetime import date
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from erp.finance.assets import schedule
from erp.finance.assets.schedule import Life, Plan

JANUARY = schedule.number(date(2026, 1, 1))
JULY = JANUARY + 6


def monthly(plan: Plan) -> list[int]:
    """The depreciation of each month."""
    reached = [plan.opening, *(accumulated for _, accumulated in schedule.months(plan))]
    return [after - before for before, after in pairwise(reached)]


def yearly(plan: Plan) -> list[int]:
    """The depreciation of each calendar year."""
    reached, sums = plan.opening, dict[int, int]()
    for month, accumulated in schedule.months(plan):
        sums[month // 12] = sums.get(month // 12, 0) + accumulated - reached
        reached = accumulated
    return list(sums.values())


def test_linear_depreciation_is_exact_in_the_sum() -> None:
    """AC-21: 1,500.00 over 36 months from January."""
    plan = Plan(cost=150_000, first=JANUARY, lives=[Life(JANUARY, 36)])
    assert monthly(plan)[:4] == [4_167, 4_166, 4_167, 4_167]
    assert yearly(plan) == [50_000, 50_000, 50_000]
    assert schedule.accumulated(plan, JANUARY + 5) == 25_000


def test_declining_depreciation_turns_even_where_that_is_more() -> None:
    """BK-6: 10,000.00 at 30 % over 72 months from July 2026."""
    plan = Plan(cost=1_000_000, first=JULY, lives=[Life(JULY, 72)], percent=30_000_000)
    assert yearly(plan) == [150_000, 255_000, 178_500, 124_950, 116_620, 116_620, 58_310]
    assert monthly(plan)[:6] == [25_000] * 6


def test_fiscal_years_from_july_are_whole_years_of_declining_depreciation() -> None:
    plan = Plan(cost=1_000_000, first=JULY, lives=[Life(JULY, 72)], percent=30_000_000, year_start=7)
    assert schedule.accumulated(plan, JULY + 11) == 300_000


def test_an_old_asset_spreads_the_rest_over_the_months_left() -> None:
    """BK-6: 6,000.00 over 60 months, 2,500.00 of it accumulated after 25."""
    plan = Plan(cost=600_000, first=JANUARY - 25, lives=[Life(JANUARY, 60)], opening=250_000)
    assert monthly(plan) == [10_000] * 35


def test_a_shorter_life_spreads_the_rest_over_the_months_left() -> None:
    """BK-6: the life of that asset is cut to 48 after month 25: 3,500.00 over 23 months."""
    plan = Plan(cost=600_000, first=JANUARY - 25, lives=[Life(JANUARY - 25, 60), Life(JANUARY, 48)])
    assert schedule.accumulated(plan, JANUARY - 1) == 250_000
    assert monthly(plan)[25:28] == [15_217, 15_218, 15_217]
    assert sum(monthly(plan)) == 600_000
    assert len(monthly(plan)) == 48


def test_nothing_is_depreciated_below_the_residual_value() -> None:
    plan = Plan(cost=100_000, first=JANUARY, lives=[Life(JANUARY, 12)], residual=10_000)
    assert monthly(plan) == [7_500] * 12
    declining = Plan(cost=100_000, first=JANUARY, lives=[Life(JANUARY, 12)], residual=90_000, percent=50_000_000)
    assert yearly(declining) == [10_000]


def test_land_is_not_depreciated() -> None:
    plan = Plan(cost=100_000, first=JANUARY)
    assert monthly(plan) == []
    assert schedule.accumulated(plan, JANUARY + 1_000) == 0


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    cost = draw(st.integers(1, 10**9))
    residual = draw(st.integers(0, cost))
    months = draw(st.integers(1, 240))
    begins = draw(st.integers(0, months - 1))
    lives = [Life(JANUARY + begins, months)]
    if months - begins > 2 and draw(st.booleans()):
        since = JANUARY + draw(st.integers(begins + 1, months - 1))
        lives.append(Life(since, since - JANUARY + draw(st.integers(1, 240))))
    return Plan(
        cost=cost,
        first=JANUARY,
        lives=lives,
        residual=residual,
        percent=draw(st.sampled_from([0, 20_000_000, 33_333_333, 100_000_000])),
        opening=draw(st.integers(0, cost - residual)) if begins else 0,
        year_start=draw(st.integers(1, 12)),
    )


@given(plans())
def test_months_of_any_plan_are_never_negative_and_sum_to_what_is_to_be_written_off(plan: Plan) -> None:
    months = monthly(plan)
    assert all(month >= 0 for month in months)
    assert plan.opening + sum(months) == plan.cost - plan.residual
    assert schedule.accumulated(plan, schedule.last_month(plan) + 1) == plan.cost - plan.residual
