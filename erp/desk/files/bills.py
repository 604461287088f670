"""Drafts of bills from files of the inbox."""

from typing import Any

from erp.attachments import stored
from erp.desk.files import files
from erp.desk.files.bodies import BillOfFile
from erp.finance.documents import invoices
from erp.finance.documents.bodies import NewInvoice
from erp.finance.documents.store import FullInvoice
from erp.finance.output import incoming
from erp.finance.output.incoming import ReadFile
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Invalid
from erp.kernel.language import says
from erp.kernel.wire import wire_name
from erp.store import control
from erp.web import schema


def read(body: BillOfFile, id: str) -> ReadFile | None:
    """Read the e-invoice in a file of the inbox; None where the request names a supplier.

    Raises:
        NotInInbox: the file belongs to a record already.
        Unreadable: there is no e-invoice in it.
    """
    if body.supplier_id is not None:
        return None
    with control.reading_own():
        row = files.find_in_inbox(id)
        _check_unused(body)
        content = stored.whole(row.sha256)
    return incoming.read(content)


def draft(id: str, body: BillOfFile, read: ReadFile | None) -> FullInvoice:
    """Draft a bill: from the e-invoice that was read from the file, or else with one line of an amount.

    Raises:
        NotInInbox: the file belongs to a record already.
        SupplierNumberTaken: another bill of the supplier has that number.
    """
    row = files.find_in_inbox(id)
    if read is not None:
        full, _ = incoming.draft(read, row.name, body.exchange_rate, force=body.force)
    else:
        full = invoices.create(_request(body, row.name))
    files.move(row, "invoice", full.invoice.id)
    return full


def _check_unused(body: BillOfFile) -> None:
    """Refuse fields that only a bill without an e-invoice needs."""
    complaints = Complaints()
    for name in ("amount", "description", "issue_date", "supplier_number"):
        if getattr(body, name) is not None:
            complaints.add(
                wire_name(name),
                "needs_supplier",
                says("Choose the supplier too. Only an e-invoice contains these details."),
            )
    complaints.refuse()


def _request(body: BillOfFile, file_name: str) -> NewInvoice:
    if body.amount is None:
        raise Invalid.one("amount", "missing", says("Enter the total of the bill, tax included."))
    line = {"description": body.description or file_name, "quantity": "1", "unitPrice": str(body.amount)}
    plain: dict[str, Any] = {
        "kind": "purchase_invoice",
        "supplierId": body.supplier_id,
        "supplierNumber": body.supplier_number,
        "issueDate": None if body.issue_date is None else str(body.issue_date),
        "exchangeRate": None if body.exchange_rate is None else str(body.exchange_rate),
        "pricesIncludeTax": True,
        "force": body.force,
        "lines": [line],
        "draft": True,
    }
    return schema.decode({name: value for name, value in plain.items() if value is not None}, NewInvoice)
