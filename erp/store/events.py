"""The log of changes: one event a change, in its transaction, each holding the hash of the one before.

The chain makes a later alteration of the file detectable: an event's hash covers its content and its
predecessor's hash, and the event of a journal entry holds the hash of that entry. A cut-off tail cannot be seen
from the file alone; backups and the control file keep the tip for that.
"""

import hashlib
import json
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from peewee import IntegerField, PeeweeException, TextField

from erp.kernel import caller, clock
from erp.kernel.caller import Caller
from erp.kernel.errors import Refusal
from erp.migrations import Connection
from erp.store import control, workspace_settings
from erp.store.control import Outbox
from erp.store.records import WorkspaceTable, new_id
from erp.store.router import WORKSPACE

log = logging.getLogger("erp.events")

Reaction = Callable[[Mapping[str, Any]], None]

REACTIONS: dict[str, Reaction] = {}
"""What follows in a workspace from an event of the control file, by its type; run with its data when it arrives."""

GENESIS = "0" * 64
"""What the first event names as its predecessor's hash."""


class Event(WorkspaceTable):
    """One change, as it was logged; `data` and `actor` are canonical JSON."""

    seq = IntegerField(primary_key=True)
    id = TextField(unique=True)
    type = TextField()
    occurred_at = TextField()
    actor = TextField()
    resource_type = TextField()
    resource_id = TextField()
    data = TextField()
    previous_hash = TextField()
    hash = TextField()


@dataclass(frozen=True, slots=True)
class Draft:
    """An event before it has its place in the chain."""

    id: str
    type: str
    occurred_at: str
    actor: dict[str, str]
    resource_type: str
    resource_id: str
    data: Mapping[str, Any]


_SPELLED = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical(value: object) -> str:
    """JSON with one spelling: sorted keys, no blanks."""
    return _SPELLED.encode(value)


def digest(text: str) -> str:
    """SHA-256 in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def write(
    type: str, resource_type: str, resource_id: str, data: Mapping[str, Any] | None = None, entries: Sequence[Any] = ()
) -> None:
    """Log a change in the workspace that is open for writing.

    Args:
        type: noun and past participle, `invoice.issued`.
        data: what a reader needs to know of the change; people's pay, bank and tax fields are named, never quoted.
        entries: the journal entries that the change posted (each with `id` and `hash`).
    """
    told = dict(data or {})
    if entries:
        told["entries"] = [{"id": entry.id, "hash": entry.hash} for entry in entries]
    _append(_draft(type, resource_type, resource_id, told))


def write_into(
    connection: Connection, type: str, resource_type: str, resource_id: str, data: Mapping[str, Any]
) -> None:
    """Log a change in a workspace's file that is being made over a plain connection, as its first if there is none."""
    seq, previous = connection.execute(_TIP).fetchone() or (0, GENESIS)
    connection.execute(_APPEND, _row(_draft(type, resource_type, resource_id, data), seq + 1, previous))


def write_later(
    workspace_id: str,
    type: str,
    resource_type: str,
    resource_id: str,
    data: Mapping[str, Any] | None = None,
    changed_settings: Mapping[str, Any] | None = None,
) -> None:
    """Log a change of the control file, open for writing, that belongs to a workspace's log.

    Args:
        changed_settings: what `settings.apply` takes, to change together with the control file.
    """
    draft = _draft(type, resource_type, resource_id, data or {})
    event = {name: getattr(draft, name) for name in Draft.__slots__}
    Outbox.create(
        id=draft.id,
        workspace_id=workspace_id,
        event=canonical({"event": event, "settings": None if changed_settings is None else dict(changed_settings)}),
    )


def deliver(workspace_id: str) -> None:
    """Move a workspace's events from the control file's outbox into its chain."""
    with control.open_workspace(workspace_id, write=True):
        moved = deliver_here(workspace_id)
    with control.write():
        Outbox.delete().where(Outbox.id.in_(moved)).execute()


def try_to_deliver(workspace_id: str) -> None:
    """Deliver to a workspace after a change that stands in any case; what cannot be moved now will be later."""
    try:
        deliver(workspace_id)
    except (Refusal, PeeweeException) as problem:
        log.warning("the events of workspace %s wait in the control file: %s", workspace_id, problem)


