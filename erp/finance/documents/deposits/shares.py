"""Sharing a receipt of a deposit out among its tax rates: pure arithmetic on integers in minor units."""

from collections.abc import Sequence
from typing import NamedTuple

from erp.kernel.money import MICRO, divide, spread

_HUNDRED = 100 * MICRO


class Owed(NamedTuple):
    """The amount that a deposit asks for at one tax rate, or its unpaid rest; `rate` in millionths of a percent."""

    rate_id: str | None
    rate: int
    gross: int
    tax: int


class Share(NamedTuple):
    """A part of a receipt: without tax, and the tax."""

    net: int
    tax: int

    @property
    def gross(self) -> int:
        return self.net + self.tax


def shares(amount: int, left: Sequence[Owed]) -> list[Share]:
    """Share a receipt out by the rest of each rate; the receipt that closes the deposit takes all that is left."""
    if amount == sum(owed.gross for owed in left):
        return [Share(owed.gross - owed.tax, owed.tax) for owed in left]
    parts = spread(amount, [owed.gross for owed in left])
    taxes = [_tax(part, owed) for part, owed in zip(parts, left, strict=True)]
    return [Share(part - tax, tax) for part, tax in zip(parts, taxes, strict=True)]


def _tax(part: int, owed: Owed) -> int:
    """The tax that a part contains: part × p ÷ (100 + p), nothing where none is left."""
    return divide(part * owed.rate, _HUNDRED + owed.rate) if owed.tax else 0


def add_rest(amounts: list[int], total: int) -> list[int]:
    """The amounts with the difference from the total on the largest of them."""
    rest = total - sum(amounts)
    largest = max(range(len(amounts)), key=lambda i: abs(amounts[i]))
    return [amount + rest if i == largest else amount for i, amount in enumerate(amounts)]
