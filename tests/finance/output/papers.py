"""The consultancy of the worked month, with all that its invoices say, and one of its invoices."""

from typing import Any

from tests.conftest import Office
from tests.finance.contacts.contacts import customer, tax_rate
from tests.finance.documents.invoices import invoice, line

CONSULTANCY = {
    "legalName": "Nordlicht Beratung GmbH",
    "address": {"line1": "Speicherstraße 4", "city": "Hamburg", "postalCode": "20457", "country": "DE"},
    "country": "DE",
    "vatId": "DE123456788",
    "taxNumber": "22/815/08154",
    "iban": "DE89 3704 0044 0532 0130 00",
    "bic": "COBADEFFXXX",
    "bankName": "Commerzbank",
    "email": "rechnung@nordlicht.example",
    "phone": "+49 40 123456",
    "contactName": "Nora Licht",
    "registerEntry": "Amtsgericht Hamburg, HRB 4711",
    "managers": "Nora Licht",
}
ALSTER = {
    "name": "Alster Verlag",
    "legalName": "Alster Verlag KG",
    "email": "einkauf@alster.example",
    "address": {"line1": "Am Ufer 1", "city": "Hamburg", "postalCode": "20099", "country": "DE"},
}


def consultancy(office: Office, **settings: Any) -> Office:
    """The office with the particulars of the consultancy, which keeps its books in euros."""
    change = {"baseCurrency": "EUR", "numberFormats": {"salesInvoice": "R-{year}-{seq:4}"}, **CONSULTANCY, **settings}
    office.ok("PATCH", f"/workspace/{office.workspace_id}", change)
    return office


def alster(office: Office, **fields: Any) -> dict[str, Any]:
    """A customer in Hamburg."""
    return customer(office, **{**ALSTER, **fields})


def r1(office: Office, **fields: Any) -> dict[str, Any]:
    """The first invoice of the month: 1,000.00 at 19 % and 200.00 at 7 %, less 2 % when it is paid within 14 days."""
    rates = {percent: tax_rate(office, percent)["id"] for percent in ("19", "7")}
    body = {
        "customerId": alster(office)["id"],
        "issueDate": "2026-01-05",
        "paymentTerms": {"days": 14, "discounts": [{"percent": "2", "days": 14}]},
        **fields,
    }
    lines = [
        line("125.00", "8", description="Beratung", unit="Std", taxRateId=rates["19"]),
        line("200.00", description="Handbuch", taxRateId=rates["7"]),
    ]
    return invoice(office, *lines, **body)


def download(office: Office, invoice_id: str, form: str) -> bytes:
    """A file of an invoice, such as `xml` or `pdf?copy=true`."""
    answer = office.call("GET", f"/finance/invoices/{invoice_id}/{form}")
    assert answer.status_code == 200, answer.text
    return answer.content
