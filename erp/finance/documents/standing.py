"""The standing of documents: their deductions, and the facts that decide which actions are allowed.

The facts are read in the same way for one document and for a page: the columns of its own row, and the deductions of
the few documents that ever had any.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from erp.finance.books.models import OpenItem
from erp.finance.documents.models import CLOSED, Deduction, Invoice
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE

SETTLING = ("cash_discount", "uncollectable", "small_difference")
"""The kinds that settle a document; the others move it to another account, or come after."""

RECOVERED = ("uncollectable", "recovery")
"""A write-off, and its recoveries."""

DEDUCTED = (
    "CASE WHEN NOT invoice.is_adjusted THEN 0 ELSE"
    " (SELECT coalesce(sum(deduction.amount), 0) FROM deduction WHERE deduction.invoice_id = invoice.id"
    f" AND deduction.kind IN {SETTLING} AND deduction.undone_on IS NULL AND deduction.date <= :today) END"
)
"""SQL of the part of an `invoice`'s `amount_paid` that deductions have settled by :today."""

HAS_FILE = (
    "(EXISTS (SELECT 1 FROM attachment WHERE resource_type = 'invoice' AND resource_id = invoice.id)"
    " OR EXISTS (SELECT 1 FROM document_file WHERE invoice_id = invoice.id AND form = 'original'))"
)
"""SQL of whether a file is attached to an `invoice`, or it came as one."""


class DeductedPart(NamedTuple):
    """The amount of a standing deduction at one tax rate, with the tax in it."""

    kind: str
    rate_id: str | None
    amount: int
    tax: int
    corrects_tax: bool


class Taken(NamedTuple):
    """A deduction that stands, with the number of the payment that it came with.

    `is_settled`: a doubtful amount has been settled in part since.
    """

    kind: str
    payment: str | None
    amount: int
    currency: str
    is_settled: bool
    parts: tuple[DeductedPart, ...] = ()


class Standing(msgspec.Struct, frozen=True, array_like=True):
    """The facts of a document; `day_is_locked` is about the day on which a draft would be issued now.

    `credited_by` is the number of its first credit note that stands, `applied_by` the number of the issued final
    invoice that applies a deposit. `is_used_up`: credit notes and deductions have left nothing of its lines to credit.
    """

    kind: str
    status: str
    approval: str
    is_negative: bool
    is_due: bool
    is_paid: bool
    is_credited: bool
    day_is_locked: bool
    is_sent: bool
    credited_by: str | None = None
    applied_by: str | None = None
    id: str | None = None
    number: str | None = None
    deductions: tuple[Taken, ...] = ()
    is_used_up: bool = False

    @property
    def is_doubtful(self) -> bool:
        """Whether it stands on doubtful receivables."""
        return any(taken.kind == "doubtful" for taken in self.deductions)

    @property
    def recoverable(self) -> int:
        """The rest of an uncollectable write-off after recoveries."""
        return _recoverable([part for taken in self.deductions for part in taken.parts])


_CREDITED_BY = (
    "(SELECT note.number FROM invoice AS note WHERE note.credited_invoice_id = invoice.id AND note.status <> 'void'"
    " ORDER BY note.id LIMIT 1)"
)
_APPLIED_BY = (
    "(SELECT final.number FROM invoice_deposit JOIN invoice AS final ON final.id = invoice_deposit.invoice_id"
    " WHERE deposit_id = invoice.id AND final.status NOT IN ('draft', 'void') LIMIT 1)"
)
_DAY = f"CASE WHEN {sql.json_text('terms', chr(39) + '$.issueDate' + chr(39))} IS NULL THEN :today ELSE issue_date END"
_OWN = (
    "kind",
    "status",
    "approval",
    "total < 0",
    f"CASE WHEN status IN {CLOSED} THEN false ELSE total - deposit_total - amount_paid - amount_credited > 0 END",
    "amount_paid <> 0",
    "amount_credited <> 0",
    f"CASE WHEN status = 'draft' THEN {_DAY} <= :lock_date ELSE false END",
    "sent_at IS NOT NULL",
)
FACTS = (
    f"CASE WHEN is_adjusted OR kind = 'deposit_invoice'"
    f" THEN {sql.json_array(*_OWN, _CREDITED_BY, _APPLIED_BY, 'id')} ELSE {sql.json_array(*_OWN)} END"
)
"""SQL of the facts in the row of an `invoice`, as JSON; its parameters come from `parameters`."""

_DECODER = msgspec.json.Decoder(Standing, strict=False)  # SQL has no booleans but 0 and 1


def parameters() -> dict[str, str]:
    """Today, and the day through which the books are locked."""
    lock_date = workspace_settings.lock_date()
    return {
        "today": workspace_settings.today().isoformat(),
        "lock_date": "" if lock_date is None else lock_date.isoformat(),
    }


def of(invoice: Invoice) -> Standing:
    """The standing of a document, with its number for messages."""
    (document,) = of_facts([facts_of(invoice.id)])
    return replace(document, number=invoice.number)


def facts_of(invoice_id: str) -> str:
    """The facts in the row of one document, as JSON."""
    rows = WORKSPACE.rows(f"SELECT {FACTS} FROM invoice WHERE id = :id", {"id": invoice_id} | parameters())
    return str(rows[0][0])


