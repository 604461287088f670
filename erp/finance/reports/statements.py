"""Account statements: invoices and payments of a contact, by currency and date."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from itertools import groupby
from operator import itemgetter
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta

from erp.finance.books import open_items
from erp.finance.books.models import EntryKind
from erp.finance.contacts import contacts, heads
from erp.finance.contacts.models import Contact
from erp.finance.journals.views import JournalSourceView
from erp.finance.reports import source_documents
from erp.finance.reports.period import ReportPeriod, bounds
from erp.finance.reports.source_documents import SourceDocumentView
from erp.finance.reports.table import links
from erp.finance.reports.table.accounts import sides
from erp.finance.reports.table.tree import Cell, Column, Figure, ReportTree, Row, Tree
from erp.kernel import money
from erp.kernel.currencies import DIGITS
from erp.kernel.language import Word, counted, says
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.scalars import Day, Id, Money
from erp.web.schema import File, Report, View, show


class ContactStatementLine(View):
    """A document or a journal entry: a debit is owed by the contact, a credit to it."""

    date: str
    kind: Annotated[EntryKind, Meta(description="The kind of its journal entry.")]
    number: Annotated[str, Meta(description="The number of the document, else of the journal entry.")]
    due_date: Annotated[str | None, Meta(description="Due date of an invoice or a credit note.")]
    description: str
    reference: str | None
    source: Annotated[JournalSourceView | None, Meta(description="The document; null for a manual entry.")]
    document: Annotated[
        SourceDocumentView | None,
        Meta(
            description="The document to open: for a deduction or an allocation, the invoice. Null for a manual entry."
        ),
    ]
    entry_id: str
    debit: Money
    credit: Money
    balance: Money
    settled: Annotated[Money, Meta(description="Amount settled at the end of the last day.")]
    open: Annotated[Money, Meta(description="Amount still open then.")]


class StatementItem(View):
    """The open amount of a document at the end of the last day: a debit above zero, a credit below."""

    number: str
    document_date: Annotated[str, Meta(description="Its own date, also for an opening item.")]
    due_date: str
    days_overdue: int
    amount: Money
    open: Money
    link: Annotated[str, Meta(description="The address of the document.")]


class ContactStatementBlock(View):
    """All in one currency: the balance before the first day, each document, and the balance at the end."""

    currency: str
    opening: Money
    lines: list[ContactStatementLine]
    closing: Money
    open_items: Annotated[list[StatementItem], Meta(description="They add up to `closing`, by due date.")]


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
    settled: Money | None
    open: Money | None


class StatementQuery(ReportPeriod, kw_only=True):
    """The contact and the days of a statement."""

    contact_id: Id


class ContactStatement(Report):
    """A contact's documents in their own currencies, one block for each."""

    ROW = ContactStatementRow

    contact_id: str
    name: str
    date_from: Day | None
    date_to: Day | None
    blocks: list[ContactStatementBlock]

    def file(self, format: str, query: ReportPeriod) -> File | None:
        """The statement as a file, with the open items at its end; a CSV with commas has the lines alone."""
        if format == "csv" and query.separator == "comma":
            return None
        return _tree(self).view(query, {"contactId": self.contact_id}).file(format, query)

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
            settled=None,
            open=None,
            **nothing,
        )


# An exchange difference changes the book value of an item, not the contact's debt; nor is the debt smaller when it
# becomes doubtful.
_OF_CONTACT = f"""
FROM posting AS p JOIN account AS a ON a.id = p.account_id JOIN journal_entry AS e ON e.id = p.entry_id
LEFT JOIN journal_entry AS reversed ON reversed.id = e.reverses_id
LEFT JOIN deduction AS d ON e.source_type = 'deduction' AND d.id = e.source_id
LEFT JOIN invoice AS i ON i.id = CASE e.source_type WHEN 'invoice' THEN e.source_id ELSE d.invoice_id END
LEFT JOIN open_item AS t ON t.id = d.of_item_id
LEFT JOIN payment AS y ON e.source_type = 'payment' AND y.id = e.source_id
LEFT JOIN contact_offset AS o ON e.source_type = 'offset' AND o.id = e.source_id
WHERE p.contact_id IN {heads.owned("contact")} AND a.subtype IN ('receivable', 'payable')
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
    f"SELECT {_CURRENCY}, {_AMOUNT}, e.source_type, e.source_id, p.line, {', '.join(_COLUMNS.values())} {_OF_CONTACT}"
    f" AND p.date BETWEEN :start AND :end ORDER BY {_CURRENCY}, e.date, e.fiscal_year, e.seq, p.line"
)

_ITEMS = f"""
SELECT coalesce(entry_id, ''), line, open_item.currency, number, document_type, document_id, document_date, due_date,
    amount, {open_items.OPEN_AT}
FROM open_item JOIN account ON account.id = open_item.account_id
WHERE contact_id IN {heads.owned("contact")} AND account.subtype IN ('receivable', 'payable') AND open_item.date <= :day
ORDER BY due_date, open_item.id
"""


class _Item(NamedTuple):
    """An open item of the contact with its open amount at the end of the last day."""

    entry_id: str
    line: int
    currency: str
    number: str
    document_type: str
    document_id: str
    document_date: str
    due_date: str
    amount: int
    open: int


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
    day = str(period.date_to or _NEVER)
    items = [_Item(*row) for row in WORKSPACE.rows(_ITEMS, {"contact": contact.id, "day": day})]
    shown = {currency for currency, amount in openings.items() if amount} | lines.keys()
    shown |= {item.currency for item in items if item.open}
    until = period.date_to or workspace_settings.today()
    return ContactStatement(
        contact_id=contact.id,
        name=contact.name,
        date_from=period.date_from,
        date_to=period.date_to,
        blocks=[
            _block(
                currency,
                openings.get(currency, 0),
                lines.get(currency, ()),
                documents,
                _Items([item for item in items if item.currency == currency], until),
            )
            for currency in sorted(shown or {contact.currency or base})
        ],
    )


_SOURCE_ID = 3
"""The place of the source's id in a row of `_LINES`."""
_NEVER = "9999-12-31"


