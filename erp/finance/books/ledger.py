"""The ledger: the only place where journal entries and postings are written, and where balances are read.

An amount is an integer in minor units of the base currency: debit above zero, credit below. What is posted is
never changed; a correction is a mirror entry. The file's own triggers keep that up against everybody, this
program included.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from erp.finance.books.models import JournalEntry
from erp.finance.books.periods import check_open
from erp.kernel import caller, clock, money
from erp.kernel.errors import NotFound, Refusal
from erp.store import events, workspace_settings
from erp.store.records import new_id
from erp.store.router import WORKSPACE

WATCHED = 10**13
"""From this amount on, a posting's accounts are looked at for `BALANCE_LIMIT`; smaller ones would need years."""

BALANCE_LIMIT = 4 * 10**18


class UnbalancedEntry(Refusal):
    """Debits of {debits} and credits of {credits} differ by {difference}."""

    status = 422


class AmountOutOfRange(Refusal):
    """An amount is larger than the books can hold."""

    status = 422


class AccountClosed(Refusal):
    """Nothing can be posted to account {code}: it is {reason}."""

    status = 422


class AlreadyReversed(Refusal):
    """The entry is reversed already."""


class ReversalStays(Refusal):
    """A reversal is not reversed; post the entry anew."""


class DatedTooEarly(Refusal):
    """A reversal cannot be dated before {earliest}."""

    status = 422


