"""Statements of account: what a contact was invoiced and what was paid, by currency and date."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Annotated, Any, Literal

from msgspec import Meta

from erp.finance.contacts.models import Contact
from erp.finance.journals.views import JournalSourceView
from erp.finance.reports import source_documents
from erp.finance.reports.period import ReportPeriod, bounds
from erp.finance.reports.source_documents import SourceDocumentView
from erp.finance.reports.table import sides
from erp.kernel import money
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.scalars import Day, Money
from erp.web.schema import Report, View, show


class ContactStatementLine(View):
    """A document or a journal entry: a debit is what the contact owes, a credit what it is owed."""

    date: str
    kind: Annotated[str, Meta(description="The kind of its journal entry, such as `invoice`, `payment`, `reversal`.")]
    number: Annotated[str, Meta(description="The number of the document; of the journal entry where there is none.")]
    due_date: Annotated[str | None, Meta(description="When an invoice or a credit note is due.")]
    description: str
    reference: str | None
    source: Annotated[JournalSourceView | None, Meta(description="The document; null for a journal entry by hand.")]
    document: Annotated[
        SourceDocumentView | None,
        Meta(description="The document to open: of a deduction or an allocation, the invoice. Null for one by hand."),
    ]
    entry_id: str
    debit: Money
    credit: Money
    balance: Money


class ContactStatementBlock(View):
    """All in one currency: the balance before the first day, each document, and the balance at the end."""

    currency: str
    opening: Money
    lines: list[ContactStatementLine]
    closing: Money


class ContactStatementRow(View):
    """A line of a statement as a table, or the opening or closing balance of a currency."""

    currency: str
    row_kind: Literal["opening", "line", "closing"]
    date: Day | str | None
    kind: str | None
    number: str | None
    due_date: str | None
    description: str
    reference: str | None
    debit: Money
    credit: Money
    balance: Money


class ContactStatement(Report):
    """A contact's documents in their own currencies, one block for each."""

    ROW = ContactStatementRow

    contact_id: str
    name: str
    date_from: Day | None
    date_to: Day | None
    blocks: list[ContactStatementBlock]

    def table(self) -> list[ContactStatementRow]:
        """The lines of each block between its opening and its closing balance."""
        return [row for block in self.blocks for row in self._rows(block)]

    def _rows(self, block: ContactStatementBlock) -> Iterator[ContactStatementRow]:
        yield self._total(block, "opening", self.date_from)
        for line in block.lines:
            yield show(ContactStatementRow, line, currency=block.currency, row_kind="line")
        yield self._total(block, "closing", self.date_to)

    def _total(
        self, block: ContactStatementBlock, name: Literal["opening", "closing"], day: Day | None
    ) -> ContactStatementRow:
        nothing: dict[str, Any] = sides(0, block.currency)
        return ContactStatementRow(
            currency=block.currency,
            row_kind=name,
            date=day,
            kind=None,
            number=None,
            due_date=None,
            description=f"{name.capitalize()} balance",
            reference=None,
            balance=getattr(block, name),
            **nothing,
        )


