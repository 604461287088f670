"""Sales tax of the United States: by state and by the authorities that share a rate, such as county and city."""

from collections import defaultdict
from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple

from erp.finance.reports.table.tree import Column, Figure, ReportTree, Row, Tree
from erp.finance.reports.tax import queries
from erp.finance.reports.tax.counting.counted import Counting
from erp.finance.reports.tax.counting.facts import Rate
from erp.finance.reports.tax.figures import Amounts
from erp.finance.reports.tax.queries import TaxDaysQuery
from erp.kernel.language import Word
from erp.kernel.money import MICRO, scaled, spread
from erp.store import workspace_settings

COUNTRY = "US"


class Taxed(NamedTuple):
    """Taxable sales, and the recorded tax on them."""

    base: int = 0
    tax: int = 0


def of(query: TaxDaysQuery) -> ReportTree:
    """The sales tax of some days, on the basis of the settings.

    Raises:
        BadParameter: the days end before they begin.
    """
    span = queries.span_of(query)
    counting = Counting(queries.form_of("generic", span.last), span)
    home = workspace_settings.current().country
    sums: defaultdict[str, Amounts] = defaultdict(Amounts)
    for fact in counting.counted():
        rate = counting.rates[fact.rate_id]
        if fact.side == "sale" and rate.tag != "none" and (rate.country or home) == COUNTRY:
            sums[fact.rate_id] = sums[fact.rate_id].plus(fact)
    first, last = span
    keys = {"sales": Word("Sales"), "exempt": Word("Exempt"), "taxable": Word("Taxable"), "tax": Word("Tax")}
    columns = [Column(key=key, label=label, date_from=first, date_to=last) for key, label in keys.items()]
    tree = Tree("sales_tax", Word("Sales tax"), columns, heading=Word("State"), since=first, until=last)
    states = [row for region in _regions(sums, counting.rates) for row in _state(tree, region, sums, counting.rates)]
    tree.sum(Word("Total"), states, key="total")
    return tree.view(query)


def _regions(sums: Mapping[str, Amounts], rates: Mapping[str, Rate]) -> list[str | None]:
    """The states with sales by their codes, then None for sales without one."""
    regions = {rates[rate_id].region for rate_id in sums}
    return [*sorted(region for region in regions if region), *([None] if None in regions else [])]


def _state(tree: Tree, region: str | None, sums: Mapping[str, Amounts], rates: Mapping[str, Rate]) -> list[Row]:
    """The line of a state, above one for each part of its rates."""
    own = {rate_id: amounts for rate_id, amounts in sums.items() if rates[rate_id].region == region}
    sales = sum(amounts.base for amounts in own.values())
    taxable = sum(amounts.base for rate_id, amounts in own.items() if rates[rate_id].rate)
    tax = sum(amounts.tax for amounts in own.values())
    cells = {"sales": sales, "exempt": sales - taxable, "taxable": taxable, "tax": tax}
    shown = {key: Figure(amount) for key, amount in cells.items()}
    row = tree.line(region or Word("Without a state"), {**shown}, key=region or "none", level=0)
    for name, part in sorted(_parts(own, rates).items()):
        tree.line(name, {"taxable": Figure(part.base), "tax": Figure(part.tax)}, key=f"{region}-{name}")
    return [row]


def _parts(own: Mapping[str, Amounts], rates: Mapping[str, Rate]) -> Mapping[str, Taxed]:
    """The recorded tax of a state, shared among the parts of each rate."""
    parts: defaultdict[str, Taxed] = defaultdict(Taxed)
    for rate_id, amounts in own.items():
        components = rates[rate_id].components
        weights = [scaled(Decimal(part["rate"]), MICRO) for part in components]
        shares = spread(amounts.tax, weights)
        for part, weight, share in zip(components, weights, shares, strict=True):
            before = parts[part["name"]]
            parts[part["name"]] = Taxed(before.base + (amounts.base if weight else 0), before.tax + share)
    return parts
