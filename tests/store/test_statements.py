"""The watch over SQL notices each form that only SQLite reads, and passes what both engines read."""

from collections.abc import Iterator
from typing import Any

import pytest

from erp.store import connections, sql
from tests.statements import offences, quoted_texts


@pytest.mark.parametrize(
    ("statement", "offence"),
    [
        ("SELECT iif(a > 0, 1, 2) FROM t", "a function of SQLite alone"),
        ("SELECT ifnull(a, 0) FROM t", "a function of SQLite alone"),
        ("SELECT group_concat (a) FROM t", "a function of SQLite alone"),
        ("SELECT total(a) FROM t", "a function of SQLite alone"),
        ("SELECT strftime('%Y', a) FROM t", "a function of SQLite alone"),
        ("SELECT datetime(a) FROM t", "a function of SQLite alone"),
        ("SELECT a FROM t WHERE 1", "WHERE with a number"),
        ("SELECT a FROM t where 1 AND b", "WHERE with a number"),
        ("SELECT a FROM t WHERE a IS ?", "IS between values"),
        ("SELECT a FROM t WHERE a IS NOT :b", "IS between values"),
        ("SELECT a FROM t WHERE a IS b", "IS between values"),
        ("SELECT a FROM t WHERE a IS 'x'", "IS between values"),
        ('SELECT a FROM t WHERE a IS "t"."b"', "IS between values"),
        ("SELECT a FROM t WHERE a IS NOT (SELECT b FROM u)", "IS between values"),
        ("SELECT a FROM t WHERE a IN (?)", "a list of parameters; pass it as json_each(?)"),
        ("SELECT a FROM t WHERE a IN (?, ?)", "a list of parameters; pass it as json_each(?)"),
        ("SELECT a FROM t WHERE a IN (:first, :second)", "a list of parameters; pass it as json_each(?)"),
        ("SELECT a FROM t WHERE a IN ()", "an empty list"),
        (
            "INSERT INTO t (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET a = a + 1",
            "a counter without its table in an upsert",
        ),
        ("SELECT name FROM user", "the table user without quotes"),
        ("SELECT name FROM t JOIN user AS u ON u.id = t.id", "the table user without quotes"),
        ("UPDATE user SET name = ?", "the table user without quotes"),
        ("SELECT rowid FROM t", "rowid"),
        ("SELECT _rowid_ FROM t", "rowid"),
        ("INSERT OR IGNORE INTO t VALUES (1)", "INSERT OR, REPLACE"),
        ("REPLACE INTO t VALUES (1)", "INSERT OR, REPLACE"),
        ("SELECT a FROM t INDEXED BY t_a", "INDEXED BY"),
        ("SELECT a FROM t WHERE a GLOB 'x*'", "GLOB"),
        ("SELECT a FROM t WHERE a == 1", "=="),
        ("SELECT a FROM t LIMIT 10, 5", "LIMIT with a comma"),
        ("SELECT a FROM (SELECT a FROM t)", "a select without a name: FROM (SELECT a FROM t)"),
        ("SELECT a FROM t JOIN (SELECT b FROM u) ON a = b", "a select without a name: JOIN (SELECT b FROM u) ON a = b"),
    ],
)
def test_a_form_of_sqlite_alone_is_noticed(statement: str, offence: str) -> None:
    assert offences(statement) == [offence]


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT CASE WHEN a > 0 THEN 1 ELSE 2 END, coalesce(a, 0) FROM t WHERE true",
        "SELECT string_agg(a, ',' ORDER BY a) FROM t",
        "SELECT a FROM t WHERE a IS NULL OR a IS NOT NULL OR b IS TRUE OR b IS NOT FALSE",
        "SELECT a FROM t WHERE a IS DISTINCT FROM ? OR a IS NOT DISTINCT FROM b",
        "SELECT a FROM t WHERE a IN ('x', 'y') AND b IN (SELECT b FROM u)",
        "SELECT a FROM t WHERE a IN (SELECT value FROM json_each(?))",
        "INSERT INTO t (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET a = t.a + 1",
        'SELECT name FROM "user" JOIN user_name AS n ON n.id = "user".id',
        "SELECT a FROM (SELECT a FROM (SELECT a FROM t) AS u) AS v",
        'SELECT a FROM (SELECT a FROM t) AS "t1"',
        "SELECT subtotal(a) FROM t LIMIT ? OFFSET ?",
        "SELECT 'rowid', 'it''s a -- GLOB', 'a IS b' FROM t -- WHERE 1",
        "CREATE TABLE t AS SELECT rowid FROM u WHERE 1",
        "PRAGMA user_version",
    ],
)
def test_what_both_engines_read_passes(statement: str) -> None:
    assert offences(statement) == []


def test_the_words_of_the_store_pass_and_hide_nothing_beside_them() -> None:
    words = [sql.money_text("amount"), sql.padded("number", 5), sql.days_between("a", "b"), sql.joined("a", "b")]
    statement = f"SELECT {', '.join(words)} FROM t"
    assert offences(statement) == []
    assert offences(f"{statement} WHERE a IS b") == ["IS between values"]


@pytest.fixture
def memory() -> Iterator[Any]:
    with connections.plain(connections.IN_MEMORY) as connection:
        connection.execute("CREATE TABLE t (a TEXT, b TEXT)")
        yield connection


@pytest.mark.parametrize(
    ("statement", "parameters"),
    [
        ('SELECT a FROM t WHERE a = "draft"', ()),
        ('SELECT a FROM t WHERE a = ? AND b = "draft"', ("x",)),
        ('UPDATE t SET a = "draft" WHERE b = :b', {"b": "x"}),
    ],
)
def test_a_text_in_double_quotes_is_noticed(memory: Any, statement: str, parameters: Any) -> None:
    memory.execute(statement, parameters)
    (offence,) = quoted_texts(memory, statement, parameters)
    assert "draft" in offence


@pytest.mark.parametrize(
    ("statement", "parameters"),
    [
        ('SELECT "t1"."a" FROM "t" AS "t1" WHERE "t1"."b" = ?', ("x",)),
        ("SELECT a FROM t WHERE a = '\"draft\"' AND b = :b", {"b": "x"}),
        ('SELECT a AS "total" FROM t ORDER BY "total"', ()),
        ('INSERT INTO "t" ("a", "b") VALUES (?, ?)', ("x", "y")),
        ('PRAGMA table_info("t")', ()),
    ],
)
def test_a_name_in_double_quotes_passes(memory: Any, statement: str, parameters: Any) -> None:
    assert quoted_texts(memory, statement, parameters) == []
