"""The failures that a command reports in one sentence; others are bugs."""

import os

from peewee import DatabaseError

from erp.kernel.errors import Refusal
from erp.migrations import SchemaProblem
from erp.runtime.instance import CannotStart
from erp.store.connections import UnsafeSqlite

FAILURES = (Refusal, CannotStart, SchemaProblem, UnsafeSqlite, DatabaseError, OSError)


def sentence(problem: Exception) -> str:
    """The reason of a failure for a person."""
    if isinstance(problem, OSError) and problem.filename and problem.strerror:
        return f"{os.fsdecode(problem.filename)} cannot be used ({problem.strerror.lower()})."
    return str(problem)
