"""Writing off open items without a document: opening items and manual entries."""

from typing import Any

from erp.finance.books.models import OpenItem
from erp.finance.books.voids import Correction
from erp.finance.documents import standing
from erp.finance.write_downs import deductions, subjects, write_offs
from erp.finance.write_downs.subjects import Subject
from erp.finance.write_downs.write_offs import WriteOffCommand
from erp.kernel.errors import InvalidTransition
from erp.kernel.language import says
from erp.store import events
from erp.store.router import WORKSPACE


def write_off(id: str, command: WriteOffCommand) -> OpenItem:
    """Write off the remaining amount of an open item, or a part of it; or move it to doubtful receivables.

    Raises:
        NotFound: there is none in this workspace.
        InvalidTransition: it belongs to a document, is no debt, is settled, or is already doubtful.
        Invalid: with a complaint for every field that is wrong.
        DatedTooEarly: the day is before the item's, or before something of it was released.
        PeriodLocked: the day is in the locked period.
    """
    item = subjects.find(id)
    check_writable(item)
    if command.category == "doubtful" and _is_doubtful(item):
        raise InvalidTransition(says("{number} is already doubtful.", number=item.number))
    deduction, entries = write_offs.take(Subject(item), command)
    data = {"number": item.number, **deductions.event_data(deduction), "reason": command.reason}
    events.write("open_item.written_off", "open_item", id, data, entries=entries)
    return subjects.find(id)


def undo(id: str, correction: Correction) -> OpenItem:
    """Reverse the last write-off of an open item, which is open again.

    Raises:
        NotFound: there is none in this workspace.
        InvalidTransition: it has not been written off.
        InUse: something of it has been received since.
        DatedTooEarly: the day is before the write-off, or before a release on the doubtful item.
        PeriodLocked: the day is in the locked period.
    """
    item = subjects.find(id)
    check_undoable(item)
    deduction = write_offs.last_of(standing.deductions_of_item(item))
    day, entries = write_offs.take_back(deduction, correction)
    data: dict[str, Any] = deductions.event_data(deduction) | {"date": day.isoformat(), "reason": correction.reason}
    events.write("open_item.write_off_undone", "open_item", id, {"number": item.number} | data, entries=entries)
    return subjects.find(id)


def check_writable(item: OpenItem) -> None:
    """Refuse to write off an item that belongs to a document, is no debt, or has been settled."""
    message = subjects.refusal(item)
    if message is not None:
        raise InvalidTransition(message)
    if not item.open:
        raise InvalidTransition(says("{number} is fully allocated.", number=item.number))


def check_undoable(item: OpenItem) -> None:
    """Refuse to undo the last write-off of an open item where there is none, or something came of it since."""
    if item.document_type != "journal_entry":
        raise InvalidTransition(subjects.refusal(item))
    write_offs.check_taken(standing.taken_of_item(item), item.number)


def _is_doubtful(item: OpenItem) -> bool:
    query = "SELECT 1 FROM journal_entry WHERE id = ? AND kind = 'doubtful'"
    return bool(WORKSPACE.rows(query, (item.entry_id,)))
