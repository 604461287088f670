"""The log of changes: one event per change, in the same transaction, each with the hash of the event before it.

The chain makes later alterations of the file detectable: an event's hash covers its content and the hash before
it, and the event of a journal entry contains the hash of that entry. The file alone cannot show that its last
events were cut off; for that, backups and the control file note the tip.
"""

import hashlib
import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from peewee import IntegerField, PeeweeException, TextField

from erp.kernel import caller, clock
from erp.kernel.caller import Caller
from erp.kernel.errors import Refusal
from erp.migrations import Connection
from erp.store import control, recorded, sql, workspace_settings
from erp.store.control import Outbox
from erp.store.records import WorkspaceTable, new_id
from erp.store.router import NEWEST_EVENT, WORKSPACE

log = logging.getLogger("erp.events")

Reaction = Callable[[Mapping[str, Any]], None]

REACTIONS: dict[str, Reaction] = {}
"""Reactions of the workspace to events of the control file, by type; called with the event's data on delivery."""

FOLLOWERS: dict[str, Callable[["Draft", int], None]] = {}
"""Functions by type of event, called with each and its seq in the transaction that writes it."""

GENESIS = "0" * 64
"""The `previous_hash` of the first event."""


class Event(WorkspaceTable):
    """One change; `data` and `actor` are canonical JSON, and so is `recorded`, which no answer shows."""

    seq = IntegerField(primary_key=True)
    id = TextField()
    type = TextField()
    occurred_at = TextField()
    actor = TextField()
    resource_type = TextField()
    resource_id = TextField()
    data = TextField()
    recorded = TextField(null=True)
    previous_hash = TextField()
    hash = TextField()


class Redaction(msgspec.Struct, frozen=True):
    """An event whose personal values were erased: its hash stays, `digest` is the hash of what stands there now."""

    seq: int
    hash: str
    digest: str


class Draft(msgspec.Struct, frozen=True):
    """An event before it has its place in the chain."""

    id: str
    type: str
    occurred_at: str
    actor: dict[str, str]
    resource_type: str
    resource_id: str
    data: Mapping[str, Any]


canonical = recorded.canonical


