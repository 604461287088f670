"""Recurring documents for tests."""

from typing import Any

from erp.finance.billing.recurring.due import Maker
from tests.conftest import Office
from tests.finance.documents.invoices import line

RECURRING = "/finance/recurring"


def rent(supplier: str, **fields: Any) -> dict[str, Any]:
    """The body of a rent of 1,500.00 with 285.00 input tax, owed to a supplier at the end of each month."""
    lines = [
        {"accountId": "6100", "debit": "1500.00"},
        {"accountId": "1300", "debit": "285.00"},
        {"accountId": "2000", "credit": "1785.00", "contactId": supplier},
    ]
    journal = {"description": "Rent {month} {year}", "reference": "{year}/{quarter}", "lines": lines}
    return {"name": "Rent", "journal": journal, "unit": "month", "from": "2026-01-31", **fields}


def retainer(customer: str, *lines: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """The body of an invoice over 100.00 a month."""
    texts = line(description="Retainer {month} {year}, {from} to {to}")
    invoice = {"customerId": customer, "lines": list(lines) or [texts]}
    return {"name": "Retainer", "invoice": invoice, "unit": "month", "from": "2026-01-31", **fields}


def recurring(office: Office, body: dict[str, Any]) -> dict[str, Any]:
    """A new recurring document."""
    shown: dict[str, Any] = office.ok("POST", RECURRING, body)
    return shown


def shown(office: Office, made: dict[str, Any]) -> dict[str, Any]:
    """A recurring document as it is now."""
    now: dict[str, Any] = office.ok("GET", f"{RECURRING}/{made['id']}")
    return now


def an_hour_begins(office: Office) -> None:
    """What the server's thread does when an hour has begun, or after a start."""
    Maker(office.installation.config).look()


def occurrences(office: Office, made: dict[str, Any], upcoming: int = 0) -> list[dict[str, Any]]:
    """What was made, and the next dates."""
    rows: list[dict[str, Any]] = office.ok("GET", f"{RECURRING}/{made['id']}/occurrences?upcoming={upcoming}")
    return rows


def made_on(office: Office, made: dict[str, Any]) -> list[str]:
    """The dates for which a document was made."""
    return [each["date"] for each in occurrences(office, made)]
