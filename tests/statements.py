"""Forms of SQL that SQLite reads and PostgreSQL does not, looked for in statements as they are executed."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from erp.store.router import Router

LITERAL = re.compile(r"'(?:[^']|'')*'")
COMMENT = re.compile(r"--[^\n]*")
FORMS = {
    "a function of SQLite alone": r"\b(iif|ifnull|group_concat|total|julianday|printf|strftime|unixepoch)\s*\(",
    "WHERE with a number": r"\bWHERE\s+\d+\b",
    "IS between values": r"\bIS\s+(?:NOT\s+)?(?!NULL\b|NOT\b|TRUE\b|FALSE\b|DISTINCT\b)[\w?:'(-]",
    "a list of parameters; pass it as json_each(?)": r"\bIN\s*\(\s*(?:\?|:\w+)\s*(?:,|\))",
    "an empty list": r"\bIN\s*\(\s*\)",
    "a counter without its table in an upsert": r"\bDO\s+UPDATE\s+SET\s+(\w+)\s*=\s*\1\b",
    "the table user without quotes": r"\b(?:FROM|JOIN|INTO|UPDATE)\s+user\b",
    "rowid": r"\b_?rowid_?\b",
    "INSERT OR, REPLACE": r"\b(?:INSERT|UPDATE)\s+OR\b|\bREPLACE\s+INTO\b",
    "INDEXED BY": r"\bINDEXED\s+BY\b",
}
OWN_WORDS = re.compile(r"\bprintf\('%|\bjulianday\(")


def bare(sql: str) -> str:
    """The statement without comments, its texts emptied."""
    return LITERAL.sub("''", COMMENT.sub("", sql))


def unnamed_tables(text: str) -> Iterator[str]:
    """Selects in a FROM that have no name."""
    for start in re.finditer(r"\b(?:FROM|JOIN)\s*\(", text, re.IGNORECASE):
        depth, end = 1, start.end()
        while depth and end < len(text):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        if not re.match(r"\s*AS\s+\w+", text[end:], re.IGNORECASE):
            yield f"a select without a name: {text[start.start() : start.start() + 60]}"


def offences(sql: str) -> list[str]:
    """What of a statement PostgreSQL would not read; the words of `erp.store.sql` are not counted."""
    if re.match(r"\s*(PRAGMA|VACUUM|ATTACH|DETACH|EXPLAIN|CREATE|DROP|ALTER)\b", sql, re.IGNORECASE):
        return []
    text = bare(_without_own_words(sql))
    found = [name for name, form in FORMS.items() if re.search(form, text, re.IGNORECASE)]
    return [*found, *unnamed_tables(text)]


def _without_own_words(sql: str) -> str:
    """Functions that `erp.store.sql` alone may spell, made harmless; `test_source` sees that nobody else does."""
    return OWN_WORDS.sub("(", sql)


class Watch:
    """Looks once at every statement that the routers execute."""

    def __init__(self) -> None:
        self.seen: set[str] = set()
        self.found: list[tuple[str, list[str]]] = []

    def start(self) -> None:
        """Look from now on."""
        execute, run_many = Router.execute_sql, Router.run_many

        def execute_sql(router: Router, sql: str, *more: Any, **named: Any) -> Any:
            self._look(sql)
            return execute(router, sql, *more, **named)

        def run_many_watched(router: Router, sql: str, rows: Sequence[Sequence[Any]]) -> None:
            self._look(sql)
            run_many(router, sql, rows)

        Router.execute_sql = execute_sql  # type: ignore[method-assign,assignment]
        Router.run_many = run_many_watched  # type: ignore[method-assign,assignment]

    def _look(self, sql: str) -> None:
        if sql not in self.seen:
            self.seen.add(sql)
            if wrong := offences(sql):
                self.found.append((sql, wrong))
