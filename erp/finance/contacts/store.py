"""What contacts owe and are owed."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE

Side = Literal["customer", "supplier"]

AMOUNTS = ("balance", "overdue", "unallocated_credit")

_AMOUNTS_OF_CONTACTS = """
WITH later AS MATERIALIZED (
    SELECT invoice_id AS document_id FROM allocation WHERE date > :today AND released_on IS NULL
    UNION SELECT credit_note_id FROM allocation
    WHERE date > :today AND released_on IS NULL AND credit_note_id IS NOT NULL
)
SELECT contact.id,
    (SELECT coalesce(sum(posting.amount), 0) FROM posting JOIN account ON account.id = posting.account_id
        WHERE posting.contact_id = contact.id AND account.subtype IN ('receivable', 'payable')
        AND posting.date <= :today),
    (SELECT coalesce(sum(base_total - (
            SELECT coalesce(sum(base_relieved), 0) FROM allocation
            WHERE invoice_id = invoice.id AND released_on IS NULL AND date <= :today)), 0)
        FROM invoice WHERE contact_id = contact.id AND kind = 'sales_invoice'
        AND due_date < :today
        AND (status IN ('issued', 'partially_paid')
            OR (status IN ('paid', 'credited') AND id IN (SELECT document_id FROM later)))),
    (SELECT coalesce(sum(CASE direction WHEN 'received' THEN 1 ELSE -1 END * (base_amount - (
            SELECT coalesce(sum(base_received), 0) FROM allocation
            WHERE payment_id = payment.id AND released_on IS NULL AND date <= :today))), 0)
        FROM payment WHERE contact_id = contact.id AND status = 'posted' AND payment.date <= :today AND EXISTS (
            SELECT 1 FROM posting JOIN account ON account.id = posting.account_id
            WHERE posting.entry_id = payment.journal_entry_id AND account.subtype = 'receivable'))
    + (SELECT coalesce(sum(base_total - (
            SELECT coalesce(sum(CASE WHEN credit_note_id = invoice.id THEN base_received ELSE base_relieved END), 0)
            FROM allocation
            WHERE (credit_note_id = invoice.id OR invoice_id = invoice.id) AND released_on IS NULL AND date <= :today
        )), 0)
        FROM invoice WHERE contact_id = contact.id AND kind = 'sales_credit_note' AND issue_date <= :today
        AND (status IN ('issued', 'partially_paid') OR (status = 'paid' AND id IN (SELECT document_id FROM later))))
FROM contact WHERE contact.id IN (SELECT value FROM json_each(:ids))
"""


def amounts(contact_ids: Sequence[str]) -> dict[str, dict[str, int]]:
    """For each contact, the amounts as of today by the names of `AMOUNTS`, in minor units of the base currency."""
    today = workspace_settings.today().isoformat()
    rows = WORKSPACE.rows(_AMOUNTS_OF_CONTACTS, {"today": today, "ids": sql.array(contact_ids)})
    return {contact_id: dict(zip(AMOUNTS, of_contact, strict=True)) for contact_id, *of_contact in rows}


class OpenItems(NamedTuple):
    """What is open of one side of a contact: numbers of documents, and the balance in the base currency."""

    invoices: list[str]
    credit_notes: list[str]
    payments: list[str]
    balance: int


def open_items(contact_id: str, side: Side) -> OpenItems:
    """What is open of a contact as a customer or as a supplier, on any date."""
    trade, subtype, direction = _SIDES[side]
    parameters = {"contact": contact_id, "subtype": subtype, "direction": direction}
    ((balance,),) = WORKSPACE.rows(_BALANCE, {"contact": contact_id, "subtype": subtype})
    invoices, credit_notes = (
        [number for (number,) in WORKSPACE.rows(_OPEN_DOCUMENTS, {"contact": contact_id, "kind": f"{trade}_{kind}"})]
        for kind in ("invoice", "credit_note")
    )
    return OpenItems(
        invoices, credit_notes, [number for (number,) in WORKSPACE.rows(_OPEN_PAYMENTS, parameters)], int(balance)
    )


_SIDES = {"customer": ("sales", "receivable", "received"), "supplier": ("purchase", "payable", "made")}
"""By side: the beginning of its kinds of documents, the subtype of its account, and how its payments usually go."""
_OPEN_DOCUMENTS = (
    "SELECT number FROM invoice WHERE contact_id = :contact AND kind = :kind"
    " AND status IN ('issued', 'partially_paid') ORDER BY issue_date, id"
)
# A payment worth nothing in the books has no posting that says its side; its direction does.
_OPEN_PAYMENTS = """
SELECT number FROM payment WHERE contact_id = :contact AND status = 'posted' AND allocated_amount < amount
AND coalesce((
    SELECT account.subtype FROM posting JOIN account ON account.id = posting.account_id
    WHERE posting.entry_id = payment.journal_entry_id AND posting.contact_id IS NOT NULL),
    CASE WHEN direction = :direction THEN :subtype ELSE '' END) = :subtype
ORDER BY date, id
"""
_BALANCE = (
    "SELECT coalesce(sum(posting.amount), 0) FROM posting JOIN account ON account.id = posting.account_id"
    " WHERE posting.contact_id = :contact AND account.subtype = :subtype"
)
