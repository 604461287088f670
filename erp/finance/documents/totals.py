"""Totals of an invoice by EN 16931: pure arithmetic on integers.

Every amount is in minor units of the document's currency. An entered value (a line, a document allowance or
charge) is net of tax, or contains it where `prices_include_tax`; every result is net, with its tax beside it.

A percentage on a line refers to quantity × price; one on the document refers to the sum of the line values, before
any other discount. The document discount is spread over the lines by signed value before tax, so that a returned item
gives back its part of the discount.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Literal

import msgspec

from erp.kernel.currencies import DIGITS
from erp.kernel.money import LIMIT, MICRO, OutOfRange, divide, round_to_step, spread

TaxRounding = Literal["document", "line"]

TAXED = "S"
"""The one category that is taxed; Z, E, AE, K, G and O are not, whatever their rate."""

REVERSED = ("AE", "K")
"""Categories in which the buyer may owe tax in the seller's place: reverse charge, and a purchase within the EU."""

_HUNDRED = 100 * MICRO


class Adjustment(msgspec.Struct, frozen=True):
    """A discount or charge: an amount in minor units, or millionths of a percent."""

    amount: int | None = None
    percent: int | None = None

    def __post_init__(self) -> None:
        if (self.amount is None) == (self.percent is None):
            raise ValueError("An adjustment has either an amount or a percentage.")


class Tax(msgspec.Struct, frozen=True):
    """A tax rate of a document; `rate` in millionths of a percent."""

    rate_id: str | None
    category: str
    rate: int


UNTAXED = Tax(None, "O", 0)
"""The tax of an item without a tax rate: outside the scope of tax."""


class Line(msgspec.Struct, frozen=True):
    """A line; quantities and the price (in the major unit) in millionths."""

    quantity: int
    unit_price: int
    tax: Tax
    price_base_quantity: int = MICRO
    discount: Adjustment | None = None
    charge: Adjustment | None = None


class DocumentAdjustment(msgspec.Struct, frozen=True):
    """An allowance or charge on the whole document, with a tax rate of its own."""

    adjustment: Adjustment
    tax: Tax
    is_charge: bool = False


class Document(msgspec.Struct, frozen=True):
    """Everything that the totals depend on; `cash_step` in minor units, unused where `rounding_amount` is set."""

    lines: Sequence[Line]
    currency: str
    adjustments: Sequence[DocumentAdjustment] = ()
    discount: Adjustment | None = None
    rounding_amount: int | None = None
    prices_include_tax: bool = False
    tax_rounding: TaxRounding = "document"
    cash_step: int | None = None


class LineTotals(msgspec.Struct, frozen=True):
    """A line's part of the totals.

    `net` is the line alone (BT-131), `discount_share` its part of the document discount, `tax` its part of the
    document's tax after that discount, and `gross` what it adds to the total: net − discount_share + tax.
    """

    net: int
    discount_share: int
    tax: int
    gross: int

    @property
    def net_after_discount(self) -> int:
        """The line without tax, less its part of the document discount."""
        return self.net - self.discount_share


class AdjustmentTotals(msgspec.Struct, frozen=True):
    """A document allowance or charge and the tax on it, both unsigned; an allowance is subtracted."""

    amount: int
    tax: int


class RateTotals(msgspec.Struct, frozen=True):
    """The contribution of one tax rate of the workspace to its group."""

    rate_id: str | None
    base: int
    tax: int


class TaxTotals(msgspec.Struct, frozen=True):
    """The tax of one category and rate (BG-23), divided among the workspace's rates that have both."""

    category: str
    rate: int
    base: int
    amount: int
    rates: tuple[RateTotals, ...]

    @property
    def rate_id(self) -> str | None:
        """The first rate of the group."""
        return self.rates[0].rate_id


