"""Schema steps: all or nothing; and the schema of a new file is the one that the models declare."""

import importlib
import pkgutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from peewee import Model

import erp
from erp.migrations import (
    CONTROL_SCHEMA,
    FIRST,
    WORKSPACE_SCHEMA,
    CannotMigrate,
    NewerSchema,
    Schema,
    UnreleasedSchema,
    migrate,
    version,
)
from erp.store import connections, engine
from erp.store.router import CONTROL, WORKSPACE, Router
from tests.busy_offices import steps

BOTH = pytest.mark.parametrize("schema", [CONTROL_SCHEMA, WORKSPACE_SCHEMA], ids=["control", "workspace"])


def known(*scripts: str) -> Schema:
    """The schema of a program whose first release had one table, and which knows these steps."""
    return Schema(1, "CREATE TABLE a (id INTEGER PRIMARY KEY) STRICT", steps(*scripts))


def made(path: Path, schema: Schema) -> Any:
    """A new file."""
    connection = connections.connect(path, "rwc")
    engine.create(connection, schema, lambda connection: None)
    return closing(connection)


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Any]:
    """A file of the first release, with a row in it."""
    with made(tmp_path / "a.db", known()) as file:
        file.execute("INSERT INTO a VALUES (1)")
        yield file


def tables(file: Any) -> list[str]:
    return [name for (name,) in file.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]


def columns(file: Any) -> list[str]:
    return [row[1] for row in file.execute("PRAGMA table_info(a)")]


ADD, FILL = "ALTER TABLE a ADD COLUMN name TEXT", "UPDATE a SET name = 'row ' || id"


def test_steps_are_taken_once_and_in_order(file: Any) -> None:
    assert version(file) == FIRST
    assert migrate(file, known(ADD)) == 1
    assert migrate(file, known(ADD, FILL)) == 1
    assert migrate(file, known(ADD, FILL)) == 0
    assert version(file) == FIRST + 2
    assert file.execute("SELECT id, name FROM a").fetchall() == [(1, "row 1")]


def test_a_new_file_is_as_one_that_has_taken_the_steps(file: Any, tmp_path: Path) -> None:
    newer = known(ADD, "CREATE INDEX a_name ON a (name)")
    migrate(file, newer)
    with made(tmp_path / "b.db", newer) as new:
        query = "SELECT type, name, sql FROM sqlite_schema ORDER BY name"
        assert new.execute(query).fetchall() == file.execute(query).fetchall()
        assert version(new) == version(file) == newer.version


def test_a_step_that_fails_leaves_the_file_as_it_was(file: Any) -> None:
    def half_done(connection: Any) -> None:
        connection.execute("CREATE TABLE b (x)")
        connection.execute("CREATE TABLE b (x)")

    with pytest.raises(connections.sqlite3.OperationalError):
        migrate(file, Schema(1, known().text, [half_done]))
    assert (version(file), tables(file)) == (FIRST, ["a"])
    assert file.execute("PRAGMA foreign_keys").fetchone() == (1,)


def test_steps_that_are_taken_together_are_undone_together(file: Any) -> None:
    with pytest.raises(connections.sqlite3.OperationalError):
        migrate(file, known(ADD, FILL, "ALTER TABLE b ADD COLUMN name TEXT"))
    assert (version(file), columns(file)) == (FIRST, ["id"])


def test_steps_that_leave_a_reference_to_nothing_are_undone(file: Any) -> None:
    with pytest.raises(CannotMigrate, match="dangling"):
        migrate(file, known("CREATE TABLE b (a REFERENCES a (id))", "INSERT INTO b VALUES (7)"))
    assert (version(file), tables(file)) == (FIRST, ["a"])


def test_a_newer_file_is_not_touched(file: Any) -> None:
    migrate(file, known(ADD, FILL))
    newer = rf"by a newer version of erp \(schema {FIRST + 2}; this is erp .*schema {FIRST + 1}\)"
    with pytest.raises(NewerSchema, match=newer):
        migrate(file, known(ADD))
    assert version(file) == FIRST + 2


@pytest.mark.parametrize("steps_taken", [0, 7, 37, FIRST - 1])
def test_a_file_of_a_development_version_is_refused_and_not_touched(file: Any, steps_taken: int) -> None:
    file.execute(f"PRAGMA user_version = {steps_taken}")
    with pytest.raises(UnreleasedSchema, match=rf"an unreleased version of erp wrote it \(schema {steps_taken}\)"):
        migrate(file, known(ADD))
    assert (version(file), columns(file)) == (steps_taken, ["id"])


def subclasses(model: type[Model]) -> Iterator[type[Model]]:
    for child in model.__subclasses__():
        yield child
        yield from subclasses(child)


def models_in(database: Router) -> list[type[Model]]:
    """Every table that the program declares in a kind of file; classes that only others inherit from are none."""
    for module in pkgutil.walk_packages(erp.__path__, "erp."):
        if module.name != "erp.__main__":
            importlib.import_module(module.name)
    tables = {
        model for model in subclasses(Model) if not model.__subclasses__() and model.__module__.startswith("erp.")
    }
    return sorted((model for model in tables if model._meta.database is database), key=lambda model: model.__name__)


@pytest.mark.parametrize(
    ("schema", "database"), [(CONTROL_SCHEMA, CONTROL), (WORKSPACE_SCHEMA, WORKSPACE)], ids=["control", "workspace"]
)
def test_the_schema_is_what_the_models_declare(tmp_path: Path, schema: Schema, database: Router) -> None:
    models = models_in(database)
    assert len(models) > 6
    with made(tmp_path / "a.db", schema) as file:
        for model in models:
            meta = model._meta
            columns = {
                name: bool(not_null)
                for _, name, _, not_null, *_ in file.execute(f"PRAGMA table_xinfo({meta.table_name})")
            }
            declared = {field.column_name: not field.null for field in meta.sorted_fields}
            assert columns == declared, model.__name__


@BOTH
def test_every_table_is_strict_and_none_holds_a_binary_fraction(tmp_path: Path, schema: Schema) -> None:
    with made(tmp_path / "a.db", schema) as file:
        tables = [row for row in file.execute("PRAGMA table_list") if not row[1].startswith("sqlite_")]
        assert tables
        assert all(strict for *_, strict in tables)
        kinds = {row[2] for table in tables for row in file.execute(f"PRAGMA table_info({table[1]})")}
    assert kinds <= {"TEXT", "INTEGER", "BLOB"}
