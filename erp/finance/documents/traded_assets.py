"""The fixed assets that were bought with a bill or sold with an invoice, when the document is taken back."""

from collections.abc import Iterable

from erp.finance.documents.models import PURCHASES, Invoice
from erp.kernel import clock
from erp.kernel.errors import InUse
from erp.kernel.language import says
from erp.store import recorded
from erp.store.router import WORKSPACE
from erp.store.sql import array

_ASSETS = """FROM asset WHERE line_id IN (
    SELECT coalesce(l.credited_line_id, l.id) FROM invoice_line AS l WHERE l.invoice_id = :document
    AND (:lines IS NULL OR l.id IN (SELECT value FROM json_each(:lines)))
)"""
_STANDING = f"""SELECT number, status {_ASSETS} AND (status = 'disposed' OR EXISTS (
    SELECT 1 FROM depreciation AS d WHERE d.asset_id = asset.id
    AND NOT EXISTS (SELECT 1 FROM journal_entry AS mirror WHERE mirror.reverses_id = d.journal_entry_id)
)) ORDER BY seq LIMIT 1"""
_WITHDRAW = f"""UPDATE asset SET status = 'draft', version = version + 1, updated_at = :now
WHERE id IN (SELECT id {_ASSETS} AND status = 'in_use') RETURNING id"""
_SOLD = "SELECT number FROM asset WHERE sale_invoice_id = ? ORDER BY seq LIMIT 1"
_MESSAGES = {
    "in_use": says("{number} was bought with the bill and is depreciated. Dispose of it instead."),
    "disposed": says(
        "{number} was bought with the bill and has been disposed of. Undo its disposal first, or record a separate "
        "supplier credit note with an account for income."
    ),
}


def check_none_sold(invoice: Invoice) -> None:
    """Refuse to void an invoice whose line is the proceeds of a disposal.

    Raises:
        InUse: an asset was sold with it.
    """
    for (number,) in WORKSPACE.rows(_SOLD, (invoice.id,)):
        raise InUse(says("{number} was sold with this invoice. Undo its disposal first.", number=number))


def withdraw(document: Invoice, line_ids: Iterable[str] | None = None) -> dict[str, int]:
    """Make drafts of the assets in use that lines cost, before the lines or their credit notes are taken back.

    Args:
        line_ids: those that are taken back; None for all.

    Returns:
        Their number, as events tell it; empty for none.

    Raises:
        InUse: one is depreciated or disposed of.
    """
    if document.kind not in PURCHASES:
        return {}
    values = {"document": document.id, "lines": None if line_ids is None else array(line_ids)}
    for number, status in WORKSPACE.rows(_STANDING, values):
        raise InUse(_MESSAGES["disposed" if status == "disposed" else "in_use"].fill(number=number))
    withdrawn = [id for (id,) in WORKSPACE.rows(_WITHDRAW, values | {"now": clock.stamp()})]
    for id in withdrawn:
        recorded.note("asset", id, {"status": "draft"})
    return {"withdrawnAssets": len(withdrawn)} if withdrawn else {}
