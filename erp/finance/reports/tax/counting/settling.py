"""The amounts that count when a document is settled: pure arithmetic on minor units of its currency.

A document keeps its gross amounts, less its own credit notes and deductions as far as they have settled it. Money is
split over the rates, less the credit notes; a credit note shares out the money so far again. Each settlement that
leaves nothing open counts all that is kept and has not counted, below zero too: so the sum is the same in every order.
"""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from erp.finance.documents.totals import tax_within
from erp.finance.write_downs.parts import Part, Rate, split
from erp.kernel.money import spread

Means = Literal["deduction", "note", "money"]
_ORDER: tuple[Means, ...] = ("deduction", "note", "money")
"""A discount comes with its payment: on one day the deductions go first."""


class Use(NamedTuple):
    """A settlement of an amount of a document, from a day until a day.

    `parts` belong to a deduction or a credit note. `id` is the key of a use, and its order among others of a day.
    """

    id: str
    means: Means
    date: str
    until: str | None
    amount: int
    parts: Sequence[Part] = ()


class Counted(NamedTuple):
    """The parts that count on a day, because a use has begun or ended, and whether that leaves nothing open."""

    day: str
    use: Use
    parts: Sequence[Part]
    is_closed: bool


def counted(rates: Sequence[Rate], uses: Sequence[Use]) -> Iterator[Counted]:
    """All that counts of a document, day by day; a use that begins and ends on one day does not."""
    tally = _Tally(rates)
    lasting = [use for use in uses if use.until is None or use.until > use.date]
    events = [(use.date, 1, _ORDER.index(use.means), use.id, use) for use in lasting]
    events += [(use.until, 0, 0, use.id, use) for use in lasting if use.until is not None]
    for day, begins, _, _, use in sorted(events, key=lambda event: event[:4]):
        parts = tally.begin(use) if begins else tally.end(use)
        yield Counted(day, use, parts, tally.is_closed())


class _Tally:
    """A document while its uses are counted, in their order."""

    def __init__(self, rates: Sequence[Rate]) -> None:
        self.rates = rates
        self.standing: dict[str, tuple[Use, list[Part]]] = {}

    def begin(self, use: Use) -> list[Part]:
        self.standing[use.id] = (use, [])
        parts = self._closing() if self.is_closed() else self._sharing(use)
        self.standing[use.id] = (use, parts)
        return parts

    def end(self, use: Use) -> list[Part]:
        """Take back the parts of a use; count all that is left where that closes the document."""
        _, own = self.standing.pop(use.id)
        parts = [Part(part.rate_id, -part.amount, -part.tax) for part in own]
        if self.standing and self.is_closed():
            last, before = next(reversed(self.standing.values()))
            closing = self._closing()
            self.standing[last.id] = (last, [*before, *closing])
            parts += closing
        return parts

    def is_closed(self) -> bool:
        """Whether nothing is open: the money is all that is kept."""
        money = sum(use.amount for use, _ in self.standing.values() if use.means == "money")
        return sum(rate.amount for rate in self._kept()) == money

    def _sharing(self, use: Use) -> list[Part]:
        """The parts of a use that leaves the document open."""
        if use.means == "money":
            pool = self._less("note")
            return split(use.amount, pool if sum(rate.amount for rate in pool) > 0 else self.rates)
        kept = self._kept()
        if use.means == "deduction" or sum(rate.amount for rate in kept) <= 0:
            return []
        so_far = self._so_far()
        amounts = spread(sum(part.amount for part in so_far), [rate.amount for rate in kept])
        target = [
            rate._replace(amount=amount, tax=tax_within(amount, rate.percent))
            for rate, amount in zip(kept, amounts, strict=True)
        ]
        return _difference(target, so_far)

    def _closing(self) -> list[Part]:
        return _difference(self._kept(), self._so_far())

    def _kept(self) -> list[Rate]:
        return self._less("note", "deduction")

    def _less(self, *means: Means) -> list[Rate]:
        """The rates of the document, less what such uses have settled."""
        off = [part for use, _ in self.standing.values() if use.means in means for part in use.parts]
        return [
            rate._replace(amount=rate.amount - own.amount, tax=rate.tax - own.tax)
            for rate, own in zip(self.rates, _summed(self.rates, off), strict=True)
        ]

    def _so_far(self) -> list[Part]:
        return _summed(self.rates, [part for _, own in self.standing.values() for part in own])


def _summed(rates: Sequence[Rate], parts: Sequence[Part]) -> list[Part]:
    """A part for each rate, the sum of its parts."""
    sums = []
    for rate in rates:
        own = [part for part in parts if part.rate_id == rate.rate_id]
        sums.append(Part(rate.rate_id, sum(part.amount for part in own), sum(part.tax for part in own)))
    return sums


def _difference(target: Sequence[Rate], so_far: Sequence[Part]) -> list[Part]:
    parts = [
        Part(rate.rate_id, rate.amount - own.amount, rate.tax - own.tax)
        for rate, own in zip(target, so_far, strict=True)
    ]
    return [part for part in parts if part.amount or part.tax]
