"""Reading and writing settlements: fixed SQL, because recording a payment is a hot path."""

from datetime import date
from typing import NamedTuple

from erp.finance.books import open_items
from erp.finance.books.models import Allocation, OpenItem
from erp.kernel import clock
from erp.store import workspace_settings
from erp.store.router import WORKSPACE

_LATER = "a.date > :today AND a.released_on IS NULL AND source.document_id <> target.document_id"
BOTH_ITEMS = (
    "allocation AS a JOIN open_item AS source ON source.id = a.from_item_id"
    " JOIN open_item AS target ON target.id = a.to_item_id"
)
CLOSING = "SELECT id FROM journal_entry WHERE kind = 'deposit_closing'"
"""The entries that close the unpaid part of a deposit, which credits it."""
_IS_CREDIT = (
    "target.document_type = 'invoice' AND (source.document_type = 'invoice'"
    f" OR (source.document_type = 'journal_entry' AND source.entry_id IN ({CLOSING})))"
)
SETTLED_LATER = f"""
SELECT document_id, sum(CASE WHEN is_credit THEN 0 ELSE amount END) AS paid_later,
    sum(CASE WHEN is_credit THEN amount ELSE 0 END) AS credited_later
FROM (
    SELECT target.document_id AS document_id, a.amount AS amount, {_IS_CREDIT} AS is_credit
    FROM {BOTH_ITEMS} WHERE {_LATER} AND target.document_type = 'invoice'
    UNION ALL SELECT source.document_id, a.amount, {_IS_CREDIT}
    FROM {BOTH_ITEMS} WHERE {_LATER} AND source.document_type = 'invoice'
) AS later GROUP BY document_id
"""
"""By invoice, the part of its `amount_paid` and `amount_credited` that is dated after :today.

These columns count every live allocation, so that nothing is settled twice; views leave out the later ones. An index
finds them, and there are hardly ever any.
"""


def is_anything_later() -> bool:
    """Whether `SETTLED_LATER` has any rows: a look into an index of 20 µs, which spares the lists its join."""
    return bool(WORKSPACE.rows(_IS_ANYTHING_LATER, (workspace_settings.today().isoformat(),)))


def allocations(document_id: str) -> list[Allocation]:
    """The allocations from or to a document in the order they were made, released ones included."""
    return Allocation.fetch(_ALLOCATIONS, document_id)


def live_allocations(document_id: str) -> list[Allocation]:
    """The allocations between a document and others that have not been released."""
    return [
        allocation
        for allocation in Allocation.fetch(_ALLOCATIONS_OF_OTHERS, document_id)
        if allocation.released_on is None
    ]


class SettledWith(NamedTuple):
    """A settlement of a document, in either direction, in minor units of its currency; `kind` is an invoice's."""

    allocation_id: str
    amount: int
    date: str
    document_type: str
    document_id: str
    number: str
    kind: str | None
    entry_kind: str | None
    source_id: str | None


def settled_with(document_id: str) -> list[SettledWith]:
    """The live settlements of a document, in either direction, by date; its deductions are left out."""
    return [SettledWith(*row) for row in WORKSPACE.rows(_SHOWN, (document_id,))]


def documents_settled_with(document_id: str) -> list[str]:
    """The ids of the documents that settle a document or are settled by it."""
    return [id for (id,) in WORKSPACE.rows(_SETTLED_WITH, (document_id,))]


def items(allocation: Allocation) -> tuple[OpenItem, OpenItem]:
    """The settling and the settled item."""
    source, target = (OpenItem.find_by(id=id) for id in (allocation.from_item_id, allocation.to_item_id))
    assert source is not None
    assert target is not None
    return source, target


def is_reversal(item: OpenItem) -> bool:
    """Whether the item belongs to a reversing entry, or to a reversed one.

    Where nothing was posted, the line of the item tells.
    """
    return item.line < open_items.NO_LINE or bool(WORKSPACE.rows(_REVERSED, {"entry": item.entry_id}))


