"""What contacts owe and are owed."""

from erp.store import workspace_settings
from erp.store.router import WORKSPACE

AMOUNTS = ("balance", "overdue", "unallocated_credit")

_AMOUNTS_OF_CONTACT = """
SELECT
    (SELECT coalesce(sum(posting.amount), 0) FROM posting JOIN account ON account.id = posting.account_id
        WHERE posting.contact_id = ? AND account.subtype IN ('receivable', 'payable')),
    (SELECT coalesce(sum(base_total - (
            SELECT coalesce(sum(base_relieved), 0) FROM allocation
            WHERE invoice_id = invoice.id AND released_on IS NULL)), 0)
        FROM invoice WHERE contact_id = ? AND type = 'sales_invoice' AND status IN ('issued', 'partially_paid')
        AND due_date < ?),
    (SELECT coalesce(sum(CASE direction WHEN 'received' THEN 1 ELSE -1 END * (base_amount - (
            SELECT coalesce(sum(base_received), 0) FROM allocation
            WHERE payment_id = payment.id AND released_on IS NULL))), 0)
        FROM payment WHERE contact_id = ? AND status = 'posted' AND EXISTS (
            SELECT 1 FROM posting JOIN account ON account.id = posting.account_id
            WHERE posting.entry_id = payment.journal_entry_id AND account.subtype = 'receivable'))
    + (SELECT coalesce(sum(base_total - (
            SELECT coalesce(sum(base_received), 0) FROM allocation
            WHERE credit_note_id = invoice.id AND released_on IS NULL)), 0)
        FROM invoice WHERE contact_id = ? AND type = 'sales_credit_note' AND status IN ('issued', 'partially_paid'))
"""


def amounts(contact_id: str) -> dict[str, int]:
    """The amounts of a contact by the names of `AMOUNTS`, in minor units of the base currency."""
    today = workspace_settings.today().isoformat()
    (row,) = WORKSPACE.rows(_AMOUNTS_OF_CONTACT, (contact_id, contact_id, today, contact_id, contact_id))
    return dict(zip(AMOUNTS, row, strict=True))
