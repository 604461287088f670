"""The value in the base currency of what counts of a document by cash: pure arithmetic on minor units.

A part is worth its share of what its rate comes to on accrual basis, less tax that cannot be deducted. When nothing is
open, all that is kept has counted to the cent, whatever was rounded before.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from erp.finance.reports.tax.counting.settling import Counted, Use, counted
from erp.finance.write_downs.parts import Rate
from erp.kernel.money import divide


class Value(NamedTuple):
    """A taxable amount and its tax at one rate, in the base currency."""

    rate_id: str
    base: int
    tax: int


class Valued(NamedTuple):
    """The values that count on a day, because a use has begun or ended; `step` has the same in its own currency."""

    step: Counted
    values: Sequence[Value]


class Valuation:
    """A document on cash basis.

    `accrued` are its values on accrual basis. `off` are the values of its deductions and own credit notes, which lower
    them, by the ids of their uses.
    """

    def __init__(
        self, rates: Sequence[Rate], uses: Sequence[Use], accrued: Sequence[Value], off: Mapping[str, Sequence[Value]]
    ) -> None:
        self.rates = {rate.rate_id: rate for rate in rates}
        self.uses, self.accrued, self.off = uses, accrued, off

    def counted(self) -> Iterator[Valued]:
        """Everything that counts, day by day."""
        net: Counter[str | None] = Counter()
        tax: Counter[str | None] = Counter()
        before = [Value(own.rate_id, 0, 0) for own in self.accrued]
        for step in counted([*self.rates.values()], self.uses):
            for part in step.parts:
                net[part.rate_id] += part.net
                tax[part.rate_id] += part.tax
            now = self.kept(step.day) if step.is_closed else [self._share(own, net, tax) for own in self.accrued]
            yield Valued(step, _less(now, before))
            before = now

    def kept(self, day: str) -> list[Value]:
        """The document at the end of a day, less what deductions and credit notes have taken off."""
        standing = [use for use in self.uses if use.date <= day and (use.until is None or use.until > day)]
        off = [value for use in standing for value in self.off.get(use.id, ())]
        return _less(self.accrued, off)

    def unpaid(self, day: str) -> list[Value]:
        """The kept values at the end of a day, less those that have counted."""
        paid = [value for step, values in self.counted() if step.day <= day for value in values]
        return _less(self.kept(day), paid)

    def _share(self, own: Value, net: Mapping[str | None, int], tax: Mapping[str | None, int]) -> Value:
        rate = self.rates[own.rate_id]
        base = _worth(net[own.rate_id], own.base, rate.amount - rate.tax)
        return Value(own.rate_id, base, _worth(tax[own.rate_id], own.tax, rate.tax))


def _worth(amount: int, value: int, whole: int) -> int:
    """An amount out of a whole that is worth a value."""
    return divide(amount * value, whole) if whole else 0


def _less(values: Sequence[Value], taken: Sequence[Value]) -> list[Value]:
    return [
        Value(
            own.rate_id,
            own.base - sum(value.base for value in taken if value.rate_id == own.rate_id),
            own.tax - sum(value.tax for value in taken if value.rate_id == own.rate_id),
        )
        for own in values
    ]
