"""How a receipt is shared out among the rates of a deposit."""

from hypothesis import given
from hypothesis import strategies as st

from erp.finance.documents.deposits.shares import Owed, Share, shares
from erp.kernel.money import MICRO, divide

NINETEEN, SEVEN = 19 * MICRO, 7 * MICRO


def owed(rate: int, gross: int) -> Owed:
    return Owed(str(rate), rate, gross, divide(gross * rate, 100 * MICRO + rate))


def test_a_half_of_two_rates():
    parts = shares(70_200, [owed(NINETEEN, 119_000), owed(SEVEN, 21_400)])
    assert parts == [Share(50_000, 9_500), Share(10_000, 700)]


def test_the_largest_remainder_takes_the_cent():
    """100.00 of 1,404.00: 84.757 and 15.242, so 84.76 and 15.24."""
    parts = shares(10_000, [owed(NINETEEN, 119_000), owed(SEVEN, 21_400)])
    assert [part.gross for part in parts] == [8_476, 1_524]
    assert [part.tax for part in parts] == [1_353, 100]  # 84.76 × 19 ÷ 119 = 13.533; 15.24 × 7 ÷ 107 = 0.997


def test_what_closes_takes_all_that_is_left():
    assert shares(101, [Owed("a", NINETEEN, 100, 17), Owed("b", SEVEN, 1, 0)]) == [Share(83, 17), Share(1, 0)]


def test_a_rate_without_tax_has_none():
    assert shares(50, [Owed(None, 0, 100, 0)]) == [Share(50, 0)]


@given(
    st.lists(st.integers(1, 10**7), min_size=1, max_size=4),
    st.lists(st.integers(1, 10**6), max_size=8),
)
def test_parts_add_up_to_the_deposit_and_no_rate_gives_more_than_it_has(grosses, amounts):
    rates = (NINETEEN, SEVEN, 0, 5_500_000)
    whole = [owed(rate, gross) for rate, gross in zip(rates, grosses, strict=False)]
    left = whole
    for amount in [*amounts, sum(grosses)]:
        part = min(amount, sum(each.gross for each in left))
        if not part:
            break
        made = shares(part, left)
        assert sum(share.gross for share in made) == part
        left = [
            each._replace(gross=each.gross - share.gross, tax=each.tax - share.tax)
            for each, share in zip(left, made, strict=True)
        ]
        assert all(each.gross >= 0 for each in left)
    assert all((each.gross, each.tax) == (0, 0) for each in left)