def is_of_offset(item: OpenItem) -> bool:
    """Whether an offset has posted the item."""
    return bool(WORKSPACE.rows(_OF_OFFSET, (item.entry_id,)))


def invoice_status(item: OpenItem) -> str | None:
    """The status of the item's invoice; None if it belongs to another document."""
    rows = WORKSPACE.rows("SELECT status FROM invoice WHERE id = ?", (item.document_id,))
    return str(rows[0][0]) if rows else None


def is_written_off(item: OpenItem) -> bool:
    """Whether an item is settled by a write-off, as an invoice that has been written off is."""
    if item.document_type == "invoice":
        return invoice_status(item) == "written_off"
    return not item.open and bool(WORKSPACE.rows(_WRITTEN_OFF, (item.id,)))


def is_deposit(item: OpenItem) -> bool:
    """Whether the item belongs to a deposit invoice."""
    query = "SELECT 1 FROM invoice WHERE id = ? AND kind = 'deposit_invoice'"
    return item.document_type == "invoice" and bool(WORKSPACE.rows(query, (item.document_id,)))


def closes_deposit(item: OpenItem) -> bool:
    """Whether the item belongs to the entry that closes the unpaid part of a deposit."""
    is_entry = item.document_type == "journal_entry"
    return is_entry and bool(WORKSPACE.rows(f"{CLOSING} AND id = ?", (item.entry_id,)))


def settle_invoice(id: str, column: str, amount: int) -> None:
    """Add an amount to the paid or credited amount of an invoice, and update its status."""
    WORKSPACE.run(_SETTLE.format(column=column), {"amount": amount, "id": id, "now": clock.stamp()})


def deductions_of(allocation: Allocation) -> list[tuple[str, str, str | None, str | None]]:
    """The live deductions on an allocation: their kinds and invoices, and the payment or payment run of each."""
    rows = WORKSPACE.rows(_DEDUCTIONS, {"id": allocation.id})
    return [(kind, invoice, payment, run) for kind, invoice, payment, run in rows]


def renew_payment(id: str) -> None:
    """Give a payment its next version, because its allocations have changed."""
    WORKSPACE.run("UPDATE payment SET version = version + 1, updated_at = ? WHERE id = ?", (clock.stamp(), id))


def mark_released(allocation: Allocation, day: date) -> None:
    """Note the day on which an allocation was released."""
    allocation.released_on = day
    WORKSPACE.run("UPDATE allocation SET released_on = ? WHERE id = ?", (day.isoformat(), allocation.id))
    Allocation.record_columns(allocation.id, {"released_on": day})


