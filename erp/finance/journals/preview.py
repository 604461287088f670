"""Totals of an unsaved journal entry, and its complaints."""

from typing import NamedTuple

from erp.finance.books import ledger, periods
from erp.finance.books.ledger import Leg
from erp.finance.journals import lines
from erp.finance.journals.bodies import NewJournalLine, TypedJournalEntry, TypedJournalLine
from erp.kernel.complaints import REQUIRED, Collected
from erp.kernel.errors import Complaint
from erp.store import workspace_settings


class Preview(NamedTuple):
    """The legs of the lines so far, with 0 for unreadable amounts, and the complaints."""

    legs: list[Leg]
    of_entry: list[Complaint]
    of_lines: list[list[Complaint]]


def preview(body: TypedJournalEntry) -> Preview:
    """Compute an unsaved entry; nothing is written."""
    complaints = Collected()
    for field in ("date", "description"):
        if not getattr(body, field):
            complaints.add(field, *REQUIRED)
    if body.date is not None:
        with complaints.taking("date"):
            periods.check_not_ahead(body.date, "date", allow_future=body.allow_future)
        with complaints.taking("date"):
            periods.check_open(body.date, "date")
    typed = {f"lines[{i}]": _line(line) for i, line in enumerate(body.lines)}
    for path, line in typed.items():
        if not line.account_id:
            complaints.add(f"{path}.accountId", *REQUIRED)
    legs = [*lines.read(typed, body.date or workspace_settings.today(), complaints).values()]
    with complaints.taking("lines"):
        ledger.check_legs(legs)
    ledger.analysed([leg for leg in legs if leg.amount], complaints)
    of_lines = [
        [complaint for complaint in complaints.items if complaint.field.startswith(f"{path}.")] for path in typed
    ]
    return Preview(
        legs, [complaint for complaint in complaints.items if not complaint.field.startswith("lines[")], of_lines
    )


def _line(line: TypedJournalLine) -> NewJournalLine:
    fields = {name: getattr(line, name) for name in NewJournalLine.__struct_fields__}
    return NewJournalLine(**fields | {"account_id": line.account_id or ""})
