"""Whether a file has the tables, indexes and triggers that this program gave it, to the letter."""

from collections.abc import Sequence
from contextlib import closing
from functools import cache

from erp.migrations import Step, migrate
from erp.store.connections import sqlite3
from erp.store.router import Router
from erp.system.checks.findings import Findings

NAMED = 3
"""How many of the parts that are missing, and of those that were changed, are named."""

_PARTS = (
    "SELECT type || ' ' || name, sql FROM sqlite_schema WHERE sql IS NOT NULL"
    " AND NOT (type = 'table' AND name IN ('sqlite_sequence', 'sqlite_stat1', 'sqlite_stat4'))"
)
"""SQLite makes some by itself; by their kind and whole name, for anybody can give a trigger a name like theirs."""


def check(router: Router, steps: Sequence[Step], found: Findings) -> None:
    """Compare the file that is open, which has taken all the steps, with a new one."""
    wanted, present = _made_by(tuple(steps)), dict(router.rows(_PARTS))
    missing = sorted(wanted.keys() - present.keys())
    changed = sorted(part for part in wanted.keys() & present.keys() if wanted[part] != present[part])
    added = sorted(present.keys() - wanted.keys())
    if missing:
        found.add(f"Another program has removed {_named(missing)}.")
    if added:
        found.add(f"Another program has added {_named(added)}.")
    if changed:
        found.add(f"It is damaged, or another program has changed {_named(changed)}.")


@cache
def _made_by(steps: tuple[Step, ...]) -> dict[str, str]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        migrate(connection, steps)
        return dict(connection.execute(_PARTS).fetchall())


def _named(parts: Sequence[str]) -> str:
    more = f" and {len(parts) - NAMED} more" if len(parts) > NAMED else ""
    return ", ".join(f"its {part}" for part in parts[:NAMED]) + more
