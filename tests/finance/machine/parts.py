"""How an amount of a document is made up of its tax rates: by gross, and what closes the document takes the rest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tests.finance.machine.amounts import rounded, spread, tax_in


@dataclass(frozen=True)
class Part:
    """A part of a document at the rate of one of its lines: with its tax, and the tax in it."""

    place: int
    percent: int
    gross: int
    tax: int

    @property
    def net(self) -> int:
        return self.gross - self.tax


def split(amount: int, rates: Sequence[Part]) -> list[Part]:
    """Any amount of a document that comes to these parts; the tax is that in each part."""
    amounts = spread(amount, [rate.gross for rate in rates])
    parts = zip(rates, amounts, strict=True)
    return [Part(rate.place, rate.percent, part, tax_in(part, rate.percent)) for rate, part in parts if part]


def closing(amount: int, rates: Sequence[Part], taken: Sequence[Part]) -> list[Part]:
    """The amount that closes a document: all that is left beside what was taken off it and what was paid."""
    paid = sum(rate.gross for rate in rates) - sum(part.gross for part in taken) - amount
    left = less(rates, [*taken, *(split(paid, rates) if paid else ())])
    fits = all(0 <= part.tax <= part.gross for part in left)
    if not fits or sum(part.gross for part in left) != amount:
        return split(amount, rates)
    return [part for part in left if part.gross]


def received(amount: int, left: Sequence[Part]) -> list[Part]:
    """The part of a deposit that a receipt is, by what is still to come at each rate; the last takes all."""
    if amount == sum(part.gross for part in left):
        return list(left)
    amounts = spread(amount, [part.gross for part in left])
    taxes = [tax_in(gross, part.percent) if part.tax else 0 for part, gross in zip(left, amounts, strict=True)]
    return [Part(*of) for of in zip(_places(left), _percents(left), amounts, taxes, strict=True)]


def recovered(amount: int, left: Sequence[Part]) -> list[Part]:
    """The part of a write-off that a later receipt takes back, in its proportion; the last takes all."""
    if amount == sum(part.gross for part in left):
        return list(left)
    amounts = spread(amount, [part.gross for part in left])
    return [
        Part(part.place, part.percent, gross, rounded(Fraction(part.tax * gross, part.gross)))
        for part, gross in zip(left, amounts, strict=True)
        if gross
    ]


def less(rates: Sequence[Part], taken: Sequence[Part]) -> list[Part]:
    """What is left of some parts."""
    left = []
    for rate in rates:
        own = [part for part in taken if part.place == rate.place]
        gross, tax = (sum(getattr(part, name) for part in own) for name in ("gross", "tax"))
        left.append(Part(rate.place, rate.percent, rate.gross - gross, rate.tax - tax))
    return left


def worths(amounts: Mapping[str, int] | Sequence[tuple[str, int]], base: int) -> list[tuple[str, int]]:
    """What amounts posted to accounts are worth, which is `base` together."""
    rows = list(amounts.items() if isinstance(amounts, Mapping) else amounts)
    bases = spread(base, [amount for _, amount in rows])
    return [(code, of) for (code, _), of in zip(rows, bases, strict=True)]


def _places(parts: Sequence[Part]) -> list[int]:
    return [part.place for part in parts]


def _percents(parts: Sequence[Part]) -> list[int]:
    return [part.percent for part in parts]
