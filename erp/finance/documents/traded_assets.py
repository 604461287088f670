"""Documents that stay: bills of fixed assets once depreciation is posted, and invoices with which one was sold."""

from collections.abc import Iterable

from erp.finance.documents.models import PURCHASES, Invoice
from erp.kernel.errors import InUse
from erp.kernel.language import says
from erp.store.router import WORKSPACE
from erp.store.sql import array

_DEPRECIATED = """
SELECT asset.number FROM asset WHERE asset.invoice_id = :invoice
AND (:lines IS NULL OR asset.line_id IN (SELECT value FROM json_each(:lines)))
AND EXISTS (
    SELECT 1 FROM depreciation AS d WHERE d.asset_id = asset.id
    AND NOT EXISTS (SELECT 1 FROM journal_entry AS mirror WHERE mirror.reverses_id = d.journal_entry_id)
) ORDER BY asset.seq LIMIT 1
"""


_SOLD = "SELECT number FROM asset WHERE sale_invoice_id = ? ORDER BY seq LIMIT 1"


def check_none_sold(invoice: Invoice) -> None:
    """Refuse to void an invoice whose line is the proceeds of a disposal.

    Raises:
        InUse: an asset was sold with it.
    """
    for (number,) in WORKSPACE.rows(_SOLD, (invoice.id,)):
        raise InUse(says("{number} was sold with this invoice. Undo its disposal first.", number=number))


def check_not(invoice: Invoice, line_ids: Iterable[str] | None = None) -> None:
    """Refuse to void or credit lines of a bill whose assets are depreciated; without lines, any of it.

    Raises:
        InUse: depreciation is posted.
    """
    if invoice.kind not in PURCHASES:
        return
    values = {"invoice": invoice.id, "lines": None if line_ids is None else array(line_ids)}
    for (number,) in WORKSPACE.rows(_DEPRECIATED, values):
        raise InUse(
            says("{number} was bought with this bill and is depreciated. Dispose of it instead.", number=number)
        )