def digest(text: str) -> str:
    """SHA-256 in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def write(
    type: str, resource_type: str, resource_id: str, data: Mapping[str, Any] | None = None, entries: Sequence[Any] = ()
) -> None:
    """Log a change in the workspace that is open for writing.

    Args:
        type: noun and past participle, such as `invoice.issued`.
        data: what a reader needs to know; of people's pay, bank and tax fields only the names, never the values.
        entries: the journal entries that the change posted (each with `id` and `hash`).
    """
    content = dict(data or {})
    if entries:
        content["entries"] = [{"id": entry.id, "hash": entry.hash} for entry in entries]
    _append(_draft(type, resource_type, resource_id, content))


def write_into(
    connection: Connection,
    type: str,
    resource_type: str,
    resource_id: str,
    data: Mapping[str, Any],
    rows: str | None = None,
) -> None:
    """Log a change in a workspace's file over a plain connection, while the file is being made.

    Args:
        rows: what the event records of rows, as `recorded.spelled` gives it.
    """
    seq, previous = connection.execute(NEWEST_EVENT).fetchone() or (0, GENESIS)
    connection.execute(_APPEND, _row(_draft(type, resource_type, resource_id, data), rows, seq + 1, previous))


def write_later(
    workspace_id: str,
    type: str,
    resource_type: str,
    resource_id: str,
    data: Mapping[str, Any] | None = None,
    changed_settings: Mapping[str, Any] | None = None,
) -> None:
    """Log a change of the control file, which is open for writing, in a workspace's log.

    Args:
        changed_settings: what `workspace_settings.apply` takes, to change together with the control file.
    """
    draft = _draft(type, resource_type, resource_id, data or {})
    event = msgspec.structs.asdict(draft)
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
        Outbox.delete().where(sql.among(Outbox.id, moved)).execute()


def try_to_deliver(workspace_id: str) -> None:
    """Deliver to a workspace after a change that is already committed; what cannot be moved now will be moved later."""
    try:
        deliver(workspace_id)
    except (Refusal, PeeweeException) as error:
        log.warning("the events of workspace %s wait in the control file: %s", workspace_id, error)


def deliver_here(workspace_id: str) -> list[str]:
    """Append what waits in the outbox to the workspace that is open for writing.

    The rows stay in the outbox until the next `deliver`. An event that was moved before, because power failed
    between the two commits, is not moved again.

    Returns:
        The ids of the rows.
    """
    with control.read():
        waiting = list(Outbox.select().where(Outbox.workspace_id == workspace_id).order_by(Outbox.id))
    for row in waiting:
        if not Event.select().where(Event.id == row.id).exists():
            content = json.loads(row.event)
            draft = Draft(**content["event"])
            if content["settings"] is not None:
                workspace_settings.apply(content["settings"])
            _append(draft)
            _react(draft)
    return [row.id for row in waiting]


def _react(draft: Draft) -> None:
    """Call the reaction as the user who made the change, perhaps not the caller of the current request."""
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
    return Draft(
        id=new_id(),
        type=type,
        occurred_at=clock.stamp(),
        actor={"id": who.user_id, "name": who.name, "sessionId": who.session_id, "requestId": who.request_id},
        resource_type=resource_type,
        resource_id=resource_id,
        data=data,
    )


_TIP_AND_KEY = (
    f"SELECT coalesce(e.seq, 0), coalesce(e.hash, '{GENESIS}'), m.seal_key FROM workspace_meta AS m"
    " LEFT JOIN event AS e ON e.seq = (SELECT max(seq) FROM event)"
)
_APPEND = (
    "INSERT INTO event (seq, id, type, occurred_at, actor, resource_type, resource_id, data, recorded, previous_hash,"
    " hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def tip() -> tuple[int, str]:
    """The seq and the hash of the newest event in the open workspace; 0 and `GENESIS` before the first."""
    return WORKSPACE.tip() or (0, GENESIS)


def sound_tip() -> tuple[int, str] | None:
    """The tip of the open workspace, to be noted elsewhere; None if there is no event, or the newest was altered."""
    for seq, *content, previous, hash in WORKSPACE.rows(_NEWEST):
        if hash == link(seq, content, previous):
            return seq, hash
    return None


def loss(noted: tuple[int, str], noted_by: str = "") -> str | None:
    """The message if the open workspace's log lacks an event that was noted outside of the file; else None.

    Args:
        noted: the seq and the hash of the event.
        noted_by: where, as a clause such as ", as the backup of Monday notes".
    """
    seq, hash = noted
    rows = WORKSPACE.rows("SELECT hash FROM event WHERE seq = ?", (seq,))
    if rows == [(hash,)]:
        return None
    if rows:
        return (
            f"Event {seq} is not the one that was there before{noted_by}. The file was replaced, or its log was "
            "rewritten."
        )
    last, _ = tip()
    return (
        f"Its log ends with event {last}, but event {seq} was there before{noted_by}. The newest changes were cut off, "
        "or the file was replaced by an older one."
    )


Changes = dict[str, dict[str, dict[str, msgspec.Raw] | None]]
"""Rows by table and id with the columns that have changed; None for a row that was deleted."""


class _Posted(msgspec.Struct):
    id: str


class _Data(msgspec.Struct):
    entries: list[_Posted] = []


_CHANGES = msgspec.json.Decoder(Changes)
_DATA_OF = msgspec.json.Decoder(_Data)


def changes_after(seq: int, most: int) -> Iterator[tuple[int, str, Changes]]:
    """The seq and the hash of events after one, in their order, with the rows and journal entries they have written."""
    query = "SELECT seq, hash, recorded, data FROM event WHERE seq > ? ORDER BY seq LIMIT ?"
    for next_seq, hash, rows, data in WORKSPACE.run(query, (seq, most)):
        changes = _CHANGES.decode(rows) if rows else {}
        if entries := _DATA_OF.decode(data).entries:
            changes.setdefault("journal_entry", {}).update({entry.id: {} for entry in entries})
        yield next_seq, hash, changes


def _append(draft: Draft) -> None:
    ((seq, previous, key),) = WORKSPACE.rows(_TIP_AND_KEY)
    WORKSPACE.run(_APPEND, _row(draft, recorded.take(key), seq + 1, previous))
    if (follow := FOLLOWERS.get(draft.type)) is not None:
        follow(draft, seq + 1)


def _row(draft: Draft, rows: str | None, seq: int, previous: str) -> tuple[Any, ...]:
    content = (
        draft.id,
        draft.type,
        draft.occurred_at,
        canonical(draft.actor),
        draft.resource_type,
        draft.resource_id,
        canonical(draft.data),
        rows,
    )
    return (seq, *content, previous, link(seq, content, previous))


def link(seq: int, content: Iterable[str | None], previous: str) -> str:
    """The hash of an event: over its seq, its content, if it records rows these, and the hash before it."""
    return digest(canonical([seq, *(part for part in content if part is not None), previous]))


ERASURE = "person.erased"
"""The type of the event that names the events whose personal values were erased with it."""

_REDACT = "UPDATE event SET data = ?, recorded = ?, actor = ? WHERE seq = ?"


def redact(seq: int, data: str, rows: str | None, actor: str) -> Redaction:
    """Replace the content of an event in an erasing transaction; its hash and its place in the chain stay.

    Args:
        data: its data, canonical.
        rows: what it records of rows, canonical.
        actor: its author, canonical.
    """
    WORKSPACE.run(_REDACT, (data, rows, actor, seq))
    ((_, *content, previous, hash),) = WORKSPACE.rows(_ONE, (seq,))
    return Redaction(seq, hash, link(seq, content, previous))


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of recomputing the chain; `broken_at` is the seq of the first event that does not fit.

    `redacted` is the number of events whose personal values were erased by a `person.erased`.
    """

    events: int
    tip: str
    broken_at: int | None = None
    reason: str | None = None
    redacted: int = 0


