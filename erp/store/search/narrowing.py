"""The rows that a search must compare: the index of words, caught up with the log of changes on each search.

Writing a record costs nothing more for it. The index belongs to an event, by its seq and hash, and is only asked if
that is the newest one that the reader sees. The index of another file, or of an older state that was put back, does
not know the events that follow; it is made again. A search that cannot ask it compares all rows.
"""

import threading
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from erp.kernel import config
from erp.store import control, disk, engine, events, sql
from erp.store.connections import looking
from erp.store.recorded import WHOLE
from erp.store.router import WORKSPACE
from erp.store.search import words
from erp.store.search.words import Alternatives, State

SMALL = 16 * 2**20
"""Bytes of a workspace's file in which all rows are compared sooner than an index is caught up."""

MOST_FOUND = 1_000
"""With more, all rows are compared: to look each up costs twice as much as to compare it in passing."""

MOST_READ = 10_000
MOST_EVENTS = 2_000
"""The most rows of a table, and the most events, that one search indexes: they take a quarter of a second."""

Ids = dict[str, list[str]]


class Named(NamedTuple):
    """A text of another table that counts as the row's own, with the column that has the id there."""

    column: str
    table: str
    text: str


class Searched(NamedTuple):
    """A table, with the SQL of the texts by which its rows are found."""

    table: str
    texts: Sequence[str]
    named: Sequence[Named] = ()

    @property
    def statement(self) -> str:
        """The query that selects the id and the texts."""
        named = (f"(SELECT {text} FROM {table} WHERE {table}.id = {column})" for column, table, text in self.named)
        return f"SELECT id, {', '.join((*self.texts, *named))} FROM {self.table}"


class Step(NamedTuple):
    """The update of an index to its next state: texts by table and id, None for a deleted row."""

    state: State
    texts: dict[str, dict[str, str | None]]
    is_first: bool = False


_catching_up = threading.Lock()


def candidates(tables: Sequence[Searched], wanted: Mapping[str, Alternatives]) -> Ids:
    """The ids of the rows that may have the wanted words, by table; of a table without any, all rows may.

    Args:
        wanted: folded words by table.
    """
    if not wanted or engine.size(WORKSPACE.connection()) < SMALL:
        return {}
    ((workspace_id,),) = WORKSPACE.rows("SELECT id FROM workspace_meta")
    return _Narrowing(tables, wanted, workspace_id).ids()


class _Narrowing:
    """One search of the open workspace."""

    def __init__(self, tables: Sequence[Searched], wanted: Mapping[str, Alternatives], workspace_id: str) -> None:
        self.tables, self.wanted, self.workspace_id = tables, wanted, workspace_id
        self.path = words.path_of(workspace_id)
        self.form = _form(tuple(tables), engine.schema_version(WORKSPACE))
        self.tip = events.tip()

    def ids(self) -> Ids:
        state, hits = self._look()
        is_whole = state is not None and self._is_current(state) and not state.unread
        if is_whole or not _catching_up.acquire(blocking=False):  # another thread is at it
            return hits
        try:
            return self._catch_up(state)
        finally:
            _catching_up.release()

    def _look(self) -> tuple[State | None, Ids]:
        """The state of the index, and its hits if it is current."""
        if self.path.exists():
            with words.giving_up(self.path), words.opened(self.path, write=False):
                state = words.state()
                return state, {} if state is None else self._find(state)
        return None, {}

    def _is_current(self, state: State) -> bool:
        return (state.form, state.seq, state.hash) == (self.form, *self.tip)

    def _find(self, state: State) -> Ids:
        """The hits of the open index in the tables that it has read, if it is current."""
        readable = self.wanted.keys() - state.unread.keys() if self._is_current(state) else ()
        hits = {
            each.table: words.find(section, self.wanted[each.table], MOST_FOUND)
            for section, each in enumerate(self.tables)
            if each.table in readable
        }
        return {table: ids for table, ids in hits.items() if ids is not None}

    def _catch_up(self, state: State | None) -> Ids:
        """The hits of the index after its next step, if it is current then."""
        if disk.free_space(config.current().data_dir) < disk.LOW_SPACE or self._is_ahead(state):
            return {}
        step = self._next(state)
        with words.giving_up(self.path):
            if not self.path.exists():
                words.make(self.path)
            with words.opened(self.path, write=True):
                if words.state() == state:
                    self._take(step)
                    return self._find(step.state)
        return {}

    def _is_ahead(self, state: State | None) -> bool:
        """Whether the index has read an event that is newer than this reader's snapshot of the file."""
        if state is None or state.seq <= self.tip[0]:
            return False
        with looking(control.workspace_path(self.workspace_id)) as connection:
            rows = connection.execute("SELECT hash FROM event WHERE seq = ?", (state.seq,)).fetchall()
        return bool(rows == [(state.hash,)])

    def _next(self, state: State | None) -> Step:
        """Read changed rows for the index, and then rows that it has not read yet."""
        if state is None or state.form != self.form or events.loss((state.seq, state.hash)) is not None:
            step = Step(State(self.form, *self.tip, {each.table: "" for each in self.tables}), {}, is_first=True)
        else:
            step = _follow(self.tables, state)
        unread = _read_on(self.tables, step)
        return step._replace(state=step.state._replace(unread=unread))

    def _take(self, step: Step) -> None:
        if step.is_first:
            words.clear()
        for section, each in enumerate(self.tables):
            texts = step.texts.get(each.table, {})
            words.remove(section, [id for id, text in texts.items() if text is None])
            words.index(section, {id: text for id, text in texts.items() if text is not None})
        words.note(step.state)


