"""Journal entries: those that people post by hand, and all others to look at."""

from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta
from peewee import ModelSelect

from erp.finance.books import ledger, periods
from erp.finance.books.models import JournalEntry, Posting
from erp.finance.journals import journal_lines
from erp.finance.journals.journal_lines import NewJournalLine
from erp.kernel import caller, money
from erp.kernel.errors import InvalidTransition, NotFound, UnknownReference, VersionMismatch
from erp.store import events, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.paging import page
from erp.web.scalars import Day, Id, Instant, Line, Money, Name
from erp.web.schema import Body, ListQuery, Page, RecordView, View

BY_HAND = ("manual", "opening")
"""The kinds of entries that are reversed as such; all others follow their document."""


class NewJournalEntry(Body, kw_only=True):
    date: Day
    description: Name
    reference: Line | None = None
    lines: Annotated[list[NewJournalLine], Meta(min_length=2, max_length=1000)]

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "date": "2026-01-02",
        "description": "The owner pays in the first capital",
        "lines": [{"accountId": "1010", "debit": "5000"}, {"accountId": "3000", "credit": "5000"}],
    }


class Reversal(Body):
    date: Day | None = None
    reason: Line | None = None

    EXAMPLE: ClassVar[dict[str, Any]] = {"reason": "Posted twice"}


class JournalFilter(ListQuery):
    kind: Id | None = None
    account_id: Id | None = None
    contact_id: Id | None = None
    source_type: Id | None = None
    source_id: Id | None = None
    date_from: Day | None = None
    date_to: Day | None = None
    q: Annotated[Line, Meta(description="Text in the number, the description or the reference.")] | None = None
    sort: Literal["date", "-date", "number", "-number", "createdAt", "-createdAt"] = "-createdAt"


class SourceView(View):
    """The document that caused an entry."""

    type: str
    id: str


class JournalRow(RecordView):
    """A journal entry without its lines."""

    number: str
    date: Day
    description: str
    reference: str | None
    kind: str
    source: SourceView | None
    status: Literal["posted", "reversed"]
    reverses_id: str | None
    reversed_by_id: str | None
    total: Money
    created_by: str | None

    @classmethod
    def of(cls, entry: JournalEntry) -> "JournalRow":
        """Show an entry of `_entries`."""
        return cls(**_facts(entry))


class JournalEntryView(JournalRow):
    """A journal entry with its lines."""

    lines: list[journal_lines.JournalLineView]


class NotReversible(InvalidTransition):
    """The entry belongs to {document}; {undo} that, and the entry is reversed with it."""


def find(id: str) -> JournalEntryView:
    """The entry of that id, with its lines.

    Raises:
        NotFound: there is none in this workspace.
    """
    entry = next(iter(JournalEntry.raw(_ENTRY, id)), None)
    if entry is None:
        raise NotFound("There is no such journal entry.")
    return JournalEntryView(**_facts(entry), lines=journal_lines.of_entry(id))


_ENTRY = (
    "SELECT entry.*, mirror.id AS reversed_by_id, mirror.created_at AS reversed_at"
    " FROM journal_entry AS entry LEFT JOIN journal_entry AS mirror ON mirror.reverses_id = entry.id WHERE entry.id = ?"
)


def post(new: NewJournalEntry) -> JournalEntryView:
    """Post an entry by hand.

    Raises:
        Invalid: with a complaint for every line that is wrong.
        UnbalancedEntry: debits and credits differ.
        PeriodLocked: the date is in the locked period.
    """
    legs = journal_lines.legs(new.lines)
    entry = ledger.post(new.date, new.description, legs, kind="manual", reference=new.reference)
    shown = find(entry.id)
    facts = {"number": shown.number, "date": str(shown.date), "total": shown.total}
    events.write("journal_entry.posted", "journal_entry", entry.id, facts, entries=[entry])
    return shown


def reverse(id: str, asked: Reversal) -> JournalEntryView:
    """Post the mirror image of an entry that was posted by hand; answer the mirror.

    Raises:
        NotReversible: a document caused the entry.
        AlreadyReversed: it has a mirror already.
    """
    original = find(id)
    _check_version(original.version)
    if original.kind == "reversal":
        raise ledger.ReversalStays
    if original.kind not in BY_HAND:
        raise NotReversible(document=_document(original), undo=_undoing(original))
    day = asked.date or max(workspace_settings.today(), original.date)
    entry = ledger.reverse(id, day, asked.reason or f"Reversal of {original.number}", reference=original.reference)
    facts = {"number": original.number, "reversedBy": entry.number, "date": str(day), "reason": asked.reason}
    events.write("journal_entry.reversed", "journal_entry", id, facts, entries=[entry])
    return find(entry.id)


def select(wanted: JournalFilter) -> "ModelSelect[JournalEntry]":
    """The entries that a filter names."""
    entries = _entries()
    for column in ("kind", "source_type", "source_id"):
        value = getattr(wanted, column)
        if value is not None:
            entries = entries.where(getattr(JournalEntry, column) == value)
    for posting_column in ("account_id", "contact_id"):
        value = getattr(wanted, posting_column)
        if value is not None:
            touching = Posting.select(Posting.entry).where(getattr(Posting, posting_column) == value)
            entries = entries.where(JournalEntry.id.in_(touching))
    if wanted.date_from is not None:
        entries = entries.where(JournalEntry.date >= wanted.date_from)
    if wanted.date_to is not None:
        entries = entries.where(JournalEntry.date <= wanted.date_to)
    return entries.where(_says(wanted.q)) if wanted.q else entries