@dataclass(frozen=True, slots=True)
class Leg:
    """A posting to be: minor units of the base currency, debit above zero; with the foreign amount if there is one."""

    account_id: str
    amount: int
    contact_id: str | None = None
    project_id: str | None = None
    description: str | None = None
    currency: str | None = None
    foreign_amount: int | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A posted journal entry."""

    id: str
    number: str
    hash: str


def default_account(key: str) -> str:
    """The id of the account that the program posts to under a key such as `receivable`."""
    return default_accounts()[key]


def default_accounts() -> dict[str, str]:
    """Account ids by key."""
    return WORKSPACE.memo(
        "default_accounts", lambda: dict(WORKSPACE.rows("SELECT key, account_id FROM default_account"))
    )


def post(
    day: date,
    description: str,
    legs: Sequence[Leg],
    *,
    kind: str,
    source: tuple[str, str] | None = None,
    reference: str | None = None,
    reverses_id: str | None = None,
) -> Entry:
    """Post a journal entry.

    The change that causes it logs the entry with its event (`events.write(…, entries=[entry])`).

    Args:
        legs: at least two other than zero; those of zero are left out.
        source: type and id of the document that causes the entry; it may have one live entry of a kind.

    Raises:
        UnbalancedEntry: the legs do not sum to zero, or fewer than two are left.
        PeriodLocked: the day is in the locked period.
        AccountClosed: an account is a group or archived.
        AmountOutOfRange: an amount or a balance is beyond what the books hold.
    """
    legs = [leg for leg in legs if leg.amount]
    _check_legs(legs)
    check_open(day, "date")
    _check_accounts({leg.account_id for leg in legs})
    number, fiscal_year, seq = workspace_settings.next_number("journal", day)
    source_type, source_id = source or (None, None)
    kept = _Kept(new_id(), number, day.isoformat(), description, reference, kind, source_type, source_id, reverses_id)
    entry = Entry(kept.id, number, _hash(kept, [_row(kept, line, leg) for line, leg in enumerate(legs)]))
    _insert(kept, legs, fiscal_year, seq, entry.hash)
    if any(abs(leg.amount) >= WATCHED for leg in legs):
        _check_balances({leg.account_id for leg in legs})
    return entry


def reverse(entry_id: str, day: date, description: str, *, reference: str | None = None) -> Entry:
    """Post the mirror image of an entry.

    Raises:
        NotFound: there is no such entry.
        AlreadyReversed: it has a mirror already.
        ReversalStays: it is a mirror itself.
        DatedTooEarly: the day is before the entry's.
        PeriodLocked: the day is in the locked period.
    """
    original = JournalEntry.get_or_none(JournalEntry.id == entry_id)
    if original is None:
        raise NotFound("There is no such journal entry.")
    if original.reverses_id is not None:
        raise ReversalStays
    if JournalEntry.select().where(JournalEntry.reverses == entry_id).exists():
        raise AlreadyReversed
    if day < original.date:
        raise DatedTooEarly(earliest=original.date, field="date")
    source = (original.source_type, original.source_id) if original.source_type and original.source_id else None
    legs = [_mirror(row) for row in WORKSPACE.rows(_POSTINGS, (entry_id,))]
    return post(day, description, legs, kind="reversal", source=source, reference=reference, reverses_id=entry_id)


def entry_hash(entry_id: str) -> str | None:
    """Recompute the hash of an entry from what the file holds now; None when there is no such entry."""
    found = WORKSPACE.rows(_ENTRY, (entry_id,))
    return _hash(_Kept(*found[0]), WORKSPACE.rows(_POSTINGS, (entry_id,))) if found else None


def entry_hashes() -> Iterator[tuple[str, str, bool]]:
    """Recompute the hash of every entry; its id, that hash, and whether it is the one that the entry was given."""
    postings = groupby(WORKSPACE.run(f"{_POSTING} ORDER BY entry_id, line"), key=itemgetter(0))
    id, rows = next(postings, _NO_POSTINGS)
    for *kept, hash in WORKSPACE.run(_ENTRIES):
        while id < kept[0]:
            id, rows = next(postings, _NO_POSTINGS)
        found = _hash(_Kept(*kept), list(rows) if id == kept[0] else [])
        yield kept[0], found, found == hash


def balances(through: date, start: date | None = None) -> dict[str, int]:
    """The balance of each account at the end of a day, debit above zero.

    Whole months come from the kept balances, the days of the last month from its postings.

    Args:
        through: the last day that counts.
        start: the first day that counts; all of the past when absent.

    Returns:
        Minor units by account id; accounts without postings until then are left out.
    """
    found = dict(WORKSPACE.rows(_THROUGH_MONTH if _is_month_end(through) else _THROUGH_DAY, _bounds(through)))
    if start is not None:
        for account_id, amount in balances(start - timedelta(days=1)).items():
            found[account_id] = found.get(account_id, 0) - amount
    return found


def balance(account_id: str, through: date | None = None) -> int:
    """The balance of one account at the end of a day, debit above zero; with all that is dated later when absent."""
    if through is None:
        ((amount,),) = WORKSPACE.rows(f"{_OF_ACCOUNT} month <= '9999'", (account_id,))
        return int(amount)
    month = through.isoformat()[:7]
    ((amount,),) = WORKSPACE.rows(f"{_OF_ACCOUNT} month < ?", (account_id, month))
    ((rest,),) = WORKSPACE.rows(_OF_ACCOUNT_IN_DAYS, (account_id, f"{month}-01", through.isoformat()))
    return int(amount + rest)


class _Kept(NamedTuple):
    """What an entry's hash covers, besides its postings."""

    id: str
    number: str
    date: str
    description: str
    reference: str | None
    kind: str
    source_type: str | None
    source_id: str | None
    reverses_id: str | None


