"""Amounts of a credited part of an invoice: pure arithmetic on integers in minor units of the document's currency.

Each part is a share of the rest, and the last part is all of the rest. So the credited parts never exceed the invoice,
and add up to exactly the invoice once nothing is left.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from erp.finance.documents.totals import Tax, TaxRounding, tax_of
from erp.kernel.money import divide


class Worth(NamedTuple):
    """Amounts of a line, an allowance or a charge, or of a part of it; an allowance is below zero.

    `value` and `discount` (its share of the document's discount) are as entered: with tax where prices include tax.
    `net_discount` is the same share without tax.
    """

    value: int = 0
    discount: int = 0
    net_discount: int = 0
    tax: int = 0

    @property
    def discounted(self) -> int:
        """Its contribution to the document, as entered."""
        return self.value - self.discount

    def less(self, other: "Worth") -> "Worth":
        """The difference, figure by figure."""
        return Worth(*(own - part for own, part in zip(self, other, strict=True)))


class Share(NamedTuple):
    """A part of a whole."""

    part: int
    whole: int

    def of(self, amount: int) -> int:
        return divide(amount * self.part, self.whole)

    def towards_zero_of(self, amount: int) -> int:
        size = abs(amount) * self.part // self.whole
        return -size if amount < 0 else size


NONE, ALL = Share(0, 1), Share(1, 1)


class Item(msgspec.Struct, frozen=True):
    """The rest of a line, an allowance or a charge, and the share of it to credit.

    The share of an allowance or charge follows from the shares of the lines.
    """

    left: Worth
    tax: Tax
    share: Share = NONE
    is_line: bool = True


class Prices(NamedTuple):
    """A document's currency, whether its prices include tax, and its rounding of tax."""

    include_tax: bool
    tax_rounding: TaxRounding


def credited(lines: Sequence[Item], adjustments: Sequence[Item], prices: Prices) -> list[Worth]:
    """The credited part of each line, then of each allowance and charge.

    Allowances and charges are credited in proportion to the lines of their tax rate; where no line has that rate,
    together with the last of all lines.
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


def overdrawn(items: Sequence[Item], parts: Sequence[Worth], prices: Prices) -> Iterator[tuple[Tax, int]]:
    """The tax rates that would be credited beyond their rest, or below zero; each with its rest.

    Both happen only where a rate has lines below zero, or its allowances leave next to nothing of its lines.
    """
    for rate in _rates(items):
        of_rate = [(item, part) for item, part in zip(items, parts, strict=True) if item.tax.rate_id == rate]
        left = _net_and_tax([item.left for item, _ in of_rate], prices)
        now = _net_and_tax([part for _, part in of_rate], prices)
        if not all(min(most, 0) <= amount <= max(most, 0) for amount, most in zip(now, left, strict=True)):
            yield of_rate[0][0].tax, sum(item.left.discounted for item, _ in of_rate)


def _net_and_tax(worths: Sequence[Worth], prices: Prices) -> tuple[int, int]:
    tax = sum(worth.tax for worth in worths)
    return sum(worth.discounted for worth in worths) - (tax if prices.include_tax else 0), tax


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

    Their sum is rounded so that the rate, with its lines, does not exceed its share.
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
    """The credited share of the lines of a rate; None where nothing is left of them."""
    whole = sum(abs(line.left.discounted) for line, _ in lines)
    return Share(sum(abs(part.discounted) for _, part in lines), whole) if whole else None


def _taxes(items: _Parts, prices: Prices) -> list[int]:
    """The tax of each credited part of one rate.

    The last part of a line takes the line's remaining tax, and the last part of a rate takes the rate's. Otherwise tax
    is computed on the sum of the parts, or with `line` on each part, within the remaining tax of their lines.
    """
    is_last = all(_is_all(*item) for item in items)
    bounds = [_tax_bounds(*item, prices, is_last=is_last) for item in items]
    taxes = [tax_of(part.discounted, item.tax, included=prices.include_tax) for item, part in items]
    value = sum(part.discounted for _, part in items)
    by_sum = tax_of(value, items[0][0].tax, included=prices.include_tax)
    left = Worth(sum(item.left.discounted for item, _ in items), tax=sum(item.left.tax for item, _ in items))
    total = _clamp(by_sum if prices.tax_rounding == "document" else sum(taxes), *_tax_range(left, value, prices))
    return _fit(total, taxes, bounds)


def _tax_bounds(item: Item, part: Worth, prices: Prices, *, is_last: bool) -> tuple[int, int]:
    """The least and the most tax of a part of an item.

    An allowance or charge takes the tax that the lines cannot, so that its tax may go before or after its value. A line
    with nothing but tax left, as after a write-off, is not credited.
    """
    if item.is_line and not item.left.discounted and not part.discounted:
        return 0, 0
    if is_last or (item.is_line and _is_all(item, part)):
        return item.left.tax, item.left.tax
    if item.is_line and not part.discounted:
        return 0, 0
    return _tax_range(item.left, part.discounted, prices)


def _tax_range(left: Worth, value: int, prices: Prices) -> tuple[int, int]:
    """The least and the most tax of a part of that value, so that neither its tax nor its net exceeds the rest."""
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
