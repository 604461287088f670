"""Aged receivables and payables: open amounts of contacts at the end of a day, by days overdue."""

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import groupby
from typing import Annotated, NamedTuple

from msgspec import Meta

from erp.finance.books import account_balances, open_items
from erp.finance.contacts import contacts, heads
from erp.finance.items.documents import Side
from erp.finance.reports.period import ReportDate, plain
from erp.finance.reports.table import accounts as chart
from erp.finance.reports.table import links
from erp.finance.reports.table.tree import Cell, Column, Figure, ReportTree, Row, Tree
from erp.kernel.errors import UnknownReference
from erp.kernel.language import Word
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.scalars import Id


class AgeingQuery(ReportDate):
    """The day to look back from."""

    contact_id: Annotated[Id, Meta(description="A contact's id: only its open items.")] | None = None
    details: Annotated[bool, Meta(description="Whether to show each document below its contact.")] = False


BUCKETS = {
    "not_due": Word("Not due"),
    "days_1_30": Word("1–30 days"),
    "days_31_60": Word("31–60 days"),
    "days_61_90": Word("61–90 days"),
    "days_over_90": Word("Over 90 days"),
}
_BUCKETS = tuple(BUCKETS)
CREDIT = "credit"
TITLES = {"receivable": Word("Aged receivables"), "payable": Word("Aged payables")}


