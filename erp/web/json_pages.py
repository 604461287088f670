"""Pages of a list that SQLite itself spells out as JSON: for the lists that are asked for all the time.

Measured for 50 invoices: 0.2 ms, against 1.7 ms with model objects and views. One aggregate gives the whole page,
so that a thread lets go of the interpreter once, not for each row.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Raw

from erp.kernel.errors import BadParameter
from erp.store.router import WORKSPACE
from erp.store.sql import Condition, all_of, array
from erp.web import paging
from erp.web.schema import ListQuery, Page


def one_of(column: str, text: str, known: Sequence[str]) -> Condition:
    """That a column has one of the values that the parameter of its name gives, separated by commas.

    Raises:
        BadParameter: there is no such value.
    """
    named = text.split(",")
    if not set(named) <= set(known):
        raise BadParameter(f"{column}: Must be one or several of {', '.join(known)}, separated by commas.")
    return Condition(f"{column} IN (SELECT value FROM json_each(:{column}_among))", {f"{column}_among": array(named)})


def page(
    table: str,
    shown: Condition,
    where: Sequence[Condition],
    query: ListQuery,
    *,
    sort: str = paging.NEWEST,
    sortable: Mapping[str, str],
) -> Page[Any]:
    """One page of a table.

    Args:
        shown: an SQL expression that gives the JSON of a row.
        sortable: SQL expressions, never null, by the names of the wire; `createdAt` is always one.
    """
    matching = all_of(where)
    total = _count(table, matching) if query.total else None
    descending, column = sort.startswith("-"), {"createdAt": "id", **sortable}[sort.removeprefix("-")]
    if query.cursor is not None:
        place, last_id = paging.read_cursor(query.cursor, sort)
        after = f"({column}, id) {'<' if descending else '>'} (:place, :last_id)"
        matching = all_of([matching, Condition(after, {"place": place, "last_id": last_id})])
    order = ", ".join(f"{term} {'DESC' if descending else 'ASC'}" for term in dict.fromkeys((column, "id")))
    rest = f"FROM {table} WHERE {matching.sql} ORDER BY {order}"
    ((items, found, *last),) = WORKSPACE.rows(
        _PAGE.format(place=column, rest=rest, limit=query.limit, shown=shown.sql, table=table, order=order),
        {**matching.parameters, **shown.parameters},
    )
    next_cursor = paging.write_cursor(sort, *last) if found > query.limit else None
    return Page(Raw(f"[{items or ''}]".encode()), query.limit, next_cursor, total)  # type: ignore[arg-type]


# The rows are chosen before they are spelled: a sorter would spell every row that it takes in. They are looked for
# once, for where few match that is a walk through all.
_PAGE = """
WITH chosen AS MATERIALIZED (SELECT {place} AS place, id {rest} LIMIT {limit} + 1)
SELECT
    (SELECT string_agg(shown, ',') FROM (
        SELECT {shown} AS shown FROM {table} WHERE id IN (SELECT id FROM chosen LIMIT {limit}) ORDER BY {order}
    ) AS page),
    (SELECT count(*) FROM chosen),
    (SELECT place FROM chosen LIMIT 1 OFFSET {limit} - 1), (SELECT id FROM chosen LIMIT 1 OFFSET {limit} - 1)
"""


def _count(table: str, matching: Condition) -> int:
    ((count,),) = WORKSPACE.rows(f"SELECT count(*) FROM {table} WHERE {matching.sql}", matching.parameters)
    return int(count)
