"""The rows of a data folder copied into databases of a PostgreSQL server."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from psycopg.sql import SQL, Identifier

from erp.store.connections import looking
from tests.store.second_engine import schema
from tests.store.second_engine.engine import connected, database_of

FUNCTIONS = (Path(__file__).parent / "functions.sql").read_text("utf-8")


def copy_all(data: Path, folder: str) -> None:
    """Make a database for every file, with its rows, indexes, keys and triggers."""
    flags = schema.flags()
    copy("control", data / "control.db", folder, flags)
    for path in (data / "workspaces").glob("*.db"):
        copy("workspace", path, folder, flags)


def copy(kind: str, path: Path, folder: str, flags: Mapping[str, set[str]]) -> None:
    """Make the database of one file."""
    made = schema.translate(kind, flags)
    admin = connected(folder, "postgres")
    admin.execute(SQL("CREATE DATABASE {}").format(Identifier(database_of(path))))
    admin.close()
    connection = connected(folder, database_of(path))
    connection.execute(FUNCTIONS)
    connection.execute("BEGIN")
    for statement in made.tables:
        connection.execute(statement)
    with looking(path) as source:
        for (table,) in source.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
            if not table.startswith("sqlite_"):
                _copy_rows(source, connection, table, flags.get(table, set()))
    for statement in (*made.indexes, *made.keys, *made.triggers):
        connection.execute(statement)
    connection.execute("COMMIT")
    connection.execute("ANALYZE")
    connection.close()


def _copy_rows(source: Any, target: Any, table: str, flags: set[str]) -> None:
    query = "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0"  # a generated column is made there as well
    columns = [name for (name,) in source.execute(query, (table,))]
    shown = ", ".join(f'"{column}"' for column in columns)
    places = [place for place, column in enumerate(columns) if column in flags]
    with target.cursor().copy(f'COPY "{table}" ({shown}) FROM STDIN') as rows:
        for row in source.execute(f'SELECT {shown} FROM "{table}"'):
            values = list(row)
            for place in places:
                values[place] = None if values[place] is None else bool(values[place])
            rows.write_row(values)
