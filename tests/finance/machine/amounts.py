"""Amounts as bookkeeping rounds and splits them: integers in minor units, exact fractions in between."""

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

DIGITS = {"EUR": 2, "USD": 2, "JPY": 0}
BASE = "EUR"


def rounded(exact: Fraction) -> int:
    """Half away from zero."""
    whole = (abs(exact) + Fraction(1, 2)).__floor__()
    return whole if exact > 0 else -whole


def text(amount: int, currency: str = BASE) -> str:
    return f"{Decimal(amount).scaleb(-DIGITS[currency]):f}"


def minor(shown: str, currency: str = BASE) -> int:
    exact = Decimal(shown).scaleb(DIGITS[currency])
    assert exact == exact.to_integral_value(ROUND_HALF_UP), shown
    return int(exact)


def in_base(amount: int, currency: str, rate: str) -> int:
    return rounded(amount * Fraction(rate) * 10 ** DIGITS[BASE] / 10 ** DIGITS[currency])


def tax_of(net: int, percent: int) -> int:
    """The tax on a net amount."""
    return rounded(Fraction(net * percent, 100))


def tax_in(gross: int, percent: int) -> int:
    """The tax in an amount that includes it."""
    return rounded(Fraction(gross * percent, 100 + percent))


def spread(total: int, weights: Sequence[int]) -> list[int]:
    """Split by weights: the largest remainders take what rounding down leaves over, of equal ones the first."""
    weights = weights if any(weights) else [1] * len(weights)
    exact = [Fraction(abs(total) * weight, sum(weights)) for weight in weights]
    parts = [part.__floor__() for part in exact]
    by_remainder = sorted(range(len(parts)), key=lambda i: parts[i] - exact[i])
    for i in by_remainder[: abs(total) - sum(parts)]:
        parts[i] += 1
    return parts if total > 0 else [-part for part in parts]