class Totals(msgspec.Struct, frozen=True):
    """Totals of a document: total = subtotal − discount_total + charge_total + tax_total + rounding_amount."""

    lines: tuple[LineTotals, ...]
    adjustments: tuple[AdjustmentTotals, ...]
    subtotal: int
    discount_total: int
    charge_total: int
    tax_breakdown: tuple[TaxTotals, ...]
    tax_total: int
    rounding_amount: int
    total: int

    @property
    def net_total(self) -> int:
        """The total without tax (BT-109)."""
        return self.subtotal - self.discount_total + self.charge_total


_Figure = Callable[[int], int]
_Groups = dict[tuple[str, int], dict[str | None, list[int]]]


def compute(document: Document) -> Totals:
    """Compute every total of a document.

    Raises:
        OutOfRange: an amount of the result is beyond ±`LIMIT`.
    """
    worth = [line_value(line, document.currency) for line in document.lines]
    discounts = _discount_shares(document.discount, worth)
    values = [value - share for value, share in zip(worth, discounts, strict=True)]
    values += _adjustment_values(document, sum(worth))
    groups = _by_tax(document)
    nets, taxes = _assess(document, groups, values)
    return _assemble(document, groups, nets, _net_discounts(document, groups, discounts), taxes)


def assemble(document: Document, nets: Sequence[int], shares: Sequence[int], taxes: Sequence[int]) -> Totals:
    """The totals of a document whose parts are known, such as a credit note.

    Args:
        nets: of the lines, less their shares of the document's discount, then of the adjustments: an allowance is
            below zero.
        shares: of the lines, in the document's discount, without tax.
        taxes: as `nets`.

    Raises:
        OutOfRange: an amount of the result is beyond ±`LIMIT`.
    """
    return _assemble(document, _by_tax(document), nets, shares, taxes)


def with_taxes(document: Document, totals: Totals, differences: Mapping[str, int]) -> Totals:
    """The same document with another tax: the largest tax of each rate takes the difference.

    Where prices include tax the total stays, and the net changes.
    """
    nets, taxes = _signed(document, totals)
    for rate_id, difference in differences.items():
        positions = [i for i, tax in enumerate(_taxes(document)) if tax.rate_id == rate_id]
        largest = max(positions, key=lambda i: abs(nets[i]))
        taxes[largest] += difference
        if document.prices_include_tax:
            nets[largest] -= difference
    return assemble(document, nets, [line.discount_share for line in totals.lines], taxes)


def reverse_charges(document: Document, totals: Totals) -> list[int]:
    """The tax that a buyer owes in the seller's place of each line, then of each adjustment; allowances lower it."""
    nets, _ = _signed(document, totals)
    owed = [0] * len(nets)
    split = _rounded_each if document.tax_rounding == "line" else _rounded_once
    for (category, rate), rates in _by_tax(document).items():
        if category in REVERSED:
            figure = _figure((TAXED, rate), False)
            for position, tax in split(figure, list(rates.values()), nets):
                owed[position] = tax
    return owed


def _signed(document: Document, totals: Totals) -> tuple[list[int], list[int]]:
    """Net and tax that each line, then each adjustment, adds to the document."""
    pairs = [(line.net_after_discount, line.tax) for line in totals.lines]
    adjustments = zip(document.adjustments, totals.adjustments, strict=True)
    pairs += [(_sign(item) * result.amount, _sign(item) * result.tax) for item, result in adjustments]
    return [net for net, _ in pairs], [tax for _, tax in pairs]


def line_value(line: Line, currency: str) -> int:
    """The value of a line as entered, before the document's discount.

    Source: EN 16931 BT-131; its parts are rounded one by one.
    """
    value = divide(line.quantity * line.unit_price * 10 ** DIGITS[currency], MICRO * line.price_base_quantity)
    return value - amount_of(line.discount, value) + amount_of(line.charge, value)


def amount_of(adjustment: Adjustment | None, base: int) -> int:
    """The amount of a discount or charge; a percentage refers to the base."""
    if adjustment is None:
        return 0
    if adjustment.percent is None:
        return adjustment.amount or 0
    return divide(base * adjustment.percent, _HUNDRED)


