"""Which lines of a draft remain when it is written again: they keep their ids, and the time they bill."""

from collections import defaultdict
from collections.abc import Sequence

from erp.finance.documents.bodies import InvoiceLineChange
from erp.finance.documents.store import LineRow
from erp.kernel.complaints import Complaints
from erp.kernel.language import says


def check(rows: Sequence[LineRow], lines: Sequence[InvoiceLineChange], complaints: Complaints) -> None:
    """Complain about ids that no line of the draft has, and ids that a request sends twice."""
    known, seen = {row.id for row in rows}, set()
    for i, line in enumerate(lines):
        if line.id is not None and line.id not in known:
            complaints.add(f"lines[{i}].id", "unknown_reference", says("The draft has no line with this id."))
        elif line.id is not None and line.id in seen:
            complaints.add(f"lines[{i}].id", "repeated", says("Another line of the request has the same id."))
        seen.add(line.id)


def match(before: Sequence[LineRow], after: Sequence[LineRow], ids: Sequence[str | None]) -> list[str | None]:
    """The id of the earlier line that each line continues, None for a new line.

    Args:
        before: the lines of the draft until now.
        after: the lines it is going to have.
        ids: the ids that the request sends; a line without one continues the first unmatched line that has the
            same description, project and task.
    """
    alike: dict[tuple[str | None, ...], list[str]] = defaultdict(list)
    for row in reversed(before):
        if row.id not in ids:
            alike[_likeness(row)].append(row.id)
    return [id or _next(alike[_likeness(row)]) for row, id in zip(after, ids, strict=True)]


def _next(ids: list[str]) -> str | None:
    return ids.pop() if ids else None


def _likeness(row: LineRow) -> tuple[str | None, ...]:
    return row.description, row.project_id, row.task_id