# An exchange difference changes what an item is worth in the books, not what the contact owes; nor does it owe less
# when that becomes doubtful.
_OF_CONTACT = """
FROM posting AS p JOIN account AS a ON a.id = p.account_id JOIN journal_entry AS e ON e.id = p.entry_id
LEFT JOIN journal_entry AS reversed ON reversed.id = e.reverses_id
LEFT JOIN deduction AS d ON e.source_type = 'deduction' AND d.id = e.source_id
LEFT JOIN invoice AS i ON i.id = CASE e.source_type WHEN 'invoice' THEN e.source_id ELSE d.invoice_id END
LEFT JOIN open_item AS t ON t.id = d.of_item_id
LEFT JOIN payment AS y ON e.source_type = 'payment' AND y.id = e.source_id
LEFT JOIN contact_offset AS o ON e.source_type = 'offset' AND o.id = e.source_id
WHERE p.contact_id = :contact AND a.subtype IN ('receivable', 'payable')
AND coalesce(reversed.kind, e.kind) NOT IN (
    'exchange_difference', 'revaluation', 'revaluation_reversal', 'doubtful')
"""
_CURRENCY, _AMOUNT = "coalesce(p.currency, CAST(:base AS TEXT))", "coalesce(p.foreign_amount, p.amount)"
_OPENING = f"SELECT {_CURRENCY}, sum({_AMOUNT}) {_OF_CONTACT} AND p.date < :start GROUP BY {_CURRENCY}"
_COLUMNS = {
    "date": "e.date",
    "kind": "e.kind",
    "number": "coalesce(i.number, t.number, y.number, o.number, e.number)",
    "due_date": "CASE WHEN e.kind = 'invoice' THEN i.due_date END",
    "description": "coalesce(p.description, e.description)",
    "reference": "coalesce(i.supplier_number, i.reference, e.reference)",
    "entry_id": "e.id",
}
_LINES = (
    f"SELECT {_CURRENCY}, {_AMOUNT}, e.source_type, e.source_id, {', '.join(_COLUMNS.values())} {_OF_CONTACT}"
    f" AND p.date BETWEEN :start AND :end ORDER BY {_CURRENCY}, e.date, e.fiscal_year, e.seq, p.line"
)


def of(contact: Contact, period: ReportPeriod) -> ContactStatement:
    """The statement of a contact.

    Raises:
        BadParameter: the period ends before it begins.
    """
    start, end = bounds(period)
    base = workspace_settings.current().base_currency
    parameters = {"contact": contact.id, "base": base, "start": start}
    openings = dict(WORKSPACE.rows(_OPENING, parameters))
    rows = groupby(WORKSPACE.rows(_LINES, parameters | {"end": end}), key=itemgetter(0))
    lines = {currency: list(of_currency) for currency, of_currency in rows}
    documents = source_documents.by_source([row[_SOURCE_ID] for block in lines.values() for row in block])
    shown = {currency for currency, amount in openings.items() if amount} | lines.keys()
    return ContactStatement(
        contact_id=contact.id,
        name=contact.name,
        date_from=period.date_from,
        date_to=period.date_to,
        blocks=[
            _block(currency, openings.get(currency, 0), lines.get(currency, ()), documents)
            for currency in sorted(shown or {contact.currency or base})
        ],
    )


_SOURCE_ID = 3
"""The place of the source's id in a row of `_LINES`."""


def _block(
    currency: str,
    opening: int,
    rows: Sequence[Sequence[Any]],
    documents: Mapping[str | None, SourceDocumentView],
) -> ContactStatementBlock:
    balance, lines = opening, []
    for _, amount, source_type, source_id, *columns in rows:
        balance += amount
        values: dict[str, Any] = dict(zip(_COLUMNS, columns, strict=True)) | sides(amount, currency)
        source = JournalSourceView(type=source_type, id=source_id) if source_id else None
        values |= {"source": source, "document": documents.get(source_id)}
        lines.append(ContactStatementLine(**values, balance=money.text(balance, currency)))
    return ContactStatementBlock(
        currency=currency,
        opening=money.text(opening, currency),
        lines=lines,
        closing=money.text(balance, currency),
    )


class Resource:
    @endpoint(permission="finance.read")
    def on_get(self, id: str, query: ReportPeriod) -> ContactStatement:
        """Show what a contact was invoiced and what was paid, with a running balance.

        Lists every document and journal entry that changed what the contact owes or is owed, by its own number, in
        its own currency: one block for each currency. A debit is what the contact owes, a credit what it is owed;
        `opening` is the balance before the first day. Exchange differences are left out: they change the books alone.
        As a table, each block has a row for its opening and its closing balance.
        """
        return of(Contact.find(id), query)
