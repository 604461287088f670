"""Pages of a list that the database writes as JSON itself, for the lists that are read most.

Measured for 50 invoices: 0.2 ms, against 1.7 ms with model objects and views. One aggregate returns the whole page,
so that a thread releases the interpreter's lock once, not once per row.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec import Raw

from erp.store.router import WORKSPACE
from erp.store.sql import Condition, all_of, array, given, lines
from erp.web import paging, several
from erp.web.schema import ListQuery, Page


class Added(NamedTuple):
    """A field of the rows whose value Python tells, from facts that the database reads with them.

    Attributes:
        facts: SQL of the facts of a row, as JSON.
        of_page: the values, as JSON, for the facts of the rows of a page.
    """

    name: str
    facts: str
    of_page: Callable[[Sequence[str]], Sequence[str]]

    def to(self, rows: str, facts: str) -> bytes:
        """The rows with the field, as the items of a list; `rows` and `facts` hold a line for each.

        A row is copied once: to cut the text into lines first took half as long again.
        """
        values = self.of_page(facts.split("\n"))
        endings = {value: f',"{self.name}":{value}}},'.encode() for value in set(values)}
        text, start, items = f"{rows}\n".encode(), 0, list[bytes | memoryview]()
        for value in values:
            end = text.index(b"\n", start)
            items += (memoryview(text)[start : end - 1], endings[value])
            start = end + 1
        return b"".join(items)[:-1]


def one_of(column: str, text: str, known: Sequence[str]) -> Condition:
    """That a column has one of the values that a parameter of the same name lists, separated by commas.

    Raises:
        BadParameter: one of the values is not known.
    """
    values = paging.several(column, text, known)
    return Condition(f"{column} IN (SELECT value FROM json_each(:{column}_among))", {f"{column}_among": array(values)})


def chosen(query: ListQuery) -> Iterator[Condition]:
    """The conditions of `ids` and `updatedAfter`, which every list takes."""
    ids = None if query.ids is None else array(paging.ids_of(query.ids))
    yield from given(
        ("id IN (SELECT value FROM json_each(:chosen_ids))", ids),
        ("updated_at > :updated_after", paging.updated_after(query)),
    )
    yield from several.conditions()


def page(
    table: str,
    shown: Condition,
    where: Sequence[Condition],
    query: ListQuery,
    *,
    joined: str = "",
    sort: str = paging.NEWEST,
    sortable: Mapping[str, str],
    added: Added | None = None,
) -> Page[Any]:
    """One page of a table.

    Args:
        shown: an SQL expression that gives the JSON of a row.
        joined: a join for that expression, which keeps every row of the table once.
        sort: a field of `sortable`, or `createdAt`; with `-` before it, descending.
        sortable: SQL expressions by wire name; they are never null.
        added: a field that `shown` leaves out.
    """
    matching = all_of([*where, *chosen(query)])
    several.give(table, matching)
    total = _count(table, matching) if query.total else None
    descending, column = sort.startswith("-"), {"createdAt": "id", **sortable}[sort.removeprefix("-")]
    if query.cursor is not None:
        value, last_id = paging.read_cursor(query.cursor, sort)
        after = f"({column}, id) {'<' if descending else '>'} (:last_value, :last_id)"
        matching = all_of([matching, Condition(after, {"last_value": value, "last_id": last_id})])
    facts = None if added is None else added.facts
    direction = "DESC" if descending else "ASC"
    statement = _statement(table, joined, shown.sql, facts, matching.sql, column, direction, query.limit)
    ((text, told, count, *last),) = WORKSPACE.rows(statement, {**matching.parameters, **shown.parameters})
    next_cursor = paging.write_cursor(sort, *last) if count > query.limit else None
    items = (text or "").encode() if added is None or not text else added.to(text, told)
    return Page(Raw(b"[%b]" % items), query.limit, next_cursor, total)  # type: ignore[arg-type]


# The rows are chosen before they become JSON: sorting would make JSON of every row that it sorts. They are chosen
# only once: where few rows match, finding them reads the whole table. JSON holds no line break, which parts the rows.
_PAGE = """
WITH chosen AS MATERIALIZED (SELECT {column} AS sort_value, id {rest} LIMIT {limit} + 1)
SELECT
    {rows}, {told},
    (SELECT count(*) FROM chosen),
    (SELECT sort_value FROM chosen LIMIT 1 OFFSET {limit} - 1), (SELECT id FROM chosen LIMIT 1 OFFSET {limit} - 1)
FROM (
    SELECT {shown} AS shown, {facts} AS facts
    FROM {table} WHERE id IN (SELECT id FROM chosen LIMIT {limit}) ORDER BY {order}
) AS page
"""


@lru_cache(maxsize=64)
def _statement(
    table: str, joined: str, shown: str, facts: str | None, where: str, column: str, direction: str, limit: int
) -> str:
    """The SQL of a page.

    It is cached, because it is long: with a new text, finding the prepared statement takes a twentieth of the time of
    a list.
    """
    order = ", ".join(f"{term} {direction}" for term in dict.fromkeys((column, "id")))
    rest = f"FROM {table} WHERE {where} ORDER BY {order}"
    return _PAGE.format(
        column=column,
        rest=rest,
        limit=limit,
        rows="string_agg(shown, ',')" if facts is None else lines("shown"),
        told="NULL" if facts is None else lines("facts"),
        shown=shown,
        facts="NULL" if facts is None else facts,
        table=f"{table} {joined}",
        order=order,
    )


def _count(table: str, matching: Condition) -> int:
    ((count,),) = WORKSPACE.rows(f"SELECT count(*) FROM {table} WHERE {matching.sql}", matching.parameters)
    return int(count)
