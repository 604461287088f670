"""Time sheets of invoices as files, which stay what they are once the invoice is issued."""

from erp.finance.documents import store
from erp.finance.documents.models import Invoice
from erp.finance.output import files, kept
from erp.finance.output.kept import Made
from erp.finance.output.paper import time_sheet
from erp.kernel.errors import NotFound
from erp.web.schema import File

CSV = "text/csv"
FORM = "time_sheet"


class NoTimeSheet(NotFound):
    """This invoice bills no time."""


def file_of(id: str) -> File:
    """The time sheet of an invoice as CSV.

    Raises:
        NoTimeSheet: it bills no time.
    """
    return kept.file_of(id, lambda invoice: (FORM, lambda: _made(invoice)))


def _made(invoice: Invoice) -> Made:
    found = time_sheet.of(invoice, store.find_parts(invoice.id).lines)
    if not found:
        raise NoTimeSheet
    name = f"{files.file_name(invoice)}-time.csv"
    return Made(name, CSV, time_sheet.as_csv(found), invoice.status != "draft")
