"""The users whom a workspace's file names: who they are, and naming others in their place.

For files that nobody else has open. A user id is recognised by its value, wherever it stands, so that a column
added later needs no word here.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager

from erp.migrations import Connection
from erp.store.records import new_id

HISTORY = frozenset({"event", "journal_entry", "posting", "entry_seal", "person", "workspace_meta"})
"""Tables that stay as they were written: what the chain of events proves, and who was who before."""

UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")


def named(connection: Connection, user_ids: Collection[str]) -> set[str]:
    """Those of the users whom anything in the file names, its history too."""
    wanted, found = set(user_ids), set()
    for table, columns in _texts(connection):
        texts = " || ' ' || ".join(f"""coalesce("{column}", '')""" for column in columns)
        for (text,) in connection.execute(f'SELECT {texts} FROM "{table}"'):
            found |= wanted.intersection(UUID.findall(text))
    return found


def replace(connection: Connection, others: Mapping[str, str]) -> None:
    """Name other users in place of some, everywhere but in `HISTORY`; within the transaction under way.

    Where a row of the other one is there already and there can be but one, as for an assignee, that one is left.
    """
    passing = {old: new_id() for old in others}  # so that two who change places are not taken for one another
    arriving = {passing[old]: new for old, new in others.items()}
    with _without_triggers(connection):
        for table, columns in _texts(connection):
            for column in columns if table not in HISTORY else ():
                _replace(connection, table, column, passing)
                _replace(connection, table, column, arriving)
                _clear(connection, table, column, arriving)


def _replace(connection: Connection, table: str, column: str, others: Mapping[str, str]) -> None:
    place = f'"{table}"."{column}"'
    connection.execute(
        f'UPDATE OR IGNORE "{table}" SET "{column}" = (SELECT pair.value FROM json_each(:others) AS pair'
        f" WHERE pair.key = {place}) WHERE {place} IN (SELECT key FROM json_each(:others))",
        {"others": json.dumps(others)},
    )


def _clear(connection: Connection, table: str, column: str, left: Mapping[str, str]) -> None:
    """Take those away who found their place taken."""
    (may_be_null,) = connection.execute(
        'SELECT NOT "notnull" FROM pragma_table_info(?) WHERE name = ?', (table, column)
    ).fetchone()
    change = f'UPDATE "{table}" SET "{column}" = NULL' if may_be_null else f'DELETE FROM "{table}"'
    found = f'"{table}"."{column}" IN (SELECT value FROM json_each(?))'
    connection.execute(f"{change} WHERE {found}", (json.dumps([*left]),))


def _texts(connection: Connection) -> Iterator[tuple[str, list[str]]]:
    """Every table that has columns of text, with their names."""
    tables = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    for (table,) in tables.fetchall():
        columns = connection.execute("SELECT name FROM pragma_table_info(?) WHERE type = 'TEXT'", (table,)).fetchall()
        if columns:
            yield table, [column for (column,) in columns]


@contextmanager
def _without_triggers(connection: Connection) -> Iterator[None]:
    """Let rows be changed that the file protects, for the block; nobody sees the file without its triggers."""
    triggers = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        connection.execute(f'DROP TRIGGER "{name}"')
    yield
    for _, sql in triggers:
        connection.execute(sql)
