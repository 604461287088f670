"""Writing notices with the events that they tell, and marking them as read."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import Any

from peewee import SQL

from erp.desk.notices.kinds import KINDS, Kind
from erp.desk.notices.models import Notice, NoticeSchedule
from erp.hr.access import people
from erp.kernel import caller, clock
from erp.store import sql
from erp.store.events import Draft
from erp.store.records import new_id
from erp.store.router import WORKSPACE

WEEK = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

KEPT = timedelta(days=90)
"""The time for which read notices are kept."""

_TELL = """
INSERT INTO notice (id, user_id, kind, resource_type, resource_id, event_seq, count, created_at)
SELECT ?1, ?2, ?3, ?4, ?5, ?6, 1, ?7
WHERE NOT EXISTS (SELECT 1 FROM muted_notice WHERE user_id = ?2 AND kind = ?3)
ON CONFLICT (user_id, kind, resource_id) WHERE read_at IS NULL DO UPDATE
SET id = excluded.id, event_seq = excluded.event_seq, created_at = excluded.created_at, mailed_at = NULL,
    count = notice.count + 1
"""


def followers() -> dict[str, Callable[[Draft, int], None]]:
    """Functions to call after an event, by its type; after any other, nothing is asked or written."""
    steps: dict[str, list[Callable[[Draft, int], None]]] = {}
    for name, kind in KINDS.items():
        for type in kind.done:
            steps.setdefault(type, []).append(partial(_end, _DONE, name, kind))
        for type in kind.gone:
            steps.setdefault(type, []).append(partial(_end, _GONE, name, kind))
    for name, kind in KINDS.items():
        for type in kind.says if kind.made_by_event else ():
            steps.setdefault(type, []).append(partial(_follow, name, kind))
    return {type: partial(_in_turn, of_type) for type, of_type in steps.items()}


def _in_turn(steps: Iterable[Callable[[Draft, int], None]], draft: Draft, seq: int) -> None:
    for step in steps:
        step(draft, seq)


def _follow(name: str, kind: Kind, draft: Draft, seq: int) -> None:
    others = [(user_id, id) for user_id, id in kind.whom(draft) if user_id != draft.actor["id"]]
    tell(name, kind.resource_type or draft.resource_type, others, seq)


def tell(kind: str, resource_type: str, whom: Iterable[tuple[str, str]], seq: int) -> None:
    """Tell users of an event, unless they have muted the kind; an unread notice about the record counts it.

    Args:
        whom: user ids, each with the id of the record.
    """
    now = clock.stamp()
    rows = [(new_id(), user_id, kind, resource_type, id, seq, now) for user_id, id in whom]
    if rows:
        WORKSPACE.run_many(_TELL, rows)


_DONE = "UPDATE notice SET read_at = :now WHERE kind = :kind AND read_at IS NULL AND {about}"
_GONE = "DELETE FROM notice WHERE kind = :kind AND {about}"


def _end(statement: str, name: str, kind: Kind, draft: Draft, _: int) -> None:
    parameters = {"now": clock.stamp(), "kind": name, "id": draft.resource_id}
    if statement is _GONE:
        del parameters["now"]
    WORKSPACE.run(statement.format(about=kind.about), parameters)


_EMPLOYEE_ID = sql.json_text("data", "'$.employeeId'")
_EMPLOYEE = SQL(f"(SELECT {_EMPLOYEE_ID} FROM event WHERE seq = event_seq)")


def visible() -> Any:
    """The condition that a notice is the caller's, and about a record that they may still read."""
    whole = [name for name, kind in KINDS.items() if kind.covers_all()]
    readable = sql.among(Notice.kind, whole)
    for name, kind in KINDS.items():
        if kind.of_reports and name not in whole and (reports := people.over(kind.permission)):
            readable |= (Notice.kind == name) & sql.among(_EMPLOYEE, reports)
    is_kept = Notice.read_at.is_null() | (Notice.read_at >= _kept_since())
    return (Notice.user_id == caller.current().user_id) & is_kept & readable


def _kept_since() -> str:
    return clock.stamp(clock.now() - KEPT)


