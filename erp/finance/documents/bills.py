"""Rules for bills only: a supplier's number is used once a year; a workspace may require approval and accounts."""

from collections.abc import Sequence
from datetime import date
from typing import Literal

from erp.finance.contacts import heads
from erp.finance.documents import standing
from erp.finance.documents.models import AccountReason, Invoice
from erp.finance.documents.standing import Standing
from erp.kernel import caller, clock
from erp.kernel.errors import AlreadyExists, Complaint, InvalidTransition, Refusal, Remedy
from erp.kernel.language import Sentence, says
from erp.store import events, workspace_settings
from erp.store.router import WORKSPACE

Approval = Literal["not_needed", "pending", "approved"]

PAYABLE = ("not_needed", "approved")
"""Approvals with which a payment run pays a bill."""


def approval_of_new(kind: str) -> Approval:
    """The approval of a document issued now: `pending` for a bill if the workspace requires approval."""
    return "pending" if kind == "purchase_invoice" and workspace_settings.current().bill_approval else "not_needed"


def approve(id: str) -> Invoice:
    """Approve a bill, so that a payment run can pay it.

    Raises:
        InvalidTransition: it is a draft, void, or not waiting for approval.
    """
    bill = Invoice.find_to_change(id)
    check_approvable(standing.of(bill))
    bill.change(approval="approved", approved_at=clock.stamp(), approved_by=caller.current().user_id)
    data = {"kind": bill.kind, "number": bill.number, "supplierId": bill.contact_id}
    events.write("invoice.approved", "invoice", id, data)
    return bill


def check_approvable(bill: Standing) -> None:
    """Refuse to approve a document that does not wait for approval."""
    if refusal := _refusal(bill):
        raise InvalidTransition(refusal)


def _refusal(bill: Standing) -> Sentence | None:
    if bill.status == "draft":
        return says("A draft cannot be approved. Issue it first.")
    if bill.status == "void":
        return says("{number} is void, so it cannot be approved.", number=bill.number)
    if bill.approval == "approved":
        return says("{number} has already been approved.", number=bill.number)
    return says("{number} needs no approval.", number=bill.number) if bill.approval == "not_needed" else None


class AccountNeeded(Refusal):
    """Choose an account for each line of the bill."""

    status = 422


def check_accounts(reasons: Sequence[AccountReason]) -> None:
    """Refuse a bill of which a line has no account but the default one.

    Args:
        reasons: why each line has its account.

    Raises:
        AccountNeeded: the workspace has the setting `billsNeedAccount`.
    """
    lacking = [i for i, because in enumerate(reasons) if because == "default"]
    if lacking and workspace_settings.current().bills_need_account:
        message = says("Choose an account.")
        raise AccountNeeded(details=[Complaint(f"lines[{i}].accountId", "account_needed", message) for i in lacking])


class SupplierNumberTaken(AlreadyExists):
    """{number} of {supplier} in {year} already exists as {other}. Check the number, or confirm it."""


_OTHER = (
    "SELECT id, coalesce(number, 'a draft') FROM invoice"
    f" WHERE contact_id IN {heads.owned('contact_id')} AND kind = :kind"
    " AND lower(supplier_number) = lower(:number) AND substr(issue_date, 1, 4) = :year AND status <> 'void'"
    " AND id <> :own_id ORDER BY id LIMIT 1"
)


def check_number(kind: str, supplier: tuple[str, str], number: str, day: date, own_id: str = "") -> None:
    """Refuse a number that another bill, or another credit note, of the supplier has in that year.

    Args:
        kind: of the document; credit notes have numbers of their own.
        supplier: id and name of the contact.
        number: the supplier's.
        day: the date of the document.
        own_id: the document itself, where it is on record.

    Raises:
        SupplierNumberTaken: another document that is not void has it.
    """
    year, (contact_id, name) = f"{day.year:04}", supplier
    parameters = {"contact_id": heads.of(contact_id), "kind": kind, "number": number, "year": year, "own_id": own_id}
    for id, other in WORKSPACE.rows(_OTHER, parameters):
        remedy = Remedy("GET", f"/api/v1/finance/invoices/{id}", {})
        raise SupplierNumberTaken(
            field="supplierNumber", remedy=remedy, number=number, supplier=name, year=year, other=other, id=id
        )
