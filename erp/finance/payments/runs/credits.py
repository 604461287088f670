"""Credit that a payment run uses for bills: the run's allocations, and the discounts of bills paid by credit alone."""

from collections.abc import Sequence
from datetime import date

from erp.finance.books.ledger import Entry
from erp.finance.books.models import Allocation
from erp.finance.books.voids import Correction
from erp.finance.documents.models import Deduction, Invoice
from erp.finance.items import allocations, settlement
from erp.finance.items.allocations import ItemAllocationCommand
from erp.finance.payments.runs.models import PaymentRun, PaymentRunCredit
from erp.finance.payments.runs.plan import PlannedBill, PlannedSupplier, UsedCredit
from erp.finance.write_downs import deductions, subjects
from erp.finance.write_downs.deductions import Wanted
from erp.store import sql, workspace_settings
from erp.store.records import new_id
from erp.store.router import WORKSPACE


def use(run: PaymentRun, suppliers: Sequence[PlannedSupplier]) -> list[Entry]:
    """Pay bills by credit as planned, before money is paid.

    Returns:
        The entries of the discounts of bills that credit alone has paid.
    """
    entries: list[Entry] = []
    for planned in (bill for supplier in suppliers for bill in supplier.bills if bill.credits):
        made = [_allocate(run, planned, used) for used in planned.credits]
        deduction = None
        if planned.discount and not planned.amount:
            deduction, posted = _take_discount(planned, made[-1].date)
            entries += posted
        for allocation in made:
            own = deduction.id if deduction is not None and allocation is made[-1] else None
            PaymentRunCredit.create(id=new_id(), run=run.id, allocation=allocation.id, deduction=own)
    return entries


def give_back(run: PaymentRun, correction: Correction) -> list[Entry]:
    """Release the credit that a run has used, and undo its discounts.

    Returns:
        The entries that undo the discounts.
    """
    entries: list[Entry] = []
    for used in PaymentRunCredit.fetch("SELECT * FROM payment_run_credit WHERE run_id = ? ORDER BY id", run.id):
        allocation = settlement.find(used.allocation_id)
        if allocation.released_on is None:
            entries += _release(used, allocation, correction)
    return entries


def names(suppliers: Sequence[PlannedSupplier]) -> dict[str, str]:
    """The suppliers' own numbers of their credit notes that are used, the office's of other credits, by item."""
    credits = [item for supplier in suppliers for item in supplier.credits]
    own = dict(WORKSPACE.rows(_SUPPLIER_NUMBERS, (sql.array(item.document_id for item in credits),)))
    return {item.id: own.get(item.document_id) or item.number for item in credits}


_SUPPLIER_NUMBERS = "SELECT id, supplier_number FROM invoice WHERE id IN (SELECT value FROM json_each(?))"


def _allocate(run: PaymentRun, planned: PlannedBill, used: UsedCredit) -> Allocation:
    day = max(run.date, settlement.earliest(used.item, planned.item))
    source, target = (subjects.find(item.id) for item in (used.item, planned.item))  # as earlier credit left them
    return allocations.make(ItemAllocationCommand(source, target, used.amount, day))


def _take_discount(planned: PlannedBill, day: date) -> tuple[Deduction, list[Entry]]:
    wanted = Wanted("cash_discount", planned.discount, day)
    return deductions.make(subjects.of_invoice(Invoice.find(planned.bill.id)), wanted)


def _release(used: PaymentRunCredit, allocation: Allocation, correction: Correction) -> list[Entry]:
    entries: list[Entry] = []
    deduction = None if used.deduction_id is None else Deduction.find_by(id=used.deduction_id)
    if deduction is not None and deduction.undone_on is None:
        day = correction.day or max(workspace_settings.today(), allocation.date)
        entries = deductions.undo(deduction, day, correction.reason)
    allocations.release(allocation.id, correction)
    return entries
