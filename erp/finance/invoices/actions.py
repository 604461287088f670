"""What the caller may do with a document."""

from collections.abc import Callable
from typing import Annotated, Literal

from msgspec import Meta

from erp.finance.crediting import credits
from erp.finance.documents import bills, invoices
from erp.finance.documents.store import FullInvoice
from erp.finance.write_downs import write_offs
from erp.kernel import caller

Action = Literal[
    "update", "delete", "issue", "approve", "pay", "credit", "void", "write_off", "undo_write_off", "duplicate"
]
Can = Annotated[
    list[Action],
    Meta(
        description="What you may do with the document now. Of an issued one, `update` changes the reference, note and"
        " due date; `pay` settles it with a payment."
    ),
]


def actions(full: FullInvoice) -> list[Action]:
    """What the caller may do with a document; the checks are those that refuse it."""
    invoice = full.invoice
    checks: dict[Action, Callable[[], object]] = {"update": lambda: None}
    if invoice.status == "draft":  # the others refuse every draft, and these two what has been issued
        checks["delete"] = lambda: invoices.check_removable(invoice)
        checks["issue"] = lambda: invoices.check_issuable(invoice)
    else:
        checks["pay"] = lambda: invoices.check_payable(invoice)
        checks["credit"] = lambda: credits.check_creditable(full)
        checks["write_off"] = lambda: write_offs.check_writable(invoice)
        if full.deductions:
            checks["undo_write_off"] = lambda: write_offs.check_undoable(invoice, full.deductions)
        checks["void"] = lambda: invoices.check_voidable(invoice, full.credited_by, full.deductions)
    checks["duplicate"] = lambda: None
    approvals: dict[Action, Callable[[], object]] = {"approve": lambda: bills.check_approvable(invoice)}
    needs_none = invoice.approval == "not_needed"
    approve = [] if needs_none else caller.allowed("bills.approve", approvals)
    return sorted([*caller.allowed("finance.write", checks), *approve])
