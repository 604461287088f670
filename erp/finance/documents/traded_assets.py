"""The fixed assets that are bought with a bill or sold with an invoice, when the document is posted or taken back."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby

from msgspec.structs import replace

from erp.finance.books.accounts import AccountRef
from erp.finance.documents import reading
from erp.finance.documents.commands import InvoiceCommand
from erp.finance.documents.line_assets import LineAsset, MadeAssetView
from erp.finance.documents.models import PURCHASES, Invoice
from erp.finance.documents.store import LineRow
from erp.kernel import clock
from erp.kernel.complaints import Complaints, said_of
from erp.kernel.errors import InUse, Invalid
from erp.kernel.language import says
from erp.store import recorded
from erp.store.router import WORKSPACE
from erp.store.sql import array

Maker = Callable[[str, str, LineAsset], None]

MAKERS: dict[str, Maker] = {}
"""Functions that make assets of a line, by the kind of the document; called with the ids of document and line."""

_MADE = "SELECT line_id, id, number FROM asset WHERE line_id IN (SELECT value FROM json_each(?)) ORDER BY line_id, seq"
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


def check_lines(command: InvoiceCommand, accounts: Mapping[str, AccountRef], complaints: Complaints) -> None:
    """Complain of lines that become assets, but are not of a bill, or on no account for fixed assets.

    Args:
        accounts: the known ones among the accounts that the command names, by the path of the field.
    """
    for i, line in enumerate(command.lines):
        if line.asset is None:
            continue
        if command.kind not in MAKERS:
            complaints.add(f"lines[{i}].asset", "not_needed", says("Only for bills. Clear the field."))
            continue
        account = accounts.get(field := f"lines[{i}].accountId")
        if line.account_id is None or (account is not None and account.subtype != "fixed_asset"):
            complaints.add(field, "unsuitable_account", says("Choose an account for fixed assets."))


def make(invoice: Invoice, lines: Sequence[LineRow]) -> None:
    """Make the assets that the lines of a posted bill become.

    Raises:
        Invalid: with a complaint for every field of an asset that is wrong.
    """
    complaints = Complaints()
    for line in lines if invoice.kind in MAKERS else ():
        path = f"lines[{line.position}].asset"
        try:
            if line.asset is not None:
                MAKERS[invoice.kind](invoice.id, line.id, reading.line_asset(line.asset))
        except Invalid as invalid:
            items = said_of(invalid, path, f"{path}.")
            complaints.items += [replace(each, field=each.field.removesuffix(".fromLine.lineId")) for each in items]
    complaints.refuse()


def made_of(lines: Sequence[LineRow]) -> dict[str, list[MadeAssetView]]:
    """The assets that lines have become, by the id of the line; no query where none becomes one."""
    ids = [line.id for line in lines if line.asset is not None]
    rows = WORKSPACE.rows(_MADE, (array(ids),)) if ids else ()
    return {
        line_id: [MadeAssetView(id=id, number=number) for _, id, number in of_line]
        for line_id, of_line in groupby(rows, key=lambda row: row[0])
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
