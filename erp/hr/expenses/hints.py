"""Warnings of a claim: a missing receipt, a passed limit, or an expense that may be claimed twice."""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from erp.hr.access import people
from erp.hr.expenses.models import ExpenseCategory, ExpenseClaim, ExpenseLine
from erp.kernel import caller, money
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Refusal
from erp.kernel.language import Sentence, says
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE

Code = Literal["over_limit", "receipt_missing", "possible_duplicate", "duplicate_receipt"]


class DuplicateReceipt(Refusal):
    """{name} has the same file. Remove it here, or claim it all the same."""


class Hint(NamedTuple):
    """A warning about a line, and whether it keeps the claim from being submitted."""

    code: Code
    position: int
    message: Sentence
    blocks: bool = False


def of_claim(claim: ExpenseClaim, lines: Sequence[ExpenseLine]) -> list[Hint]:
    """The warnings of a claim, by line; four queries."""
    categories = {category.id: category for category in ExpenseCategory.fetch("SELECT * FROM expense_category")}
    hints = [
        *_missing(lines, categories),
        *_over_limit(claim, lines, categories),
        *_alike(claim, lines),
        *_same_file(claim, lines),
    ]
    return sorted(hints, key=lambda hint: hint.position)


def check(claim: ExpenseClaim, *, force: bool) -> None:
    """Refuse to submit a claim.

    Args:
        force: whether a file of another claim or bill is accepted.

    Raises:
        Invalid: a receipt is missing, or a limit that blocks is passed.
        DuplicateReceipt: another claim or a bill has one of its files.
    """
    lines = ExpenseLine.fetch("SELECT * FROM expense_line WHERE claim_id = ? ORDER BY position", claim.id)
    complaints = Complaints()
    for hint in of_claim(claim, lines):
        if hint.blocks:
            field = "attachmentIds" if hint.code == "receipt_missing" else "amount"
            complaints.add(f"lines[{hint.position}].{field}", hint.code, hint.message)
    complaints.refuse()
    for _, name in [] if force else _files_elsewhere(claim, lines):
        raise DuplicateReceipt(name=name)


def _missing(lines: Sequence[ExpenseLine], categories: dict[str, ExpenseCategory]) -> Iterator[Hint]:
    for line in lines:
        needs = line.kind == "receipt" and line.amount_base >= categories[line.category_id].receipt_from
        if needs and not line.attachment_ids:
            yield Hint("receipt_missing", line.position, says("Add a photo or file of the receipt."), blocks=True)


_SPANS = {"line": 0, "month": 7, "day": 10}
"""Letters of a date that name the span."""
_SPENT = """
SELECT coalesce(sum(line.amount_base), 0) FROM expense_line AS line JOIN expense_claim AS claim ON claim.id = claim_id
WHERE employee_id = ? AND category_id = ? AND claim.status NOT IN ('rejected', 'void') AND claim.id <> ?
AND substr(line.date, 1, ?) = ?
"""
_PASSED = {
    "line": says("{category}: at most {limit} for each expense."),
    "day": says("{category}: at most {limit} a day, of which {left} are left."),
    "month": says("{category}: at most {limit} a month, of which {left} are left."),
}


def _over_limit(
    claim: ExpenseClaim, lines: Sequence[ExpenseLine], categories: dict[str, ExpenseCategory]
) -> Iterator[Hint]:
    """Lines that pass the limit of their category; the ones before them count first."""
    base = workspace_settings.current().base_currency
    spent: dict[tuple[str, str], int] = {}
    for line in lines:
        category = categories[line.category_id]
        if category.limit_amount is None or category.limit_per is None:
            continue
        span = line.date.isoformat()[: _SPANS[category.limit_per]]
        key = category.id, span or line.id
        if key not in spent:
            spent[key] = _spent_before(claim, category, span)
        left = max(0, category.limit_amount - spent[key])
        spent[key] += line.amount_base
        if line.amount_base > left:
            message = _PASSED[category.limit_per].fill(
                category=category.name,
                limit=money.shown(category.limit_amount, base),
                left=money.shown(left, base),
            )
            yield Hint("over_limit", line.position, message, blocks=category.limit_mode == "block")


def _spent_before(claim: ExpenseClaim, category: ExpenseCategory, span: str) -> int:
    if not span:
        return 0
    ((spent,),) = WORKSPACE.rows(_SPENT, (claim.employee_id, category.id, claim.id, len(span), span))
    return int(spent)


_ALIKE = """
SELECT mine.position, claim.number, claim.employee_id, employee.name FROM expense_line AS mine
JOIN expense_line AS other ON other.date = mine.date AND other.amount = mine.amount AND other.currency = mine.currency
    AND other.id <> mine.id AND other.kind = 'receipt'
JOIN expense_claim AS claim ON claim.id = other.claim_id AND claim.status NOT IN ('rejected', 'void')
JOIN employee ON employee.id = claim.employee_id
WHERE mine.claim_id = ? AND mine.kind = 'receipt' ORDER BY mine.position, claim.id
"""


def _alike(claim: ExpenseClaim, lines: Sequence[ExpenseLine]) -> Iterator[Hint]:
    """Receipts of the same day and amount, of claims that the caller may read."""
    own, seen = people.own_id(), set[int]()
    for position, number, employee_id, name in WORKSPACE.rows(_ALIKE, (claim.id,)):
        if position in seen or not (employee_id == own or people.may_for(employee_id, "expenses.read")):
            continue
        seen.add(position)
        message = says("{name} has claimed the same amount of the same day: {number}.", name=name, number=number or "–")
        yield Hint("possible_duplicate", position, message)


_FILES = """
SELECT mine.id, other.resource_type, other.resource_id, coalesce(invoice.number, claim.number)
FROM attachment AS mine JOIN attachment AS other ON other.sha256 = mine.sha256 AND other.resource_id <> mine.resource_id
LEFT JOIN expense_claim AS claim ON other.resource_type = 'expense_claim' AND claim.id = other.resource_id
LEFT JOIN invoice ON other.resource_type = 'invoice' AND invoice.id = other.resource_id
WHERE mine.resource_id = ? AND mine.id IN (SELECT value FROM json_each(?))
AND (invoice.status <> 'void' OR claim.status NOT IN ('rejected', 'void')) ORDER BY other.id
"""


def _files_elsewhere(claim: ExpenseClaim, lines: Sequence[ExpenseLine]) -> list[tuple[int, str]]:
    """Lines whose file another claim or a bill has, and its name as far as the caller may know it."""
    positions = {id: line.position for line in lines for id in line.attachment_ids}
    found = WORKSPACE.rows(_FILES, (claim.id, sql.array(positions)))
    return [(positions[id], _name(type, resource_id, number)) for id, type, resource_id, number in found]


def _name(type: str, id: str, number: str | None) -> str:
    if type == "invoice":
        return number if number and caller.may("finance.read") else str(says("A bill"))
    other = ExpenseClaim.find(id)
    readable = other.employee_id == people.own_id() or people.may_for(other.employee_id, "expenses.read")
    return number if number and readable else str(says("Another claim"))


def _same_file(claim: ExpenseClaim, lines: Sequence[ExpenseLine]) -> Iterator[Hint]:
    for position, name in _files_elsewhere(claim, lines):
        yield Hint("duplicate_receipt", position, says("{name} has the same file.", name=name))