def tax_of(value: int, tax: Tax, *, included: bool) -> int:
    """The tax on a value, or the tax in it where prices include tax."""
    rate = tax.rate if tax.category == TAXED else 0
    return tax_within(value, rate) if included else tax_on(value, rate)


def tax_on(net: int, rate: int) -> int:
    """The tax to add to a net amount; `rate` in millionths of a percent."""
    return divide(net * rate, _HUNDRED)


def tax_within(gross: int, rate: int) -> int:
    """The tax that an amount including it contains; `rate` in millionths of a percent."""
    return divide(gross * rate, _HUNDRED + rate)


def _assemble(
    document: Document, groups: _Groups, nets: Sequence[int], shares: Sequence[int], taxes: Sequence[int]
) -> Totals:
    breakdown = tuple(_tax_totals(key, rates, nets, taxes) for key, rates in groups.items())
    totals = _sum_up(document, _lines(nets, shares, taxes), _adjustments(document, nets, taxes), breakdown)
    if max(map(abs, _amounts(totals))) > LIMIT:
        raise OutOfRange
    return totals


def _adjustment_values(document: Document, base: int) -> list[int]:
    """Document charges, and allowances below zero."""
    return [_sign(item) * amount_of(item.adjustment, base) for item in document.adjustments]


def _sign(item: DocumentAdjustment) -> int:
    return 1 if item.is_charge else -1


def _discount_shares(discount: Adjustment | None, values: Sequence[int]) -> list[int]:
    whole = sum(values)
    total = amount_of(discount, whole)
    if not total:
        return [0] * len(values)
    if total * whole > 0 and abs(total) <= abs(whole):
        return spread(total, values if whole > 0 else [-value for value in values])
    # Larger than the sum of the lines: by signed value the shares would outgrow the lines without bound.
    return spread(total, [abs(value) for value in values])


def _by_tax(document: Document) -> _Groups:
    """Positions of lines, then adjustments, by category and rate, and within those by the rate's id."""
    groups: _Groups = {}
    for position, tax in enumerate(_taxes(document)):
        groups.setdefault((tax.category, tax.rate), {}).setdefault(tax.rate_id, []).append(position)
    return groups


def _taxes(document: Document) -> list[Tax]:
    """The tax rate of each line, then of each adjustment."""
    return [line.tax for line in document.lines] + [item.tax for item in document.adjustments]


def _assess(document: Document, groups: _Groups, values: Sequence[int]) -> tuple[list[int], list[int]]:
    """Net and tax of each value."""
    parts = [0] * len(values)
    for key, rates in groups.items():
        figure = _figure(key, document.prices_include_tax)
        split = _rounded_each if document.tax_rounding == "line" else _rounded_once
        for position, part in split(figure, list(rates.values()), values):
            parts[position] = part
    rest = [value - part for value, part in zip(values, parts, strict=True)]
    return (parts, rest) if document.prices_include_tax else (list(values), parts)


def _figure(key: tuple[str, int], included: bool) -> _Figure:
    """The function of a value to round: the tax on it, or the net in it where prices include tax."""
    tax = Tax(None, *key)
    if included:
        return lambda value: value - tax_of(value, tax, included=True)
    return lambda value: tax_of(value, tax, included=False)


def _rounded_each(figure: _Figure, rates: list[list[int]], values: Sequence[int]) -> Iterator[tuple[int, int]]:
    return ((position, figure(values[position])) for position in chain.from_iterable(rates))


def _rounded_once(figure: _Figure, rates: list[list[int]], values: Sequence[int]) -> Iterator[tuple[int, int]]:
    """One rounding for the group, divided among its rates and then among the values of each."""
    if not rates:
        return
    members = [[values[position] for position in positions] for positions in rates]
    bases = [sum(amounts) for amounts in members]
    totals = _split(figure(sum(bases)), bases, figure)
    for total, positions, amounts in zip(totals, rates, members, strict=True):
        yield from zip(positions, _split(total, amounts, figure), strict=True)


