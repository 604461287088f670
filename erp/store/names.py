"""Names of the people and records whose ids an answer shows, read once for a whole answer."""

import json
from collections.abc import Iterable
from functools import cache
from typing import Any

from erp.kernel import caller, config
from erp.store import sql
from erp.store.router import CONTROL, WORKSPACE

_MEMBERS = 'SELECT u.id, u.name FROM member AS m JOIN "user" AS u ON u.id = m.user_id WHERE m.workspace_id = ?'
_ANY_USER = 'SELECT name FROM "user" WHERE id = ?'
_IMPORTED = "SELECT name FROM person WHERE id = ?"


def members() -> dict[str, str]:
    """The names of the workspace's members by user id, including suspended and former ones."""
    former = WORKSPACE.rows("SELECT id, name, is_erased FROM person")
    imported = {id: name for id, name, _ in former}
    aliases = {id: name for id, name, is_erased in former if is_erased}
    return imported | dict(_control(_MEMBERS, caller.current().workspace_id)) | aliases


def members_json() -> str:
    """`members` as the parameter `:people` of the SQL that `of_column` makes."""
    return json.dumps(members())


def of_column(column: str) -> str:
    """SQL for the name of the user whose id a column has; null for a user this installation never knew."""
    return sql.json_text(":people", f"'$.\"' || {column} || '\"'")


def of_user(user_id: str | None) -> str | None:
    """The name of a user: a member, a former member, or a person known only from an import.

    Many users cost one query; only former members cost another.
    """
    if user_id is None:
        return None
    who = caller.current()
    if user_id == who.user_id:
        return who.name
    known = WORKSPACE.memo("names of users", _known)
    if user_id not in known:
        rows = _control(_ANY_USER, user_id) or WORKSPACE.rows(_IMPORTED, (user_id,))
        known[user_id] = rows[0][0] if rows else None
    return known[user_id]


def _known() -> dict[str, str | None]:
    return dict(members())


def _control(query: str, id: str | None) -> list[tuple[Any, ...]]:
    return CONTROL.look_up(config.current().control_path, query, (id,))


_COLUMNS = {
    "account": ("code", "name"),
    "asset": ("number", "name"),
    "contact": ("NULL", "coalesce((SELECT head.name FROM contact AS head WHERE head.id = contact.head_id), name)"),
    "dimension": ("code", "name"),
    "employee": ("employee_number", "name"),
    "expense_category": ("code", "name"),
    "invoice": ("number", "contact_name"),
    "journal_entry": ("number", "description"),
    "leave_type": ("code", "name"),
    "open_item": ("number", "NULL"),
    "pay_component": ("code", "name"),
    "payment": ("number", "NULL"),
    "payroll_run": ("number", "NULL"),
    "product": ("number", "name"),
    "project": ("code", "name"),
    "quote": ("number", "contact_name"),
    "site": ("NULL", "name"),
    "task": ("key", "title"),
    "tax_rate": ("NULL", "name"),
}
"""The name of a record in each table: a code or number, and a name."""


Called = tuple[str | None, str | None]


class Names(dict[str | None, Called]):
    """The code (or number, or key) and the name (or title) of some records by id; both None of None."""

    def __missing__(self, id: str | None) -> Called:
        return (None, None)

    def code(self, id: str | None) -> str | None:
        """The code, number or key of a record."""
        return self[id][0]

    def name(self, id: str | None) -> str | None:
        """The name or title of a record."""
        return self[id][1]


def of(**ids: Iterable[str | None]) -> Names:
    """The codes and names of records, by the name of their table; one query for all of them."""
    parts, parameters = [], []
    for table, some in ids.items():
        asked = {*some}
        asked.discard(None)
        if asked:
            is_one = len(asked) == 1  # the usual case, and a fifth of the work of a list
            parts.append((table, is_one))
            parameters.append(asked.pop() if is_one else sql.array(asked))
    rows = WORKSPACE.rows(_union(tuple(parts)), parameters) if parts else ()
    return Names({id: (code, name) for id, code, name in rows})


@cache
def _union(parts: tuple[tuple[str, bool], ...]) -> str:
    return " UNION ALL ".join(
        f"SELECT id, {', '.join(_COLUMNS[table])} FROM {table} WHERE id "
        + ("= ?" if is_one else "IN (SELECT value FROM json_each(?))")
        for table, is_one in parts
    )
