"""Expense claims that are paid with the pay: lines of a payslip outside of gross, tax and the year to date."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import date

from erp.finance.books.ledger import Entry, Leg
from erp.finance.books.models import Allocation, OpenItem
from erp.finance.items import settlement
from erp.hr.payroll.models import PayrollRun
from erp.hr.payroll.store import StoredLine
from erp.kernel.errors import Refusal
from erp.kernel.language import Listed, says, translated
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE

CODE = "reimbursement"


class ClaimsChanged(Refusal):
    """{numbers} no longer has the amount that this run pays. Recalculate the run first."""


_DUE = """
SELECT claim.employee_id, claim.id, claim.number, claim.title, item.account_id, -item.open
FROM expense_claim AS claim JOIN open_item AS item ON item.document_id = claim.journal_entry_id AND item.amount < 0
WHERE claim.status = 'posted' AND pay_by = 'payslip' AND item.open < 0
    AND claim.employee_id IN (SELECT value FROM json_each(:ids)) AND NOT EXISTS (
        SELECT 1 FROM payslip_line AS line JOIN payslip ON payslip.id = line.payslip_id
        JOIN payroll_run AS run ON run.id = payslip.run_id
        WHERE line.claim_id = claim.id AND run.status = 'draft' AND run.id <> :run_id)
ORDER BY claim.posted_on, claim.number
"""


def due(run: PayrollRun, employee_ids: Collection[str]) -> Mapping[str, Sequence[StoredLine]]:
    """The lines of the posted claims that no other draft pays, by employee.

    A correction pays none, nor does a run in another currency than the books', in which claims are owed.
    """
    lines: dict[str, list[StoredLine]] = defaultdict(list)
    if run.kind == "regular" and run.currency == workspace_settings.current().base_currency:
        language = workspace_settings.paper_language()
        rows = WORKSPACE.rows(_DUE, {"ids": sql.array(employee_ids), "run_id": run.id})
        for employee_id, claim_id, number, title, account_id, amount in rows:
            name = translated(says("Expense claim {number}", number=number), language)
            lines[employee_id].append(_line(claim_id, name, title, account_id, amount))
    return lines


def _line(claim_id: str, name: str, title: str, account_id: str, amount: int) -> StoredLine:
    return StoredLine(
        component_id=None,
        code=CODE,
        name=name,
        kind="reimbursement",
        quantity=None,
        rate=None,
        amount=amount,
        computed_amount=amount,
        explanation=title,
        expense_account_id=account_id,
        claim_id=claim_id,
    )


_OF_RUN = """
SELECT item.id, line.amount FROM payslip JOIN payslip_line AS line ON line.payslip_id = payslip.id
JOIN expense_claim AS claim ON claim.id = line.claim_id
JOIN open_item AS item ON item.document_id = claim.journal_entry_id AND item.amount < 0 WHERE payslip.run_id = ?
"""
_ITEMS = "SELECT * FROM open_item WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id"


def of_run(run: PayrollRun) -> list[OpenItem]:
    """The open items of the claims that a draft pays.

    Raises:
        ClaimsChanged: one of them is void since the run was computed.
    """
    amounts = dict(WORKSPACE.rows(_OF_RUN, (run.id,)))
    items = OpenItem.fetch(_ITEMS, sql.array(amounts)) if amounts else []
    if changed := [item.number for item in items if -item.open != amounts[item.id]]:
        raise ClaimsChanged(numbers=Listed.of(changed))
    return items


def legs(items: Sequence[OpenItem], payable_id: str) -> list[Leg]:
    """The postings that owe the claims as pay."""
    debits = [Leg(item.account_id, -item.open, item.contact_id, description=item.number) for item in items]
    return [*debits, Leg(payable_id, sum(item.open for item in items))] if items else []


def settle(items: Sequence[OpenItem], entry: Entry | None, day: date) -> None:
    """Settle the claims with the items that the accrual has opened."""
    own = entry.items if entry is not None else []
    for source, target in zip(own, items, strict=True):
        amount = settlement.remaining(target)
        settlement.allocate(source, target, amount, max(day, settlement.earliest(source, target)))


_ALLOCATIONS = """
SELECT allocation.* FROM allocation JOIN open_item AS item ON item.id = from_item_id
WHERE item.document_id = ? AND allocation.released_on IS NULL ORDER BY allocation.id
"""


def release(run: PayrollRun, day: date) -> None:
    """Open the claims of a run again that is reversed on a day."""
    for allocation in Allocation.fetch(_ALLOCATIONS, run.accrual_entry_id):
        settlement.release_any(allocation, max(day, allocation.date))
