"""Checks of every row against its latest event: rows that another program has changed, deleted or added."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from erp.store import engine, recorded
from erp.store.recorded import WHOLE, Row
from erp.store.router import WORKSPACE
from erp.system.checks import words
from erp.system.checks.findings import Findings

Known = dict[str, dict[str, Row | None]]
"""The last known values of rows: by table and id; None for a row that was deleted."""

KEYS = {"asset_account": "account_id", "default_account": "key", "leave_year": "year"}
"""The columns of ids that are not called `id`."""

LISTS = {
    ("project", "members"): "SELECT project_id, user_id FROM project_member ORDER BY 1, 2",
    ("task", "assignees"): "SELECT task_id, user_id FROM task_assignee ORDER BY 1, 2",
    ("task", "dependencies"): "SELECT task_id, depends_on_id FROM task_dependency ORDER BY 1, 2",
}
"""Lists that events record as if they were columns."""

PARTS = {
    ("payslip", "lines"): "SELECT payslip_id, payslip_line.* FROM payslip_line ORDER BY payslip_id, position",
}
"""Lists of rows that events record in one seal."""

OWNERS = {
    "payslip": ("run_id", "payroll_run"),
    "task_comment": ("task_id", "task"),
    "invoice_line": ("invoice_id", "invoice"),
    "invoice_adjustment": ("invoice_id", "invoice"),
    "invoice_tax": ("invoice_id", "invoice"),
    "invoice_deposit": ("invoice_id", "invoice"),
    "document_file": ("invoice_id", "invoice"),
    "quote_line": ("quote_id", "quote"),
    "quote_adjustment": ("quote_id", "quote"),
    "quote_file": ("quote_id", "quote"),
    "attachment": ("resource_id", "resource_type"),
    "message_file": ("message_id", "message"),
}
"""Rows that are deleted together with another: the column that names it, and its table or the column with that."""

UNLOGGED = frozenset({"leave_entry"})
"""Tables whose rows can be written without an event in the same transaction."""

_EVENTS = "SELECT type, data, recorded FROM event ORDER BY seq"


def check(findings: Findings) -> None:
    """Compare every row that an event has recorded with the file."""
    known = fold(WORKSPACE.run(_EVENTS))
    tables = {part.removeprefix("table ") for part in engine.parts(WORKSPACE)}
    for table in sorted(known.keys() & tables):
        _Table(table, known).check(findings)


def fold(events: Iterable[tuple[str, str, str | None]]) -> Known:
    """The last known values of every row.

    Args:
        events: the type of each, its data, and what it records of rows.
    """
    known: Known = {}
    for type, data, rows in events:
        if type == "workspace.imported":
            _rename_users(known, json.loads(data))
        for table, by_id in json.loads(rows or "{}").items():
            _merge(known.setdefault(table, {}), {_key(table, id): row for id, row in by_id.items()})
    return known


def _key(table: str, id: str) -> str:
    """The identity of a row: its id; the settings have none, as they get another one in a duplicate."""
    return "" if table == "settings" else id


def _merge(present: dict[str, Row | None], later: Mapping[str, Row | None]) -> None:
    for id, values in later.items():
        before = present.get(id)
        if values is None or before is None:
            present[id] = values
        else:
            if WHOLE not in values:
                before.pop(WHOLE, None)  # one of its columns has another value now
            before |= values


def _rename_users(known: Known, imported: Mapping[str, Any]) -> None:
    """Replace the ids of former users by their new ones after an import.

    If two became one person, an import clears the second of two links that must be unique: such a column is no longer
    known.
    """
    new_ids = {former: member["userId"] for member in imported["members"] for former in member["formerUserIds"]}
    shared = {id for id, formers in Counter(new_ids.values()).items() if formers > 1}
    for table, row in ((table, row) for table, by_id in known.items() for row in by_id.values() if row is not None):
        for column, value in [*row.items()]:
            if isinstance(value, str) and new_ids.get(value, value) in shared:
                del row[column]
            elif isinstance(value, str):
                row[column] = new_ids.get(value, value)
            elif (table, column) in LISTS:
                row[column] = sorted({new_ids.get(user_id, user_id) for user_id in value})


class _Table:
    """A table of the open file, and its rows in the events."""

    def __init__(self, table: str, known: Known) -> None:
        self.table, self.known = table, known
        self.rows = known[table]
        self.key = recorded.seal_key()
        self.lists = {column: self._listed(column) for name, column in LISTS if name == table}

    def _listed(self, column: str) -> dict[str, list[str]]:
        others: dict[str, list[str]] = {}
        for id, other in WORKSPACE.run(LISTS[self.table, column]):
            others.setdefault(id, []).append(other)
        return others

    def check(self, findings: Findings) -> None:
        present = set()
        for id, row in self._present():
            present.add(id)
            logged = self.rows.get(id)
            if logged is not None:
                differences = list(self._differences(id, logged, row))
                if differences:
                    name = words.name(self.table, id, row | _quoted(logged))
                    findings.add(f"Another program has changed {name}: {'; '.join(differences)}.")
            elif self.table not in UNLOGGED:
                findings.add(f"Another program has added {words.name(self.table, id, row)}: no event tells of it.")
        for id, logged in self.rows.items():
            if logged is not None and id not in present and not self._went_with_owner(logged):
                findings.add(f"Another program has deleted {words.name(self.table, id, _quoted(logged))}.")

    def _present(self) -> Iterator[tuple[str, Row]]:
        cursor = WORKSPACE.run(f'SELECT * FROM "{self.table}"')
        names = [column[0] for column in cursor.description]
        key = KEYS.get(self.table, "id")
        for values in cursor:
            row = dict(zip(names, values, strict=True))
            id = _key(self.table, str(row[key]))
            yield id, row | {column: others.get(id, []) for column, others in self.lists.items()}

    def _went_with_owner(self, logged: Row) -> bool:
        column, owners = OWNERS.get(self.table, ("", ""))
        owners = logged.get(owners) or owners
        return logged.get(column) is not None and self.known.get(owners, {}).get(logged[column], {}) is None

    def _differences(self, id: str, logged: Row, row: Row) -> Iterator[str]:
        for column, value in logged.items():
            if column == WHOLE:
                if not self._is_sealed(id, column, value, [row.get(name) for name in value["columns"]]):
                    yield "it is not the one that its event recorded"
            elif (self.table, column) in PARTS:
                if not self._is_sealed(id, column, value, self._parts(id, column, value["columns"])):
                    yield f"its {column} are not those that its event recorded"
            elif column in row:
                yield from self._difference(id, column, value, row)

    def _difference(self, id: str, column: str, logged: Any, row: Row) -> Iterator[str]:
        value = row[column]
        if isinstance(logged, dict) and logged.keys() == {"seal"}:
            if not self._is_sealed(id, column, logged, value) and not self._is_sealed(id, column, logged, _read(value)):
                yield f"its {words.field(column)} is not the one that its event recorded"
        elif not self._is_same(column, logged, value):
            now, before = (words.shown(self.table, column, each, row) for each in (value, logged))
            yield f"its {words.field(column)} is {now}, but its event recorded {before}"

    def _is_same(self, column: str, logged: Any, value: Any) -> bool:
        if column == "dependencies":  # a deleted task is no dependency
            logged = [id for id in logged if self.rows.get(id, {}) is not None]
        if logged == value and type(logged) is type(value):
            return True
        document = _read(value)
        return isinstance(document, (dict, list)) and document == _read(logged)

    def _is_sealed(self, id: str, column: str, logged: Row, value: object) -> bool:
        return bool(logged["seal"] == recorded.seal(self.key, self.table, id, column, value))

    def _parts(self, id: str, column: str, columns: list[str]) -> list[list[Any]]:
        """The values of rows in these columns. Names may be spoilt: no value belongs to a missing column."""
        query = PARTS[self.table, column]
        places, by_id = WORKSPACE.memo(query, lambda: _grouped(query))
        chosen = [places.get(name) for name in columns]
        return [[None if index is None else row[index] for index in chosen] for row in by_id.get(id, [])]


def _grouped(query: str) -> tuple[dict[str, int], dict[str, list[tuple[Any, ...]]]]:
    """The places of columns by name, and the rows by their owner, which is the first column."""
    cursor = WORKSPACE.run(query)
    places = {column[0]: index for index, column in enumerate(cursor.description)}
    groups: dict[str, list[tuple[Any, ...]]] = {}
    for row in cursor:
        groups.setdefault(row[0], []).append(row)
    return places, groups


def _quoted(logged: Row) -> Row:
    """The recorded values, without seals."""
    return {column: value for column, value in logged.items() if not isinstance(value, dict)}


def _read(value: object) -> object:
    """The value that stored JSON stands for; anything else as it is."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value
