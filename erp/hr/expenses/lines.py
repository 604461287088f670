"""The lines of a claim: reading them from a request, and their amounts."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET

from erp.attachments.models import Attachment
from erp.finance.books import accounts
from erp.finance.books.exchange_rates import rates as exchange
from erp.finance.contacts import tax_rates
from erp.finance.contacts.tax_rates import TaxRateRef
from erp.hr.expenses import categories, journeys
from erp.hr.expenses.bodies import NewClaimLine
from erp.hr.expenses.models import ExpenseCategory, ExpenseClaim, ExpenseLine
from erp.kernel import money
from erp.kernel.complaints import Complaints, all_or_none
from erp.kernel.errors import Invalid, UnknownReference
from erp.kernel.language import Noun, says
from erp.kernel.wire import wire_name
from erp.projects import projects
from erp.store import sql, workspace_settings
from erp.store.records import new_id
from erp.store.router import WORKSPACE
from erp.tasks import tasks

OFF_BY = 5
"""Minor units by which a printed tax may differ from the computed one."""

WITH_TAX = ("S", "Z", "E", "O")
"""Categories of tax that a receipt can show; of the others the office itself owes the tax."""

_OF_KIND: Mapping[str, Sequence[str]] = {
    "receipt": ("amount", "currency", "exchange_rate", "tax_rate_id", "tax_amount", "supplier_name", "receipt_number"),
    "mileage": ("distance", "vehicle", "origin", "destination", "country"),
    "per_diem": ("start_at", "end_at", "overnight", "country", "region", "stays", "meals"),
}
_NEEDED = {
    "receipt": ("category_id", "date", "amount"),
    "mileage": ("date", "distance", "vehicle"),
    "per_diem": ("start_at", "end_at"),
}


def of_claim(claim_id: str) -> list[ExpenseLine]:
    """The lines of a claim in their order."""
    return ExpenseLine.fetch("SELECT * FROM expense_line WHERE claim_id = ? ORDER BY position", claim_id)


def write(claim: ExpenseClaim, body: Sequence[NewClaimLine]) -> dict[str, int]:
    """Write the lines of a claim in place of the present ones; a line keeps the id of the one at its place.

    Returns:
        The totals of the claim, as columns.

    Raises:
        Invalid: with a complaint for every field that is wrong.
    """
    rows = all_or_none(body, lambda line: _columns(line, claim), "lines")
    ids = [line.id for line in of_claim(claim.id)]
    for id in ids:
        ExpenseLine.record_removed(id)
    WORKSPACE.run("DELETE FROM expense_line WHERE claim_id = ?", (claim.id,))
    for position, row in enumerate(rows):
        id = ids[position] if position < len(ids) else new_id()
        ExpenseLine.create(id=id, claim=claim.id, position=position, **row)
    return _totals(rows)


def _totals(rows: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    own = sum(row["amount_base"] for row in rows if row["paid_by"] == "employee")
    card = sum(row["amount_base"] for row in rows if row["paid_by"] == "company_card")
    tax = sum(row["tax"] for row in rows)
    return {"total": own + card, "own_total": own, "card_total": card, "tax_total": tax}


def _columns(line: NewClaimLine, claim: ExpenseClaim) -> dict[str, Any]:
    """The columns of a line."""
    _check_fields(line)
    category = categories.refer(line.category_id or line.kind, "categoryId")
    columns = {
        "kind": line.kind,
        "category": category.id,
        "description": line.description,
        "is_billable": line.is_billable,
        "paid_by": line.paid_by,
        "account": None if line.account_id is None else _account(line.account_id),
        "attachment_ids": _files(line.attachment_ids, claim.id),
    } | _work(line)
    if line.kind == "receipt":
        return columns | _receipt(line, category)
    columns |= journeys.mileage(line) if line.kind == "mileage" else journeys.per_diem(line, claim.employee_id)
    base = workspace_settings.current().base_currency
    return columns | {"currency": base, "amount": columns["amount_base"], "net": columns["amount_base"], "tax": 0}


def _check_fields(line: NewClaimLine) -> None:
    complaints = Complaints()
    for name in _NEEDED[line.kind]:
        if getattr(line, name) is None:
            complaints.add(wire_name(name), "required", says("This field is required."))
    others = {name for names in _OF_KIND.values() for name in names} - set(_OF_KIND[line.kind])
    for name in sorted(others):
        if getattr(line, name) not in (None, UNSET, [], True):
            complaints.add(_wire(name), "not_applicable", says("This field belongs to another kind of expense."))
    if line.paid_by == "company_card" and line.kind != "receipt":
        complaints.add("paidBy", "unsuitable", says("Only a receipt can be paid by the company card."))
    if line.is_billable and line.project_id is None:
        complaints.add("projectId", "required", says("Choose the project that the customer pays."))
    complaints.refuse()


def _wire(name: str) -> str:
    return {"origin": "from", "destination": "to"}.get(name) or wire_name(name)


def _account(name: str) -> str:
    account = accounts.refer(name, "accountId")
    if account.needs_contact:
        message = says("{code} is posted to by documents alone. Choose another account.", code=account.code)
        raise Invalid.one("accountId", "control_account", message)
    return account.id


def _files(ids: Sequence[str], claim_id: str) -> list[str]:
    """The files of a line, which must be the claim's."""
    query = "SELECT * FROM attachment WHERE resource_id = ? AND id IN (SELECT value FROM json_each(?))"
    known = {row.id for row in Attachment.fetch(query, claim_id, sql.array(ids))}
    for i, id in enumerate(ids):
        if id not in known:
            raise UnknownReference(f"attachmentIds[{i}]", Noun("file"))
    return list(dict.fromkeys(ids))


