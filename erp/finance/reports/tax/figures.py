"""The boxes of a form from facts: pure arithmetic on integers in minor units."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import NamedTuple

from erp.finance.documents.totals import tax_on
from erp.finance.reports.tax.counting.facts import Fact, Rate
from erp.finance.reports.tax.forms import Box, Form, Rounding, Source, Use, made_of_rates
from erp.kernel.money import MICRO, scaled
from erp.store import workspace_settings


class Amounts(NamedTuple):
    """A base, the tax owed, and the deductible tax."""

    base: int = 0
    tax: int = 0
    input: int = 0

    def plus(self, fact: Fact) -> "Amounts":
        """The sum with a fact."""
        return Amounts(self.base + fact.base, self.tax + fact.tax, self.input + fact.input)


class BoxFigures(NamedTuple):
    """The figures of a box; None without a base or a tax. `exact_tax` is the tax before the base was cut."""

    base: int | None
    tax: int | None
    exact_tax: int = 0


_Key = tuple[str, str, str, Use]
"""A side, a rate's id, the kind of fact, and the use of what is bought."""


class Figures(NamedTuple):
    """A form with its boxes as they are on the last day, and their figures, by their codes.

    `missed` is what no box takes, and `in_no_box` the tax that is not in the VAT payable.
    """

    form: Form
    boxes: Mapping[str, BoxFigures]
    missed: Amounts
    in_no_box: int

    @property
    def payable(self) -> int:
        """The VAT payable."""
        return self.boxes[self.form.payable].tax or 0

    @property
    def cents(self) -> int:
        """The tax of cut bases."""
        return self.boxes[self.form.payable].exact_tax - self.payable


def of(form: Form, facts: Iterable[Fact], rates: Mapping[str, Rate], unit: int) -> Figures:
    """The figures of a form.

    Args:
        form: as it is on the last day.
        unit: the unit of bases, in minor units.
    """
    sums: defaultdict[_Key, Amounts] = defaultdict(Amounts)
    for fact in facts:
        key = _key(fact)
        sums[key] = sums[key].plus(fact)
    form = made_of_rates(form, _by_rate(sums, rates))
    boxes: dict[str, BoxFigures] = {}
    for box in form.boxes():
        boxes[box.code] = _added(box, boxes) if box.is_sum else _figures(box, sums, rates, unit)
    in_no_box = sum(
        amounts.tax - amounts.input - _tax_payable(form, key, amounts, rates) for key, amounts in sums.items()
    )
    return Figures(form, boxes, _missed(form, sums, rates), in_no_box)


def share(form: Form, box: Box, fact: Fact, rates: Mapping[str, Rate]) -> Amounts:
    """The base and tax of a fact in a box, before anything is cut."""
    return _share(form, box, _key(fact), Amounts().plus(fact), rates)


def beyond(form: Form, fact: Fact, rates: Mapping[str, Rate]) -> int:
    """The tax of a fact that is not in the VAT payable."""
    return fact.owed - _tax_payable(form, _key(fact), Amounts().plus(fact), rates)


def _tax_payable(form: Form, key: _Key, amounts: Amounts, rates: Mapping[str, Rate]) -> int:
    boxes = {box.code: box for box in form.boxes()}
    return _share(form, boxes[form.payable], key, amounts, rates).tax


def _share(form: Form, box: Box, key: _Key, amounts: Amounts, rates: Mapping[str, Rate]) -> Amounts:
    if box.is_sum:
        boxes = {other.code: other for other in form.boxes()}
        terms = [(1, boxes[code]) for code in box.adds if code in boxes]
        terms += [(-1, boxes[code]) for code in box.takes if code in boxes]
        shares = [(sign, _share(form, other, key, amounts, rates)) for sign, other in terms]
        if box.base:
            return Amounts(sum(sign * own.base for sign, own in shares))
        return Amounts(tax=sum(sign * own.tax for sign, own in shares))
    if not _is_of(box.sources, key, rates):
        return Amounts()
    sign = -1 if box.turns else 1
    tax = {None: 0, "input": amounts.input}.get("owed" if box.percent_of else box.tax, amounts.tax)
    base = amounts.base + amounts.tax if box.base == "gross" else amounts.base
    return Amounts(sign * base if box.base else 0, sign * tax)


def has_tax_in_box(form: Form, fact: Fact, rates: Mapping[str, Rate]) -> bool:
    """Whether the tax of a fact is in a box of the form; tax without a box is not owed with the return."""
    sources = [
        source for box in form.boxes() if box.tax or box.percent_of for source in box.sources if not source.kinds
    ]
    return _is_of(sources, _key(fact), rates)


