"""The log of changes: reading, following and verifying it."""

from datetime import date, datetime, time, timedelta
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

import msgspec
from peewee import SQL

from erp.desk import rights
from erp.finance.books import ledger
from erp.kernel import caller, clock
from erp.kernel.errors import BadParameter
from erp.kernel.language import says
from erp.store import control, events, sql, workspace_settings
from erp.store.control import Workspace
from erp.store.event_types import EventType
from erp.store.events import Event, Verdict
from erp.web.endpoint import endpoint
from erp.web.event_view import EventView
from erp.web.paging import page
from erp.web.scalars import Day, Id, Line
from erp.web.schema import ListQuery, Page, View, show
from erp.web.transport import freshness


class EventFilter(ListQuery):
    """Filter for events."""

    after: (
        Annotated[
            Id,
            msgspec.Meta(
                description="The `seq` or `id` of an event: list those after it, oldest first. 0 is before the first."
            ),
        ]
        | None
    ) = None
    sort: Literal["seq", "-seq"] | None = None
    type: EventType | None = None
    resource_type: Line | None = None
    resource_id: Id | None = None
    actor_user_id: Id | None = None
    date_from: Day | None = None
    date_to: Day | None = None


class LogVerificationView(View):
    """The result of recomputing the chain; `brokenAt` is the `seq` of the first event that is wrong."""

    is_valid: bool
    events: int
    redacted: Annotated[
        int, msgspec.Meta(description="Number of events whose personal values a later `person.erased` has erased.")
    ]
    tip: str
    broken_at: int | None
    reason: str | None

    @classmethod
    def of(cls, verdict: Verdict) -> "LogVerificationView":
        """Show a verdict on the chain."""
        return show(cls, verdict, is_valid=verdict.reason is None)


def search(query: EventFilter) -> Page[EventView]:
    """The events of the open workspace that match: newest first, or with `after` oldest first, unless sorted.

    Events of resources that the caller may not read are left out.

    Raises:
        BadParameter: `after` names no event.
    """
    rows = _readable(Event.select(*(field for field in Event._meta.sorted_fields if field.name != "recorded")))
    for column, value in (
        (Event.type, query.type),
        (Event.resource_type, query.resource_type),
        (Event.resource_id, query.resource_id),
        (SQL(sql.json_text("actor", "'$.id'")), query.actor_user_id),
    ):
        rows = rows.where(column == value) if value is not None else rows
    if query.date_from:
        rows = rows.where(Event.occurred_at >= _begin(query.date_from))
    if query.date_to:
        rows = rows.where(Event.occurred_at < _begin(query.date_to + timedelta(days=1)))
    if query.after is not None:
        rows = rows.where(Event.seq > _seq(query.after))
    usual = "-seq" if query.after is None else "seq"
    return page(rows, query, EventView.of, sort=query.sort or usual, sortable={"seq": Event.seq})


def _readable(rows: Any) -> Any:
    types = rights.whole_types()
    return rows if len(types) == len(rights.READ_WITH) else rows.where(sql.among(Event.resource_type, types))


def verify() -> Verdict:
    """Recompute the chain of the open workspace, and compare it with the control file's notes."""
    with control.read():  # before the log is read, so that the log cannot be behind it
        noted = Workspace.find(str(caller.current().workspace_id)).tip
    return events.verify(ledger.entry_hash, noted)


def _seq(after: str) -> int:
    """The `seq` of an event named by its `seq` or id; 0 is before the first."""
    if not (after.isascii() and after.isdigit()):
        if (event := Event.find_by(id=after)) is None:
            raise BadParameter(says("after: There is no such event."))
        return int(event.seq)
    newest, _ = events.tip()
    if int(after) > newest:  # a script that continued from here would miss the events up to then
        raise BadParameter(
            says(
                "after: The newest event is {newest}. If a backup has been restored, read the log again with after=0.",
                newest=newest,
            )
        )
    return int(after)


def _begin(day: date) -> str:
    """The instant at which a day begins in the workspace's time zone."""
    return clock.stamp(datetime.combine(day, time.min, ZoneInfo(workspace_settings.current().time_zone)))


class Collection:
    @endpoint(permission="events.read")
    def on_get(self, query: EventFilter) -> Page[EventView]:
        """List the changes that were made in the workspace, as far as your role may read the changed records.

        An accountant, for example, sees no leave and no attendance. The newest come first; with `after`, later ones
        than that event, oldest first; `sort` changes the order. To follow the workspace, begin with `after=0` and pass
        the `seq` of the last event that you know; /api/docs/events.html shows it in ten lines of Python. `dateFrom` and
        `dateTo` are days in the workspace's time zone.
        """
        return search(query)


class Verify:
    @endpoint(permission="events.read")
    def on_get(self) -> LogVerificationView:
        """Recompute the chain of events and the hash of every journal entry, and show where the chain is broken.

        It counts all events, including ones that your role cannot list. The chain must also contain the event that the
        server has noted outside the file, at most a minute after each change, so that a missing tail is found. Someone
        with access to all files could change them all: compare `events` and `tip` with earlier values.
        """
        freshness.give_no_tag()  # a disk can fail without any write
        return LogVerificationView.of(verify())