_KEPT = "id, number, date, description, reference, kind, source_type, source_id, reverses_id"
_ENTRY = f"SELECT {_KEPT} FROM journal_entry WHERE id = ?"
_ENTRIES = f"SELECT {_KEPT}, hash FROM journal_entry ORDER BY id"
_POSTING = (
    "SELECT entry_id, line, account_id, date, amount, contact_id, project_id, description, currency, foreign_amount"
    " FROM posting"
)
_POSTINGS = f"{_POSTING} WHERE entry_id = ? ORDER BY line"
_NO_POSTINGS: tuple[str, Iterator[Any]] = ("~", iter(()))
"""What comes after the last entry, whose ids are hexadecimal."""
_INSERT_ENTRY = (
    "INSERT INTO journal_entry (id, number, date, description, reference, kind, source_type, source_id, reverses_id,"
    " fiscal_year, seq, total, created_at, created_by, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_INSERT_POSTING = (
    "INSERT INTO posting (entry_id, line, account_id, date, amount, contact_id, project_id, description, currency,"
    " foreign_amount) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_THROUGH_MONTH = "SELECT account_id, SUM(debit - credit) FROM balance WHERE month <= ? GROUP BY account_id"
# CROSS JOIN keeps SQLite on the index by account and day, instead of all postings of the past.
_THROUGH_DAY = (
    "SELECT account_id, SUM(amount) FROM ("
    " SELECT account_id, debit - credit AS amount FROM balance WHERE month < ?"
    " UNION ALL SELECT p.account_id, p.amount FROM account AS a CROSS JOIN posting AS p"
    " ON p.account_id = a.id AND p.date BETWEEN ? AND ?"
    ") GROUP BY account_id"
)
_OF_ACCOUNT = "SELECT COALESCE(SUM(debit - credit), 0) FROM balance WHERE account_id = ? AND"
_OF_ACCOUNT_IN_DAYS = "SELECT COALESCE(SUM(amount), 0) FROM posting WHERE account_id = ? AND date BETWEEN ? AND ?"

Row = Sequence[Any]


def _row(kept: _Kept, line: int, leg: Leg) -> Row:
    return (
        kept.id,
        line,
        leg.account_id,
        kept.date,
        leg.amount,
        leg.contact_id,
        leg.project_id,
        leg.description,
        leg.currency,
        leg.foreign_amount,
    )


def _mirror(row: Row) -> Leg:
    _, _, account_id, _, amount, contact_id, project_id, description, currency, foreign_amount = row
    mirrored = None if foreign_amount is None else -foreign_amount
    return Leg(account_id, -amount, contact_id, project_id, description, currency, mirrored)


def _hash(kept: _Kept, postings: Sequence[Row]) -> str:
    return events.digest(events.canonical([kept, [list(row[1:]) for row in postings]]))


def _insert(kept: _Kept, legs: Sequence[Leg], fiscal_year: int, seq: int, hash: str) -> None:
    total = sum(leg.amount for leg in legs if leg.amount > 0)
    made = (fiscal_year, seq, total, clock.stamp(), caller.current().user_id, hash)
    WORKSPACE.run(_INSERT_ENTRY, (*kept, *made))
    WORKSPACE.run_many(_INSERT_POSTING, [_row(kept, line, leg) for line, leg in enumerate(legs)])
    WORKSPACE.run("INSERT INTO entry_seal (entry_id) VALUES (?)", (kept.id,))


def _check_legs(legs: Sequence[Leg]) -> None:
    debits = sum(leg.amount for leg in legs if leg.amount > 0)
    credits = -sum(leg.amount for leg in legs if leg.amount < 0)
    if debits != credits:
        raise _unbalanced(debits, credits)
    if len(legs) < 2:
        raise UnbalancedEntry("An entry needs a debit and a credit other than zero.", field="lines")
    if debits > BALANCE_LIMIT or any(abs(leg.amount) > money.LIMIT for leg in legs):
        raise AmountOutOfRange(field="lines")


def _unbalanced(debits: int, credits: int) -> UnbalancedEntry:
    currency = workspace_settings.current().base_currency
    return UnbalancedEntry(
        debits=money.text(debits, currency),
        credits=money.text(credits, currency),
        difference=money.text(abs(debits - credits), currency),
        field="lines",
    )


def _check_accounts(ids: set[str]) -> None:
    marks = ", ".join("?" * len(ids))
    closed = WORKSPACE.rows(
        f"SELECT code, is_group FROM account WHERE id IN ({marks}) AND (is_group OR archived_at IS NOT NULL)",
        tuple(ids),
    )
    for code, is_group in closed:
        raise AccountClosed(code=code, reason="a group" if is_group else "archived", field="accountId")


def _check_balances(ids: set[str]) -> None:
    for account_id in ids:
        ((debit, credit),) = WORKSPACE.rows(
            "SELECT SUM(debit), SUM(credit) FROM balance WHERE account_id = ?", (account_id,)
        )
        if max(debit, credit) > BALANCE_LIMIT:
            raise AmountOutOfRange("The account's balance would be larger than the books can hold.", field="lines")


def _is_month_end(day: date) -> bool:
    return (day + timedelta(days=1)).day == 1


def _bounds(through: date) -> tuple[str, ...]:
    month = through.isoformat()[:7]
    return (month,) if _is_month_end(through) else (month, f"{month}-01", through.isoformat())
