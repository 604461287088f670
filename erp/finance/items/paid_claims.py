"""Expense claims of employees that a settlement has paid in full."""

from collections.abc import Iterable

from erp.finance.books.models import OpenItem
from erp.kernel import money
from erp.store import events, sql
from erp.store.router import WORKSPACE

_CLAIMS = """
SELECT entry.id, entry.source_id, contact.employee_id
FROM journal_entry AS entry JOIN open_item AS item ON item.document_id = entry.id AND item.amount < 0
JOIN contact ON contact.id = item.contact_id
WHERE entry.kind = 'expense_claim' AND entry.id IN (SELECT value FROM json_each(?)) ORDER BY entry.id
"""


def write_events(settled: Iterable[OpenItem]) -> None:
    """Log which claims are paid, after the event of the settlement itself."""
    closed = {item.document_id: item for item in settled if item.document_type == "journal_entry" and not item.open}
    for entry_id, claim_id, employee_id in WORKSPACE.rows(_CLAIMS, (sql.array(closed),)) if closed else ():
        item = closed[entry_id]
        total = {"total": money.text(-item.amount, item.currency), "currency": item.currency}
        data = {"number": item.number, "employeeId": employee_id} | total
        events.write("expense_claim.paid", "expense_claim", claim_id, data)
