"""The return of the one-stop shop: tax of other countries, by country and rate.

A later change of a sale, such as a credit note, is corrected by the country and the quarter of that sale.
"""

from collections import defaultdict
from collections.abc import Mapping

from erp.finance.reports.period import Span
from erp.finance.reports.table.tree import Column, Figure, ReportTree, Row, Tree
from erp.finance.reports.tax import queries
from erp.finance.reports.tax.counting.counted import Counting
from erp.finance.reports.tax.counting.facts import Fact
from erp.finance.reports.tax.figures import Amounts
from erp.finance.reports.tax.queries import TaxDaysQuery
from erp.kernel.language import Word
from erp.store import sql
from erp.store.router import WORKSPACE

_Sums = defaultdict[tuple[str, ...], Amounts]


def of(query: TaxDaysQuery) -> ReportTree:
    """The return of some days.

    Raises:
        BadParameter: the days end before they begin.
    """
    span = queries.span_of(query)
    sold, corrected = _sums(span)
    first, last = span
    columns = [
        Column(key="rate", label=Word("Tax rate"), kind="text"),
        Column(key="quarter", label=Word("Quarter"), kind="text"),
        Column(key="base", label=Word("Taxable amount"), date_from=first, date_to=last),
        Column(key="tax", label=Word("Tax"), date_from=first, date_to=last),
    ]
    tree = Tree("oss", Word("One-stop shop (OSS)"), columns, heading=Word("Country"), since=first, until=last)
    sales = _lines(tree, Word("Sales"), sold, "rate")
    corrections = _lines(tree, Word("Corrections of earlier quarters"), corrected, "quarter")
    tree.sum(Word("Total"), [*sales, *corrections], key="total")
    return tree.view(query)


def _lines(tree: Tree, label: str, sums: _Sums, column: str) -> list[Row]:
    if sums:
        tree.section(label)
    return [
        tree.line(country, {column: other, "base": Figure(own.base), "tax": Figure(own.tax)}, key=f"{country}-{other}")
        for (country, other), own in sorted(sums.items())
    ]


def _sums(span: Span) -> tuple[_Sums, _Sums]:
    """The sales by country and percentage, and the corrections by country and quarter."""
    counting = Counting(queries.form_of("generic", span.last), span, "accrual")
    facts = [fact for fact in counting.counted() if fact.side == "sale" and counting.rates[fact.rate_id].tag == "oss"]
    begun = _tax_days(facts)
    sold: _Sums = defaultdict(Amounts)
    corrected: _Sums = defaultdict(Amounts)
    for fact in facts:
        rate, day = counting.rates[fact.rate_id], begun.get(fact.source.id, fact.day)
        country = rate.country or "–"
        if day < str(span.first):
            corrected[country, _quarter(day)] = corrected[country, _quarter(day)].plus(fact)
        else:
            sold[country, f"{rate.percent} %"] = sold[country, f"{rate.percent} %"].plus(fact)
    return sold, corrected


def _quarter(day: str) -> str:
    return f"{day[:4]}-Q{(int(day[5:7]) + 2) // 3}"


def _tax_days(facts: list[Fact]) -> Mapping[str, str]:
    """The tax dates of the sales by the documents of the facts; a credit note has the date of its invoice."""
    return dict(WORKSPACE.rows(_TAX_DAYS, (sql.array(sorted({fact.source.id for fact in facts})),)))


_TAX_DAYS = """
SELECT i.id, coalesce(o.tax_date, o.issue_date, i.tax_date, i.issue_date) FROM invoice AS i
LEFT JOIN invoice AS o ON o.id = i.credited_invoice_id WHERE i.id IN (SELECT value FROM json_each(?))
"""
