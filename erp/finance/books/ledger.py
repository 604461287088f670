"""The ledger: the only writer of journal entries and postings, and the reader of balances.

An amount is an integer in minor units of the base currency: debit above zero, credit below. Postings are never changed;
a correction is a reversing entry. Triggers in the file enforce this, against this program as well.
"""

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from erp.finance.books import open_items, periods
from erp.finance.books.dimensions import assigning
from erp.finance.books.dimensions.assigning import Assigned
from erp.finance.books.models import DocumentType, EntryKind, JournalEntry, OpenItem, SourceType
from erp.finance.books.open_items import NewItem
from erp.finance.books.periods import check_open
from erp.kernel import caller, clock, money
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Invalid, NotFound, Refusal
from erp.kernel.language import Digits, Sentence, Word, says, translated
from erp.store import events, sql, workspace_settings
from erp.store.records import new_id
from erp.store.router import WORKSPACE

WATCHED = 10**13
"""From this amount on, `BALANCE_LIMIT` is checked; with smaller postings it would take years to reach it."""

BALANCE_LIMIT = 4 * 10**18
"""The largest sum of debits or credits of an account; 64 bits hold 9.2 * 10**18."""


INHERITING = ("opening", "reversal")
"""Kinds of entries whose postings have the dimensions of before, or none."""

WITHOUT_ITEMS = ("allocation", "revaluation")
"""Sources whose entries change the book value of items, but not their open amounts."""


class UnbalancedEntry(Refusal):
    """Debits are {debits} and credits {credits}. The difference of {difference} must be zero."""

    status = 422


class AmountOutOfRange(Refusal):
    """An amount is larger than the books can hold."""

    status = 422


class AccountClosed(Refusal):
    """Account {code} is {reason}. Choose another account."""

    status = 422


class AlreadyReversed(Refusal):
    """The entry has already been reversed."""


class ReversalStays(Refusal):
    """A reversal cannot be reversed. Post the entry again."""


class DatedTooEarly(Refusal):
    """A reversal cannot be dated before {earliest}."""

    status = 422


POSTING = (periods.PeriodLocked, periods.DateInFuture, AccountClosed, AmountOutOfRange)
"""The refusals of every endpoint that posts."""


class ItemTerms(msgspec.Struct, frozen=True):
    """Terms of an open item beyond its posting; the due date and the document date default to the entry's date.

    `number` and `tax_rate_id` belong to a document of another program.
    """

    due_date: date | None = None
    document_date: date | None = None
    number: str | None = None
    tax_rate_id: str | None = None


class Leg(msgspec.Struct, frozen=True):
    """A posting before it is written: minor units of the base currency, and of the foreign currency if there is one.

    `dimensions` are as stored; `is_inherited`: taken from something posted, without defaults. `path` is the line that a
    request names it by.
    """

    account_id: str
    amount: int
    contact_id: str | None = None
    project_id: str | None = None
    description: str | None = None
    currency: str | None = None
    foreign_amount: int | None = None
    dimensions: str | None = None
    is_inherited: bool = False
    path: str | None = None
    terms: ItemTerms = ItemTerms()


class Entry(msgspec.Struct, frozen=True):
    """A posted journal entry, and the rows of its open items."""

    id: str
    number: str
    hash: str
    rows: Sequence[NewItem] = ()

    @property
    def items(self) -> list[OpenItem]:
        """Its open items by their lines."""
        return [row.as_item() for row in self.rows]


