"""The schema of each kind of file: the text that makes a new one, and the steps that bring an older one up to date.

`PRAGMA user_version` of a file is `FIRST` plus the number of steps that it has taken. Until the first release a change
of the schema is an edit of the texts, and there are no steps. From then on the texts stay as they are, and a change is
a step at the end of `steps`: add a column, fill it, then tighten it. A step is never edited after a release.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from erp import __version__

Connection = Any
"""A connection of the SQLite library in use, which has no types."""

Step = Callable[[Connection], None]

FIRST = 100
"""The version of a file that the texts make.

Development versions counted 44 steps from 1: a smaller number than this is of one of them, and neither of a newer
program nor of a release whose steps could be taken.
"""


class SchemaProblem(RuntimeError):
    """A file does not have the schema that this program needs, and was left as it is."""


class NewerSchema(SchemaProblem):
    """The file was written by a newer version of this program; only that version or a later one can open it."""


class UnreleasedSchema(SchemaProblem):
    """The file has tables that no release of this program makes; steps must not be taken on it."""


class CannotMigrate(SchemaProblem):
    """The steps that the file lacks could not be taken; it is as it was before the first of them."""


@dataclass(eq=False)
class Schema:
    """The tables, indexes and triggers of one kind of file, and the steps that lead to them."""

    application_id: int
    text: str
    steps: Sequence[Step] = ()

    @property
    def version(self) -> int:
        """The version of a file that is up to date."""
        return FIRST + len(self.steps)


def _text(*areas: str) -> str:
    folder = files("erp.migrations") / "schema"
    return "\n".join((folder / f"{area}.sql").read_text("utf-8") for area in areas)


CONTROL_SCHEMA = Schema(0x45525001, _text("control"))
WORKSPACE_SCHEMA = Schema(0x45525002, _text("workspace", "books", "trade", "work", "people"))


def version(connection: Connection) -> int:
    """The version that a file states; any program can have written it."""
    (stated,) = connection.execute("PRAGMA user_version").fetchone()
    return int(stated)


def known_version(connection: Connection, schema: Schema) -> int:
    """The version of a file that this program can use or bring up to date.

    Raises:
        NewerSchema: the file has taken steps that this program does not know.
        UnreleasedSchema: a development version wrote it.
    """
    stated = version(connection)
    if stated > schema.version:
        raise NewerSchema(
            f"it was written by a newer version of erp (schema {stated}; this is erp {__version__}, which knows schema "
            f"{schema.version}): use that version or a later one"
        )
    if stated < FIRST:
        raise UnreleasedSchema(
            f"an unreleased version of erp wrote it (schema {stated}). Only the version that wrote it can open it"
        )
    return stated


def migrate(connection: Connection, schema: Schema) -> int:
    """Take the steps that a file lacks, all or none, and return their number.

    Raises:
        NewerSchema: the file has taken steps that this program does not know; nothing was changed.
        UnreleasedSchema: a development version wrote it; nothing was changed.
    """
    lacking = schema.steps[known_version(connection, schema) - FIRST :]
    if lacking:
        connection.execute("PRAGMA foreign_keys = OFF")
        try:
            _take(connection, lacking, schema.version)
        finally:
            connection.execute("PRAGMA foreign_keys = ON")
    return len(lacking)


def _take(connection: Connection, steps: Sequence[Step], reached: int) -> None:
    connection.execute("BEGIN EXCLUSIVE")
    try:
        for step in steps:
            step(connection)
        if broken := connection.execute("PRAGMA foreign_key_check").fetchall():
            raise CannotMigrate(f"dangling references: {broken[:3]}")
        connection.execute(f"PRAGMA user_version = {reached}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # on a full disk, SQLite rolls back by itself
            connection.execute("ROLLBACK")
        raise
