"""Income and expenses of projects.

The index of postings with a project finds them; the rest of the balances of months has no project.
"""

from collections.abc import Iterator, Sequence

from erp.finance.reports import movements
from erp.finance.reports.period import Span
from erp.kernel.language import Word
from erp.store import sql
from erp.store.router import WORKSPACE

NO_PROJECT = "none"
"""The id for postings without a project."""


def with_results(span: Span) -> Iterator[tuple[str, str]]:
    """The ids and names of projects with income or expenses, and then the one for none."""
    for id, code, name in WORKSPACE.rows(_PROJECTS, {"first": str(span.first), "last": str(span.last)}):
        yield id, f"{code} {name}"
    yield NO_PROJECT, Word("Without a project")


def amounts(parts: Sequence[tuple[Span, str]]) -> dict[str, list[int]]:
    """By account id, the postings of each part's days and project: debit above zero."""
    read = {span: _of_projects(span) for span in {span for span, _ in parts}}
    whole = movements.of_spans([span for span, _ in parts]) if any(id == NO_PROJECT for _, id in parts) else {}
    result: dict[str, list[int]] = {}
    for index, (span, project) in enumerate(parts):
        for account_id, amount in _of_part(read[span], project, {id: sums[index] for id, sums in whole.items()}):
            result.setdefault(account_id, [0] * len(parts))[index] = amount
    return result


def _of_part(read: dict[tuple[str, str], int], project: str, whole: dict[str, int]) -> Iterator[tuple[str, int]]:
    if project != NO_PROJECT:
        yield from ((account, amount) for (account, id), amount in read.items() if id == project)
        return
    for account, amount in whole.items():
        yield account, amount - sum(part for (other, _), part in read.items() if other == account)


def _of_projects(span: Span) -> dict[tuple[str, str], int]:
    rows = WORKSPACE.rows(_AMOUNTS, {"first": str(span.first), "last": str(span.last)})
    return {(account, project): amount for account, project, amount in rows}


# CROSS JOIN and the comparison keep SQLite on the index of postings with a project.
_RESULTS = (
    f"posting AS p {sql.THEN_JOIN} account AS a ON a.id = p.account_id AND a.type IN ('income', 'expense')"
    " {more} WHERE p.project_id > '' AND p.date BETWEEN :first AND :last"
)
_AMOUNTS = f"SELECT p.account_id, p.project_id, sum(p.amount) FROM {_RESULTS.format(more='')} GROUP BY 1, 2"
_PROJECTS = (
    "SELECT DISTINCT project.id, project.code, project.name FROM"
    f" {_RESULTS.format(more='JOIN project ON project.id = p.project_id')} ORDER BY project.code"
)
