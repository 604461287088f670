"""The contents of rows in events, so that the log shows a row which another program has changed.

Models note the columns that they write; the next event of the transaction takes them into its own column `recorded`,
which its hash covers and which no answer shows: `{table: {id: {column: value}}}`, and null for a row that was deleted.
The latest value counts. A value that an event must not quote is recorded as a seal, an HMAC under a key that only the
file holds: without the key no guess can be tested, and with the file the value itself can be read.
"""

import hmac
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple

import msgspec

from erp.kernel.wire import own_text
from erp.store.router import WORKSPACE

Row = dict[str, Any]
Rows = dict[str, dict[str, Row | None]]


_SPELLED = msgspec.json.Encoder(order="sorted", enc_hook=own_text)

WHOLE = "*"
"""The column under which the seal of a whole row is recorded."""


class Sealed(NamedTuple):
    """A value that is recorded as a seal; of whole rows, the values of these columns."""

    value: Any
    columns: Sequence[str] = ()


def canonical(value: object) -> str:
    """JSON in a single spelling: sorted keys, no spaces."""
    return _SPELLED.encode(value).decode()


def plain(value: object) -> Any:
    """A value as the file stores it, except JSON, which is not converted."""
    if isinstance(value, date):
        return value.isoformat()
    return int(value) if isinstance(value, bool) else value


_PLAIN = (str, int, type(None))


def note(table: str, id: str, values: Row) -> None:
    """Let the next event of this transaction record columns of a row."""
    rows = _noted().setdefault(table, {})
    rows[id] = (rows.get(id) or {}) | as_noted(table, id, values)


def as_noted(table: str, id: str, values: Row) -> Row:
    """Columns of a row as `spelled` takes them."""
    return {
        column: value if type(value) in _PLAIN else _as_noted(table, id, column, value)
        for column, value in values.items()
    }


def _as_noted(table: str, id: str, column: str, value: object) -> object:
    return _ToSeal((table, id, column), value) if type(value) is Sealed else plain(value)


class _ToSeal:
    """A value with its place: a type that the encoder does not know, so that it asks for the seal."""

    __slots__ = ("place", "sealed")

    def __init__(self, place: tuple[str, str, str], sealed: Sealed) -> None:
        self.place = place
        self.sealed = sealed


def note_rows(table: str, rows: Mapping[str, Row]) -> None:
    """As `note`, of new rows whose values are as the file has them, by their ids."""
    _noted().setdefault(table, {}).update(rows)


def note_whole_rows(table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]], apart: Sequence[str]) -> None:
    """As `note_rows`, with one seal for all columns of a row but those `apart`: measured, a fifth of the time.

    Args:
        columns: the id and the recorded ones, as the rows have them.
    """
    others = [place for place, column in enumerate(columns) if column != "id" and column not in apart]
    names, values_of = [columns[place] for place in others], itemgetter(*others)
    shown = [(column, columns.index(column)) for column in apart]
    id_place, key = columns.index("id"), seal_key()
    noted = _noted().setdefault(table, {})
    for row in rows:
        id = row[id_place]
        made = {"seal": seal(key, table, id, WHOLE, values_of(row)), "columns": names}
        noted[id] = {column: row[place] for column, place in shown} | {WHOLE: made}


def note_removed(table: str, id: str) -> None:
    """Let the next event of this transaction record that a row was deleted."""
    _noted().setdefault(table, {})[id] = None


def take(key: str) -> str | None:
    """The notes since the last event of this transaction, as an event records them; `key` is for the seals."""
    rows = _noted()
    if not rows:
        return None
    WORKSPACE.forget(_NOTED)
    return spelled(rows, key)


def seal_key() -> str:
    """The key of the open workspace's seals."""
    ((key,),) = WORKSPACE.rows("SELECT seal_key FROM workspace_meta")
    return str(key)


def spelled(rows: Rows, key: str) -> str:
    """Rows as an event records them; what is to be sealed is replaced by its seal."""
    encoder = msgspec.json.Encoder(order="sorted", enc_hook=partial(_seal_or_text, key))
    return encoder.encode(rows).decode()


def _seal_or_text(key: str, value: object) -> object:
    if not isinstance(value, _ToSeal):
        return own_text(value)
    made = {"seal": seal(key, *value.place, value.sealed.value)}
    return made | ({"columns": list(value.sealed.columns)} if value.sealed.columns else {})


def seal(key: str, table: str, id: str, column: str, value: object) -> str:
    """The seal of a value: 128 bits of an HMAC-SHA256 over its place and itself."""
    text = canonical([table, id, column, value])
    return b64encode(hmac.digest(key.encode(), text.encode(), "sha256")[:16]).decode().rstrip("=")


_NOTED = "recorded"


def _noted() -> Rows:
    return WORKSPACE.memo(_NOTED, dict)


def whole(values: Mapping[str, Any], apart: Sequence[str]) -> Row:
    """A row recorded as one seal, except the columns `apart`."""
    others = [column for column in values if column not in apart]
    sealed = Sealed([values[column] for column in others], others)
    return {column: values[column] for column in apart} | {WHOLE: sealed}
