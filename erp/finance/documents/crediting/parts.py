"""What a part of an invoice comes to: pure arithmetic on integers in minor units of the document's currency.

Whatever is credited of an invoice, in whatever parts, comes to exactly the invoice once nothing is left of it, and
never to more than it before: each part is a share of what is left, and the last one is all that is left.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from erp.finance.documents.totals import Tax, TaxRounding, tax_of
from erp.kernel.money import divide


class Worth(NamedTuple):
    """What a line, an allowance or a charge comes to, or a part of it; an allowance is below zero.

    `value` and `discount` (its share of the document's discount) are as entered: with tax where prices include tax.
    `net_discount` is that share without tax.
    """

    value: int = 0
    discount: int = 0
    net_discount: int = 0
    tax: int = 0

    @property
    def discounted(self) -> int:
        """What it adds to the document, as entered."""
        return self.value - self.discount

    def less(self, other: "Worth") -> "Worth":
        """What is left of it without the other."""
        return Worth(*(own - part for own, part in zip(self, other, strict=True)))


class Share(NamedTuple):
    """A part of a whole."""

    part: int
    whole: int

    def of(self, amount: int) -> int:
        """That part of an amount."""
        return divide(amount * self.part, self.whole)

    def towards_zero_of(self, amount: int) -> int:
        """The same, rounded towards zero."""
        size = abs(amount) * self.part // self.whole
        return -size if amount < 0 else size


NONE, ALL = Share(0, 1), Share(1, 1)


class Item(msgspec.Struct, frozen=True):
    """What is left of a line, an allowance or a charge, and how much of that is to be credited.

    The share of an allowance or charge follows from those of the lines.
    """

    left: Worth
    tax: Tax
    share: Share = NONE


class Prices(NamedTuple):
    """How a document states its prices and rounds its tax."""

    include_tax: bool
    tax_rounding: TaxRounding


def credited(lines: Sequence[Item], adjustments: Sequence[Item], prices: Prices) -> list[Worth]:
    """What is credited of each line, then of each allowance and charge.

    Those are credited in the proportion in which the lines of their tax rate are; where no line has that rate, together
    with the last of all lines.
    """
    parts = [_part(line) for line in lines]
    all_lines = list(zip(lines, parts, strict=True))
    taken = {
        position: part for rate in _rates(adjustments) for position, part in _adjusted(rate, adjustments, all_lines)
    }
    parts += [taken[position] for position in range(len(adjustments))]
    items = [*lines, *adjustments]
    for rate in _rates(items):
        positions = [i for i, item in enumerate(items) if item.tax.rate_id == rate]
        taxes = _taxes([(items[i], parts[i]) for i in positions], prices)
        for i, tax in zip(positions, taxes, strict=True):
            parts[i] = parts[i]._replace(tax=tax)
    return parts


def overdrawn(items: Sequence[Item], parts: Sequence[Worth]) -> Iterator[tuple[Tax, int]]:
    """The tax rates of which more would be credited than is left, or less than nothing; each with what is left.

    Both can only happen where a rate has lines below zero, or more discount than lines.
    """
    for rate in _rates(items):
        of_rate = [(item, part) for item, part in zip(items, parts, strict=True) if item.tax.rate_id == rate]
        left = sum(item.left.discounted for item, _ in of_rate)
        if not min(left, 0) <= sum(part.discounted for _, part in of_rate) <= max(left, 0):
            yield of_rate[0][0].tax, left


def _rates(items: Sequence[Item]) -> list[str | None]:
    return list(dict.fromkeys(item.tax.rate_id for item in items))


def _part(line: Item) -> Worth:
    """The credited part of a line, still without tax: all that is left once its value is."""
    share, left = line.share, line.left
    value = share.of(left.value)
    if share.part == share.whole or (left.value and value == left.value):
        return left._replace(tax=0)
    return Worth(value, share.of(left.discount), share.of(left.net_discount))


def _is_all(item: Item, part: Worth) -> bool:
    return part[:3] == item.left[:3]


_Parts = Sequence[tuple[Item, Worth]]


def _adjusted(rate: str | None, adjustments: Sequence[Item], lines: _Parts) -> Iterator[tuple[int, Worth]]:
    """The credited parts of the allowances and charges of a rate, still without tax.

    Their sum is rounded so that the rate, with its lines, comes to no more than its share.
    """
    positions = [i for i, item in enumerate(adjustments) if item.tax.rate_id == rate]
    values = [adjustments[i].left.value for i in positions]
    of_rate = [(line, part) for line, part in lines if line.tax.rate_id == rate]
    share = _share(of_rate) or (ALL if all(_is_all(*line) for line in lines) else NONE)
    left = sum(values) + sum(line.left.discounted for line, _ in of_rate)
    total = share.towards_zero_of(left) - sum(part.discounted for _, part in of_rate)
    parts = _fit(total, [share.of(value) for value in values], [(min(value, 0), max(value, 0)) for value in values])
    yield from zip(positions, map(Worth, parts), strict=True)


def _share(lines: _Parts) -> Share | None:
    """How much of the lines of a rate is credited; None where nothing is left of them."""
    whole = sum(abs(line.left.discounted) for line, _ in lines)
    return Share(sum(abs(part.discounted) for _, part in lines), whole) if whole else None


def _taxes(items: _Parts, prices: Prices) -> list[int]:
    """The tax of each credited part of one rate.

    What is the last of a line or adjustment takes its remaining tax. With one rounding for the document, the tax of
    all parts together is that of their sum, as far as the others can make up for it.
    """
    bounds = [_tax_bounds(item.left, part.discounted, prices, is_all=_is_all(item, part)) for item, part in items]
    taxes = [tax_of(part.discounted, item.tax, included=prices.include_tax) for item, part in items]
    if prices.tax_rounding == "line":
        return [_clamp(tax, *bound) for tax, bound in zip(taxes, bounds, strict=True)]
    value = sum(part.discounted for _, part in items)
    left = Worth(sum(item.left.discounted for item, _ in items), tax=sum(item.left.tax for item, _ in items))
    total = tax_of(value, items[0][0].tax, included=prices.include_tax)
    return _fit(_clamp(total, *_tax_bounds(left, value, prices)), taxes, bounds)


def _tax_bounds(left: Worth, value: int, prices: Prices, *, is_all: bool = False) -> tuple[int, int]:
    """The least and the most tax of a part of that value, so that neither its tax nor its net is more than is left."""
    if is_all:
        return left.tax, left.tax
    if not value:
        return 0, 0
    low, high = min(left.tax, 0), max(left.tax, 0)
    if prices.include_tax:
        net = left.discounted - left.tax
        low, high = max(low, value - max(net, 0)), min(high, value - min(net, 0))
    return low, high


def _fit(total: int, parts: Sequence[int], bounds: Sequence[tuple[int, int]]) -> list[int]:
    """Move parts within their bounds, the first ones first, until they sum to a total, or as near as they can."""
    fitted = [_clamp(part, *bound) for part, bound in zip(parts, bounds, strict=True)]
    rest = total - sum(fitted)
    for i, bound in enumerate(bounds):
        moved = _clamp(fitted[i] + rest, *bound)
        rest -= moved - fitted[i]
        fitted[i] = moved
    return fitted


def _clamp(value: int, low: int, high: int) -> int:
    return max(low, min(value, high))
