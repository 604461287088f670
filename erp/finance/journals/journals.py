"""Journal entries: finding, and posting and reversing by hand."""

from collections.abc import Sequence
from datetime import date
from typing import Any, NoReturn

import msgspec

from erp.finance.books import ledger, open_items, periods
from erp.finance.books.ledger import Leg
from erp.finance.books.models import JournalEntry
from erp.finance.books.voids import Correction
from erp.finance.items import settlement
from erp.finance.journals import lines
from erp.finance.journals.bodies import NewJournalEntry
from erp.kernel import caller, money
from erp.kernel.complaints import Complaints
from erp.kernel.errors import InvalidTransition, NotFound, VersionMismatch
from erp.kernel.language import Sentence, says
from erp.store import events, workspace_settings
from erp.store.router import WORKSPACE

REVERSIBLE = ("manual", "opening")
"""The kinds of entries that are reversed directly; all others are reversed with their document."""


class NotReversible(InvalidTransition):
    """This entry belongs to another document. Void that document instead."""


_ENTRY = (
    "SELECT entry.*, reversal.id AS reversed_by_id, reversal.number AS reversed_by_number,"
    " reversal.created_at AS reversed_at,"
    " (SELECT number FROM journal_entry AS original WHERE original.id = entry.reverses_id) AS reverses_number"
    " FROM journal_entry AS entry LEFT JOIN journal_entry AS reversal ON reversal.reverses_id = entry.id"
    " WHERE entry.id = ?"
)


def find(id: str) -> JournalEntry:
    """The entry of that id, with `reversed_by_id`, `reversed_at` and the numbers of both.

    Raises:
        NotFound: there is none in this workspace.
    """
    entry: JournalEntry | None = next(iter(JournalEntry.fetch(_ENTRY, id)), None)
    if entry is None:
        raise NotFound(says("There is no such journal entry."))
    return entry


def version(entry: Any) -> int:
    """The version of an entry: a reversal is its only possible change, so it counts as one."""
    return 2 if entry.reversed_by_id else 1


class JournalCommand(msgspec.Struct, frozen=True, kw_only=True):
    """An entry to post by hand."""

    date: date
    description: str
    legs: Sequence[Leg]
    reference: str | None = None


def read(new: NewJournalEntry) -> JournalCommand:
    """The entry that a request asks to post.

    Raises:
        Invalid: with a complaint for every line that is wrong.
    """
    complaints = Complaints()
    with complaints.gathered():
        periods.check_not_ahead(new.date, "date", allow_future=new.allow_future)
    legs = lines.legs(new.lines, new.date, complaints)
    return JournalCommand(date=new.date, description=new.description, legs=legs, reference=new.reference)


def post(new: JournalCommand) -> JournalEntry:
    """Post an entry by hand.

    Raises:
        UnbalancedEntry: debits and credits differ.
        PeriodLocked: the date is in the locked period.
    """
    posted = ledger.post(new.date, new.description, new.legs, kind="manual", reference=new.reference)
    entry = find(posted.id)
    events.write("journal_entry.posted", "journal_entry", entry.id, _event_data(entry), entries=[posted])
    return entry


def reverse(id: str, correction: Correction) -> JournalEntry:
    """Reverse a manual entry; return the reversing entry.

    Raises:
        NotReversible: a document caused the entry.
        AlreadyReversed: it has been reversed.
        StillSettled: one of its open items is settled.
        DatedTooEarly: the day is before the entry's, or before something that settled it was released.
    """
    entry = find(id)
    _check_version(entry)
    if not is_reversible(entry):
        _refuse(entry)
    day = _day_of_reversal(entry, correction)
    named = {"number": entry.number, "date": entry.date, "description": entry.description}
    description = says("Reversal of {number} of {date}, {description}", **named)
    if correction.reason:
        description = says("{description}. {reason}", description=description, reason=correction.reason)
    posted = ledger.reverse(id, day, description, reference=entry.reference)
    data = {"number": entry.number, "reversedBy": posted.number, "date": str(day), "reason": correction.reason}
    events.write("journal_entry.reversed", "journal_entry", id, data, entries=[posted])
    return find(posted.id)


