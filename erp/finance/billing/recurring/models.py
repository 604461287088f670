"""The tables of recurring documents."""

from datetime import date
from typing import Literal, cast

from peewee import ForeignKeyField, IntegerField, JSONField, TextField

from erp.finance.billing.recurring import dates
from erp.finance.billing.recurring.dates import Schedule
from erp.kernel.days import Unit
from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord, WorkspaceTable, new_id
from erp.store.rows import DayField

Kind = Literal["invoice", "journal"]
Mode = Literal["draft", "issue"]
Status = Literal["active", "paused", "ended"]


class RecurringDocument(WorkspaceRecord):
    """A request without dates, and its schedule.

    `next_on` and `last_on` follow from the schedule. Nothing more is made through `done_through`: its dates were made,
    or passed during a pause.
    """

    noun = Noun("recurring document")
    sealed = frozenset({"request"})

    name = TextField()
    kind = TextField()
    request = JSONField()
    every = IntegerField()
    unit = TextField()
    day = IntegerField(null=True)
    starts_on = DayField()
    ends_on = DayField(null=True)
    times = IntegerField(null=True)
    mode = TextField()
    due_days = IntegerField(null=True)
    remind_days = IntegerField()
    next_on = DayField(null=True)
    last_on = DayField(null=True)
    done_through = DayField(null=True)
    paused_at = TextField(null=True)
    reminded_on = DayField(null=True)
    failure = TextField(null=True)
    failed_on = DayField(null=True)

    @property
    def schedule(self) -> Schedule:
        return Schedule(
            start=self.starts_on,
            every=self.every,
            unit=cast(Unit, self.unit),
            day=self.day,
            until=self.ends_on,
            times=self.times,
        )

    @property
    def status(self) -> Status:
        if self.next_on is None:
            return "ended"
        return "active" if self.paused_at is None else "paused"

    def is_ending(self, today: date) -> bool:
        """Whether the last occurrence is at most `remind_days` away."""
        if self.next_on is None or self.last_on is None:
            return False
        return bool((self.last_on - today).days <= self.remind_days)

    def next_after(self, day: date | None) -> date | None:
        """The date of its next occurrence after a day."""
        return next(dates.occurrences(self.schedule, day), None)


class RecurringOccurrence(WorkspaceTable):
    """A date for which a recurring document was made; it is never made again, even if the document is deleted."""

    id = TextField(primary_key=True, default=new_id)
    recurring = ForeignKeyField(RecurringDocument, lazy_load=False)
    date = DayField()
    made_at = TextField()
    document_type = TextField()
    document_id = TextField()
    warning = TextField(null=True)

    recurring_id: str
