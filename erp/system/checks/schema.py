"""Checks that a file has exactly the tables, indexes and triggers of this program."""

from collections.abc import Sequence

from erp.migrations import Schema
from erp.store import engine
from erp.store.router import Router
from erp.system.checks.findings import Findings

_WRITER = "An unreleased version of this program, or another program,"

NAMED = 3
"""Number of missing, added or changed parts named; the rest are only counted."""


def check(router: Router, schema: Schema, version: int, findings: Findings) -> None:
    """Compare the open file with a new one of its version."""
    expected, present = engine.parts_made_by(schema, version), engine.parts(router)
    missing = sorted(expected.keys() - present.keys())
    changed = sorted(part for part in expected.keys() & present.keys() if expected[part] != present[part])
    added = sorted(present.keys() - expected.keys())
    if missing:
        findings.add(f"{_WRITER} has removed {_named(missing)}.")
    if added:
        findings.add(f"{_WRITER} has added {_named(added)}.")
    if changed:
        findings.add(f"{_WRITER} has changed {_named(changed)}.")


def _named(parts: Sequence[str]) -> str:
    more = f" and {len(parts) - NAMED} more" if len(parts) > NAMED else ""
    return ", ".join(f"its {part}" for part in parts[:NAMED]) + more
