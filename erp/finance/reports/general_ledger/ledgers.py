"""The general ledger as a tree: for each account its opening balance, its postings, and its closing balance."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import islice
from typing import Any

import msgspec

from erp.finance.books import years
from erp.finance.books.years import RESULT_TYPES
from erp.finance.reports import movements, source_documents
from erp.finance.reports.general_ledger import store
from erp.finance.reports.general_ledger.store import CHUNK, Choice, LedgerPosting, Place, Sums
from erp.finance.reports.period import Span
from erp.finance.reports.source_documents import SourceDocumentView
from erp.finance.reports.table import accounts as chart
from erp.finance.reports.table import links
from erp.finance.reports.table.accounts import AccountRow
from erp.finance.reports.table.tree import Cell, Column, Figure, Row, Tree
from erp.kernel.language import Listed, Word, says
from erp.store import workspace_settings

COLUMNS = (
    Column(key="date", label=Word("Date"), kind="date"),
    Column(key="number", label=Word("Entry"), kind="text"),
    Column(key="document", label=Word("Document"), kind="text"),
    Column(key="contact", label=Word("Contact"), kind="text"),
    Column(key="contra", label=Word("Contra account"), kind="text"),
    Column(key="tax", label=Word("Tax"), kind="text"),
    Column(key="foreign", label=Word("In its currency"), adds_up=False),
    Column(key="debit", label=Word("Debit", "side")),
    Column(key="credit", label=Word("Credit", "side")),
    Column(key="balance", label=Word("Balance", "money"), adds_up=False),
)


class Start(msgspec.Struct, frozen=True):
    """The start of a page: after a posting of an account whose heading is on an earlier page."""

    account_id: str
    place: Place


class GeneralLedger:
    """The ledger of some days, while it is made."""

    def __init__(self, span: Span, choice: Choice, account_id: str | None, title: str) -> None:
        self.span, self.choice, self.title = span, choice, title
        self.accounts = [account for account in chart.accounts() if account_id in (None, account.id)]
        self.base = workspace_settings.current().base_currency
        self.last_start = workspace_settings.fiscal_year_start(span.last)
        self.openings = self._openings()
        self.sums = self._sums()
        self.tree = self._blank()

    def _blank(self) -> Tree:
        first, last = self.span
        return Tree("general_ledger", self.title, COLUMNS, heading=Word("Text"), since=first, until=last)

    def _openings(self) -> dict[str, int]:
        """By account id, the balance before the first day: of income and expenses, since their fiscal year began."""
        start, before = workspace_settings.fiscal_year_start(self.span.first), self.span.before
        types = {account.id: account.type for account in chart.accounts()}
        if self.choice.is_all:
            return years.balances(types, before, start).of
        ever, of_year = store.sums(self.choice, None, before), store.sums(self.choice, start, before)
        held = {id: of_year.get(id, Sums(0, 0)) if types[id] in RESULT_TYPES else sums for id, sums in ever.items()}
        return {id: sums.debit - sums.credit for id, sums in held.items()}

    def _sums(self) -> dict[str, Sums]:
        if not self.choice.is_all:
            return store.sums(self.choice, self.span.first, self.span.last)
        return {id: Sums(*moved) for id, moved in movements.turnovers(self.span).items()}

    def page(self, start: Start | None, limit: int) -> Start | None:
        """Begin the tree with so many postings after a place; return the start of the next page, if there is one."""
        self.tree = self._blank()
        for account in self._from(start):
            ledger = _Ledger(self, account)
            place = start.place if start is not None and start.account_id == account.id else None
            last, shown = ledger.fill(place, limit)
            limit -= shown
            if last is not None:
                return Start(account.id, last)
        return None

    def count(self) -> int:
        """The number of its postings."""
        return store.count(self.choice, self.span, [account.id for account in self.accounts])

    def whole(self) -> Tree:
        """Fill the tree with all postings."""
        for account in self._from(None):
            _Ledger(self, account).fill(None, None)
        return self.tree

    def _from(self, start: Start | None) -> Iterator[AccountRow]:
        """The accounts with anything to show, from a place on."""
        is_reached = start is None
        for account in self.accounts:
            is_reached = is_reached or (start is not None and account.id == start.account_id)
            if is_reached and (account.id in self.sums or self.openings.get(account.id)):
                yield account


class _Ledger:
    """The ledger of one account, with its running balance."""

    def __init__(self, of: GeneralLedger, account: AccountRow) -> None:
        self.of, self.account, self.tree = of, account, of.tree
        self.is_yearly = account.type in RESULT_TYPES
        self.opening = of.openings.get(account.id, 0)
        self.balance = self.opening
        self.year_ends = years.next_start(of.span.first)

    def fill(self, place: Place | None, limit: int | None) -> tuple[Place | None, int]:
        """Add the rows after a place, or all with the heading.

        Returns:
            The last place if there may be more postings, and how many were added.
        """
        if place is None:
            self._begin()
        else:
            self._go_on(place)
        postings = store.postings(self.account.id, self.of.span, self.of.choice, place or Place(), limit)
        rows: list[Row] = []
        last = place
        while chunk := [*islice(postings, CHUNK)]:
            rows += self._rows(chunk)
            last = chunk[-1].place
        if limit is not None and len(rows) >= limit:
            return last or Place(), len(rows)
        self._end(rows if place is None else [])
        return None, len(rows)

    def _begin(self) -> None:
        account = self.account
        link = links.to(f"/accounts/{account.id}")
        self.tree.add(Row(kind="section", label=account.name, code=account.code, link=link))
        before = self._whole(date_to=self.of.span.before)
        cells: dict[str, Cell] = {"date": str(self.of.span.first), "balance": Figure(self.opening, before)}
        self.tree.line(Word("Opening balance"), cells, key="opening", code=account.code)

    def _whole(self, **days: date) -> str | None:
        """The address of the account's ledger, which has other figures than a choice of its postings."""
        return links.ledger(self.account.id, **days) if self.of.choice.is_all else None

    def _go_on(self, place: Place) -> None:
        """Continue with the balance after a place."""
        day, first = date.fromisoformat(place.date or str(self.of.span.first)), self.of.span.first
        start = workspace_settings.fiscal_year_start(day)
        is_later = self.is_yearly and start > first
        since = start if is_later else first
        moved = store.through(self.account.id, self.of.choice, since, place)
        self.balance = moved if is_later else self.opening + moved
        self.year_ends = years.next_start(day)

    def _end(self, rows: Sequence[Row]) -> None:
        self._begin_years(self.of.last_start)
        sums = self.of.sums.get(self.account.id, Sums(0, 0))
        first, last = self.of.span
        link = self._whole(date_from=first, date_to=last)
        cells: dict[str, Cell] = {
            "date": str(last),
            "debit": Figure(sums.debit, link),
            "credit": Figure(sums.credit, link),
            "balance": Figure(self.balance, link),
        }
        label, terms = Word("Closing balance"), [(1, row) for row in rows]
        code = self.account.code
        self.tree.add(Row(kind="sum", label=label, key="closing", code=code, cells=cells, terms=terms))

    def _rows(self, postings: Sequence[LedgerPosting]) -> Iterator[Row]:
        documents = source_documents.by_source([posting.source_id for posting in postings])
        contra = store.contra_accounts(self.account.id, postings)
        rates = store.tax_rates(self.account.id, postings)
        for posting in postings:
            self._begin_years(date.fromisoformat(posting.date))
            self.balance += posting.amount
            document = documents.get(posting.source_id)
            link = links.document(document.type, document.id) if document else None
            others = contra.get((posting.entry_id, posting.amount > 0)) or ()
            cells = self._cells(posting, link, document)
            if others:
                cells["contra"] = _contra(others)
            if posting.source_id in rates:
                cells["tax"] = ", ".join(rates[posting.source_id])
            entry = links.to(f"/journals/{posting.entry_id}")
            row = Row(kind="line", level=1, label=posting.text, code=self.account.code, link=entry, cells=cells)
            yield self.tree.add(row)

    def _cells(self, posting: LedgerPosting, link: str | None, document: SourceDocumentView | None) -> dict[str, Cell]:
        amount = posting.amount
        moved = Figure(abs(amount), link or links.to(f"/journals/{posting.entry_id}"))
        cells: dict[str, Cell] = {
            "date": posting.date,
            "number": posting.number,
            "document": document.number if document else None,
            "contact": posting.contact,
            "debit" if amount > 0 else "credit": moved,
            "balance": Figure(self.balance),
        }
        if posting.foreign_amount is not None:
            cells["foreign"] = Figure(posting.foreign_amount, moved.link, posting.currency)
        return cells

    def _begin_years(self, day: date) -> None:
        """Set income and expenses to zero if a fiscal year has begun by a day."""
        if not self.is_yearly or day < self.year_ends:
            return
        start, self.year_ends = self.year_ends, years.next_start(day)
        if self.balance:
            self.balance = 0
            year = workspace_settings.fiscal_year(start - timedelta(days=1))
            text = says("Result of fiscal year {year}, carried forward", year=year)
            cells: dict[str, Cell] = {"date": str(start), "balance": Figure(0)}
            self.tree.line(text, cells, key="year_start", code=self.account.code)


def _contra(others: Sequence[store.Contra]) -> str:
    """The one account on the other side, or all codes."""
    if len(others) == 1:
        return f"{others[0].code} {others[0].name}"
    codes: Sequence[Any] = [other.code for other in others]
    return says("diverse: {codes}", codes=Listed.of(codes))