def deliver_here(workspace_id: str) -> list[str]:
    """Append what waits in the outbox to the workspace that is open for writing; return the ids.

    The rows stay in the outbox until the next `deliver`. One that was moved before, because the power went
    between the two commits, is not moved again.
    """
    with control.read():
        waiting = list(Outbox.select().where(Outbox.workspace_id == workspace_id).order_by(Outbox.id))
    for row in waiting:
        if not Event.select().where(Event.id == row.id).exists():
            told = json.loads(row.event)
            draft = Draft(**told["event"])
            _append(draft)
            if told["settings"] is not None:
                workspace_settings.apply(told["settings"])
            _react(draft)
    return [row.id for row in waiting]


def _react(draft: Draft) -> None:
    """Let follow what has to, in the name of whoever made the change, who need not be the one whose request it is."""
    if draft.type in REACTIONS:
        who = Caller(
            user_id=draft.actor["id"],
            name=draft.actor["name"],
            email="",
            session_id=draft.actor["sessionId"],
            request_id=draft.actor["requestId"],
        )
        with caller.acting(who):
            REACTIONS[draft.type](draft.data)


def _draft(type: str, resource_type: str, resource_id: str, data: Mapping[str, Any]) -> Draft:
    who = caller.current()
    actor = {"id": who.user_id, "name": who.name, "sessionId": who.session_id, "requestId": who.request_id}
    return Draft(new_id(), type, clock.stamp(), actor, resource_type, resource_id, data)


_TIP = "SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1"
_APPEND = (
    "INSERT INTO event (seq, id, type, occurred_at, actor, resource_type, resource_id, data, previous_hash, hash)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def tip() -> tuple[int, str]:
    """The place and the hash of the newest event of the workspace that is open; 0 and `GENESIS` before the first."""
    found = WORKSPACE.rows(_TIP)
    return found[0] if found else (0, GENESIS)


def _append(draft: Draft) -> None:
    seq, previous = tip()
    WORKSPACE.run(_APPEND, _row(draft, seq + 1, previous))


def _row(draft: Draft, seq: int, previous: str) -> tuple[Any, ...]:
    content = (
        draft.id,
        draft.type,
        draft.occurred_at,
        canonical(draft.actor),
        draft.resource_type,
        draft.resource_id,
        canonical(draft.data),
    )
    return (seq, *content, previous, link(seq, content, previous))


def link(seq: int, content: Iterable[str], previous: str) -> str:
    """The hash of an event: over its place, its content and its predecessor's hash."""
    return digest(canonical([seq, *content, previous]))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What recomputing the chain found; `broken_at` is the first event (its seq) that does not hold."""

    events: int
    tip: str
    broken_at: int | None = None
    reason: str | None = None


def verify(entry_hash: Callable[[str], str | None]) -> Verdict:
    """Recompute the chain of the workspace that is open.

    Args:
        entry_hash: recomputes the hash of the journal entry of an id; None when there is no such entry.
    """
    seq, previous = 0, GENESIS
    for at, *content, before, hash in WORKSPACE.run(_CHAIN):
        reason = _fault(at, content, before, hash, seq + 1, previous) or _altered(at, content[-1], entry_hash)
        if reason is not None:
            return Verdict(seq, previous, broken_at=at, reason=reason)
        seq, previous = at, hash
    return Verdict(seq, previous)


_CHAIN = (
    "SELECT seq, id, type, occurred_at, actor, resource_type, resource_id, data, previous_hash, hash"
    " FROM event ORDER BY seq"
)


def _fault(at: int, content: Sequence[str], before: str, hash: str, seq: int, previous: str) -> str | None:
    if at != seq:
        return f"Event {seq} is missing."
    if before != previous or hash != link(seq, content, previous):
        return f"Event {seq} was altered."
    return None


def _altered(seq: int, data: str, entry_hash: Callable[[str], str | None]) -> str | None:
    for entry in json.loads(data).get("entries", []):
        if entry_hash(entry["id"]) != entry["hash"]:
            return f"The journal entry of event {seq} was altered."
    return None
