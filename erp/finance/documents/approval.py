"""The approval of bills, which a workspace may ask for: entered, approved, paid by a payment run."""

from typing import Literal

from erp.finance.documents.models import Invoice
from erp.kernel import caller, clock
from erp.kernel.errors import InvalidTransition
from erp.kernel.language import says
from erp.store import events, workspace_settings

Approval = Literal["not_needed", "pending", "approved"]

PAYABLE = ("not_needed", "approved")
"""What a payment run pays."""


def of_new(kind: str) -> Approval:
    """The approval of a document that is issued now: the workspace may ask for that of bills."""
    return "pending" if kind == "purchase_invoice" and workspace_settings.current().bill_approval else "not_needed"


def approve(id: str) -> Invoice:
    """Approve a bill, so that a payment run can pay it.

    Raises:
        InvalidTransition: it is a draft, void, or not waiting for approval.
    """
    bill = Invoice.find_to_change(id)
    check_approvable(bill)
    bill.change(approval="approved", approved_at=clock.stamp(), approved_by=caller.current().user_id)
    data = {"kind": bill.kind, "number": bill.number, "supplierId": bill.contact_id}
    events.write("invoice.approved", "invoice", id, data)
    return bill


def check_approvable(bill: Invoice) -> None:
    """Refuse to approve what does not wait for approval."""
    if refusal := _refusal(bill):
        raise InvalidTransition(refusal)


def _refusal(bill: Invoice) -> str | None:
    if bill.status == "draft":
        return "A draft cannot be approved. Issue it first."
    if bill.status == "void":
        return says("{number} is void, so it cannot be approved.", number=bill.number)
    if bill.approval == "approved":
        return says("{number} has already been approved.", number=bill.number)
    return says("{number} needs no approval.", number=bill.number) if bill.approval == "not_needed" else None
