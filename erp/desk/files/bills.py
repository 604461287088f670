"""Drafts of bills from files of the inbox."""

from erp.attachments import stored
from erp.desk.files import files
from erp.desk.files.bodies import BillOfFile
from erp.finance.books.exchange_rates import rates
from erp.finance.contacts import contacts
from erp.finance.documents import invoices
from erp.finance.documents.commands import InvoiceCommand, LineCommand
from erp.finance.documents.store import FullInvoice
from erp.finance.output import incoming
from erp.finance.output.incoming import ReadFile
from erp.kernel import money
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Invalid
from erp.kernel.language import says
from erp.kernel.money import MICRO, PRICE_LIMIT
from erp.kernel.wire import wire_name
from erp.store import control


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
        assert body.supplier_id is not None, "else the file has been read"
        complaints = Complaints()
        full = invoices.create(_command(body, body.supplier_id, row.name, complaints), complaints)
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


def _command(body: BillOfFile, supplier_id: str, file_name: str, complaints: Complaints) -> InvoiceCommand:
    if body.amount is None:
        raise Invalid.one("amount", "missing", says("Enter the total of the bill, tax included."))
    supplier = contacts.refer(supplier_id, "supplierId", kind="supplier")
    price = money.scaled(body.amount, MICRO)
    if abs(price) >= PRICE_LIMIT:
        complaints.add("amount", "out_of_range", says("The amount is larger than the books can hold."))
    return InvoiceCommand(
        kind="purchase_invoice",
        contact=supplier,
        lines=[LineCommand(description=body.description or file_name, quantity=MICRO, unit_price=price)],
        is_draft=True,
        supplier_number=body.supplier_number,
        force=body.force,
        issue_date=body.issue_date,
        exchange_rate=rates.scaled(body.exchange_rate),
        prices_include_tax=True,
    )
