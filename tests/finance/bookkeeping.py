"""What the tests of payments do over and over: issue an invoice, pay it, look into the books."""

from typing import Any

from erp.store.router import WORKSPACE
from tests.conftest import Office


def customer(office: Office, name: str = "Globex", **fields: Any) -> str:
    """A customer's id."""
    made = office.ok("POST", "/finance/contacts", {"kind": "customer", "name": name, **fields})
    return str(made["id"])


def invoice(office: Office, amount: str, contact_id: str | None = None, **terms: Any) -> dict[str, Any]:
    """An invoice over one line without tax; issued unless it is a draft."""
    line = {"description": "Consulting", "quantity": "1", "unitPrice": amount, "taxRateId": None}
    body = {"customerId": contact_id or customer(office), "lines": [line], **terms}
    made: dict[str, Any] = office.ok("POST", "/finance/invoices", body)
    return made


def pay(office: Office, amount: str, **fields: Any) -> dict[str, Any]:
    """A payment."""
    made: dict[str, Any] = office.ok("POST", "/finance/payments", {"amount": amount, **fields})
    return made


def status(office: Office, invoice_id: str) -> tuple[str, str]:
    """An invoice's status and what is due on it."""
    shown = office.ok("GET", f"/finance/invoices/{invoice_id}")
    return shown["status"], shown["amountDue"]


def balances(office: Office) -> dict[str, int]:
    """The balance of each account other than zero, by its code; debit above zero."""
    with office.books():
        rows = WORKSPACE.rows(
            "SELECT code, sum(amount) FROM posting JOIN account ON account.id = account_id GROUP BY code ORDER BY code"
        )
    return {code: amount for code, amount in rows if amount}


def owed_by(office: Office, contact_id: str) -> int:
    """A contact's balance: the sum of its postings."""
    with office.books():
        rows = WORKSPACE.rows("SELECT coalesce(sum(amount), 0) FROM posting WHERE contact_id = ?", (contact_id,))
    return int(rows[0][0])


def entry(office: Office, entry_id: str) -> dict[str, tuple[int, str | None]]:
    """The postings of a journal entry: amount and contact by account code."""
    with office.books():
        rows = WORKSPACE.rows(
            "SELECT code, amount, contact_id FROM posting JOIN account ON account.id = account_id WHERE entry_id = ?",
            (entry_id,),
        )
    return {code: (amount, contact_id) for code, amount, contact_id in rows}


def complaint(error: dict[str, Any]) -> tuple[str, str]:
    """Field and code of the only complaint of a refusal."""
    (only,) = error["details"]
    return only["field"], only["code"]
