"""How recurring documents are shown."""

import datetime
from collections.abc import Iterator
from itertools import islice
from typing import Annotated, Any, Literal

from msgspec import Meta, field

from erp.finance.billing.recurring import dates
from erp.finance.billing.recurring.dates import Unit
from erp.finance.billing.recurring.models import Kind, Mode, RecurringDocument, RecurringOccurrence, Status
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.web.schema import RecordView, View, show

Request = dict[str, Any]


class RecurringDocumentView(RecordView):
    """An invoice or a journal entry that recurs, and when."""

    created_by: str | None
    name: str
    kind: Kind
    status: Status
    invoice: Annotated[Request, Meta(description="The invoice without its dates, as it was sent.")] | None
    journal: Annotated[Request, Meta(description="The journal entry without its date, as it was sent.")] | None
    every: int
    unit: Unit
    day: Annotated[int, Meta(ge=1, le=30)] | Literal["last"] | None
    from_: datetime.date = field(name="from")
    until: datetime.date | None
    times: int | None
    mode: Mode
    due_days: int | None
    remind_days: int
    next_on: Annotated[datetime.date, Meta(description="Of the next occurrence; null once it has ended.")] | None
    last_on: Annotated[datetime.date, Meta(description="Of the last occurrence; null without an end.")] | None
    is_ending: Annotated[bool, Meta(description="Whether the last occurrence is at most `remindDays` away.")]
    paused_at: str | None
    failure: Annotated[str, Meta(description="Why the next occurrence could not be made.")] | None
    failed_on: Annotated[datetime.date, Meta(description="When that was tried last.")] | None

    @classmethod
    def of(cls, recurring: RecurringDocument) -> "RecurringDocumentView":
        """Show a recurring document as of today."""
        requests = {kind: recurring.request if recurring.kind == kind else None for kind in ("invoice", "journal")}
        return show(
            cls,
            recurring,
            **requests,
            day="last" if recurring.day == dates.LAST_DAY else recurring.day,
            from_=recurring.starts_on,
            until=recurring.ends_on,
            is_ending=recurring.is_ending(workspace_settings.today()),
        )


class OccurrenceView(View):
    """A date of a recurring document, with what was made for it."""

    date: datetime.date
    period_from: Annotated[datetime.date, Meta(description="The first day of the time that it stands for.")]
    period_to: datetime.date
    status: Literal["made", "due", "planned"]
    document_type: Literal["invoice", "journal_entry"] | None = None
    document_id: str | None = None
    document_number: Annotated[str, Meta(description="Null for a draft, and once a draft is deleted.")] | None = None
    warning: str | None = None

    @classmethod
    def of(cls, recurring: RecurringDocument, made: RecurringOccurrence) -> "OccurrenceView":
        """Show what was made."""
        first, last = dates.period(recurring.schedule, made.date)
        numbers = WORKSPACE.rows(f"SELECT number FROM {made.document_type} WHERE id = ?", (made.document_id,))
        number = numbers[0][0] if numbers else None
        return show(cls, made, period_from=first, period_to=last, status="made", document_number=number)

    @classmethod
    def upcoming(cls, recurring: RecurringDocument, most: int) -> "Iterator[OccurrenceView]":
        """Show the next dates."""
        if recurring.next_on is None:
            return
        today, schedule = workspace_settings.today(), recurring.schedule
        for day in islice(dates.occurrences(schedule, recurring.next_on - dates.ONE_DAY), most):
            first, last = dates.period(schedule, day)
            status: Any = "due" if day <= today else "planned"
            yield cls(date=day, period_from=first, period_to=last, status=status)


class RecurringRunView(View):
    """What a run has made."""

    made: list[OccurrenceView]
