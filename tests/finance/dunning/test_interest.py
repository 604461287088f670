"""Interest against a plain sum over days, which shares nothing with the program."""

from datetime import date, timedelta
from fractions import Fraction
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from erp.finance.dunning import interest
from erp.finance.dunning.interest import Step
from erp.finance.dunning.proposals import principals
from erp.finance.dunning.store import Settlement
from tests.conftest import examples

START = date(2023, 11, 1)
days = st.integers(0, 500).map(lambda number: START + timedelta(number))
amounts = st.integers(0, 500_000)


def by_day(first, last, amount, paid, credits, rates):
    """The sum of all days, each with what was open at the end of the day before, and the rate of the day."""
    total = Fraction(0)
    day = first
    while day <= last:
        eve = day - timedelta(1)
        open = amount
        for on, until, part in paid:
            if on <= eve and (until is None or eve < until):
                open -= part
        open -= sum(part for on, part in credits if on <= eve)
        rate = [value for since, value in rates if since <= day][-1]
        total += Fraction(max(0, open)) * max(0, rate) / (100 * 10**6) / 365
        day += timedelta(1)
    whole = total.numerator // total.denominator
    return whole + (total - whole >= Fraction(1, 2))


@settings(max_examples=examples(200))
@given(
    first=days,
    length=st.integers(0, 300),
    amount=st.integers(1, 2_000_000),
    paid=st.lists(st.tuples(days, st.none() | days, amounts), max_size=4),
    credits=st.lists(st.tuples(days, amounts), max_size=2),
    later=st.dictionaries(days, st.integers(-2_000_000, 15_000_000), max_size=4),
)
def test_interest_is_the_sum_of_its_days(first, length, amount, paid, credits, later):
    last = first + timedelta(length)
    rates = [(date.min, 10_270_000), *sorted(later.items())]
    steps = principals(amount, [Settlement(*row) for row in paid], [Step(*row) for row in credits])
    parts = interest.stretches(first, last, steps, [Step(*row) for row in rates])
    assert interest.amount(parts) == by_day(first, last, amount, paid, credits, rates)
    assert all(after.first > before.last for before, after in pairwise(parts))
