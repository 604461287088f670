"""Schema versions: two append-only lists of steps; the steps that a file lacks are taken in one transaction.

`PRAGMA user_version` of a file counts the steps that it has taken. A step is never edited after a release: add a
column, fill it, then tighten it, in new steps.
"""

from collections.abc import Callable, Sequence
from typing import Any

from erp import __version__

Connection = Any
"""A connection of the SQLite library in use, which has no types."""

Step = Callable[[Connection], None]


class SchemaProblem(RuntimeError):
    """A file does not have the schema that this program needs, and was left as it is."""


class NewerSchema(SchemaProblem):
    """The file was written by a newer version of this program; only that version or a later one can open it."""


class UnreleasedSchema(SchemaProblem):
    """The file has tables that no release of this program makes; steps must not be taken on it."""


class CannotMigrate(SchemaProblem):
    """The steps that the file lacks could not be taken; it is as it was before the first of them."""


def version(connection: Connection) -> int:
    """The number of steps that a file has taken."""
    (taken,) = connection.execute("PRAGMA user_version").fetchone()
    return int(taken)


def steps_taken(connection: Connection, steps: Sequence[Step]) -> int:
    """The number of steps that a file has taken, if this program knows them all.

    Raises:
        NewerSchema: the file has taken more.
    """
    taken = version(connection)
    if taken > len(steps):
        raise NewerSchema(
            f"it was written by a newer version of erp (schema {taken}; this is erp {__version__}, which knows schema "
            f"{len(steps)}): use that version or a later one"
        )
    return taken


def migrate(connection: Connection, steps: Sequence[Step]) -> int:
    """Take the steps that a file lacks, all or none, and return their number.

    Raises:
        NewerSchema: the file has taken more steps than this program knows; nothing was changed.
    """
    taken = steps_taken(connection, steps)
    if taken == len(steps):
        return 0
    connection.execute("PRAGMA foreign_keys = OFF")
    try:
        _take(connection, steps, taken)
    finally:
        connection.execute("PRAGMA foreign_keys = ON")
    return len(steps) - taken


def _take(connection: Connection, steps: Sequence[Step], taken: int) -> None:
    connection.execute("BEGIN EXCLUSIVE")
    try:
        for step in steps[taken:]:
            step(connection)
        if broken := connection.execute("PRAGMA foreign_key_check").fetchall():
            raise CannotMigrate(f"dangling references: {broken[:3]}")
        connection.execute(f"PRAGMA user_version = {len(steps)}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # on a full disk, SQLite rolls back by itself
            connection.execute("ROLLBACK")
        raise


def run(connection: Connection, script: str) -> None:
    """Execute statements separated by blank lines, in the current transaction.

    `executescript` would first commit it.
    """
    for statement in script.strip().split("\n\n"):
        connection.execute(statement)
