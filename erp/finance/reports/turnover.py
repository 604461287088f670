"""The tree of the trial balance: opening balance, turnover and closing balance of each account."""

from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from erp.finance.books import years
from erp.finance.books.years import RESULT_TYPES, Balances
from erp.finance.reports import movements
from erp.finance.reports.movements import Turnover
from erp.finance.reports.period import Span, plain
from erp.finance.reports.table import accounts as chart
from erp.finance.reports.table import links
from erp.finance.reports.table.accounts import AccountRow
from erp.finance.reports.table.tree import Cell, Column, Figure, Row, Tree, comparison
from erp.kernel.language import Word
from erp.store import workspace_settings

_NONE = Turnover(0, 0)


def of(first: date | None, last: date, compared: date | None) -> Tree:
    """The tree of some days; without a first, of the fiscal year until the last.

    Args:
        compared: another day, whose balances are shown as well.
    """
    last = plain(last)
    span = Span(plain(first or workspace_settings.fiscal_year_start(last)), last)
    return _Turnovers(span, plain(compared) if compared else None).tree()


class _Position(NamedTuple):
    """The balances at the end of a day, with income and expense since a fiscal year began."""

    start: date
    balances: Balances


class _Turnovers:
    """A trial balance of some days while it is made."""

    def __init__(self, span: Span, compared: date | None) -> None:
        self.span, self.compared = span, compared
        self.accounts = chart.accounts()
        self.opening = self._position(span.before, workspace_settings.fiscal_year_start(span.first))
        self.closing = self._position(span.last)
        self.then = self._position(compared) if compared else None
        self.moved = movements.turnovers(span)
        self.year = movements.turnovers(Span(self.closing.start, span.last))
        self.is_carried = self.opening.start != self.closing.start

    def _position(self, day: date, start: date | None = None) -> _Position:
        start = start or workspace_settings.fiscal_year_start(day)
        types = {account.id: account.type for account in self.accounts}
        return _Position(start, years.balances(types, day, start))

    def tree(self) -> Tree:
        tree = Tree(
            "trial_balance",
            Word("Trial balance"),
            [*self._columns()],
            heading=Word("Account"),
            since=self.span.first,
            until=self.span.last,
        )
        rows = [tree.add(row) for row in self._rows()]
        tree.sum(Word("Total"), rows, key="total")
        return tree

    def _columns(self) -> Iterator[Column]:
        first, last = self.span
        moved = ("opening", "debit", *(("carried",) if self.is_carried else ()))
        yield Column(key="opening", label=Word("Opening balance"), date_to=self.span.before)
        yield Column(key="debit", label=Word("Debit", "side"), date_from=first, date_to=last)
        yield Column(key="credit", label=Word("Credit", "side"), date_from=first, date_to=last)
        if self.is_carried:
            yield Column(key="carried", label=Word("Carried forward", "result"))
        yield Column(key="closing", label=Word("Closing balance"), date_to=last, adds=moved, subtracts=("credit",))
        year = {"debit": Word("Debit of the year"), "credit": Word("Credit of the year")}
        for side, label in year.items():
            yield Column(key=f"year_{side}", label=label, date_from=self.closing.start, date_to=last)
        if self.compared is not None:
            yield Column(key="previous", label=str(self.compared), date_to=self.compared)
            yield from comparison("closing")

    def _rows(self) -> Iterator[Row]:
        for account in self.accounts:
            cells = self._cells(account)
            if any(isinstance(cell, Figure) and cell.minor for cell in cells.values()):
                link = links.to(f"/accounts/{account.id}")
                yield Row(kind="line", label=account.name, code=account.code, link=link, cells=cells)
        earlier = self._earlier()
        if any(isinstance(cell, Figure) and cell.minor for cell in earlier.values()):
            yield Row(kind="line", key="earlier_years", label=Word("Result of earlier years"), cells=earlier)

    def _cells(self, account: AccountRow) -> dict[str, Cell]:
        moved, year = self.moved.get(account.id, _NONE), self.year.get(account.id, _NONE)
        opening, closing = (position.balances.of.get(account.id, 0) for position in (self.opening, self.closing))
        span, start = self.span, self.closing.start
        days = links.ledger(account.id, date_from=span.first, date_to=span.last)
        of_year = links.ledger(account.id, date_from=start, date_to=span.last)
        cells: dict[str, Cell] = {
            "opening": Figure(opening, links.ledger(account.id, date_to=span.before)),
            "debit": Figure(moved.debit, days),
            "credit": Figure(moved.credit, days),
            "year_debit": Figure(year.debit, of_year),
            "year_credit": Figure(year.credit, of_year),
        }
        if self.is_carried:
            cells["carried"] = Figure(closing - opening - moved.debit + moved.credit)
        if self.then is not None:
            since = self.then.start if account.type in RESULT_TYPES else None
            link = links.ledger(account.id, date_from=since, date_to=self.compared)
            cells["previous"] = Figure(self.then.balances.of.get(account.id, 0), link)
        return cells

    def _earlier(self) -> dict[str, Cell]:
        before, after = self.opening.balances.earlier, self.closing.balances.earlier
        cells: dict[str, Cell] = {"opening": Figure(before)}
        if self.is_carried:
            cells["carried"] = Figure(after - before)
        if self.then is not None:
            cells["previous"] = Figure(self.then.balances.earlier)
        return cells
