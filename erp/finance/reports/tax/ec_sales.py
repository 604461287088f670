"""The EC sales list: untaxed sales to firms in other countries of the EU, by their VAT numbers."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from erp.finance.reports.period import Span
from erp.finance.reports.table import links
from erp.finance.reports.table.tree import Cell, Column, Figure, ReportTree, Row, Tree
from erp.finance.reports.tax import figures, queries
from erp.finance.reports.tax.counting.counted import Counting
from erp.finance.reports.tax.queries import TaxDaysQuery
from erp.kernel.currencies import DIGITS
from erp.kernel.language import Word
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE

KINDS = {"eu_goods": Word("Goods"), "eu_services": Word("Services")}
"""The listed kinds, by the tags of rates."""


class Sold(NamedTuple):
    """Untaxed sales of a kind to a customer, in minor units of the base currency."""

    contact_id: str
    vat_id: str | None
    name: str
    tag: str
    base: int


def of(query: TaxDaysQuery) -> ReportTree:
    """The list of some days.

    Raises:
        BadParameter: the days end before they begin.
    """
    first, last = span = queries.span_of(query)
    columns = [
        Column(key="customer", label=Word("Customer"), kind="text"),
        Column(key="kind", label=Word("What"), kind="text"),
        Column(key="base", label=Word("Taxable amount"), date_from=first, date_to=last),
    ]
    tree = Tree("ec_sales_list", Word("EC sales list"), columns, heading=Word("VAT number"), since=first, until=last)
    unit = 10 ** DIGITS[workspace_settings.current().base_currency]
    rows = [tree.add(row) for row in _rows(sold(query), unit, span)]
    tree.sum(Word("Total"), rows, key="total")
    return tree.view(query)


def sold(query: TaxDaysQuery) -> list[Sold]:
    """The sales of some days by customer and kind."""
    span = queries.span_of(query)
    counting = Counting(queries.form_of("generic", span.last), span, "accrual")
    sums: defaultdict[tuple[str, str], int] = defaultdict(int)
    for fact in counting.counted():
        rate = counting.rates[fact.rate_id]
        if fact.side == "sale" and rate.tag in KINDS:
            sums[fact.source.contact_id, rate.tag] += fact.base
    ids = sql.array(sorted({contact_id for contact_id, _ in sums}))
    customers = {id: _Customer(*row) for id, *row in WORKSPACE.rows(_CUSTOMERS, (ids,))}
    of_heads: defaultdict[tuple[_Customer, str], int] = defaultdict(int)
    for (contact_id, tag), base in sums.items():
        of_heads[customers[contact_id], tag] += base
    return [Sold(*customer, tag, base) for (customer, tag), base in of_heads.items()]


class _Customer(NamedTuple):
    """A contact, or the head of one that was merged, with the VAT number that the sales were under."""

    id: str
    vat_id: str | None
    name: str


def _rows(sales: Sequence[Sold], unit: int, span: Span) -> list[Row]:
    """A row for each customer and kind; a missing VAT number is marked."""
    rows = []
    for contact_id, vat_id, name, tag, base in sales:
        link = links.to(f"/contacts/{contact_id}")
        query = {"form": "generic", "basis": "accrual", "box": f"ec-{tag.removeprefix('eu_')}"}
        days = {"date_from": span.first, "date_to": span.last}
        of_documents = links.to("/reports/tax-documents", **days, **query, contact_id=contact_id)
        figure = Figure(figures.cut(base, unit), of_documents)
        cells: dict[str, Cell] = {"customer": name, "kind": KINDS[tag], "base": figure}
        rows.append(Row(kind="line", label=vat_id or Word("VAT number is missing"), level=1, link=link, cells=cells))
    return sorted(rows, key=lambda row: (row.label, str(row.cells["kind"])))


_CUSTOMERS = (
    "SELECT own.id, head.id, coalesce(own.vat_id, head.vat_id), head.name FROM contact AS own"
    " JOIN contact AS head ON head.id = coalesce(own.head_id, own.id) WHERE own.id IN (SELECT value FROM json_each(?))"
)