@cache
def _form(tables: Sequence[Searched], schema: int) -> str:
    """A digest of the indexed texts, their folding, and the schema's version, which no event records."""
    return events.digest(repr((words.VERSION, tables, schema, unicodedata.unidata_version)))


def _follow(tables: Sequence[Searched], state: State) -> Step:
    """The changes of the next events."""
    seq, hash, changed = state.seq, state.hash, dict[str, dict[str, set[str]]]()
    for seq, hash, rows in events.changes_after(state.seq, MOST_EVENTS):  # noqa: B007 - the last ones count
        for table, by_id in rows.items():
            known = changed.setdefault(table, {})
            for id, columns in by_id.items():
                known.setdefault(id, set()).update(columns or ())
    touched = {each: _touched(each, changed) for each in tables}
    texts = {each.table: _texts_of(each, ids) for each, ids in touched.items() if len(ids) <= MOST_READ}
    again = {each.table: "" for each in tables if each.table not in texts}  # too many: the table is read step by step
    return Step(State(state.form, seq, hash, {**state.unread, **again}), texts)


def _touched(searched: Searched, changed: Mapping[str, Mapping[str, set[str]]]) -> set[str]:
    """The ids of rows of a table whose texts may have changed, their own or the name of a record that they refer to."""
    ids = set(changed.get(searched.table, {}))
    for column, table, text in searched.named:
        others = [id for id, columns in changed.get(table, {}).items() if columns & {text, WHOLE}]
        if others:
            query = f"SELECT id FROM {searched.table} WHERE {column} IN (SELECT value FROM json_each(?))"
            ids.update(id for (id,) in WORKSPACE.rows(query, (sql.array(others),)))
    return ids


def _texts_of(searched: Searched, ids: Iterable[str]) -> dict[str, str | None]:
    texts: dict[str, str | None] = dict.fromkeys(ids)
    if texts:
        where = "WHERE id IN (SELECT value FROM json_each(?))"
        texts.update(map(_text, WORKSPACE.rows(f"{searched.statement} {where}", (sql.array(texts),))))
    return texts


def _text(row: Sequence[Any]) -> tuple[str, str]:
    """The id of a row, and its folded texts as one."""
    return row[0], "\n".join(sql.fold(text) for text in row[1:] if text is not None)


def _read_on(tables: Sequence[Searched], step: Step) -> dict[str, str]:
    """Add the rows that come next to a step, and return from where each table is still unread."""
    left, unread = MOST_READ, dict(step.state.unread)
    for searched in (each for each in tables if each.table in unread):
        query = f"{searched.statement} WHERE id > ? ORDER BY id LIMIT ?"
        rows = WORKSPACE.rows(query, (unread[searched.table], left)) if left else []
        step.texts.setdefault(searched.table, {}).update(map(_text, rows))
        if len(rows) < left:
            del unread[searched.table]
        elif rows:
            unread[searched.table] = rows[-1][0]
        left -= len(rows)
    return unread