def verify(entry_hash: Callable[[str], str | None], noted: tuple[int, str] | None = None) -> Verdict:
    """Recompute the chain of the open workspace.

    Args:
        entry_hash: recomputes the hash of a journal entry by its id; None if there is no such entry.
        noted: the seq and the hash of an event, noted outside of the file, that the chain must still have.
    """
    last, tip_hash, redacted, redactions = 0, GENESIS, 0, _redactions()
    for seq, *content, previous, hash in WORKSPACE.run(_CHAIN):
        present = link(seq, content, previous)
        if seq != last + 1:
            reason: str | None = f"Event {last + 1} is missing."
        elif previous != tip_hash or hash != present != redactions.get((seq, hash)):
            reason = f"Event {seq} was altered."
        else:
            reason = _altered_entry(seq, content[_DATA], entry_hash)
        if reason is not None:
            return Verdict(last, tip_hash, seq, reason, redacted)
        last, tip_hash, redacted = seq, hash, redacted + (hash != present)
    if noted is not None and (reason := loss(noted, ", as control.db notes")) is not None:
        return Verdict(last, tip_hash, min(noted[0], last + 1), reason, redacted)
    return Verdict(last, tip_hash, redacted=redacted)


def _redactions() -> dict[tuple[int, str], str]:
    """The digests of redacted events by seq and hash, as the last intact `person.erased` after each names them."""
    named: dict[tuple[int, str], str] = {}
    for seq, *content, previous, hash in WORKSPACE.run(_ERASURES, (ERASURE,)):
        if hash == link(seq, content, previous):
            redactions = _ERASURE.decode(content[_DATA]).redactions
            named.update({(each.seq, each.hash): each.digest for each in redactions if each.seq < seq})
    return named


class _Erasure(msgspec.Struct):
    redactions: list[Redaction]


_ERASURE = msgspec.json.Decoder(_Erasure)


_EVENTS = """
SELECT seq, id, type, occurred_at, actor, resource_type, resource_id, data, recorded, previous_hash, hash FROM event
"""
_CHAIN = f"{_EVENTS} ORDER BY seq"
_DATA = 6
"""The place of `data` in the content of an event."""
_NEWEST = f"{_CHAIN} DESC LIMIT 1"
_ONE = f"{_EVENTS} WHERE seq = ?"
_ERASURES = f"{_EVENTS} WHERE type = ? ORDER BY seq"


def _altered_entry(seq: int, data: str, entry_hash: Callable[[str], str | None]) -> str | None:
    for entry in json.loads(data).get("entries", []):
        if entry_hash(entry["id"]) != entry["hash"]:
            return f"The journal entry of event {seq} was altered."
    return None
