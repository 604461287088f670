"""The feed of changes: the records that a screen must read again, polled every few seconds."""

from typing import Annotated

import msgspec
from msgspec import Meta

from erp.desk import rights
from erp.desk.notices import notices
from erp.finance.bank import store as bank
from erp.kernel import caller
from erp.store.event_types import EventType, ResourceType
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.scalars import Instant
from erp.web.schema import Query, View


class ChangesFilter(Query):
    """A place in the log."""

    after: Annotated[int, Meta(ge=0, le=1 << 53, description="The `next` of the previous answer.")] | None = None
    limit: Annotated[int, Meta(ge=1, le=200, description="Number of events to look through.")] = 200
    counts: Annotated[bool, Meta(description="Count also where nothing has changed.")] = False


class ChangedBy(View):
    """The user who made a change."""

    id: str
    name: str


class ChangedRecord(View):
    """The record that was changed."""

    type: ResourceType
    id: str


class ChangeView(View):
    """A change; `GET /workspace/events` has more, for people with the right to read the log."""

    seq: int
    type: EventType
    occurred_at: Instant
    actor: ChangedBy
    resource: ChangedRecord


class CountsView(View):
    """Numbers of records for a navigation that wait for the caller; null without the right to work on them."""

    inbox: Annotated[int | None, Meta(description="Files in the inbox.")]
    bank: Annotated[int | None, Meta(description="Bank transactions that are not matched.")]


class ChangesView(View):
    """Changes in order, and the next place."""

    changes: list[ChangeView]
    next: Annotated[int, Meta(description="The next `after`.")]
    has_more: Annotated[bool, Meta(description="Whether there are changes after `next` already.")]
    is_reset: Annotated[
        bool,
        Meta(description="Whether the log ends before `after`, as after a restore: read everything again."),
    ]
    unread_notices: Annotated[int, Meta(description="The number of your unread notices.")]
    counts: Annotated[CountsView | None, Meta(description="Null where no change has touched them; see `counts`.")]


_TIP = f"SELECT coalesce(max(seq), 0), {notices.HAS_UNREAD} FROM event"

# No more events than requested, and one statement while nothing is unread: this runs every ten seconds for each window.
_CHANGES = """
{mine}
SELECT tip.seq, {has_unread}, changed.seq, changed.type, occurred_at, actor,
    CASE WHEN by_payslip THEN 'payslip' ELSE resource_type END,
    CASE WHEN by_payslip THEN payslip_id ELSE resource_id END
FROM (SELECT coalesce(max(seq), 0) AS seq FROM event) AS tip
LEFT JOIN (
    SELECT event.seq, event.type, occurred_at, actor, resource_type, resource_id, own_payslip.id AS payslip_id,
        own_payslip.id IS NOT NULL AND resource_type NOT IN (SELECT value FROM json_each(:whole_types)) AS by_payslip
    FROM event
    LEFT JOIN payslip AS own_payslip ON resource_type = 'payroll_run' AND own_payslip.run_id = resource_id
        AND own_payslip.employee_id IN (SELECT id FROM mine)
        AND event.type IN ('payroll_run.approved', 'payroll_run.paid')
        AND EXISTS (SELECT 1 FROM payroll_run WHERE id = run_id AND status IN ('approved', 'paid'))
    WHERE event.seq > :after AND event.seq <= :last AND {readable}
) AS changed ON true
ORDER BY changed.seq
"""


def after(query: ChangesFilter) -> ChangesView:
    """The changes since a place in the log that the caller may read; without a place, only the present one."""
    if query.after is None:
        ((tip, has_unread),) = WORKSPACE.rows(_TIP, {"reader": caller.current().user_id})
        return _view([], tip, tip, has_unread, is_reset=False, is_counted=query.counts)
    last, readable = query.after + query.limit, rights.readable()
    rows = WORKSPACE.rows(
        _CHANGES.format(mine=rights.MINE, readable=readable.sql, has_unread=notices.HAS_UNREAD),
        {**readable.parameters, "after": query.after, "last": last, "reader": caller.current().user_id},
    )
    tip, has_unread = rows[0][:2]
    changes = [_change(*row) for _, _, *row in rows if row[0] is not None]
    is_reset = tip < query.after
    is_counted = query.counts or is_reset or any(map(_is_counted, changes))
    return _view(changes, min(tip, last), tip, has_unread, is_reset=is_reset, is_counted=is_counted)


_COUNTED = {"bank_line", "bank_statement", "journal_entry", "payment", "transfer"}
"""Types of records whose changes can move the counts."""


def _is_counted(change: ChangeView) -> bool:
    return change.resource.type in _COUNTED or change.type.startswith("attachment.")


_COUNTS = f"""
SELECT (SELECT count(*) FROM attachment WHERE resource_id IS NULL), (SELECT count(*) FROM ({bank.UNMATCHED}) AS open)
"""


def _counts() -> CountsView:
    if not caller.may("finance.write"):
        return CountsView(inbox=None, bank=None)
    ((inbox, unmatched),) = WORKSPACE.rows(_COUNTS)
    return CountsView(inbox=inbox, bank=unmatched)


def _view(
    changes: list[ChangeView], next: int, tip: int, has_unread: int, *, is_reset: bool, is_counted: bool
) -> ChangesView:
    return ChangesView(
        changes=changes,
        next=next,
        has_more=tip > next,
        is_reset=is_reset,
        unread_notices=notices.unread_count() if has_unread else 0,
        counts=_counts() if is_counted else None,
    )


_ACTOR = msgspec.json.Decoder(ChangedBy)


def _change(seq: int, type: str, occurred_at: str, actor: str, resource_type: str, resource_id: str) -> ChangeView:
    return ChangeView(
        seq=seq,
        type=type,
        occurred_at=Instant(occurred_at),
        actor=_ACTOR.decode(actor),
        resource=ChangedRecord(type=resource_type, id=resource_id),
    )


class Changes:
    @endpoint(permission="workspace.read")
    def on_get(self, query: ChangesFilter) -> ChangesView:
        """Follow the changes in the workspace, as far as your role may read the records.

        Without `after` the answer holds only `next`, the present place. Ask with `after` set to it, and then to the
        `next` of each answer. Send the answer's `ETag` as `If-None-Match`: while nothing has changed, the answer is
        304. Everyone receives changes of their own leave, attendance, time and payslips, and managers their reports'.
        `unreadNotices` is the number for the bell, and `counts` are numbers for a navigation.
        """
        return after(query)
