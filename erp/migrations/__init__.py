"""Schema versions: two append-only lists of functions, applied one by one, each in a transaction of its own.

`PRAGMA user_version` of a file counts the steps it has taken. A step is never edited after a release: add a
column, fill it, then tighten, in new steps.
"""

from collections.abc import Callable, Sequence
from typing import Any

Connection = Any
"""A connection of the one SQLite library in use (untyped there)."""

Step = Callable[[Connection], None]


class NewerSchema(RuntimeError):
    """The file was written by a newer version of this program, which is needed to open it."""


def version(connection: Connection) -> int:
    """The number of steps a file has taken."""
    (taken,) = connection.execute("PRAGMA user_version").fetchone()
    return int(taken)


def migrate(connection: Connection, steps: Sequence[Step]) -> int:
    """Take the steps that a file lacks; return how many.

    Raises:
        NewerSchema: the file has taken more steps than are known; nothing is touched.
    """
    taken = version(connection)
    if taken > len(steps):
        raise NewerSchema(f"its schema is version {taken}, this program knows {len(steps)}")
    for number, step in enumerate(steps[taken:], taken + 1):
        _take(connection, step, number)
    return len(steps) - taken


def _take(connection: Connection, step: Step, number: int) -> None:
    connection.execute("PRAGMA foreign_keys = OFF")
    try:
        connection.execute("BEGIN EXCLUSIVE")
        try:
            step(connection)
            broken = connection.execute("PRAGMA foreign_key_check").fetchall()
            if broken:
                raise RuntimeError(f"step {number} leaves dangling references: {broken[:3]}")
            connection.execute(f"PRAGMA user_version = {number}")
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
    finally:
        connection.execute("PRAGMA foreign_keys = ON")


def run(connection: Connection, script: str) -> None:
    """Execute statements separated by blank lines, inside the transaction under way.

    `executescript` would commit it first.
    """
    for statement in script.strip().split("\n\n"):
        connection.execute(statement)