def _key(fact: Fact) -> _Key:
    return fact.side, fact.rate_id, fact.kind, fact.use


def _is_of(sources: Iterable[Source], key: _Key, rates: Mapping[str, Rate]) -> bool:
    side, rate_id, kind, use = key
    rate = rates[rate_id]
    return any(source.takes(side, _tag(rate), rate.percent, kind, rate_id, use, rate.net_rank) for source in sources)


def _figures(box: Box, sums: Mapping[_Key, Amounts], rates: Mapping[str, Rate], unit: int) -> BoxFigures:
    own = {key: amounts for key, amounts in sums.items() if _is_of(box.sources, key, rates)}
    sign = -1 if box.turns else 1
    base, owed, deductible = (sign * sum(amounts[index] for amounts in own.values()) for index in range(3))
    if box.base == "gross":
        base += owed
    if box.percent_of:
        percents = [rates[rate_id].net_tax_rate for _, rate_id, *_ in own]
        return BoxFigures(base, tax_on(base, percents[0] or 0) if percents else 0, owed)
    shown = cut(base, unit) if box.base == "cut" else base
    if box.base == "whole":
        shown = whole(base, unit, box.round or "half_up")
    if box.tax == "of_base":
        percent = scaled(Decimal(box.sources[0].rates[0]), MICRO)
        return BoxFigures(shown, tax_on(shown, percent), owed)
    tax = {"owed": owed, "input": deductible}.get(box.tax or "")
    rounded = tax if tax is None or box.round is None else whole(tax, unit, box.round)
    return BoxFigures(shown if box.base else None, rounded, tax or 0)


def whole(amount: int, unit: int, rounding: Rounding) -> int:
    """An amount in whole units."""
    extra = {"half_up": unit // 2, "down": 0, "up": unit - 1}[rounding]
    return cut(amount - extra if amount < 0 else amount + extra, unit)


def cut(amount: int, unit: int) -> int:
    """An amount without the part of a unit, towards zero."""
    size = abs(amount) // unit * unit
    return -size if amount < 0 else size


def _added(box: Box, boxes: Mapping[str, BoxFigures]) -> BoxFigures:
    terms = [(1, boxes[code]) for code in box.adds if code in boxes]
    terms += [(-1, boxes[code]) for code in box.takes if code in boxes]
    if box.base:
        return BoxFigures(sum(sign * (figures.base or 0) for sign, figures in terms), None)
    tax = sum(sign * (figures.tax or 0) for sign, figures in terms)
    return BoxFigures(None, tax, sum(sign * figures.exact_tax for sign, figures in terms))


def _by_rate(sums: Mapping[_Key, Amounts], rates: Mapping[str, Rate]) -> dict[str, list[tuple[str, str]]]:
    """The rates with figures as sales, as reverse charge, and as purchases."""
    named: dict[str, list[tuple[str, str]]] = {"sale": [], "owed": [], "input": []}
    for rate in rates.values():
        for kind, side in (("sale", "sale"), ("owed", "purchase"), ("input", "purchase")):
            own = [amounts for key, amounts in sums.items() if key[:2] == (side, rate.id)]
            has_any = any(amounts.tax for amounts in own) if kind == "owed" else any(any(amounts) for amounts in own)
            if has_any and _tag(rate) not in _ELSEWHERE:
                named[kind].append((rate.id, rate.name))
    return named


_ELSEWHERE = ("none", "oss")
"""Tags of rates that no national return has."""


def _tag(rate: Rate) -> str:
    """The kind of a rate in the national return, which leaves out the tax of other countries."""
    home = workspace_settings.current().country
    return rate.tag if home is None or rate.country in (None, home) else "none"


def _missed(form: Form, sums: Mapping[_Key, Amounts], rates: Mapping[str, Rate]) -> Amounts:
    """The amounts in no box of the form."""
    sources = [*form.leaves_out, *_all_sources(form)]
    own = [
        amounts
        for key, amounts in sums.items()
        if _tag(rates[key[1]]) not in _ELSEWHERE and not _is_of(sources, key, rates)
    ]
    return Amounts(*(sum(amounts[index] for amounts in own) for index in range(3)))


def _all_sources(form: Form) -> Iterator[Source]:
    for box in form.boxes():
        yield from (source for source in box.sources if not source.kinds)
