"""Expense claims of employees as open items: paid in full, or paid by payroll."""

from collections.abc import Iterable

from erp.finance.books.models import OpenItem
from erp.kernel import money
from erp.kernel.errors import InUse, InvalidTransition
from erp.kernel.language import says
from erp.store import events, sql
from erp.store.router import WORKSPACE

_CLAIMS = """
SELECT entry.id, entry.source_id, contact.employee_id
FROM journal_entry AS entry JOIN open_item AS item ON item.document_id = entry.id AND item.amount < 0
JOIN contact ON contact.id = item.contact_id
WHERE entry.kind = 'expense_claim' AND entry.id IN (SELECT value FROM json_each(?)) ORDER BY entry.id
"""


_IN_DRAFT = """
SELECT run.number FROM journal_entry AS entry JOIN payslip_line AS line ON line.claim_id = entry.source_id
JOIN payslip ON payslip.id = line.payslip_id JOIN payroll_run AS run ON run.id = payslip.run_id
WHERE entry.id = ? AND entry.kind = 'expense_claim' AND run.status = 'draft'
"""
_OF_PAYROLL = """
SELECT run.number FROM journal_entry AS entry JOIN payroll_run AS run ON run.id = entry.source_id
WHERE entry.id = ? AND entry.source_type = 'payroll_run'
"""


class PaidByPayroll(InUse):
    """Payroll run {run} pays expense claim {number}. Approve that run, or delete it to pay the claim otherwise."""


def check_free(item: OpenItem) -> None:
    """Refuse to settle the claim of a payslip in a draft.

    Raises:
        PaidByPayroll: a draft has it.
    """
    if item.document_type == "journal_entry" and item.amount < 0:
        for (run,) in WORKSPACE.rows(_IN_DRAFT, (item.entry_id,)):
            raise PaidByPayroll(run=run, number=item.number)


def check_releasable(source: OpenItem) -> None:
    """Refuse to release by hand the settlement of a claim by a payroll run.

    Raises:
        InvalidTransition: a payroll run has posted the settling item.
    """
    if source.document_type == "journal_entry":
        for (number,) in WORKSPACE.rows(_OF_PAYROLL, (source.entry_id,)):
            message = says("This allocation is part of payroll run {number}. Reverse the payroll run instead.")
            raise InvalidTransition(message.fill(number=number))


def write_paid(settled: Iterable[OpenItem]) -> None:
    """Log which claims are paid, after the event of the settlement itself."""
    closed = {item.document_id: item for item in settled if item.document_type == "journal_entry" and not item.open}
    for entry_id, claim_id, employee_id in WORKSPACE.rows(_CLAIMS, (sql.array(closed),)) if closed else ():
        item = closed[entry_id]
        total = {"total": money.text(-item.amount, item.currency), "currency": item.currency}
        data = {"number": item.number, "employeeId": employee_id} | total
        events.write("expense_claim.paid", "expense_claim", claim_id, data)