class _Items:
    """The open items of a contact in one currency."""

    def __init__(self, items: Sequence[_Item], until: date) -> None:
        self.items, self.until = items, until
        self.of_posting = {(item.entry_id, item.line): item for item in items}

    def texts(self, entry_id: str, line: int, amount: int, currency: str) -> dict[str, str]:
        """The settled and the open amount of a posting, on either side."""
        item = self.of_posting.get((entry_id, line))
        remaining = abs(item.open) if item is not None else 0
        return {"settled": money.text(abs(amount) - remaining, currency), "open": money.text(remaining, currency)}

    def shown(self) -> list[StatementItem]:
        """The items with an open amount."""
        return [
            show(
                StatementItem,
                item,
                days_overdue=max(0, (self.until - date.fromisoformat(item.due_date)).days),
                amount=money.text(item.amount, item.currency),
                open=money.text(item.open, item.currency),
                link=links.document(item.document_type, item.document_id),
            )
            for item in self.items
            if item.open
        ]


def _block(
    currency: str,
    opening: int,
    rows: Sequence[Sequence[Any]],
    documents: Mapping[str | None, SourceDocumentView],
    items: _Items,
) -> ContactStatementBlock:
    balance, lines = opening, []
    for _, amount, source_type, source_id, line, *columns in rows:
        balance += amount
        values: dict[str, Any] = dict(zip(_COLUMNS, columns, strict=True)) | sides(amount, currency)
        source = JournalSourceView(type=source_type, id=source_id) if source_id else None
        values |= {"source": source, "document": documents.get(source_id)}
        values |= items.texts(values["entry_id"], line, amount, currency)
        lines.append(ContactStatementLine(**values, balance=money.text(balance, currency)))
    return ContactStatementBlock(
        currency=currency,
        opening=money.text(opening, currency),
        lines=lines,
        closing=money.text(balance, currency),
        open_items=items.shown(),
    )


_COLUMNS_SHOWN = (
    Column(key="date", label=Word("Date"), kind="date"),
    Column(key="number", label=Word("Document"), kind="text"),
    Column(key="due_date", label=Word("Due date"), kind="date"),
    *(
        Column(key=key, label=label, adds_up=False)
        for key, label in (
            ("debit", Word("Debit", "side")),
            ("credit", Word("Credit", "side")),
            ("settled", Word("Settled")),
            ("open", Word("Open", "amount")),
            ("balance", Word("Balance", "money")),
        )
    ),
)


def tree_of(query: StatementQuery) -> ReportTree:
    """The statement of a contact as a tree."""
    return _tree(of(contacts.refer(query.contact_id, "contactId", archived=True), query)).view(query)


def _tree(statement: ContactStatement) -> Tree:
    title = says("Account statement: {name}", name=statement.name)
    since, until = statement.date_from, statement.date_to or workspace_settings.today()
    tree = Tree("statement", title, _COLUMNS_SHOWN, heading=Word("Text"), since=since, until=until)
    for block in statement.blocks:
        tree.section(block.currency)
        tree.line(Word("Opening balance"), {"balance": _figure(block.opening, block.currency)}, key="opening")
        for line in block.lines:
            tree.line(line.description, _line_cells(line, block.currency))
        closing: dict[str, Cell] = {"balance": _figure(block.closing, block.currency)}
        tree.add(Row(kind="sum", label=Word("Closing balance"), key="closing", cells=closing))
        if block.open_items:
            tree.section(Word("Open items"), level=1)
        for item in block.open_items:
            cells: dict[str, Cell] = {"date": item.document_date, "number": item.number, "due_date": item.due_date}
            cells["open"] = _figure(item.open, block.currency, item.link)
            late = counted(
                item.days_overdue, says("1 day overdue"), says("{days} days overdue"), days=item.days_overdue
            )
            tree.line(late if item.days_overdue else "", cells, level=2)
    return tree


def _line_cells(line: ContactStatementLine, currency: str) -> dict[str, Cell]:
    link = links.document(line.document.type, line.document.id) if line.document else None
    amounts = ("debit", "credit", "settled", "open", "balance")
    cells: dict[str, Cell] = {name: _figure(getattr(line, name), currency, link) for name in amounts}
    del cells["credit" if line.credit == _zero(currency) else "debit"]
    return cells | {"date": line.date, "number": line.number, "due_date": line.due_date}


def _zero(currency: str) -> str:
    return money.text(0, currency)


def _figure(amount: str, currency: str, link: str | None = None) -> Figure:
    base = workspace_settings.current().base_currency
    return Figure(int(Decimal(amount).scaleb(DIGITS[currency])), link, currency if currency != base else None)


class Resource:
    @endpoint(permission="finance.read")
    def on_get(self, id: str, query: ReportPeriod) -> ContactStatement:
        """Show invoices and payments of a contact, with a running balance.

        Lists every document and journal entry that changed the balance of the contact, by its own number, in its own
        currency: one block for each currency. A debit is owed by the contact, a credit to it; `opening` is the balance
        before the first day. Exchange differences are left out: they change the books alone. As a table, each block has
        a row for its opening and its closing balance. Each line has the amounts settled and open at the end of the last
        day, and `openItems` lists the open ones. A CSV with semicolons has its proof in `X-Report-Proof`.
        """
        return of(Contact.find(heads.of(Contact.find(id).id)), query)