HAS_UNREAD = "EXISTS (SELECT 1 FROM notice WHERE user_id = :reader AND read_at IS NULL)"
"""An SQL expression: whether someone may have unread notices, so that most polls need not count."""


def unread_count() -> int:
    """The number of the caller's unread notices."""
    return int(Notice.select().where(Notice.read_at.is_null(), visible()).count())


_MARK_READ = """
UPDATE notice SET read_at = :now
WHERE user_id = :reader AND read_at IS NULL AND (id IN (SELECT value FROM json_each(:ids)) OR id <= :through_id)
"""
_MARK_UNREAD = """
UPDATE notice SET read_at = NULL
WHERE user_id = :reader AND id IN (SELECT value FROM json_each(:ids)) AND NOT EXISTS (
    SELECT 1 FROM notice AS other WHERE other.user_id = notice.user_id AND other.kind = notice.kind
        AND other.resource_id = notice.resource_id
        AND (other.read_at IS NULL OR (other.id > notice.id AND other.id IN (SELECT value FROM json_each(:ids)))))
"""


def mark_read(ids: Iterable[str] = (), through_id: str = "") -> None:
    """Mark notices of the caller as read; a notice that has told more since has another id, and stays unread.

    Args:
        through_id: all up to this one, the newest that the caller has seen.
    """
    reader = caller.current().user_id
    WORKSPACE.run(_MARK_READ, {"now": clock.stamp(), "reader": reader, "ids": sql.array(ids), "through_id": through_id})


def mark_unread(ids: Iterable[str]) -> None:
    """Mark notices of the caller as unread, one a kind and record: not where a newer one is unread already."""
    WORKSPACE.run(_MARK_UNREAD, {"reader": caller.current().user_id, "ids": sql.array(ids)})


def has_old() -> bool:
    """Whether `drop_old` has something to delete."""
    return bool(WORKSPACE.rows("SELECT 1 FROM notice WHERE read_at < ? LIMIT 1", (_kept_since(),)))


def drop_old() -> None:
    """Delete what was read long ago."""
    WORKSPACE.run("DELETE FROM notice WHERE read_at < ?", (_kept_since(),))


def muted() -> set[str]:
    """The kinds of notices that the caller does not want."""
    rows = WORKSPACE.rows("SELECT kind FROM muted_notice WHERE user_id = ?", (caller.current().user_id,))
    return {kind for (kind,) in rows}


def mute(kinds: Iterable[str]) -> None:
    """Choose the kinds of notices that are not written for the caller; all others are."""
    user_id = caller.current().user_id
    WORKSPACE.run("DELETE FROM muted_notice WHERE user_id = ?", (user_id,))
    WORKSPACE.run_many(
        "INSERT INTO muted_notice (user_id, kind) VALUES (?, ?)", [(user_id, kind) for kind in set(kinds)]
    )


def mailed() -> dict[str, Any]:
    """The kinds of notices that the caller wants by mail, and when."""
    rows = WORKSPACE.rows("SELECT kind, mail FROM notice_mail WHERE user_id = ?", (caller.current().user_id,))
    return dict(rows)


def schedule() -> NoticeSchedule:
    """The time and the days of the caller's daily mail."""
    user_id = caller.current().user_id
    return NoticeSchedule.find_by(user_id=user_id) or NoticeSchedule(user_id=user_id)


_SCHEDULE = """
INSERT INTO notice_schedule (user_id, daily_at, days) VALUES (?, ?, ?)
ON CONFLICT (user_id) DO UPDATE SET daily_at = excluded.daily_at, days = excluded.days
"""


def mail(wishes: Mapping[str, str], daily_at: str, days: Sequence[str]) -> None:
    """Choose the kinds that are sent to the caller by mail, and the time of the daily one."""
    user_id = caller.current().user_id
    WORKSPACE.run("DELETE FROM notice_mail WHERE user_id = ?", (user_id,))
    rows = [(user_id, kind, wish) for kind, wish in wishes.items() if wish != "off"]
    WORKSPACE.run_many("INSERT INTO notice_mail (user_id, kind, mail) VALUES (?, ?, ?)", rows)
    WORKSPACE.run(_SCHEDULE, (user_id, daily_at, json.dumps([day for day in WEEK if day in days])))
