"""Which lines of a draft stay themselves when it is written anew: they keep their ids, and the time they bill."""

from collections import defaultdict
from collections.abc import Sequence

from erp.finance.documents.bodies import ChangedInvoiceLine
from erp.finance.documents.store import LineRow
from erp.kernel.complaints import Complaints


def check(before: Sequence[LineRow], lines: Sequence[ChangedInvoiceLine], complaints: Complaints) -> None:
    """Complain of ids that are of no line of the draft, or are given twice."""
    known, seen = {row.id for row in before}, set()
    for i, line in enumerate(lines):
        if line.id is not None and line.id not in known:
            complaints.add(f"lines[{i}].id", "unknown_reference", "The draft has no such line.")
        elif line.id is not None and line.id in seen:
            complaints.add(f"lines[{i}].id", "repeated", "Another line of the request stays this one already.")
        seen.add(line.id)


def find(before: Sequence[LineRow], after: Sequence[LineRow], given: Sequence[str | None]) -> list[str | None]:
    """For each line the id of the one before that it stays, None for a new line.

    Args:
        given: the ids that the request gives; a line without takes that of the first line yet unclaimed with the
            same description, project and task.
    """
    alike: dict[tuple[str | None, ...], list[str]] = defaultdict(list)
    for row in reversed(before):
        if row.id not in given:
            alike[_likeness(row)].append(row.id)
    return [id or _taken(alike[_likeness(row)]) for row, id in zip(after, given, strict=True)]


def _taken(ids: list[str]) -> str | None:
    return ids.pop() if ids else None


def _likeness(row: LineRow) -> tuple[str | None, ...]:
    return row.description, row.project_id, row.task_id
