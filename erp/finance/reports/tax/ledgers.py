"""The tax of some days in the books, to compare with a return."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from erp.finance.books import ledger
from erp.finance.reports.period import Span
from erp.finance.reports.tax.counting.facts import Fact, Rate
from erp.store import sql
from erp.store.router import WORKSPACE


class TaxAccount(NamedTuple):
    """An account of tax, and its postings: above zero for tax owed."""

    id: str
    code: str
    name: str
    amount: int


def accounts(span: Span, rates: Mapping[str, Rate]) -> list[TaxAccount]:
    """The accounts of tax with the postings of some days, without opening balances and VAT payable entries."""
    ids = {ledger.default_account("tax"), ledger.default_account("input_tax")}
    ids |= {id for rate in rates.values() for id in (rate.output_account_id, rate.input_account_id)}
    days = {"first": str(span.first), "last": str(span.last), "ids": sql.array(sorted(ids))}
    return [TaxAccount(*row) for row in WORKSPACE.rows(_POSTED, days)]


def posted(facts: Iterable[Fact], span: Span) -> int:
    """The tax that documents have posted in some days, above zero if owed."""
    first, last = map(str, span)
    return sum(fact.tax - fact.input for fact in facts if first <= fact.posted <= last)


_POSTED = """
SELECT a.id, a.code, a.name, -sum(p.amount) FROM posting AS p JOIN account AS a ON a.id = p.account_id
JOIN journal_entry AS e ON e.id = p.entry_id LEFT JOIN journal_entry AS o ON o.id = e.reverses_id
WHERE p.account_id IN (SELECT value FROM json_each(:ids)) AND p.date BETWEEN :first AND :last
    AND coalesce(o.kind, e.kind) NOT IN ('opening', 'tax_settlement')
GROUP BY a.id, a.code, a.name HAVING sum(p.amount) <> 0 ORDER BY a.code
"""
