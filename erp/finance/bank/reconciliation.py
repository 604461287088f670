"""The reconciliation of an account: the bank's balance, the books' balance, and the explained difference."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import pairwise

import msgspec

from erp.finance.bank import store
from erp.finance.bank.bank_accounts import of_path
from erp.finance.bank.models import BankFeed, BankLine, BankStatement
from erp.finance.bank.store import BookEntry
from erp.finance.books.accounts import AccountRef
from erp.store import workspace_settings


class Gap(msgspec.Struct, frozen=True):
    """Days between two statements on which the balance has changed."""

    after: date
    before: date
    closing: int
    opening: int


class State(msgspec.Struct, kw_only=True):
    """An account at the end of a day, in minor units of its currency; without a statement, the bank has no balance."""

    account: AccountRef
    day: date
    feed: BankFeed | None
    book: int
    bank: int | None
    lines: Sequence[BankLine]
    entries: Sequence[BookEntry]
    gaps: Sequence[Gap]
    through: date | None
    statement_count: int

    @property
    def difference(self) -> int | None:
        """The bank's balance less the books' balance."""
        return None if self.bank is None else self.bank - self.book

    @property
    def unexplained(self) -> int | None:
        """The difference that neither unmatched lines nor unmatched entries explain."""
        if self.difference is None:
            return None
        return (
            self.difference - sum(line.amount for line in self.lines) + sum(entry.remaining for entry in self.entries)
        )


def of(id: str, as_of: date | None) -> State:
    """The state of an account on a day.

    Args:
        as_of: the day; without it, the last of the last statement, or today.
    """
    account = of_path(id)
    statements = BankStatement.fetch(_STATEMENTS, account.id)
    last = max((statement.date_to for statement in statements), default=None)
    day = as_of or last or workspace_settings.today()
    lines = BankLine.fetch(_OPEN_LINES, account.id, day.isoformat())
    first = statements[0].date_from if statements else None
    entries = store.entries(account, first or store.ALWAYS[0], day)
    gaps = [*_gaps(statements)]
    return State(
        account=account,
        day=day,
        feed=BankFeed.find_by(account_id=account.id),
        book=store.book_balance(account, day),
        bank=_bank_balance(statements, account, day),
        lines=lines,
        entries=entries,
        gaps=gaps,
        through=_through(statements, lines, entries, gaps, day),
        statement_count=len(statements),
    )


_STATEMENTS = "SELECT * FROM bank_statement WHERE account_id = ? ORDER BY date_from, date_to, id"
_OPEN_LINES = (
    f"SELECT * FROM bank_line WHERE account_id = ? AND date <= ? AND id IN ({store.UNMATCHED})"
    " ORDER BY date, position, id"
)
_LINES = "SELECT * FROM bank_line WHERE account_id = ? AND date > ? AND date <= ?"


def _bank_balance(statements: Sequence[BankStatement], account: AccountRef, day: date) -> int | None:
    """The closing balance of the last statement by then, and the lines after it."""
    if not statements or statements[0].date_from > day:
        return None
    whole = [statement for statement in statements if statement.date_to <= day]
    if not whole:
        after, balance = statements[0].date_from - timedelta(days=1), statements[0].opening
    else:
        latest = max(whole, key=lambda statement: (statement.date_to, statement.id))
        after, balance = latest.date_to, latest.closing
    return int(balance) + sum(
        line.amount for line in BankLine.fetch(_LINES, account.id, after.isoformat(), day.isoformat())
    )


def balance_before(account: AccountRef, day: date) -> int | None:
    """The bank's balance at the start of a day; None before its first statement."""
    statements = BankStatement.fetch(_STATEMENTS, account.id)
    if statements and statements[0].date_from == day:
        return int(statements[0].opening)
    return _bank_balance(statements, account, day - timedelta(days=1))


def _gaps(statements: Sequence[BankStatement]) -> Iterator[Gap]:
    """Gaps: a statement does not begin with the closing balance of the one before it; overlapping ones have none."""
    for previous, following in pairwise(statements):
        if following.date_from > previous.date_to and following.opening != previous.closing:
            yield Gap(previous.date_to, following.date_from, previous.closing, following.opening)


def _through(
    statements: Sequence[BankStatement],
    lines: Sequence[BankLine],
    entries: Sequence[BookEntry],
    gaps: Sequence[Gap],
    day: date,
) -> date | None:
    """The last day through which each line has its entry, and each entry its line."""
    if not statements:
        return None
    last = min(max(statement.date_to for statement in statements), day)
    broken = [line.date for line in lines] + [date.fromisoformat(entry.day) for entry in entries]
    last = min([last, *(day_after - timedelta(days=1) for day_after in broken), *(gap.after for gap in gaps)])
    first: date = statements[0].date_from
    return last if last >= first else None