def of_facts(facts: Sequence[str]) -> list[Standing]:
    """The standing of documents from the facts in their rows; one query reads all deductions."""
    documents = [_DECODER.decode(text) for text in facts]
    ids = [document.id for document in documents if document.id is not None]
    if not ids:
        return documents
    taken = _taken("deduction.invoice_id IN (SELECT value FROM json_each(?))", sql.array(ids))
    return [replace(document, deductions=taken.get(document.id, ())) for document in documents]


def taken_of_item(item: OpenItem) -> Sequence[Taken]:
    """The deductions that stand of an open item without a document."""
    return [taken for of_one in _taken(f"({_IS_OF_ITEM})", item.id, item.entry_id).values() for taken in of_one]


def _taken(where: str, *parameters: Any) -> dict[str | None, tuple[Taken, ...]]:
    """Deductions that stand, by their document, in their order."""
    documents: dict[str | None, tuple[Taken, ...]] = defaultdict(tuple)
    rows = WORKSPACE.rows(_TAKEN.format(where=where), parameters)
    for (_, invoice_id, *facts), own in groupby(rows, lambda row: row[:7]):
        taken = Taken(*facts)
        parts = (DeductedPart(taken.kind, *part) for part_id, *part in (row[7:] for row in own) if part_id)
        documents[invoice_id] += (taken._replace(parts=tuple(parts)),)
    return dict(documents)


def deductions_of(invoice_id: str) -> list[Deduction]:
    """The deductions of a document in their order, undone ones included."""
    return Deduction.fetch("SELECT * FROM deduction WHERE invoice_id = ? ORDER BY id", invoice_id)


def deductions_of_item(item: OpenItem) -> list[Deduction]:
    """The deductions of an open item without a document, also the one that moved it to doubtful receivables."""
    return Deduction.fetch(_OF_ITEM, item.id, item.entry_id)


def deductions_of_payments(ids: str) -> list[Deduction]:
    """The deductions that were taken with payments, given as an array of their ids."""
    return Deduction.fetch(_OF_PAYMENTS, ids)


def _standing(invoice_id: str) -> list[Deduction]:
    """The deductions of a document that have not been undone."""
    return [deduction for deduction in deductions_of(invoice_id) if deduction.undone_on is None]


def deducted_parts(subject_id: str, kinds: Sequence[str] = SETTLING) -> list[DeductedPart]:
    """The parts of the deductions of some kinds that stand on a document, or on an open item without one."""
    rows = WORKSPACE.rows(_PARTS, (subject_id, subject_id))
    return [
        DeductedPart(kind, rate_id, amount, tax, bool(corrects))
        for kind, rate_id, amount, tax, corrects in rows
        if kind in kinds
    ]


def recoverable(subject_id: str) -> int:
    """The rest of an uncollectable write-off after recoveries."""
    return _recoverable(deducted_parts(subject_id, RECOVERED))


def _recoverable(parts: Iterable[DeductedPart]) -> int:
    of_write_offs = [(1 if part.kind == "uncollectable" else -1, part) for part in parts if part.kind in RECOVERED]
    return sum(sign * part.amount for sign, part in of_write_offs)


def deducted_base(invoice_id: str) -> int:
    """The sum of a document's settling deductions in the base currency."""
    return sum(deduction.base_amount for deduction in _standing(invoice_id) if deduction.kind in SETTLING)


def deduction_entries(invoice_id: str) -> list[str]:
    """The entries of the deductions that have settled a document and stand."""
    settling = [deduction for deduction in _standing(invoice_id) if deduction.kind in SETTLING]
    return [deduction.journal_entry_id for deduction in settling if deduction.journal_entry_id is not None]


_IS_OF_ITEM = (
    "deduction.of_item_id = ?"
    " OR (deduction.journal_entry_id = ? AND deduction.kind = 'doubtful' AND deduction.invoice_id IS NULL)"
)
_OF_ITEM = f"SELECT * FROM deduction WHERE {_IS_OF_ITEM} ORDER BY id"
_OF_PAYMENTS = "SELECT * FROM deduction WHERE payment_id IN (SELECT value FROM json_each(?)) ORDER BY id"
_PARTS = (
    "SELECT kind, tax_rate_id, part.amount, part.tax, corrects_tax FROM deduction"
    " JOIN deduction_part AS part ON part.deduction_id = deduction.id"
    " WHERE (invoice_id = ? OR of_item_id = ?) AND undone_on IS NULL ORDER BY deduction.id, position"
)
_TAKEN = """
SELECT deduction.id, deduction.invoice_id, deduction.kind, payment.number, deduction.amount, deduction.currency,
    deduction.kind = 'doubtful' AND (
        SELECT open <> amount FROM open_item WHERE entry_id = deduction.journal_entry_id ORDER BY line LIMIT 1 OFFSET 1
    ),
    part.id, part.tax_rate_id, part.amount, part.tax, deduction.corrects_tax
FROM deduction LEFT JOIN payment ON payment.id = deduction.payment_id
LEFT JOIN deduction_part AS part ON part.deduction_id = deduction.id
WHERE {where} AND undone_on IS NULL ORDER BY deduction.id, part.position
"""
