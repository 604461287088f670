"""Views of recurring documents and their occurrences."""

import datetime
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Annotated, Any, Literal

from msgspec import Meta, field

from erp.finance.billing.recurring import dates
from erp.finance.billing.recurring.models import Kind, Mode, RecurringDocument, RecurringOccurrence, Status
from erp.kernel import caller
from erp.kernel.days import LONGEST_MONTH, ONE_DAY, Unit
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.schema import RecordView, View, show

Request = dict[str, Any]
Action = Literal["update", "pause", "resume", "run", "delete"]

_WITH_DOCUMENTS = (
    "SELECT DISTINCT recurring_id FROM recurring_occurrence WHERE recurring_id IN (SELECT value FROM json_each(?))"
)


class RecurringDocumentView(RecordView):
    """An invoice or a journal entry that recurs, and when."""

    created_by: str | None
    created_by_name: str | None
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
    can: Annotated[list[Action], Meta(description="Actions on it open to you now.")]

    @classmethod
    def of(cls, recurring: RecurringDocument) -> "RecurringDocumentView":
        """Show a recurring document as of today."""
        return cls.of_many([recurring])[0]

    @classmethod
    def of_many(cls, page: Sequence[RecurringDocument]) -> "list[RecurringDocumentView]":
        """Show recurring documents as of today; one query finds the ones with documents already made."""
        rows = WORKSPACE.rows(_WITH_DOCUMENTS, (sql.array({recurring.id for recurring in page}),))
        have_made = {id for (id,) in rows}
        return [cls._of(recurring, has_made=recurring.id in have_made) for recurring in page]

    @classmethod
    def _of(cls, recurring: RecurringDocument, *, has_made: bool) -> "RecurringDocumentView":
        requests = {kind: recurring.request if recurring.kind == kind else None for kind in ("invoice", "journal")}
        return show(
            cls,
            recurring,
            **requests,
            day="last" if recurring.day == LONGEST_MONTH else recurring.day,
            from_=recurring.starts_on,
            until=recurring.ends_on,
            is_ending=recurring.is_ending(workspace_settings.today()),
            can=_actions(recurring, has_made=has_made),
        )


def _actions(recurring: RecurringDocument, *, has_made: bool) -> list[Action]:
    """Actions that the rules of `templates` and `making` allow the caller, and that would have an effect."""
    if not caller.may("finance.write"):
        return []
    due_on = recurring.next_on if recurring.status == "active" else None
    possible: dict[Action, bool] = {
        "update": True,
        "pause": recurring.status == "active",
        "resume": recurring.paused_at is not None,
        "run": due_on is not None and due_on <= workspace_settings.today(),
        "delete": not has_made,
    }
    return [action for action, is_possible in possible.items() if is_possible]


class OccurrenceView(View):
    """A date of a recurring document, and the document made for it, if any."""

    date: datetime.date
    period_from: Annotated[datetime.date, Meta(description="The first day of its period.")]
    period_to: datetime.date
    status: Literal["made", "due", "planned"]
    document_type: Literal["invoice", "journal_entry"] | None = None
    document_id: str | None = None
    document_number: Annotated[str, Meta(description="Null for a draft, and once a draft is deleted.")] | None = None
    warning: str | None = None

    @classmethod
    def of(cls, recurring: RecurringDocument, made: RecurringOccurrence) -> "OccurrenceView":
        """Show an occurrence that was made."""
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
        for day in islice(dates.occurrences(schedule, recurring.next_on - ONE_DAY), most):
            first, last = dates.period(schedule, day)
            status: Any = "due" if day <= today else "planned"
            yield cls(date=day, period_from=first, period_to=last, status=status)


class RecurringRunView(View):
    """The occurrences made by a run."""

    made: list[OccurrenceView]
