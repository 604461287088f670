"""The accounts that the lines of a bill usually go to, as on the earlier bills of the supplier."""

from collections.abc import Mapping

from erp.finance.contacts import heads
from erp.finance.contacts.models import Contact
from erp.finance.documents.commands import InvoiceCommand
from erp.store import workspace_settings
from erp.store.router import WORKSPACE

_BEFORE = f"""
SELECT line.description, line.account_id
FROM (
    SELECT id, issue_date FROM invoice
    WHERE contact_id IN {heads.owned("contact")} AND kind = 'purchase_invoice' AND status NOT IN ('draft', 'void')
    ORDER BY issue_date DESC, id DESC LIMIT 50
) AS bill
JOIN invoice_line AS line ON line.invoice_id = bill.id
JOIN account ON account.id = line.account_id
WHERE line.account_because IN ('line', 'supplier')
    AND account.type = 'expense' AND account.archived_at IS NULL AND account.currency = :currency
ORDER BY bill.issue_date DESC, bill.id DESC, line.position LIMIT 200
"""


def of_supplier(command: InvoiceCommand) -> Mapping[str, str]:
    """The account of each line that names none, by its path; the supplier's last one for that text, or that word."""
    lines = {f"lines[{i}]": line.description for i, line in enumerate(command.lines) if line.account_id is None}
    if not command.is_purchase or not isinstance(command.contact, Contact) or not lines:
        return {}
    base, known = workspace_settings.current().base_currency, dict[str, str]()
    for description, account_id in WORKSPACE.rows(_BEFORE, {"contact": command.contact.id, "currency": base}):
        for key in _keys(description):
            known.setdefault(key, account_id)
    found = {path: [known[key] for key in _keys(text) if key in known] for path, text in lines.items()}
    return {path: account_ids[0] for path, account_ids in found.items() if account_ids}


def _keys(description: str) -> tuple[str, str, str]:
    """The text, its first word, and the key of any text, the most telling first."""
    text = " ".join(description.casefold().split())
    return text, f"{text.partition(' ')[0]} ", ""