_IS_ANYTHING_LATER = "SELECT 1 FROM allocation WHERE date > ? AND released_on IS NULL LIMIT 1"
_ALLOCATIONS = (
    "SELECT a.* FROM open_item AS item JOIN allocation AS a ON a.from_item_id = item.id OR a.to_item_id = item.id"
    " WHERE item.document_id = ? ORDER BY a.id"
)
_ALLOCATIONS_OF_OTHERS = (
    "SELECT a.* FROM open_item AS item JOIN allocation AS a ON a.from_item_id = item.id OR a.to_item_id = item.id"
    " JOIN open_item AS other ON other.id = CASE a.from_item_id WHEN item.id THEN a.to_item_id ELSE a.from_item_id END"
    " WHERE item.document_id = ? AND other.document_id <> item.document_id ORDER BY a.id"
)
_SETTLED_WITH = (
    "SELECT other.document_id FROM open_item AS item"
    " JOIN allocation AS a ON a.from_item_id = item.id OR a.to_item_id = item.id"
    " JOIN open_item AS other ON other.id = CASE a.from_item_id WHEN item.id THEN a.to_item_id ELSE a.from_item_id END"
    " WHERE item.document_id = ? AND a.released_on IS NULL"
)
_SHOWN = (
    "SELECT a.id, a.amount, a.date, other.document_type, other.document_id, other.number, i.kind, e.kind, e.source_id"
    " FROM open_item AS item JOIN allocation AS a ON a.from_item_id = item.id OR a.to_item_id = item.id"
    " JOIN open_item AS other ON other.id = CASE a.from_item_id WHEN item.id THEN a.to_item_id ELSE a.from_item_id END"
    " LEFT JOIN journal_entry AS e ON e.id = other.entry_id LEFT JOIN invoice AS i ON i.id = other.document_id"
    " WHERE item.document_id = ? AND other.document_id <> item.document_id AND a.released_on IS NULL"
    " AND e.source_type IS DISTINCT FROM 'deduction' ORDER BY a.date, a.id"
)
_REVERSED = "SELECT 1 FROM journal_entry WHERE (id = :entry AND reverses_id IS NOT NULL) OR reverses_id = :entry"
_WRITTEN_OFF = "SELECT 1 FROM deduction WHERE of_item_id = ? AND kind = 'uncollectable' AND undone_on IS NULL"
_OF_OFFSET = "SELECT 1 FROM journal_entry WHERE id = ? AND kind = 'offset'"
_DEDUCTIONS = (
    "SELECT d.kind, coalesce(invoice.number, taken.number), payment.number, run.number FROM allocation AS a"
    " JOIN deduction AS d ON d.undone_on IS NULL AND (d.allocation_id = a.id OR d.item_id = a.from_item_id)"
    " LEFT JOIN invoice ON invoice.id = d.invoice_id LEFT JOIN open_item AS taken ON taken.id = d.of_item_id"
    " LEFT JOIN payment ON payment.id = d.payment_id"
    " LEFT JOIN payment_run_credit AS used ON used.deduction_id = d.id"
    " LEFT JOIN payment_run AS run ON run.id = used.run_id WHERE a.id = :id"
    " UNION ALL SELECT d.kind, invoice.number, NULL, run.number FROM payment_run_credit AS used"
    " JOIN payment_run AS run ON run.id = used.run_id"
    " JOIN deduction AS d ON d.id = used.deduction_id AND d.undone_on IS NULL"
    " JOIN invoice ON invoice.id = d.invoice_id WHERE used.allocation_id = :id"
    " UNION ALL SELECT d.kind, invoice.number, NULL, NULL FROM allocation AS a"
    " JOIN open_item AS item ON item.id IN (a.from_item_id, a.to_item_id)"
    " JOIN invoice ON invoice.id = item.document_id AND invoice.journal_entry_id = item.entry_id"
    " JOIN deduction AS d ON d.invoice_id = invoice.id AND d.kind = 'doubtful' AND d.undone_on IS NULL"
    " WHERE a.id = :id"
    " UNION ALL SELECT d.kind, item.number, NULL, NULL FROM allocation AS a"
    " JOIN open_item AS item ON item.id IN (a.from_item_id, a.to_item_id)"
    " JOIN deduction AS d ON d.of_item_id = item.id AND d.kind = 'doubtful' AND d.undone_on IS NULL"
    " WHERE a.id = :id"
)
_SETTLE = (
    "UPDATE invoice SET {column} = {column} + :amount, version = version + 1, updated_at = :now, status = CASE"
    " WHEN amount_paid + amount_credited + :amount = 0 THEN 'issued'"
    " WHEN amount_paid + amount_credited + :amount < total - deposit_total THEN 'partially_paid'"
    " WHEN EXISTS (SELECT 1 FROM deduction WHERE invoice_id = :id AND kind = 'uncollectable'"
    " AND undone_on IS NULL) THEN 'written_off'"
    " WHEN '{column}' = 'amount_credited' AND amount_paid + deposit_total = 0"
    " AND kind IN ('sales_invoice', 'deposit_invoice', 'final_invoice', 'purchase_invoice')"
    " THEN 'credited' ELSE 'paid' END WHERE id = :id"
)
