"""Forms of SQL that SQLite reads and PostgreSQL does not, looked for in statements as they are executed."""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from erp.store.connections import STORAGE_ERRORS
from erp.store.router import INDEX, Router
from tests.paths import ROOT

LITERAL_OR_COMMENT = re.compile(r"('(?:[^']|'')*')|--[^\n]*")
LITERAL_OR_QUOTED = re.compile(r"'(?:[^']|'')*'|\"([^\"]+)\"")
FORMS = {
    "a function of SQLite alone": (
        r"\b(iif|ifnull|group_concat|total|julianday|printf|strftime|unixepoch|datetime|last_insert_rowid|changes)\s*\("
    ),
    "WHERE with a number": r"\bWHERE\s+\d+\b",
    "IS between values": r"\bIS\s+(?:NOT\s+)?(?!NULL\b|NOT\b|TRUE\b|FALSE\b|DISTINCT\b)[\w?:'\"(-]",
    "a list of parameters; pass it as json_each(?)": r"\bIN\s*\(\s*(?:\?|:\w+)\s*(?:,|\))",
    "an empty list": r"\bIN\s*\(\s*\)",
    "a counter without its table in an upsert": r"\bDO\s+UPDATE\s+SET\s+(\w+)\s*=\s*\1\b",
    "the table user without quotes": r"\b(?:FROM|JOIN|INTO|UPDATE)\s+user\b",
    "rowid": r"\b_?rowid_?\b",
    "INSERT OR, REPLACE": r"\b(?:INSERT|UPDATE)\s+OR\b|\bREPLACE\s+INTO\b",
    "INDEXED BY": r"\bINDEXED\s+BY\b",
    "GLOB": r"\bGLOB\b",
    "==": r"==",
    "LIMIT with a comma": r"\bLIMIT\s+[\w?:]+\s*,",
}
OWN_WORDS = re.compile(r"\bprintf\((?='[%{])|\bjulianday\(")
ABOUT_SQLITE = re.compile(r"\s*(PRAGMA|VACUUM|ATTACH|DETACH|EXPLAIN|CREATE|DROP|ALTER)\b", re.IGNORECASE)


def offences(sql: str) -> list[str]:
    """What of a statement PostgreSQL would not read; the words of `erp.store.sql` are not counted."""
    if ABOUT_SQLITE.match(sql):
        return []
    text = bare(OWN_WORDS.sub("(", sql))  # `test_source` checks that no other module spells them
    broken = [name for name, form in FORMS.items() if re.search(form, text, re.IGNORECASE)]
    return [*broken, *unnamed_tables(text)]


def bare(sql: str) -> str:
    """The statement without comments, its texts emptied."""
    return LITERAL_OR_COMMENT.sub(lambda match: "''" if match[1] else "", sql)


def unnamed_tables(text: str) -> Iterator[str]:
    """Selects in a FROM that have no name."""
    for start in re.finditer(r"\b(?:FROM|JOIN)\s*\(", text, re.IGNORECASE):
        depth, end = 1, start.end()
        while depth and end < len(text):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        if not re.match(r"\s*AS\s+\"?\w+", text[end:], re.IGNORECASE):
            yield f"a select without a name: {text[start.start() : start.start() + 60]}"


def quoted_texts(connection: Any, sql: str, parameters: Sequence[Any] | Mapping[str, Any]) -> list[str]:
    """Texts in double quotes, which SQLite takes for names first: in other quotes it finds no such column."""
    respelled = LITERAL_OR_QUOTED.sub(lambda match: f"`{match[1]}`" if match[1] else match[0], sql)
    if respelled == sql or ABOUT_SQLITE.match(sql):
        return []
    try:
        connection.execute(f"EXPLAIN {respelled}", parameters).close()
    except STORAGE_ERRORS as error:
        return [f"a text in double quotes: {error}"] if "no such column" in str(error) else []
    return []


def is_asked_by_a_test() -> bool:
    """Whether a test runs the statement itself, as attacks and looks into a file do, and not the program."""
    frame = sys._getframe(1)
    while frame.f_back is not None and _passes_on(frame.f_code.co_filename):
        frame = frame.f_back
    return _is_a_test(frame.f_code.co_filename)


@cache
def _passes_on(file: str) -> bool:
    return Path(file).name in {"statements.py", "router.py", "peewee.py"}


@cache
def _is_a_test(file: str) -> bool:
    return ROOT / "tests" in Path(file).parents


class Watch:
    """Looks once at every statement that the routers execute."""

    def __init__(self) -> None:
        self.seen: set[str] = set()
        self.found: list[tuple[str, list[str]]] = []

    def start(self) -> None:
        """Look from now on."""
        execute, run_many = Router.execute_sql, Router.run_many

        def execute_sql(router: Router, sql: str, parameters: Any = None, *more: Any, **named: Any) -> Any:
            self._look(router, sql, parameters or ())
            return execute(router, sql, parameters, *more, **named)

        def run_many_watched(router: Router, sql: str, rows: Sequence[Sequence[Any]]) -> None:
            if rows:
                self._look(router, sql, rows[0])
            run_many(router, sql, rows)

        Router.execute_sql = execute_sql  # type: ignore[method-assign,assignment]
        Router.run_many = run_many_watched  # type: ignore[method-assign,assignment]

    def _look(self, router: Router, sql: str, parameters: Sequence[Any] | Mapping[str, Any]) -> None:
        if router is INDEX or sql in self.seen or is_asked_by_a_test():  # an index is never in PostgreSQL
            return
        self.seen.add(sql)
        broken = offences(sql)
        if '"' in sql and not router.is_closed():
            broken += quoted_texts(router.connection(), sql, parameters)
        if broken:
            self.found.append((sql, broken))
