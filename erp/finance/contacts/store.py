"""What contacts owe and are owed."""

from collections.abc import Sequence

from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE

AMOUNTS = ("balance", "overdue", "unallocated_credit")

_AMOUNTS_OF_CONTACTS = """
SELECT contact.id,
    (SELECT coalesce(sum(posting.amount), 0) FROM posting JOIN account ON account.id = posting.account_id
        WHERE posting.contact_id = contact.id AND account.subtype IN ('receivable', 'payable')),
    (SELECT coalesce(sum(base_total - (
            SELECT coalesce(sum(base_relieved), 0) FROM allocation
            WHERE invoice_id = invoice.id AND released_on IS NULL)), 0)
        FROM invoice WHERE contact_id = contact.id AND kind = 'sales_invoice'
        AND status IN ('issued', 'partially_paid') AND due_date < ?),
    (SELECT coalesce(sum(CASE direction WHEN 'received' THEN 1 ELSE -1 END * (base_amount - (
            SELECT coalesce(sum(base_received), 0) FROM allocation
            WHERE payment_id = payment.id AND released_on IS NULL))), 0)
        FROM payment WHERE contact_id = contact.id AND status = 'posted' AND EXISTS (
            SELECT 1 FROM posting JOIN account ON account.id = posting.account_id
            WHERE posting.entry_id = payment.journal_entry_id AND account.subtype = 'receivable'))
    + (SELECT coalesce(sum(base_total - (
            SELECT coalesce(sum(base_received), 0) FROM allocation
            WHERE credit_note_id = invoice.id AND released_on IS NULL)), 0)
        FROM invoice WHERE contact_id = contact.id AND kind = 'sales_credit_note'
        AND status IN ('issued', 'partially_paid'))
FROM contact WHERE contact.id IN (SELECT value FROM json_each(?))
"""


def amounts(contact_ids: Sequence[str]) -> dict[str, dict[str, int]]:
    """For each contact, the amounts by the names of `AMOUNTS`, in minor units of the base currency."""
    today = workspace_settings.today().isoformat()
    rows = WORKSPACE.rows(_AMOUNTS_OF_CONTACTS, (today, sql.array(contact_ids)))
    return {contact_id: dict(zip(AMOUNTS, of_contact, strict=True)) for contact_id, *of_contact in rows}
