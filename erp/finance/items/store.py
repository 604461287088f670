"""How settlements are read and written: fixed SQL, because recording a payment is a hot path.

What two requests could both take (what is left of a payment, what is due on an invoice) is checked by the statement
that takes it.
"""

from datetime import date
from typing import Any

from erp.finance.items.documents import Invoice, Payment
from erp.kernel import clock
from erp.store import workspace_settings
from erp.store.router import WORKSPACE

SETTLED_LATER = """
SELECT document_id, sum(paid) AS paid_later, sum(credited) AS credited_later FROM (
    SELECT invoice_id AS document_id, CASE WHEN payment_id IS NOT NULL THEN amount ELSE 0 END AS paid,
        CASE WHEN payment_id IS NULL THEN amount ELSE 0 END AS credited
    FROM allocation WHERE date > :today AND released_on IS NULL
    UNION ALL SELECT credit_note_id, 0, amount
    FROM allocation WHERE date > :today AND released_on IS NULL AND credit_note_id IS NOT NULL
) AS later GROUP BY document_id
"""
"""By document, how much of its `amount_paid` and `amount_credited` is dated after :today, where any is.

These columns count every allocation that stands, so that nothing is settled twice; what is shown leaves out the later
ones. An index finds them, and there are hardly ever any.
"""


def is_anything_later() -> bool:
    """Whether `SETTLED_LATER` has any rows: a look into an index of 20 µs, which spares the lists its join."""
    return bool(WORKSPACE.rows(_IS_ANYTHING_LATER, (workspace_settings.today().isoformat(),)))


def last_days(document: Payment | Invoice) -> list[date]:
    """The days on which something of a document was last settled, and last released."""
    ((settled, released),) = WORKSPACE.rows(_LAST_DAYS, {"id": document.id})
    return [date.fromisoformat(day) for day in (settled, released) if day is not None]


def settled_base(document: Invoice) -> int:
    """The part of a document's total that is settled, in minor units of the base currency."""
    ((base,),) = WORKSPACE.rows(_SETTLED_BASE, {"id": document.id})
    return int(base)


def allocated_base(payment: Payment) -> int:
    """The part of a payment that is allocated, in minor units of the base currency."""
    ((base,),) = WORKSPACE.rows(_ALLOCATED_BASE, (payment.id,))
    return int(base)


def subtype_of_contact_account(entry_id: str) -> str | None:
    """The subtype of the account of an entry's posting that names a contact, None where there is none."""
    return next((str(subtype) for (subtype,) in WORKSPACE.rows(_SUBTYPE, (entry_id,))), None)


def use(payment: Payment, amount: int) -> bool:
    """Take an amount of what is left of a payment, or give it back when below zero; False when less is left."""
    rows = WORKSPACE.rows(_USE, {"amount": amount, "id": payment.id})
    return _update(payment, ("allocated_amount",), rows)


def settle(document: Invoice, column: str, amount: int) -> bool:
    """Add an amount to what is paid or credited on a document; False when less is due."""
    parameters = {"amount": amount, "id": document.id, "now": clock.stamp()}
    rows = WORKSPACE.rows(_SETTLE.format(column=column), parameters)
    return _update(document, ("amount_paid", "amount_credited", "status", "version", "updated_at"), rows)


_IS_ANYTHING_LATER = "SELECT 1 FROM allocation WHERE date > ? AND released_on IS NULL LIMIT 1"
_LAST_DAYS = (
    "SELECT max(date), max(released_on) FROM allocation"
    " WHERE payment_id = :id OR invoice_id = :id OR credit_note_id = :id"
)
_SETTLED_BASE = (
    "SELECT coalesce(sum(CASE WHEN invoice_id = :id THEN base_relieved ELSE base_received END), 0) FROM allocation"
    " WHERE released_on IS NULL AND (invoice_id = :id OR credit_note_id = :id)"
)
_ALLOCATED_BASE = "SELECT coalesce(sum(base_received), 0) FROM allocation WHERE payment_id = ? AND released_on IS NULL"
_SUBTYPE = (
    "SELECT account.subtype FROM posting JOIN account ON account.id = posting.account_id"
    " WHERE posting.entry_id = ? AND posting.contact_id IS NOT NULL"
)
_SETTLE = (
    "UPDATE invoice SET {column} = {column} + :amount, version = version + 1, updated_at = :now, status = CASE"
    " WHEN amount_paid + amount_credited + :amount = 0 THEN 'issued'"
    " WHEN amount_paid + amount_credited + :amount < total THEN 'partially_paid'"
    " WHEN '{column}' = 'amount_credited' AND amount_paid = 0 AND kind IN ('sales_invoice', 'purchase_invoice')"
    " THEN 'credited' ELSE 'paid' END"
    " WHERE id = :id AND status IN ('issued', 'partially_paid', 'paid', 'credited')"
    " AND amount_paid + amount_credited + :amount BETWEEN 0 AND total"
    " RETURNING amount_paid, amount_credited, status, version, updated_at"
)
_USE = (
    "UPDATE payment SET allocated_amount = allocated_amount + :amount"
    " WHERE id = :id AND status = 'posted' AND allocated_amount + :amount BETWEEN 0 AND amount"
    " RETURNING allocated_amount"
)


def _update(record: Payment | Invoice, names: tuple[str, ...], rows: list[tuple[Any, ...]]) -> bool:
    """Bring a record up to date with the row that a statement has changed, if it has changed one."""
    for row in rows:
        for name, value in zip(names, row, strict=True):
            setattr(record, name, value)
    return bool(rows)