def post(
    day: date,
    description: str,
    legs: Sequence[Leg],
    *,
    kind: EntryKind,
    source: tuple[SourceType, str] | None = None,
    document_number: str | None = None,
    reference: str | None = None,
    reverses_id: str | None = None,
) -> Entry:
    """Post a journal entry, and open an item for each of its legs on a receivable or payable.

    The caller logs the entry with the event of its change (`events.write(…, entries=[entry])`).

    Args:
        legs: at least two other than zero; legs of zero are left out.
        source: type and id of the document that causes the entry: at most one unreversed entry of each kind.
        document_number: the number of that document; an entry by hand is its own.

    Raises:
        UnbalancedEntry: the legs do not sum to zero, or fewer than two are other than zero.
        PeriodLocked: the day is in the locked period.
        AccountClosed: an account is a group or archived.
        AmountOutOfRange: an amount or a balance is larger than the books can hold.
        Invalid: a leg lacks a dimension that its account requires.
    """
    legs = [leg for leg in legs if leg.amount]
    check_legs(legs)
    check_open(day, "date")
    if kind not in INHERITING:
        legs = analysed(legs)
    number, fiscal_year, seq = workspace_settings.next_number("journal", day)
    header = _header(number, day, description, kind=kind, source=source, reference=reference, reverses_id=reverses_id)
    postings = [_row(header, line, leg) for line, leg in enumerate(legs)]
    items = _items(header, legs, document_number or number)
    entry = Entry(id=header.id, number=number, hash=_hash(header, postings), rows=items)
    _insert(header, postings, fiscal_year=fiscal_year, seq=seq, total=_debits(legs), hash=entry.hash)
    if items:
        open_items.insert(items)
    if any(abs(leg.amount) >= WATCHED for leg in legs):
        _check_balances({leg.account_id for leg in legs})
    return entry


def reverse(entry_id: str, day: date, description: str, *, reference: str | None = None) -> Entry:
    """Post a reversing entry: the same postings with debit and credit exchanged.

    Raises:
        NotFound: there is no such entry.
        AlreadyReversed: it has been reversed.
        ReversalStays: it is a reversal itself.
        DatedTooEarly: the day is before the entry's.
        PeriodLocked: the day is in the locked period.
        StillSettled: one of its open items is settled.
    """
    original = JournalEntry.find_by(id=entry_id)
    if original is None:
        raise NotFound(says("There is no such journal entry."))
    if original.reverses_id is not None:
        raise ReversalStays
    if JournalEntry.select().where(JournalEntry.reverses == entry_id).exists():
        raise AlreadyReversed
    if day < original.date:
        raise DatedTooEarly(earliest=original.date, field="date")
    source: Any = (original.source_type, original.source_id) if original.source_type and original.source_id else None
    open_items.check_unsettled(entry_id)
    legs = [_reversed(row) for row in WORKSPACE.rows(_POSTINGS, (entry_id,))]
    items = open_items.of_entry(entry_id)
    reversal = post(
        day,
        description,
        legs,
        kind="reversal",
        source=source,
        document_number=items[0].number if items else None,
        reference=reference,
        reverses_id=entry_id,
    )
    open_items.close_reversed(items, reversal.items, day)
    return reversal


def entry_hash(entry_id: str) -> str | None:
    """The hash of an entry as the file is now; None when there is no such entry."""
    headers = WORKSPACE.rows(_ENTRY, (entry_id,))
    return _hash(_Header(*headers[0]), WORKSPACE.rows(_POSTINGS, (entry_id,))) if headers else None


def entry_hashes() -> Iterator[tuple[str, str, bool]]:
    """Every entry's id, its hash as the file is now, and whether that is the hash it was posted with."""
    postings = groupby(WORKSPACE.run(f"{_POSTING} ORDER BY entry_id, line"), key=itemgetter(0))
    id, rows = next(postings, _NO_POSTINGS)
    for *columns, posted_hash in WORKSPACE.run(_ENTRIES):
        header = _Header(*columns)
        while id < header.id:
            id, rows = next(postings, _NO_POSTINGS)
        hash = _hash(header, list(rows) if id == header.id else [])
        yield header.id, hash, hash == posted_hash


class _Header(NamedTuple):
    """The fields of an entry that its hash covers, in this order, without its postings."""

    id: str
    number: str
    date: str
    description: str
    reference: str | None
    kind: str
    source_type: str | None
    source_id: str | None
    reverses_id: str | None


