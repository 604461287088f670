"""Reading deposits: fixed SQL."""

from collections.abc import Sequence
from typing import NamedTuple

from erp.finance.documents.deposits.shares import Owed
from erp.finance.documents.models import Invoice
from erp.store.router import WORKSPACE


class Received(NamedTuple):
    """The sum of a deposit's receipts at one tax rate, posted to one pair of accounts."""

    tax_rate_id: str | None
    net: int
    tax: int
    base_net: int
    base_tax: int
    account_id: str
    tax_account_id: str


class DepositRow(NamedTuple):
    """A row of `invoice_deposit`."""

    id: str
    invoice_id: str
    position: int
    deposit_id: str
    tax_rate_id: str | None
    net: int
    tax: int
    base_net: int
    base_tax: int


class ShownDeposit(NamedTuple):
    """A row of `invoice_deposit` with the columns of other tables for its view."""

    deposit_id: str
    number: str
    issue_date: str
    tax_rate_id: str | None
    category: str
    rate: int
    net: int
    tax: int


def owed(deposit: Invoice) -> list[Owed]:
    """The amount that a deposit asks for at each tax rate; its rounding goes with the largest."""
    rows = [Owed(*row) for row in WORKSPACE.rows(_OWED, {"id": deposit.id})]
    largest = max(range(len(rows)), key=lambda i: abs(rows[i].gross))
    rounding = deposit.total - sum(row.gross for row in rows)
    rows[largest] = rows[largest]._replace(gross=rows[largest].gross + rounding)
    return rows


def received(deposit_id: str) -> list[Received]:
    """Receipts of a deposit that have not been released."""
    return [Received(*row) for row in WORKSPACE.rows(_RECEIVED, (deposit_id,))]


def tax_account(rate_id: str | None) -> str | None:
    """The account of a tax rate for output tax, if it has its own."""
    rows = WORKSPACE.rows("SELECT output_tax_account_id FROM tax_rate WHERE id = ?", (rate_id,))
    return rows[0][0] if rows else None


def applied_by(deposit_id: str) -> tuple[str, str] | None:
    """The id and the number of the issued final invoice that applies a deposit."""
    rows = WORKSPACE.rows(_APPLIED_BY, (deposit_id,))
    return (rows[0][0], rows[0][1]) if rows else None


def shown(invoice_id: str) -> Sequence[ShownDeposit]:
    """The deposits of a final invoice, in their order."""
    return [ShownDeposit(*row) for row in WORKSPACE.rows(_SHOWN, (invoice_id,))]


def closings(invoice_id: str) -> list[str]:
    """The unreleased allocations that close the unpaid rests of a final invoice's deposits."""
    return [id for (id,) in WORKSPACE.rows(_CLOSINGS, (invoice_id,))]


_OWED = """
SELECT part.tax_rate_id, coalesce(tax_rate.rate, 0), sum(part.gross), sum(part.tax) FROM (
    SELECT tax_rate_id, gross, tax FROM invoice_line WHERE invoice_id = :id
    UNION ALL SELECT tax_rate_id, CASE WHEN is_charge THEN 1 ELSE -1 END * (amount + tax),
        CASE WHEN is_charge THEN 1 ELSE -1 END * tax
    FROM invoice_adjustment WHERE invoice_id = :id
) AS part LEFT JOIN tax_rate ON tax_rate.id = part.tax_rate_id
GROUP BY part.tax_rate_id, tax_rate.rate ORDER BY coalesce(tax_rate.rate, 0) DESC, part.tax_rate_id
"""
_RECEIVED = """
SELECT tax_rate_id, sum(net), sum(tax), sum(base_net), sum(base_tax), receipt.account_id, receipt.tax_account_id
FROM deposit_receipt AS receipt JOIN allocation ON allocation.id = allocation_id
WHERE receipt.invoice_id = ? AND released_on IS NULL
GROUP BY tax_rate_id, receipt.account_id, receipt.tax_account_id ORDER BY min(receipt.id)
"""
_APPLIED_BY = """
SELECT invoice.id, invoice.number FROM invoice_deposit JOIN invoice ON invoice.id = invoice_deposit.invoice_id
WHERE deposit_id = ? AND status NOT IN ('draft', 'void') LIMIT 1
"""
_SHOWN = """
SELECT part.deposit_id, deposit.number, deposit.issue_date, part.tax_rate_id, coalesce(tax_rate.category, 'O'),
    coalesce(tax_rate.rate, 0), part.net, part.tax
FROM invoice_deposit AS part JOIN invoice AS deposit ON deposit.id = part.deposit_id
LEFT JOIN tax_rate ON tax_rate.id = part.tax_rate_id
WHERE part.invoice_id = ? ORDER BY part.position
"""
_CLOSINGS = """
SELECT DISTINCT a.id FROM invoice_deposit AS part
JOIN open_item AS target ON target.document_id = part.deposit_id
JOIN allocation AS a ON a.to_item_id = target.id AND a.released_on IS NULL
JOIN open_item AS source ON source.id = a.from_item_id
JOIN journal_entry AS entry ON entry.id = source.entry_id AND entry.kind = 'deposit_closing'
WHERE part.invoice_id = ? ORDER BY a.id
"""