def _work(line: NewClaimLine) -> dict[str, str | None]:
    """The project and the task; a task gives its project."""
    project = None if line.project_id is None else projects.refer(line.project_id, "projectId")
    task = None if line.task_id is None else tasks.refer(line.task_id, "taskId")
    if task is not None and project is not None and task.project_id != project.id:
        raise Invalid.one("taskId", "other_project", says("The task belongs to another project."))
    project_id = project.id if project is not None else task.project_id if task is not None else None
    return {"project_id": project_id, "task_id": None if task is None else task.id}


def _receipt(line: NewClaimLine, category: ExpenseCategory) -> dict[str, Any]:
    assert line.amount is not None
    assert line.date is not None
    complaints, base = Complaints(), workspace_settings.current().base_currency
    given = exchange.scaled(line.exchange_rate)
    currency, rate = exchange.read_rate(line.currency or base, given, complaints, day=line.date)
    amount = complaints.minor(line.amount, currency, "amount")
    printed = None if line.tax_amount is None else complaints.minor(line.tax_amount, base, "taxAmount")
    complaints.refuse()
    gross = exchange.in_base(amount, currency, rate)
    tax_rate = _tax_rate(line, category, is_foreign=currency != base)
    shown = _tax(gross, tax_rate, printed)
    tax = money.divide(shown * category.deductible_tax_percent, 100 * money.MICRO)
    return {
        "date": line.date,
        "amount": amount,
        "currency": currency,
        "exchange_rate": rate,
        "tax_rate": None if tax_rate is None else tax_rate.id,
        "tax_amount": printed,
        "supplier_name": line.supplier_name,
        "receipt_number": line.receipt_number,
        "amount_base": gross,
        "net": gross - tax,
        "tax": tax,
    }


def _tax_rate(line: NewClaimLine, category: ExpenseCategory, *, is_foreign: bool) -> TaxRateRef | None:
    id = line.tax_rate_id
    if id is UNSET:
        id = None if is_foreign else category.tax_rate_id
    if id is None:
        return None
    rate = tax_rates.refer_all({"taxRateId": id})["taxRateId"]
    if rate.category not in WITH_TAX or rate.side == "sale":
        message = says("{name} is no tax of a receipt. Choose another tax rate.", name=rate.name)
        raise Invalid.one("taxRateId", "unsuitable", message)
    return rate


def _tax(gross: int, tax_rate: TaxRateRef | None, printed: int | None) -> int:
    """The tax in a gross amount, as printed where that differs by rounding alone."""
    rate = 0 if tax_rate is None else tax_rate.rate
    computed = money.divide(gross * rate, 100 * money.MICRO + rate)
    if printed is None:
        return computed
    if abs(printed - computed) > OFF_BY:
        base = workspace_settings.current().base_currency
        message = says("The tax rate gives {tax}. Check the amount and the tax rate.", tax=money.shown(computed, base))
        raise Invalid.one("taxAmount", "differs", message)
    return printed


def taxes(rows: Sequence[ExpenseLine]) -> dict[str, tuple[int, int]]:
    """The base and the tax that is deducted of some lines, by the id of the tax rate."""
    found, _ = tax_rates.look_up({row.id: row.tax_rate_id for row in rows if row.tax_rate_id})
    sums: dict[str, tuple[int, int]] = {}
    for row in rows:
        if row.tax_rate_id:
            base, tax = sums.get(row.tax_rate_id, (0, 0))
            shown = _tax(row.amount_base, found[row.id], row.tax_amount)
            sums[row.tax_rate_id] = base + row.amount_base - shown, tax + row.tax
    return sums