def _says(q: str) -> Any:
    texts = (JournalEntry.number, JournalEntry.description, JournalEntry.reference)
    return texts[0].contains(q) | texts[1].contains(q) | texts[2].contains(q)


def _entries() -> "ModelSelect[JournalEntry]":
    mirror = JournalEntry.alias()
    reversed_by = mirror.select(mirror.id).where(mirror.reverses == JournalEntry.id)
    reversed_at = mirror.select(mirror.created_at).where(mirror.reverses == JournalEntry.id)
    return JournalEntry.select(JournalEntry, reversed_by.alias("reversed_by_id"), reversed_at.alias("reversed_at"))


def _facts(entry: Any) -> dict[str, Any]:
    """What is shown of an entry; being reversed is the one thing that can happen to it, and counts as a version."""
    names = ("id", "number", "date", "description", "reference", "kind", "reverses_id", "reversed_by_id")
    created_at: Instant = entry.created_at
    return {name: getattr(entry, name) for name in (*names, "created_at", "created_by")} | {
        "version": 2 if entry.reversed_by_id else 1,
        "updated_at": entry.reversed_at or created_at,
        "source": SourceView(type=entry.source_type, id=entry.source_id) if entry.source_id else None,
        "status": "reversed" if entry.reversed_by_id else "posted",
        "total": money.text(entry.total, workspace_settings.current().base_currency),
    }


def _check_version(version: int) -> None:
    who = caller.current()
    who.match_checked = True
    if who.if_match is not None and who.if_match != version:
        raise VersionMismatch(version=version)


def _document(entry: JournalEntryView) -> str:
    if entry.source is None:
        return f"a document of kind {entry.kind}"
    kind, id = entry.source.type, entry.source.id
    if _is_of_allocation(entry):
        return "the allocation of {} to {}".format(*WORKSPACE.rows(_ALLOCATED, (id,))[0])
    (number,) = WORKSPACE.rows(f"SELECT number FROM {kind} WHERE id = ?", (id,))[0] if kind in _NUMBERED else (id,)
    return f"{kind.replace('_', ' ')} {number}"


def _undoing(entry: JournalEntryView) -> str:
    return _UNDOING.get(entry.source.type if entry.source else "", "void")


def _is_of_allocation(entry: JournalEntryView) -> bool:
    return entry.source is not None and entry.source.type == "allocation"


_ALLOCATED = (
    "SELECT coalesce(payment.number, credit_note.number), invoice.number FROM allocation"
    " JOIN invoice ON invoice.id = allocation.invoice_id LEFT JOIN payment ON payment.id = allocation.payment_id"
    " LEFT JOIN invoice AS credit_note ON credit_note.id = allocation.credit_note_id WHERE allocation.id = ?"
)
_NUMBERED = ("invoice", "payment", "payroll_run")
_UNDOING = {"allocation": "release", "payroll_run": "reverse"}

# The place in the series, for as text a number of six digits comes before one of five.
_PLACE = JournalEntry.fiscal_year * 10**9 + JournalEntry.seq


class Collection:
    @endpoint(permission="finance.read")
    def on_get(self, query: JournalFilter) -> Page[JournalRow]:
        """List journal entries without their lines.

        Of whatever kind: posted by hand, or by an invoice, a payment or a payroll run, which `source` names.
        """
        sortable = {"date": JournalEntry.date, "number": _PLACE}
        return page(select(query), query, JournalRow.of, sort=query.sort, sortable=sortable)

    @endpoint(
        permission="finance.write",
        status=201,
        refuses=(UnknownReference, ledger.UnbalancedEntry, periods.PeriodLocked, ledger.AmountOutOfRange),
    )
    def on_post(self, body: NewJournalEntry) -> JournalEntryView:
        """Post a journal entry.

        Accounts are named by id or by code. An entry is posted at once and never changed; to correct it, reverse it.
        A line to a receivable or payable account names its contact. What was agreed in another currency is given as
        `currency` and `foreignAmount` beside the amount in the base currency; it takes the side of the line.
        """
        return post(body)


class Item:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> JournalEntryView:
        """Show a journal entry with its lines."""
        return find(id)


class ReverseAction:
    @endpoint(
        permission="finance.write",
        refuses=(
            NotReversible,
            ledger.AlreadyReversed,
            ledger.ReversalStays,
            ledger.DatedTooEarly,
            periods.PeriodLocked,
            ledger.AccountClosed,
            ledger.AmountOutOfRange,
        ),
    )
    def on_post(self, id: str, body: Reversal) -> JournalEntryView:
        """Reverse a journal entry that was posted by hand.

        Posts its mirror image and answers that. It is dated today (or as the entry, if that is dated later) unless
        `date` says otherwise; never before the entry, never in a locked period. The entry of an invoice, a payment
        or a payroll run is reversed by voiding that document.
        """
        return reverse(id, body)