class Open(NamedTuple):
    """The open amount of an item: a debt above zero, a credit below, on either side."""

    contact_id: str
    contact: str
    currency: str
    number: str
    document_type: str
    document_id: str
    due: str
    is_credit: bool
    amount: int
    base: int

    def bucket(self, day: date) -> str:
        """The column of the item on a day."""
        if self.is_credit:
            return CREDIT
        return _BUCKETS[(max(0, min(120, self.days_overdue(day))) + 29) // 30]

    def days_overdue(self, day: date) -> int:
        """Days past the due date; below zero before it."""
        return (day - date.fromisoformat(self.due)).days


def of(side: Side, query: AgeingQuery) -> ReportTree:
    """The report of a side at the end of a day.

    Raises:
        UnknownReference: there is no such contact.
    """
    contact = contacts.refer(query.contact_id, "contactId", archived=True).id if query.contact_id else None
    day = plain(query.date or workspace_settings.today())
    return _Ageing(side, day, contact, has_details=query.details).tree().view(query)


class _Ageing:
    """A report of one side while it is made."""

    def __init__(self, side: Side, day: date, contact: str | None, *, has_details: bool) -> None:
        self.side, self.day, self.contact, self.has_details = side, day, contact, has_details
        self.sign = 1 if side == "receivable" else -1
        self.base = workspace_settings.current().base_currency
        self.revalued = self._revalued()
        self.parts = (*BUCKETS, CREDIT, *(("revaluation",) if self.revalued else ()))

    def _revalued(self) -> dict[str, int]:
        """By contact id, the revaluation of open items on that day, which is reversed the next day."""
        rows = WORKSPACE.rows(_REVALUED, {"side": self.side, "day": self.day.isoformat()})
        return {contact_id: self.sign * amount for contact_id, amount in rows if amount}

    def tree(self) -> Tree:
        name = f"aged_{self.side}s"
        tree = Tree(name, TITLES[self.side], [*self._columns()], heading=Word("Contact"), since=None, until=self.day)
        rows = []
        for _, group in groupby(self._items(), key=lambda item: item.contact_id):
            items = [*group]
            rows.append(tree.add(self._line(items, items[0].contact)))
            for row in self._below(items):
                tree.add(row)
        total = tree.sum(Word("Total"), rows, key="total")
        if self.contact is None:
            self._tie(tree, total)
        return tree

    def _columns(self) -> Iterator[Column]:
        if self.has_details:
            yield Column(key="due_date", label=Word("Due date"), kind="date")
            yield Column(key="days_overdue", label=Word("Days overdue"), kind="count")
        for key, label in BUCKETS.items():
            yield Column(key=key, label=label, date_to=self.day)
        yield Column(key=CREDIT, label=Word("Credit", "contact"), date_to=self.day)
        if self.revalued:
            yield Column(key="revaluation", label=Word("Revaluation"), date_to=self.day)
        yield Column(key="total", label=Word("Total"), date_to=self.day, adds=self.parts)

    def _items(self) -> Iterator[Open]:
        parameters = {"side": self.side, "sign": self.sign, "day": self.day.isoformat(), "contact": self.contact}
        for row in WORKSPACE.rows(_OPEN, parameters):
            item = Open(*row)
            if item.amount or item.base:
                yield item

    def _line(self, items: Sequence[Open], label: str, currency: str | None = None, level: int = 1) -> Row:
        """A row of some items in the base currency, or in the currency of their documents."""
        sums = dict.fromkeys((*BUCKETS, CREDIT), 0)
        for item in items:
            sums[item.bucket(self.day)] += item.amount if currency else item.base
        id = items[0].contact_id
        link = links.to("/open-items", contact_id=id, side=self.side, currency=currency, as_of=self.day)
        cells: dict[str, Cell] = {key: Figure(amount, link, currency) for key, amount in sums.items()}
        if self.revalued and currency is None:
            cells["revaluation"] = Figure(self.revalued.get(id, 0))
        record = None if currency else links.to(f"/contacts/{id}")
        return Row(kind="line", label=label, level=level, link=record, cells=cells)

    def _below(self, items: Sequence[Open]) -> Iterator[Row]:
        """The foreign currencies of a contact, and its documents if requested."""
        for currency in sorted({item.currency for item in items} - {self.base}):
            of_currency = [item for item in items if item.currency == currency]
            yield self._line(of_currency, Word("of which in foreign currency"), currency, level=2)
        for item in items if self.has_details else ():
            days = max(0, item.days_overdue(self.day)) if not item.is_credit else 0
            cell = Figure(item.base, links.document(item.document_type, item.document_id))
            cells: dict[str, Cell] = {"due_date": item.due, "days_overdue": str(days), item.bucket(self.day): cell}
            yield Row(kind="line", label=item.number, level=2, link=cell.link, cells=cells)

    def _tie(self, tree: Tree, total: Row) -> None:
        """Show the accounts of the items, and the difference between the two: 0."""
        tree.section(Word("Accounts"))
        balances = account_balances.of_all(self.day)
        rows = [
            tree.line(
                account.name,
                {"total": Figure(self.sign * balances[account.id][0], links.ledger(account.id, date_to=self.day))},
                code=account.code,
                link=links.to(f"/accounts/{account.id}"),
            )
            for account in chart.accounts()
            if account.subtype == self.side and account.id in balances
        ]
        tree.sum(Word("Difference"), [total], rows, key="difference", only="total")


_OPEN = f"""
SELECT contact.id, contact.name, open_item.currency, number, document_type, document_id, due_date,
    document_type = 'payment' OR (amount > 0) <> (:sign > 0), :sign * {open_items.OPEN_AT},
    :sign * {open_items.OPEN_BASE_AT}
FROM open_item JOIN account ON account.id = open_item.account_id {heads.join("open_item.contact_id")}
WHERE account.subtype = :side AND contact.id = coalesce(:contact, contact.id) AND {open_items.MAY_BE_OPEN_AT}
ORDER BY contact.name, contact.id, due_date, open_item.id
"""

_REVALUED = f"""
SELECT {heads.sql("p.contact_id")}, sum(p.amount) FROM revaluation AS r
JOIN journal_entry AS e ON e.source_id = r.id AND e.source_type = 'revaluation'
JOIN posting AS p ON p.entry_id = e.id JOIN account AS a ON a.id = p.account_id
WHERE a.subtype = :side AND p.date <= :day GROUP BY 1
"""


class Receivables:
    @endpoint(permission="finance.read", refuses=(UnknownReference,))
    def on_get(self, query: AgeingQuery) -> ReportTree:
        """Show aged receivables at the end of a day, by days overdue.

        The amounts were open then, regardless of later payments. Unallocated credit has its own column, below zero;
        each row sums to the contact's balance, and all of them to the receivable accounts. Amounts are in the base
        currency; amounts in another currency are also shown below the contact. A revaluation of that day has a column.
        """
        return of("receivable", query)


class Payables:
    @endpoint(permission="finance.read", refuses=(UnknownReference,))
    def on_get(self, query: AgeingQuery) -> ReportTree:
        """Show aged payables at the end of a day, by days overdue.

        As for receivables: debts are above zero, and unallocated credit below.
        """
        return of("payable", query)
