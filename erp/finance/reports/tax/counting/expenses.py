"""Expense claims in VAT returns: on the day of their entry, and again when they are voided."""

from collections.abc import Iterator

from erp.finance.reports.period import Span
from erp.finance.reports.tax.counting.facts import Fact, Source
from erp.store.router import WORKSPACE

_FACTS = """
SELECT entry.date, mirror.date, tax.tax_rate_id, tax.base, tax.tax, entry.id,
    (SELECT number FROM open_item WHERE document_id = entry.id AND amount < 0), contact.id, contact.name
FROM expense_tax AS tax JOIN journal_entry AS entry ON entry.id = tax.entry_id
JOIN posting ON posting.entry_id = entry.id AND posting.contact_id IS NOT NULL
JOIN contact ON contact.id = posting.contact_id LEFT JOIN journal_entry AS mirror ON mirror.reverses_id = entry.id
WHERE entry.date BETWEEN :first AND :last OR mirror.date BETWEEN :first AND :last ORDER BY entry.id, tax.tax_rate_id
"""


def facts(span: Span) -> Iterator[Fact]:
    """The facts of claims that are posted or voided in some days."""
    rows = WORKSPACE.rows(_FACTS, {"first": str(span.first), "last": str(span.last)})
    for day, void_on, rate_id, base, tax, *source in rows:
        fact = Fact(day, day, "purchase", rate_id, "purchase_invoice", base, 0, tax, Source("journal_entry", *source))
        yield fact
        if void_on is not None:
            yield fact.reversed_on(void_on, void_on)
