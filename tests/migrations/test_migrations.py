"""Schema steps: all or nothing, and the schema is the one that the models declare."""

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from peewee import Model

import erp
from erp.migrations import CannotMigrate, NewerSchema, books, migrate, version
from erp.migrations import control as control_schema
from erp.migrations import workspace as workspace_schema
from erp.store import connections
from erp.store.router import CONTROL, WORKSPACE, Router


def steps(*scripts: str) -> list[Callable[[Any], None]]:
    return [lambda connection, script=script: connection.execute(script) for script in scripts]  # type: ignore[misc]


def test_steps_are_taken_once_and_in_order(tmp_path: Path) -> None:
    with closing(connections.connect(tmp_path / "a.db", "rwc")) as file:
        assert migrate(file, steps("CREATE TABLE a (x)")) == 1
        assert migrate(file, steps("CREATE TABLE a (x)", "ALTER TABLE a ADD y")) == 1
        assert migrate(file, steps("CREATE TABLE a (x)", "ALTER TABLE a ADD y")) == 0
        assert version(file) == 2


def test_a_step_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    def half_done(connection: Any) -> None:
        connection.execute("CREATE TABLE b (x)")
        connection.execute("CREATE TABLE b (x)")

    with closing(connections.connect(tmp_path / "a.db", "rwc")) as file:
        migrate(file, steps("CREATE TABLE a (x)"))
        with pytest.raises(connections.sqlite3.OperationalError):
            migrate(file, [*steps("CREATE TABLE a (x)"), half_done])
        assert version(file) == 1
        assert file.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'b'").fetchone() == (0,)
        assert file.execute("PRAGMA foreign_keys").fetchone() == (1,)


def test_steps_that_are_taken_together_are_undone_together(tmp_path: Path) -> None:
    with closing(connections.connect(tmp_path / "a.db", "rwc")) as file:
        migrate(file, steps("CREATE TABLE a (x)"))
        with pytest.raises(connections.sqlite3.OperationalError):
            migrate(file, steps("CREATE TABLE a (x)", "ALTER TABLE a ADD y", "ALTER TABLE b ADD y"))
        assert version(file) == 1
        assert [row[1] for row in file.execute("PRAGMA table_info(a)")] == ["x"]


def test_steps_that_leave_a_reference_to_nothing_are_undone(tmp_path: Path) -> None:
    with closing(connections.connect(tmp_path / "a.db", "rwc")) as file:
        migrate(file, steps("CREATE TABLE a (id INTEGER PRIMARY KEY)"))
        child = "CREATE TABLE b (a REFERENCES a (id))"
        with pytest.raises(CannotMigrate, match="dangling"):
            migrate(file, steps("CREATE TABLE a (id INTEGER PRIMARY KEY)", child, "INSERT INTO b VALUES (7)"))
        assert version(file) == 1


def test_a_newer_file_is_not_touched(tmp_path: Path) -> None:
    with closing(connections.connect(tmp_path / "a.db", "rwc")) as file:
        migrate(file, steps("CREATE TABLE a (x)", "CREATE TABLE b (x)"))
        with pytest.raises(NewerSchema, match=r"by a newer version of erp \(schema 2; this is erp .*schema 1\)"):
            migrate(file, steps("CREATE TABLE a (x)"))
        assert version(file) == 2


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
    ("schema", "database"), [(control_schema, CONTROL), (workspace_schema, WORKSPACE)], ids=["control", "workspace"]
)
def test_the_schema_is_what_the_models_declare(tmp_path: Path, schema: Any, database: Router) -> None:
    models = models_in(database)
    assert len(models) > 6
    with closing(connections.connect(tmp_path / "a.db", "rwc")) as file:
        migrate(file, schema.STEPS)
        for model in models:
            meta = model._meta
            columns = {
                name: bool(not_null)
                for _, name, _, not_null, *_ in file.execute(f"PRAGMA table_xinfo({meta.table_name})")
            }
            declared = {field.column_name: not field.null for field in meta.sorted_fields}
            assert columns == declared, model.__name__


def test_tax_rates_keep_their_tax_accounts_under_names_that_say_which_they_are(tmp_path: Path) -> None:
    first = workspace_schema.STEPS[: workspace_schema.STEPS.index(books.name_tax_accounts_and_vat_ids)]
    record = "id, version, created_at, updated_at"
    with closing(connections.connect(tmp_path / "a.db", "rwc")) as file:
        migrate(file, first)
        for code in ("1300", "2200"):
            columns = f"{record}, code, name, type, subtype, is_group, currency"
            values = (code, code)
            file.execute(
                f"INSERT INTO account ({columns}) VALUES (?, 1, '', '', ?, '', 'liability', 'tax', 0, 'EUR')", values
            )
        columns = f"{record}, name, rate, category, is_default, sales_account_id, purchase_account_id"
        file.execute(f"INSERT INTO tax_rate ({columns}) VALUES ('a', 1, '', '', 'Tax', 19, 'AE', 0, '2200', '1300')")
        migrate(file, workspace_schema.STEPS)
        accounts = "output_tax_account_id, input_tax_account_id, income_account_id, expense_account_id"
        rows = file.execute(f"SELECT rate, category, {accounts} FROM tax_rate").fetchall()
        assert rows == [(19, "AE", "2200", "1300", None, None)]


@pytest.mark.parametrize("schema", [control_schema, workspace_schema], ids=["control", "workspace"])
def test_every_table_is_strict_and_none_holds_a_binary_fraction(tmp_path: Path, schema: Any) -> None:
    with closing(connections.connect(tmp_path / "a.db", "rwc")) as file:
        migrate(file, schema.STEPS)
        tables = [row for row in file.execute("PRAGMA table_list") if not row[1].startswith("sqlite_")]
        assert tables
        assert all(strict for *_, strict in tables)
        kinds = {row[2] for table in tables for row in file.execute(f"PRAGMA table_info({table[1]})")}
    assert kinds <= {"TEXT", "INTEGER", "BLOB"}
