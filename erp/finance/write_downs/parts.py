"""The parts of a deduction by tax rate: pure arithmetic on integers in minor units of the document's currency.

An amount is split over the rates of its document by their gross amounts, less the document's credit notes; the units
that rounding leaves over go to the largest remainders. The tax in a part is part × rate ÷ (100 + rate). The amount that
closes the document takes all that is left of each rate.
"""

from collections.abc import Sequence
from typing import NamedTuple

from erp.finance.documents.totals import tax_within
from erp.kernel.money import spread


class Rate(NamedTuple):
    """The gross amount of a document at one tax rate, and the tax in it; `percent` in millionths, 0 without tax."""

    rate_id: str | None
    percent: int
    amount: int
    tax: int


class Part(NamedTuple):
    """The part of an amount at one tax rate, with the tax in it."""

    rate_id: str | None
    amount: int
    tax: int

    @property
    def net(self) -> int:
        return self.amount - self.tax


def split(amount: int, rates: Sequence[Rate]) -> list[Part]:
    """Split an amount over the rates of a document; rates that get nothing are left out."""
    amounts = spread(amount, [rate.amount for rate in rates])
    parts = [
        Part(rate.rate_id, part, tax_within(part, rate.percent)) for rate, part in zip(rates, amounts, strict=True)
    ]
    return [part for part in parts if part.amount]


def rest(amount: int, rates: Sequence[Rate], taken: Sequence[Part]) -> list[Part]:
    """Split the amount that closes a document: all that is left of each rate.

    Where earlier parts leave no such rest, as after rounding, it is split as any other.

    Args:
        taken: the earlier parts: of deductions, and of payments.
    """
    parts = []
    for rate in rates:
        own = [part for part in taken if part.rate_id == rate.rate_id]
        left = rate.amount - sum(part.amount for part in own)
        parts.append(Part(rate.rate_id, left, rate.tax - sum(part.tax for part in own)))
    fits = all(0 <= part.tax <= part.amount for part in parts)
    if not fits or sum(part.amount for part in parts) != amount:
        return split(amount, rates)
    return [part for part in parts if part.amount]
