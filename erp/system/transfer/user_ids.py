"""The user ids in a workspace's file: finding and replacing them.

For closed files. A user id is recognised by its value, wherever it appears, so columns that are added later need no
code here.
"""

import json
import re
from collections.abc import Collection, Mapping

from erp.migrations import Connection
from erp.store import engine, sql
from erp.store.records import new_id

HISTORY = frozenset({"event", "journal_entry", "posting", "person", "workspace_meta"})
"""Tables that are never changed: the chain of events, and the names of former people."""

UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")


def mentioned(connection: Connection, user_ids: Collection[str]) -> set[str]:
    """The given user ids that appear anywhere in the file, including its history."""
    candidates, ids = set(user_ids), set()
    for table, columns in engine.text_columns(connection):
        texts = " || ' ' || ".join(f"""coalesce("{column}", '')""" for column in columns)
        for (text,) in connection.execute(f'SELECT {texts} FROM "{table}"'):
            ids |= candidates.intersection(UUID.findall(text))
    return ids


def replace(connection: Connection, others: Mapping[str, str]) -> None:
    """Replace user ids by others everywhere except in `HISTORY`; within the transaction under way.

    If the new id already has a row where there can be only one, such as an assignee, only that row stays.
    """
    temporary = {old: new_id() for old in others}  # so that two people can exchange their ids
    final = {temporary[old]: new for old, new in others.items()}
    with engine.without_triggers(connection):
        for table, columns in engine.text_columns(connection):
            for column in columns if table not in HISTORY else ():
                _replace(connection, table, column, temporary)
                _replace(connection, table, column, final)
                _clear(connection, table, column, final)


def _replace(connection: Connection, table: str, column: str, others: Mapping[str, str]) -> None:
    old = f'"{table}"."{column}"'
    connection.execute(
        f'UPDATE OR IGNORE "{table}" SET "{column}" = (SELECT pair.value FROM json_each(:others) AS pair'
        f" WHERE pair.key = {old}) WHERE {old} IN (SELECT key FROM json_each(:others))",
        {"others": json.dumps(others)},
    )


def _clear(connection: Connection, table: str, column: str, replaced: Mapping[str, str]) -> None:
    """Remove the ids that could not be replaced because the new id was there already."""
    is_nullable = engine.may_be_null(connection, table, column)
    change = f'UPDATE "{table}" SET "{column}" = NULL' if is_nullable else f'DELETE FROM "{table}"'
    condition = f'"{table}"."{column}" IN (SELECT value FROM json_each(?))'
    connection.execute(f"{change} WHERE {condition}", (sql.array(replaced),))
