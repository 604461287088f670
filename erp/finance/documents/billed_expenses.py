"""Posted expenses that customers pay: offered by expense claims, each billed by one line of an invoice at most."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Literal, NamedTuple

from erp.finance.documents.models import BillableExpense
from erp.store import sql
from erp.store.router import WORKSPACE


class Unbilled(NamedTuple):
    """An expense that no document bills yet, and the markup of its project in millionths of a per cent."""

    id: str
    date: str
    description: str
    net: int
    project_id: str
    markup: int


def offer(expenses: Sequence[BillableExpense]) -> None:
    """Let posted expenses be billed."""
    for expense in expenses:
        expense.save(force_insert=True)


def withdraw(claim_id: str) -> bool:
    """Take back what a claim has offered; False if a document bills some of it."""
    offered = BillableExpense.fetch("SELECT * FROM billable_expense WHERE claim_id = ?", claim_id)
    if any(expense.invoice_id is not None for expense in offered):
        return False
    for expense in offered:
        expense.delete_instance()
    return True


def billed(ids: Sequence[str]) -> set[str]:
    """Which of some expenses a document bills."""
    query = "SELECT id FROM billable_expense WHERE invoice_id IS NOT NULL AND id IN (SELECT value FROM json_each(?))"
    return {id for (id,) in WORKSPACE.rows(query, (sql.array(ids),))}


def unbilled(column: Literal["id", "customer_id"], value: str, first: str, last: date) -> list[Unbilled]:
    """The expenses of a project, or of all projects of a customer, that no document bills yet, in their order."""
    return [Unbilled(*row) for row in WORKSPACE.rows(_UNBILLED.format(column=column), (value, first, last.isoformat()))]


def bill(invoice_id: str, line_ids: Mapping[str, str]) -> None:
    """Put expenses on the lines of a draft, whose ids they are mapped to."""
    for id, line_id in line_ids.items():
        _set(id, invoice_id, line_id)


def of_invoices(invoice_ids: Sequence[str]) -> dict[str, str]:
    """The expense of each line that bills one, by the id of the line."""
    query = "SELECT line_id, id FROM billable_expense WHERE invoice_id IN (SELECT value FROM json_each(?))"
    return dict(WORKSPACE.rows(query, (sql.array(invoice_ids),)))


def free(invoice_id: str, *, gone_lines: bool = False) -> None:
    """Let the expenses of an invoice be billed again; with `gone_lines`, only where their line has been removed."""
    for (id,) in WORKSPACE.rows(_GONE if gone_lines else _ALL, (invoice_id,)):
        _set(id, None, None)


def _set(id: str, invoice_id: str | None, line_id: str | None) -> None:
    WORKSPACE.run("UPDATE billable_expense SET invoice_id = ?, line_id = ? WHERE id = ?", (invoice_id, line_id, id))
    BillableExpense.record_columns(id, {"invoice_id": invoice_id, "line_id": line_id})


_ALL = "SELECT id FROM billable_expense WHERE invoice_id = ?"
_GONE = """
SELECT id FROM billable_expense AS expense WHERE invoice_id = ?
AND line_id NOT IN (SELECT line.id FROM invoice_line AS line WHERE line.invoice_id = expense.invoice_id)
"""
_UNBILLED = """
SELECT expense.id, expense.date, expense.description, expense.net, project.id, project.expense_markup_percent
FROM project JOIN billable_expense AS expense ON expense.project_id = project.id
WHERE project.{column} = ? AND expense.invoice_id IS NULL AND expense.date BETWEEN ? AND ?
ORDER BY expense.date, expense.id
"""
