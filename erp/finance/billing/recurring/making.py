"""Making due documents: one transaction makes the document and records its occurrence, so that each is made once."""

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

from erp.finance.billing.recurring import dates, wording
from erp.finance.billing.recurring.models import RecurringDocument, RecurringOccurrence
from erp.finance.billing.recurring.wording import Period
from erp.finance.books import ledger
from erp.finance.documents import invoices, reading
from erp.finance.documents.figures import compute_figures
from erp.finance.journals import journals
from erp.finance.journals.bodies import NewJournalEntry
from erp.finance.journals.journals import JournalCommand
from erp.kernel import clock
from erp.kernel.complaints import Complaints
from erp.kernel.days import ONE_DAY
from erp.kernel.errors import InvalidTransition
from erp.kernel.language import says
from erp.store import events, workspace_settings
from erp.web import schema


class Made(NamedTuple):
    type: str
    id: str
    number: str | None


def check(kind: str, request: Mapping[str, Any]) -> None:
    """Refuse a request that could not be made today, without making it.

    Raises:
        Invalid: with a complaint for every field that is wrong.
    """
    today = workspace_settings.today()
    if kind == "invoice":
        complaints = Complaints()
        compute_figures(reading.plain(request, complaints), complaints)
    else:
        ledger.check_legs(_stored_entry(request, today).legs)


def make_due(id: str) -> list[RecurringOccurrence]:
    """Make every occurrence that is due, in the transaction that is open.

    Raises:
        InvalidTransition: it is paused.
        Refusal: an occurrence cannot be made.
    """
    recurring = RecurringDocument.find_to_change(id)
    if recurring.status == "paused":
        raise InvalidTransition(says("{name} is paused. Resume it first.", name=recurring.name))
    made = []
    while (occurrence := make_next(recurring)) is not None:
        made.append(occurrence)
    return made


def make_next(recurring: RecurringDocument) -> RecurringOccurrence | None:
    """Make the next occurrence if it is due, in the transaction that is open.

    Raises:
        Refusal: it cannot be made.
    """
    day = recurring.next_on
    if day is None or recurring.paused_at is not None or day > workspace_settings.today():
        return None
    made, warning = _make(recurring, day)
    occurrence = RecurringOccurrence.create(
        recurring_id=recurring.id,
        date=day,
        made_at=clock.stamp(),
        document_type=made.type,
        document_id=made.id,
        warning=warning,
    )
    recurring.change(done_through=day, next_on=recurring.next_after(day), failure=None, failed_on=None)
    data = {"name": recurring.name, "date": day.isoformat(), "warning": warning}
    data |= {"documentType": made.type, "documentId": made.id, "number": made.number}
    events.write("recurring_document.made", "recurring_document", recurring.id, data)
    return occurrence


def _make(recurring: RecurringDocument, day: date) -> tuple[Made, str | None]:
    """Make the document of an occurrence, dated its day; in a locked period it is dated today, with a warning."""
    lock_date, today = workspace_settings.current().lock_date, workspace_settings.today()
    request = _request(recurring, day)
    if lock_date is None or day > lock_date:
        return _documents(recurring, request, day, is_draft=recurring.mode == "draft"), None
    made = _documents(recurring, request, today, is_draft=True)
    became = "This is a draft" if recurring.kind == "invoice" else "This was posted"
    return made, f"The books are locked through {lock_date}. {became} dated {today} in place of {day}."


def _request(recurring: RecurringDocument, day: date) -> dict[str, Any]:
    """The request of an occurrence: its texts name the period, which is also an invoice's service period."""
    period = Period(*dates.period(recurring.schedule, day))
    names = wording.values(day, period, workspace_settings.current().country, workspace_settings.paper_language())
    request: dict[str, Any] = wording.filled(recurring.request, names)
    if recurring.kind == "invoice":
        request["servicePeriod"] = {"from": period.first.isoformat(), "to": period.last.isoformat()}
    return request


def _documents(recurring: RecurringDocument, request: dict[str, Any], day: date, *, is_draft: bool) -> Made:
    if recurring.kind == "journal":
        entry = journals.post(_stored_entry(request, day))
        return Made("journal_entry", entry.id, entry.number)
    dated: dict[str, Any] = {"issueDate": day.isoformat(), "draft": is_draft}
    if recurring.due_days is not None:
        dated["dueDate"] = (day + recurring.due_days * ONE_DAY).isoformat()
    complaints = Complaints()
    invoice = invoices.create(reading.plain({**request, **dated}, complaints), complaints).invoice
    return Made("invoice", invoice.id, invoice.number)


def _stored_entry(request: Mapping[str, Any], day: date) -> JournalCommand:
    """The stored request of a journal entry, for a day."""
    return journals.read(schema.decode({**request, "date": day.isoformat()}, NewJournalEntry))  # stored as a text
