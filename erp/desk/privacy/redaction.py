"""The log about a person, blanked once it is erased: their hashes stay, and the chain with them."""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from datetime import date
from typing import Any, NamedTuple

from erp.desk.privacy import texts
from erp.desk.privacy.declared import KEPT_EVENTS, Held, Kind
from erp.desk.privacy.persons import Person
from erp.store import events, sql
from erp.store.events import ERASURE, Redaction
from erp.store.recorded import WHOLE, canonical
from erp.store.router import WORKSPACE

_EVENTS = """
SELECT seq, actor, resource_type, resource_id, data, recorded FROM event WHERE seq > ? AND type <> ? ORDER BY seq
"""
_ERASED_AFTER = "SELECT 1 FROM event WHERE seq > ? AND type = ? LIMIT 1"


class Gone(NamedTuple):
    """The data that an erasure takes away.

    Attributes:
        over: the kinds of data whose time is over.
        deleted: the ids of deleted rows.
        changed: the changed rows, by table and id, with the columns that are erased.
        values: the person's own values.
        telling: the ones that name no one else, such as an e-mail address.
    """

    over: Collection[Kind]
    deleted: frozenset[str]
    changed: Mapping[tuple[str, str], Held]
    values: re.Pattern[str] | None
    telling: frozenset[str]


class Blanked(NamedTuple):
    """An event as it stands after an erasure."""

    seq: int
    data: str
    rows: str | None
    actor: str


def find(person: Person, gone: Gone, after: int = 0) -> list[Blanked]:
    """The events after a seq that would say less of a person."""
    return list(_blanked(person, gone, after))


def is_unchanged(tip: tuple[int, str]) -> bool:
    """Whether the log up to a tip is the one that was read: not replaced, and nothing in it blanked since."""
    return events.loss(tip) is None and not WORKSPACE.rows(_ERASED_AFTER, (tip[0], ERASURE))


_AUTHORED = f"""
SELECT count(*), max(occurred_at) FROM event
WHERE {sql.json_text("actor", "'$.id'")} = ? AND (
    resource_type IN (SELECT value FROM json_each(?)) OR {sql.json_text("data", "'$.entries'")} IS NOT NULL)
"""


def authored(person: Person) -> tuple[int, date] | None:
    """The number and the last day of the events that keep the name of a user, as the books have their authors."""
    if person.user_id is None:
        return None
    ((count, last),) = WORKSPACE.rows(_AUTHORED, (person.user_id, sql.array(KEPT_EVENTS)))
    return (count, date.fromisoformat(last[:10])) if count else None


def write(blanked: Collection[Blanked]) -> list[Redaction]:
    """Blank events within an erasing transaction."""
    WORKSPACE.run_many("INSERT INTO erasure_event (seq) VALUES (?)", [(event.seq,) for event in blanked])
    return [events.redact(*event) for event in blanked]


def _blanked(person: Person, gone: Gone, after: int) -> Iterator[Blanked]:
    own = {*person.ids, *gone.deleted, *(id for _, id in gone.changed)}
    for seq, actor, type, id, data, rows in WORKSPACE.run(_EVENTS, (after, ERASURE)):
        is_own = not own.isdisjoint(texts.ID.findall(f"{actor} {id} {data} {rows}"))
        if not is_own and not any(value in data for value in gone.telling):
            continue
        says_less = id in gone.deleted or ('"entries":' not in data and KEPT_EVENTS.get(type, "profile") in gone.over)
        blanked = Blanked(
            seq,
            canonical(_data(json.loads(data), id, is_own, gone)) if says_less else data,
            None if rows is None else canonical(_rows(json.loads(rows), gone)),
            _actor(actor, person) if says_less else actor,
        )
        if blanked != (seq, data, rows, actor):
            yield blanked


def _actor(actor: str, person: Person) -> str:
    """The author without their name, if they are the person as a user."""
    who = json.loads(actor)
    return canonical(who | {"name": texts.ERASED}) if who["id"] == person.user_id else actor


def _data(data: Any, resource_id: str, is_own: bool, gone: Gone) -> Any:
    """An event's data: about a deleted row only ids remain, else all but the person's values."""

    def change(value: Any) -> Any:
        if resource_id in gone.deleted:
            return value if isinstance(value, str) and texts.ID.fullmatch(value) else texts.ERASED
        if not isinstance(value, str):
            return value
        names_them = gone.values is not None and gone.values.search(value) if is_own else value in gone.telling
        return texts.ERASED if names_them else value

    return texts.replaced(data, change)


def _rows(tables: dict[str, dict[str, dict[str, Any] | None]], gone: Gone) -> Any:
    """Recorded rows of an event, without the erased columns."""
    for table, by_id in tables.items():
        for id, row in by_id.items():
            if row is not None:
                by_id[id] = {column: _column(value, column, table, id, gone) for column, value in row.items()}
    return tables


def _column(value: Any, column: str, table: str, id: str, gone: Gone) -> Any:
    held = gone.changed.get((table, id))
    if value is None or not (id in gone.deleted or (held is not None and column in (*held.personal, WHOLE))):
        return value
    return {**value, "seal": texts.ERASED} if column == WHOLE else texts.ERASED
