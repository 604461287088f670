"""The parts that depend on the database engine: a file's sizes, damage, structure, and copies of the whole."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from erp.kernel.errors import Busy
from erp.migrations import FIRST, Connection, Schema, Step, UnreleasedSchema, known_version, migrate
from erp.store.connections import connect, looking, sqlite3
from erp.store.router import Router

TRIES = 3
"""The number of times that another program may hold a file for `LOCK_SECONDS` before a copy into it gives up."""

_PARTS = (
    "SELECT type || ' ' || name, sql FROM sqlite_schema WHERE sql IS NOT NULL"
    " AND NOT (type = 'table' AND name IN ('sqlite_sequence', 'sqlite_stat1', 'sqlite_stat4'))"
)
"""SQLite makes the excluded ones itself. They are excluded by kind and whole name: anyone can give a trigger a similar
name."""


def schema_version(router: Router) -> int:
    """The version of the schema that the open file states."""
    ((version,),) = router.rows("PRAGMA user_version")
    return int(version)


def is_of_kind(router: Router) -> bool:
    """Whether the open file has the router's application id."""
    ((application_id,),) = router.rows("PRAGMA application_id")
    return bool(application_id == router.application_id_expected)


def damage(router: Router, *, thorough: bool, limit: int) -> Iterator[str]:
    """Descriptions of the damage that the engine finds in the open file.

    Args:
        thorough: compare every index with its rows; else only the pages are looked at.
        limit: the number of findings after which the engine stops.
    """
    for (words,) in router.run(f"PRAGMA {'integrity' if thorough else 'quick'}_check({limit})"):
        if words != "ok":
            yield words
    for table, row, parent, _ in router.run("PRAGMA foreign_key_check"):
        yield f"row {row} of {table} refers to a {parent} that does not exist"


def parts(router: Router) -> dict[str, str]:
    """The tables, indexes and triggers of the open file, with the statements that made them."""
    return dict(router.rows(_PARTS))


def parts_made_by(schema: Schema, version: int) -> dict[str, str]:
    """The tables, indexes and triggers of a new file of a version that this program knows."""
    return _parts_made_by(schema.text, tuple(schema.steps[: version - FIRST]))


@cache
def _parts_made_by(text: str, steps: tuple[Step, ...]) -> dict[str, str]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.executescript(text)
        for step in steps:
            step(connection)
        return dict(connection.execute(_PARTS).fetchall())


def bring_up_to_date(connection: Connection, schema: Schema) -> int:
    """Take the schema steps that a file lacks, all or none, and return their number.

    Raises:
        NewerSchema: a newer version of this program wrote it; nothing was changed.
        UnreleasedSchema: no release of this program wrote it; nothing was changed.
    """
    check_release(connection, schema)
    return migrate(connection, schema)


def check_release(connection: Connection, schema: Schema) -> None:
    """Refuse a file whose tables differ from its version: an unreleased version may have had other steps.

    Raises:
        NewerSchema: its version is not known yet.
        UnreleasedSchema: its tables differ, or a development version wrote it.
    """
    stated = known_version(connection, schema)
    expected, present = _tables(parts_made_by(schema, stated)), _tables(dict(connection.execute(_PARTS)))
    if names := sorted(name for name, _ in expected.items() ^ present.items()):
        raise UnreleasedSchema(
            f"an unreleased version of erp wrote it, or another program changed it: its {names[0]} is not as any "
            f"release makes it (schema {stated}). Only the version that wrote it can open it"
        )


def _tables(parts: dict[str, str]) -> dict[str, str]:
    """The statements of the tables, whatever their line breaks."""
    return {name: " ".join(made.split()) for name, made in parts.items() if name.startswith("table ")}


def create(connection: Connection, schema: Schema, fill: Step) -> None:
    """Give an empty file its schema and its first rows, in one transaction.

    Measured: a tenth of the time of executing the schema, which is done once and copied from then on.
    """
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as made:
        statements = tuple(parts_made_by(schema, schema.version).values())
        _blank(schema.application_id, schema.version, statements).backup(made)
        made.execute("BEGIN")
        fill(made)
        made.execute("COMMIT")
        made.backup(connection)


@cache
def _blank(application_id: int, version: int, statements: tuple[str, ...]) -> Any:
    """A new file in memory, without any row."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    for statement in statements:
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {application_id}")
    connection.execute(f"PRAGMA user_version = {version}")
    return connection


def text_columns(connection: Connection) -> Iterator[tuple[str, list[str]]]:
    """Every table that has columns of text, with their names."""
    tables = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    for (table,) in tables.fetchall():
        columns = connection.execute("SELECT name FROM pragma_table_info(?) WHERE type = 'TEXT'", (table,)).fetchall()
        if columns:
            yield table, [column for (column,) in columns]


def may_be_null(connection: Connection, table: str, column: str) -> bool:
    """Whether a column takes null."""
    query = 'SELECT NOT "notnull" FROM pragma_table_info(?) WHERE name = ?'
    (answer,) = connection.execute(query, (table, column)).fetchone()
    return bool(answer)


@contextmanager
def without_triggers(connection: Connection) -> Iterator[None]:
    """Drop the triggers for the block, within a transaction, so that rows can change that the file protects."""
    triggers = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        connection.execute(f'DROP TRIGGER "{name}"')
    yield
    for _, sql in triggers:
        connection.execute(sql)


def overwrite_deleted(router: Router) -> None:
    """Overwrite with zeros what the open connection deletes from now on, so that the file does not keep it."""
    router.run("PRAGMA secure_delete = 1")


def use_write_ahead_log(path: Path) -> None:
    """Set a file that no one else has open to write-ahead logging, as the server opens it."""
    with closing(connect(path)):
        pass


def checkpoint(path: Path) -> None:
    """Move the write-ahead log of a file that no one has open into it, and delete the log."""
    with closing(connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()


def page_size(file: Path) -> int:
    """The size of a file's pages, in bytes."""
    with looking(file) as connection:
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    return int(size)


def size(connection: Connection) -> int:
    """The size of the file that a connection has open, its log included, in bytes."""
    query = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
    (number,) = connection.execute(query).fetchone()
    return int(number)


def copy_compactly(connection: Connection, target: Path) -> None:
    """Write a compact copy of the file that a connection has open to `target`, which does not exist yet."""
    connection.execute("PRAGMA query_only = 0")  # it would hold for the copy as well
    connection.execute("VACUUM INTO ?", (str(target),))


def overwrite(target: Path, source: Path) -> None:
    """Replace the content of a file with the content of another, with pages of the same size, in one transaction.

    Raises:
        Busy: another program kept the target for too long; nothing was changed.
    """
    with closing(connect(target)) as connection, looking(source, nobody_writes=True) as other:
        other.backup(connection, progress=_giving_up())


def _giving_up() -> Callable[[int, int, int], Any]:
    """Give up after `TRIES`; without this, the engine would wait forever for another program that writes."""
    failures = 0

    def watch(status: int, remaining: int, total: int) -> None:
        nonlocal failures
        failures += status == sqlite3.SQLITE_BUSY
        if failures == TRIES:
            raise Busy

    return watch
