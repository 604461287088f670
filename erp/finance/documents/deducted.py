"""Which deductions stand on documents, and what they come to at each tax rate: fixed SQL."""

from collections.abc import Sequence
from typing import NamedTuple

from erp.finance.books.models import OpenItem
from erp.finance.documents.models import Deduction
from erp.store.router import WORKSPACE

SETTLING = ("cash_discount", "uncollectable", "small_difference")
"""The kinds that settle a document; the others move it to another account, or come after."""

RECOVERED = ("uncollectable", "recovery")
"""A write-off, and what is received on it later."""

SUM = (
    "CASE WHEN NOT invoice.is_adjusted THEN 0 ELSE"
    " (SELECT coalesce(sum(deduction.amount), 0) FROM deduction WHERE deduction.invoice_id = invoice.id"
    f" AND deduction.kind IN {SETTLING} AND deduction.undone_on IS NULL AND deduction.date <= :today) END"
)
"""How much of the `amount_paid` of an `invoice` was taken off it by :today."""


class DeductedPart(NamedTuple):
    """What a deduction that stands takes of a tax rate, with the tax in it."""

    kind: str
    rate_id: str | None
    amount: int
    tax: int
    corrects_tax: bool


def of_invoice(invoice_id: str) -> list[Deduction]:
    """The deductions of a document in their order, undone ones included."""
    return Deduction.fetch("SELECT * FROM deduction WHERE invoice_id = ? ORDER BY id", invoice_id)


def of_item(item: OpenItem) -> list[Deduction]:
    """Those of an open item without a document; also that which moved it to doubtful receivables."""
    return Deduction.fetch(_OF_ITEM, item.id, item.entry_id)


def of_payments(ids: str) -> list[Deduction]:
    """The deductions that were taken with payments, given as an array of their ids."""
    return Deduction.fetch(_OF_PAYMENTS, ids)


def standing(invoice_id: str) -> list[Deduction]:
    """The deductions of a document that have not been undone."""
    return [deduction for deduction in of_invoice(invoice_id) if deduction.undone_on is None]


def parts(subject_id: str, kinds: Sequence[str] = SETTLING) -> list[DeductedPart]:
    """The parts of the deductions of some kinds that stand on a document, or on an open item without one."""
    rows = WORKSPACE.rows(_PARTS, (subject_id, subject_id))
    return [
        DeductedPart(kind, rate_id, amount, tax, bool(corrects))
        for kind, rate_id, amount, tax, corrects in rows
        if kind in kinds
    ]


def recoverable(subject_id: str) -> int:
    """What of an uncollectable write-off has not been recovered."""
    sums = [(1 if part.kind == "uncollectable" else -1, part) for part in parts(subject_id, RECOVERED)]
    return sum(sign * part.amount for sign, part in sums)


def base(invoice_id: str) -> int:
    """What deductions that stand have taken of what a document is worth in the base currency."""
    return sum(deduction.base_amount for deduction in standing(invoice_id) if deduction.kind in SETTLING)


def entry_ids(invoice_id: str) -> list[str]:
    """The entries of the deductions that have settled a document and stand."""
    settling = [deduction for deduction in standing(invoice_id) if deduction.kind in SETTLING]
    return [deduction.journal_entry_id for deduction in settling if deduction.journal_entry_id is not None]


def is_doubtful(invoice_id: str, deductions: Sequence[Deduction] | None = None) -> bool:
    """Whether a document stands on doubtful receivables, by its deductions where they are known."""
    known = of_invoice(invoice_id) if deductions is None else deductions
    return any(deduction.kind == "doubtful" and deduction.undone_on is None for deduction in known)


_OF_ITEM = (
    "SELECT * FROM deduction WHERE of_item_id = ?"
    " OR (journal_entry_id = ? AND kind = 'doubtful' AND invoice_id IS NULL) ORDER BY id"
)
_OF_PAYMENTS = "SELECT * FROM deduction WHERE payment_id IN (SELECT value FROM json_each(?)) ORDER BY id"
_PARTS = (
    "SELECT kind, tax_rate_id, part.amount, part.tax, corrects_tax FROM deduction"
    " JOIN deduction_part AS part ON part.deduction_id = deduction.id"
    " WHERE (invoice_id = ? OR of_item_id = ?) AND undone_on IS NULL ORDER BY deduction.id, position"
)