def _split(total: int, values: Sequence[int], figure: _Figure) -> list[int]:
    """Split a rounded figure over the values by largest remainder.

    Values whose sign differs from the sum's are split separately: where both nearly cancel out, shares in proportion
    to the small difference would be nonsense.
    """
    if min(values) >= 0:
        return spread(total, values)
    sign = -1 if sum(values) < 0 else 1
    along = [max(sign * value, 0) for value in values]
    against = [max(-sign * value, 0) for value in values]
    most = figure(sum(along)) if any(against) else sign * total
    parts = zip(spread(most, along), spread(most - sign * total, against), strict=True)
    return [sign * (more - less) for more, less in parts]


def _net_discounts(document: Document, groups: _Groups, discounts: list[int]) -> list[int]:
    """The shares of the document discount, without any tax in them."""
    if not document.prices_include_tax or not any(discounts):
        return discounts
    nets = [0] * len(discounts)
    for key, rates in groups.items():
        of_lines = [lines for positions in rates.values() if (lines := [i for i in positions if i < len(discounts)])]
        for position, net in _rounded_once(_figure(key, True), of_lines, discounts):
            nets[position] = net
    return nets


def _lines(nets: Sequence[int], shares: Sequence[int], taxes: Sequence[int]) -> tuple[LineTotals, ...]:
    discounted = zip(nets, shares, taxes, strict=False)
    return tuple(LineTotals(net + share, share, tax, net + tax) for net, share, tax in discounted)


def _adjustments(document: Document, nets: Sequence[int], taxes: Sequence[int]) -> tuple[AdjustmentTotals, ...]:
    after = len(document.lines)
    assessed = zip(document.adjustments, nets[after:], taxes[after:], strict=True)
    return tuple(AdjustmentTotals(_sign(item) * net, _sign(item) * tax) for item, net, tax in assessed)


def _tax_totals(
    key: tuple[str, int], rates: dict[str | None, list[int]], nets: Sequence[int], taxes: Sequence[int]
) -> TaxTotals:
    parts = tuple(
        RateTotals(rate_id, sum(nets[i] for i in positions), sum(taxes[i] for i in positions))
        for rate_id, positions in rates.items()
    )
    return TaxTotals(*key, sum(part.base for part in parts), sum(part.tax for part in parts), parts)


def _sum_up(
    document: Document,
    lines: tuple[LineTotals, ...],
    adjustments: tuple[AdjustmentTotals, ...],
    breakdown: tuple[TaxTotals, ...],
) -> Totals:
    """Source: EN 16931 BR-CO-10 to BR-CO-16."""
    pairs = list(zip(document.adjustments, adjustments, strict=True))
    subtotal = sum(line.net for line in lines)
    charge_total = sum(result.amount for item, result in pairs if item.is_charge)
    discount_total = sum(result.amount for item, result in pairs if not item.is_charge)
    discount_total += sum(line.discount_share for line in lines)
    tax_total = sum(group.amount for group in breakdown)
    total = subtotal - discount_total + charge_total + tax_total
    rounding = _rounding(document, total)
    return Totals(
        lines, adjustments, subtotal, discount_total, charge_total, breakdown, tax_total, rounding, total + rounding
    )


def _rounding(document: Document, total: int) -> int:
    if document.rounding_amount is not None:
        return document.rounding_amount
    return round_to_step(total, document.cash_step) - total if document.cash_step else 0


def _amounts(totals: Totals) -> Iterator[int]:
    yield from (totals.subtotal, totals.discount_total, totals.charge_total)
    yield from (totals.tax_total, totals.rounding_amount, totals.total)
    for line in totals.lines:
        yield from (line.net, line.discount_share, line.tax, line.gross)
    for adjustment in totals.adjustments:
        yield from (adjustment.amount, adjustment.tax)
    for group in totals.tax_breakdown:
        yield from (group.base, group.amount)
        for rate in group.rates:
            yield from (rate.base, rate.tax)