_HEADER = "id, number, date, description, reference, kind, source_type, source_id, reverses_id"
_ENTRY = f"SELECT {_HEADER} FROM journal_entry WHERE id = ?"
_ENTRIES = f"SELECT {_HEADER}, hash FROM journal_entry ORDER BY id"
_POSTING = (
    "SELECT entry_id, line, account_id, date, amount, contact_id, project_id, description, currency, foreign_amount,"
    " dimensions FROM posting"
)
_POSTINGS = f"{_POSTING} WHERE entry_id = ? ORDER BY line"
_NO_POSTINGS: tuple[str, Iterator[Any]] = ("~", iter(()))
"""Sorts after every entry: their ids are hexadecimal."""
_INSERT_ENTRY = (
    "INSERT INTO journal_entry (id, number, date, description, reference, kind, source_type, source_id, reverses_id,"
    " fiscal_year, seq, total, last_line, created_at, created_by, hash)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_INSERT_POSTING = (
    "INSERT INTO posting (entry_id, line, account_id, date, amount, contact_id, project_id, description, currency,"
    " foreign_amount, dimensions) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)

Row = Sequence[Any]
"""The columns of a posting, as `_POSTING` names them."""


def _header(
    number: str,
    day: date,
    description: str,
    *,
    kind: str,
    source: tuple[str, str] | None,
    reference: str | None,
    reverses_id: str | None,
) -> _Header:
    source_type, source_id = source or (None, None)
    return _Header(
        id=new_id(),
        number=number,
        date=day.isoformat(),
        description=_worded(description),
        reference=reference,
        kind=kind,
        source_type=source_type,
        source_id=source_id,
        reverses_id=reverses_id,
    )


def _worded(description: str) -> str:
    """A text of the program in the language of the office's papers, if chosen; any other text unchanged."""
    language = workspace_settings.current().paper_language
    return translated(description, language) if language and isinstance(description, Sentence) else str(description)


def _row(header: _Header, line: int, leg: Leg) -> Row:
    return (
        header.id,
        line,
        leg.account_id,
        header.date,
        leg.amount,
        leg.contact_id,
        leg.project_id,
        leg.description,
        leg.currency,
        leg.foreign_amount,
        leg.dimensions,
    )


def _items(header: _Header, legs: Sequence[Leg], number: str) -> list[NewItem]:
    """The open items of an entry: one for each leg on a receivable or payable, unless its source has its own."""
    if header.source_type in WITHOUT_ITEMS:
        return []
    personal = _personal_accounts({leg.account_id for leg in legs})
    return [_item(header, line, leg, number) for line, leg in enumerate(legs) if leg.account_id in personal]


def _item(header: _Header, line: int, leg: Leg, number: str) -> NewItem:
    """The open item of a leg, in its foreign currency if it has one."""
    terms, is_foreign = leg.terms, bool(leg.foreign_amount)
    amount = leg.foreign_amount or leg.amount
    document: tuple[DocumentType, str] = ("journal_entry", header.id)
    if header.source_type in ("invoice", "payment") and header.source_id is not None:
        document = ("invoice" if header.source_type == "invoice" else "payment", header.source_id)
    return NewItem(
        id=open_items.item_id(header.id, line),
        entry_id=header.id,
        line=line,
        document_type=document[0],
        document_id=document[1],
        number=terms.number or number,
        account_id=leg.account_id,
        contact_id=leg.contact_id,
        date=header.date,
        document_date=header.date if terms.document_date is None else terms.document_date.isoformat(),
        due_date=header.date if terms.due_date is None else terms.due_date.isoformat(),
        tax_rate_id=terms.tax_rate_id,
        currency=str(leg.currency) if is_foreign else workspace_settings.current().base_currency,
        amount=amount,
        base_amount=leg.amount,
        open=amount,
        open_base=leg.amount,
    )


def _reversed(row: Row) -> Leg:
    _, _, account_id, _, amount, contact_id, project_id, description, currency, foreign_amount, dimensions = row
    return Leg(
        account_id=account_id,
        amount=-amount,
        contact_id=contact_id,
        project_id=project_id,
        description=description,
        currency=currency,
        foreign_amount=None if foreign_amount is None else -foreign_amount,
        dimensions=dimensions,
    )


def _hash(header: _Header, postings: Sequence[Row]) -> str:
    return events.digest(events.canonical([header, [list(row[1:]) for row in postings]]))


def _insert(header: _Header, postings: Sequence[Row], *, fiscal_year: int, seq: int, total: int, hash: str) -> None:
    created = (clock.stamp(), caller.current().user_id)
    WORKSPACE.run(_INSERT_ENTRY, (*header, fiscal_year, seq, total, len(postings) - 1, *created, hash))
    WORKSPACE.run_many(_INSERT_POSTING, postings)


def analysed(legs: Sequence[Leg], complaints: Complaints | None = None) -> Sequence[Leg]:
    """Legs with the default dimensions of their accounts, except for inherited ones.

    Args:
        complaints: of the caller, who refuses them.

    Raises:
        Invalid: a leg lacks a dimension that its account requires.
    """
    own = [leg for leg in legs if not leg.is_inherited]
    texts, lacking = assigning.assign([Assigned(leg.account_id, leg.dimensions, leg.path) for leg in own])
    if lacking and complaints is None:
        raise Invalid(lacking)
    if complaints is not None:
        complaints.items += lacking
    of_own = iter(texts)
    return [leg if leg.is_inherited else replace(leg, dimensions=next(of_own)) for leg in legs]


def completed(legs: Sequence[Leg], named: str | None = None, default: str | None = None) -> list[Leg]:
    """Legs with the dimensions that a request names for them, else their accounts' defaults, else another default."""
    of_accounts = assigning.of_accounts(leg.account_id for leg in legs)
    if not assigning.known():
        return [*legs]
    return [
        replace(leg, dimensions=assigning.merged(named, of_accounts.get(leg.account_id), default), path="")
        for leg in legs
    ]


def check_legs(legs: Sequence[Leg]) -> None:
    """Refuse legs that do not make an entry.

    Raises:
        UnbalancedEntry: they do not sum to zero, or are fewer than two.
        AmountOutOfRange: an amount is larger than the books can hold.
    """
    debits = _debits(legs)
    credits = debits - sum(leg.amount for leg in legs)
    if debits != credits:
        raise _unbalanced(debits, credits)
    if len(legs) < 2:
        raise UnbalancedEntry(says("An entry needs at least one debit and one credit other than zero."), field="lines")
    if debits > BALANCE_LIMIT or any(abs(leg.amount) > money.LIMIT for leg in legs):
        raise AmountOutOfRange(field="lines")


def _debits(legs: Sequence[Leg]) -> int:
    return sum(leg.amount for leg in legs if leg.amount > 0)


def _unbalanced(debits: int, credits: int) -> UnbalancedEntry:
    currency = workspace_settings.current().base_currency
    return UnbalancedEntry(
        debits=Digits(money.text(debits, currency)),
        credits=Digits(money.text(credits, currency)),
        difference=Digits(money.text(abs(debits - credits), currency)),
        field="lines",
    )


def _personal_accounts(ids: set[str]) -> set[str]:
    """The receivables and payables among some accounts, all of which must be open."""
    personal = set()
    for id, code, is_group, is_archived in WORKSPACE.rows(_NOTABLE, (sql.array(ids),)):
        if is_group or is_archived:
            raise AccountClosed(code=code, reason=closed_reason(is_group))
        personal.add(id)
    return personal


_NOTABLE = (
    "SELECT id, code, is_group, archived_at IS NOT NULL FROM account WHERE id IN (SELECT value FROM json_each(?))"
    " AND (is_group OR archived_at IS NOT NULL OR subtype IN ('receivable', 'payable'))"
)


def closed_reason(is_group: bool) -> Word:
    """The reason why an account cannot be posted to, for `AccountClosed`."""
    return Word("a group") if is_group else Word("archived")


def _check_balances(ids: set[str]) -> None:
    for account_id in ids:
        ((debit, credit),) = WORKSPACE.rows(
            "SELECT sum(debit), sum(credit) FROM balance WHERE account_id = ?", (account_id,)
        )
        if max(debit, credit) > BALANCE_LIMIT:
            raise AmountOutOfRange(
                says("The account's balance would be larger than the books can hold."), field="lines"
            )
