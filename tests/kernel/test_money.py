import json
import re
from contextlib import closing
from decimal import Decimal
from fractions import Fraction
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from erp.kernel import money
from erp.kernel.currencies import DIGITS
from erp.store import sql
from erp.store.connections import sqlite3
from tests.paths import DATA

ROUNDING = json.loads((DATA / "rounding.json").read_text())
ISO = json.loads((DATA / "iso4217.json").read_text())
ALLOCATION = json.loads((DATA / "allocation.json").read_text())["allocation"]
# What is no decimal literal never gets as far as money.
LITERALS = [case for case in ISO["amounts"] if re.fullmatch(r"-?\d+(\.\d+)?", case["text"])]

amounts = st.integers(-money.LIMIT, money.LIMIT)
currencies = st.sampled_from(sorted(DIGITS))
weights = st.lists(st.integers(0, 10**9), min_size=1, max_size=30)


@pytest.mark.parametrize("mode", get_args(money.Rounding))
def test_every_mode_rounds_as_published(mode):
    for case in ROUNDING["rounding"]:
        assert str(money.round_to(Decimal(case["value"]), case["digits"], mode)) == case[mode], case


def test_rounding_is_half_away_from_zero_unless_a_mode_is_named():
    for case in ROUNDING["rounding"]:
        assert str(money.round_to(Decimal(case["value"]), case["digits"])) == case["half_up"], case


@pytest.mark.parametrize("case", ROUNDING["cash_step"], ids=lambda case: case["value"])
def test_cash_is_rounded_to_the_smallest_coin(case):
    value, step, rounded = (int(Decimal(case[name]) * 1000) for name in ("value", "step", "half_up"))
    assert money.round_to_step(value, step) == rounded


def test_every_currency_has_the_decimals_of_the_standard():
    assert {row["code"]: row["minor_digits"] for row in ISO["currencies"]} == DIGITS


def test_metals_and_test_codes_are_not_currencies():
    assert not set(ISO["no_minor_unit"]) & set(DIGITS)


@pytest.mark.parametrize("case", LITERALS, ids=lambda case: f"{case['text']} {case['currency']}")
def test_an_amount_is_read_to_the_cent_or_refused(case):
    value = Decimal(case["text"])
    if case["minor"] is not None:
        assert money.minor(value, case["currency"]) == case["minor"]
        return
    with pytest.raises(money.TooManyDecimals):
        money.minor(value, case["currency"])


def test_an_amount_the_books_cannot_hold_is_refused():
    assert money.minor(Decimal("-99999999999999.99"), "EUR") == -money.LIMIT
    with pytest.raises(money.OutOfRange):
        money.minor(Decimal("100000000000000.00"), "EUR")
    with pytest.raises(money.OutOfRange):
        money.minor(Decimal("-1E+30"), "JPY")


@given(amounts, currencies)
def test_an_amount_shown_is_read_back_unchanged(amount, currency):
    shown = money.text(amount, currency)
    assert len(shown.partition(".")[2]) == DIGITS[currency]
    assert money.minor(Decimal(shown), currency) == amount


@given(amounts)
def test_a_quantity_shown_is_read_back_unchanged(value):
    shown = money.plain(value)
    assert money.scaled(Decimal(shown), money.MICRO) == value
    assert not ("." in shown and shown.endswith(("0", ".")))


def test_a_quantity_finer_than_its_scale_is_refused():
    with pytest.raises(money.TooManyDecimals):
        money.scaled(Decimal("0.0000001"), money.MICRO)


@pytest.mark.parametrize(
    ("shown", "currency"), [("-0.05", "EUR"), ("-5", "JPY"), ("-0.005", "KWD"), ("-0.0005", "CLF")]
)
def test_amounts_below_one_keep_their_zeros_and_sign(shown, currency):
    assert money.text(-5, currency) == shown


@given(amounts, st.integers(-(10**9), 10**9).filter(bool))
def test_division_is_exact_to_half_a_unit_and_ties_go_away_from_zero(numerator, denominator):
    exact = Fraction(numerator, denominator)
    quotient = money.divide(numerator, denominator)
    assert abs(quotient - exact) <= Fraction(1, 2)
    if abs(quotient - exact) == Fraction(1, 2):
        assert abs(quotient) > abs(exact)


@given(amounts, st.integers(1, 10**9))
def test_division_treats_both_signs_alike(numerator, denominator):
    assert money.divide(-numerator, denominator) == -money.divide(numerator, denominator)
    assert money.divide(numerator, -denominator) == -money.divide(numerator, denominator)


@pytest.mark.parametrize("case", ALLOCATION, ids=lambda case: str(case["total_minor"]))
def test_a_total_is_split_by_largest_remainder(case):
    assert money.spread(case["total_minor"], case["weights"]) == case["parts"]


@given(amounts, weights)
def test_the_parts_of_a_split_make_up_the_whole(total, shares):
    assert sum(money.spread(total, shares)) == total


@given(amounts, weights.filter(any))
def test_no_part_is_a_whole_unit_off_its_fair_share(total, shares):
    for part, share in zip(money.spread(total, shares), shares, strict=True):
        assert abs(part - Fraction(total * share, sum(shares))) < 1


@given(amounts, weights)
def test_a_negative_total_is_split_as_its_mirror_image(total, shares):
    assert money.spread(-total, shares) == [-part for part in money.spread(total, shares)]


@given(amounts, st.lists(st.integers(-(10**9), 10**9), min_size=1).filter(lambda shares: sum(shares) > 0))
def test_a_negative_weight_takes_a_share_of_the_other_sign(total, shares):
    parts = money.spread(total, shares)
    assert sum(parts) == total
    for part, share in zip(parts, shares, strict=True):
        assert abs(part - Fraction(total * share, sum(shares))) < 1


def test_nothing_to_share_by_is_shared_equally():
    assert money.spread(5, [0, 0, 0]) == [2, 2, 1]
    assert money.spread(5, []) == []


def test_a_foreign_amount_is_converted_across_different_decimals():
    rate = money.scaled(Decimal("0.0061"), money.RATE_SCALE)
    assert money.convert(1_000, rate, "JPY", "EUR") == 610
    assert money.convert(-1_234, money.RATE_SCALE, "KWD", "EUR") == -123
    assert money.convert(1_235, money.RATE_SCALE, "KWD", "EUR") == 124


@given(st.lists(st.tuples(st.integers(-money.LIMIT, money.LIMIT), st.sampled_from(sorted(DIGITS))), min_size=1))
def test_sqlite_spells_amounts_as_we_do(amounts: list[tuple[int, str]]) -> None:
    with closing(sqlite3.connect(":memory:")) as file:
        for amount, currency in amounts:
            statement = f"SELECT {sql.money_text('?1', '?2')}"
            assert file.execute(statement, (amount, currency)).fetchone() == (money.text(amount, currency),)


@pytest.mark.parametrize(
    ("price", "currency", "shown"),
    [
        (50_000_000, "EUR", "50.00"),
        (125_000, "EUR", "0.125"),
        (-1_500_000, "EUR", "-1.50"),
        (1, "EUR", "0.000001"),
        (7_000_000, "JPY", "7"),
        (7_500_000, "JPY", "7.5"),
        (1_000_000, "KWD", "1.000"),
    ],
)
def test_a_price_shows_the_decimals_of_its_currency_and_more_where_they_say_something(price, currency, shown):
    assert money.price_text(price, currency) == shown