def _day_of_reversal(entry: Any, correction: Correction) -> date:
    """The day to reverse an entry on: not before its settlements were released."""
    open_items.check_unsettled(entry.id)
    first: date = settlement.last_day(entry.id, entry.date)
    if correction.day is not None and correction.day < first:
        raise ledger.DatedTooEarly(earliest=first, field="date")
    return correction.day or max(workspace_settings.today(), first)


def is_reversible(entry: Any) -> bool:
    """Whether an entry can be reversed directly, and has not been."""
    return entry.kind in REVERSIBLE and entry.reversed_by_id is None


def _refuse(entry: JournalEntry) -> NoReturn:
    """Raise the reason why an entry cannot be reversed."""
    if entry.kind == "reversal":
        raise ledger.ReversalStays
    if entry.kind not in REVERSIBLE:
        raise NotReversible(_belonging(entry))
    raise ledger.AlreadyReversed


def _event_data(entry: JournalEntry) -> dict[str, Any]:
    currency = workspace_settings.current().base_currency
    return {"number": entry.number, "date": str(entry.date), "total": money.text(entry.total, currency)}


def _check_version(entry: JournalEntry) -> None:
    present = caller.current()
    present.match_checked = True
    if present.if_match is not None and present.if_match != version(entry):
        raise VersionMismatch(version=version(entry))


_ALLOCATION = (
    "SELECT source.number, target.number FROM allocation JOIN open_item AS source ON source.id = from_item_id"
    " JOIN open_item AS target ON target.id = to_item_id WHERE allocation.id = ?"
)
_DEDUCTION = (
    "SELECT CASE deduction.kind WHEN 'cash_discount' THEN 'cash discount' ELSE 'write-off' END,"
    " coalesce(invoice.number, taken.number) FROM deduction LEFT JOIN invoice ON invoice.id = invoice_id"
    " LEFT JOIN open_item AS taken ON taken.id = of_item_id WHERE deduction.id = ?"
)
_NUMBERED = {name: name for name in ("invoice", "payment", "transfer", "revaluation", "payroll_run")} | {
    "offset": "contact_offset",
    "depreciation_run": "depreciation_run",
    "asset": "asset",
}
"""The tables of the documents with a number."""
_BELONGING = {
    "invoice": says("This entry belongs to invoice {number}. Void the invoice instead."),
    "payment": says("This entry belongs to payment {number}. Void the payment instead."),
    "transfer": says("This entry belongs to transfer {number}. Void the transfer instead."),
    "revaluation": says("This entry belongs to revaluation {number}. Void the revaluation instead."),
    "offset": says("This entry belongs to offset {number}. Void the offset instead."),
    "depreciation_run": says("This entry belongs to depreciation run {number}. Void the depreciation run instead."),
    "asset": says("This entry belongs to the disposal of asset {number}. Undo the disposal instead."),
    "payroll_run": says("This entry belongs to payroll run {number}. Reverse the payroll run instead."),
}
_BY_DEDUCTION = {
    "cash discount": says("This entry belongs to the cash discount on {number}. Remove the allocation instead."),
    "write-off": says("This entry belongs to the write-off of {number}. Reverse the write-off instead."),
}
_OF_ALLOCATION = says("This entry belongs to the allocation of {number} to {other}. Remove the allocation instead.")
_OF_TAX = says("This entry belongs to the VAT payable from {first} to {last}. Reverse the VAT payable entry instead.")
_OF_NONE = says("This entry was posted automatically ({kind}) and cannot be reversed.")


def _belonging(entry: JournalEntry) -> Sentence:
    """The document that caused an entry, and what to do to it instead."""
    type, id = entry.source_type, entry.source_id
    if type == "allocation":
        ((number, other),) = WORKSPACE.rows(_ALLOCATION, (id,))
        return _OF_ALLOCATION.fill(number=number, other=other)
    if type == "deduction":
        ((kind, number),) = WORKSPACE.rows(_DEDUCTION, (id,))
        return _BY_DEDUCTION[kind].fill(number=number)
    if type == "tax_return":
        ((first, last),) = WORKSPACE.rows("SELECT date_from, date_to FROM tax_return WHERE id = ?", (id,))
        return _OF_TAX.fill(first=first, last=last)
    if type not in _NUMBERED:
        return _OF_NONE.fill(kind=entry.kind)
    ((number,),) = WORKSPACE.rows(f"SELECT number FROM {_NUMBERED[type]} WHERE id = ?", (id,))
    return _BELONGING[type].fill(number=number)
