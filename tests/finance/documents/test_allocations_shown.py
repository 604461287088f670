"""An invoice shows what settles it, and rows of the books lead to their document."""

import pytest

from tests.finance.documents.invoices import bill, credit, invoice, line
from tests.finance.payments.payments import payment


@pytest.fixture(autouse=True)
def _in_march(clock_at):
    clock_at("2026-03-20T09:00:00Z")


def read(office, document):
    return office.ok("GET", f"/finance/invoices/{document['id']}")


def settled(office, document):
    rows = read(office, document)["allocations"]
    return [(row["kind"], row["id"], row["number"], row["date"], row["amount"]) for row in rows]


def account(office, code):
    return next(each["id"] for each in office.ok("GET", "/finance/accounts") if each["code"] == code)


def ledger(office, code):
    rows = office.ok("GET", f"/finance/accounts/{account(office, code)}/ledger")["rows"]
    return [(row["document"] or {}).get("type") for row in rows], [row["document"] for row in rows]


def test_payments_and_credit_notes_are_shown_by_date_with_what_they_settled(acme):
    """Of 100.00: 30.00 paid on the 9th, 15.00 paid and 20.00 credited on the 12th; 35.00 are left."""
    made = invoice(acme, "100.00", issueDate="2026-03-02")
    assert made["allocations"] == []
    later = payment(acme, "15.00", invoiceId=made["id"], date="2026-03-12")
    first = payment(acme, "30.00", invoiceId=made["id"], date="2026-03-09")
    body = {"lineId": made["lines"][0]["id"], "amount": "20.00"}
    note = credit(acme, made, body, date="2026-03-12")
    assert settled(acme, made) == [
        ("payment", first["id"], first["number"], "2026-03-09", "30.00"),
        ("payment", later["id"], later["number"], "2026-03-12", "15.00"),
        ("credit_note", note["id"], note["number"], "2026-03-12", "20.00"),
    ]
    assert settled(acme, note) == [("invoice", made["id"], made["number"], "2026-03-12", "20.00")]
    assert read(acme, made)["amountDue"] == "35.00"
    allocation = read(acme, made)["allocations"][0]["allocationId"]
    assert allocation == first["allocations"][0]["id"]


def test_what_was_released_is_not_shown(acme):
    made = invoice(acme, "100.00", issueDate="2026-03-02")
    paid = payment(acme, "30.00", invoiceId=made["id"], date="2026-03-09")
    payment(acme, "10.00", invoiceId=made["id"], date="2026-03-09")
    acme.ok("POST", f"/finance/payments/{paid['id']}/void", {})
    assert [amount for *_, amount in settled(acme, made)] == ["10.00"]


def test_a_payment_of_another_day_is_shown_with_its_day(acme):
    made = invoice(acme, "100.00", issueDate="2026-03-02")
    payment(acme, "100.00", invoiceId=made["id"], date="2026-03-25", allowFuture=True)
    assert [(day, amount) for *_, day, amount in settled(acme, made)] == [("2026-03-25", "100.00")]
    assert read(acme, made)["amountPaid"] == "0.00"


def test_a_discount_is_a_deduction_and_no_second_row(acme):
    """2 % of 100.00 are taken off, 98.00 are paid."""
    terms = {"days": 30, "discounts": [{"percent": "2", "days": 20}]}
    made = invoice(acme, "100.00", issueDate="2026-03-10", paymentTerms=terms)
    paid = payment(acme, "98.00", invoiceId=made["id"], discountTaken=True)
    assert settled(acme, made) == [("payment", paid["id"], paid["number"], "2026-03-20", "98.00")]
    assert [each["amount"] for each in read(acme, made)["deductions"]] == ["2.00"]


def test_an_offset_is_shown_by_its_own_number(acme):
    technik = acme.ok("POST", "/finance/contacts", {"kind": "both", "name": "Technik"})["id"]
    sold = invoice(acme, "500.00", customerId=technik, issueDate="2026-03-02")
    bought = bill(acme, "300.00", supplierId=technik, issueDate="2026-03-03")
    items = [{"invoiceId": each["id"], "amount": "300.00"} for each in (sold, bought)]
    made = acme.ok("POST", "/finance/offsets", {"contactId": technik, "items": items})
    expected = [("offset", made["id"], made["number"], "2026-03-20", "300.00")]
    assert settled(acme, sold) == settled(acme, bought) == expected


def test_rows_of_a_ledger_lead_to_invoice_payment_and_entry(acme):
    made = invoice(acme, "100.00", issueDate="2026-03-02")
    paid = payment(acme, "40.00", invoiceId=made["id"], date="2026-03-09")
    lines = [{"accountId": "1100", "debit": "5.00", "contactId": made["customerId"]}]
    lines.append({"accountId": "4000", "credit": "5.00"})
    acme.ok("POST", "/finance/journals", {"date": "2026-03-10", "description": "By hand", "lines": lines})
    types, documents = ledger(acme, "1100")
    assert types == ["invoice", "payment", None]
    assert documents[0] == {"type": "invoice", "id": made["id"], "number": made["number"]}
    assert documents[1] == {"type": "payment", "id": paid["id"], "number": paid["number"]}
    csv = acme.call("GET", f"/finance/accounts/{account(acme, '1100')}/ledger?format=csv").text.splitlines()
    assert "document.number" in csv[0]
    assert made["number"] in csv[2]


def test_a_discount_and_an_exchange_difference_lead_to_their_invoice(acme):
    """1,000.00 USD at 0.90, paid at 0.95: 50.00 EUR more than it was worth."""
    terms = {"days": 30, "discounts": [{"percent": "2", "days": 20}]}
    first = invoice(acme, "100.00", issueDate="2026-03-10", paymentTerms=terms)
    payment(acme, "98.00", invoiceId=first["id"], discountTaken=True)
    abroad = invoice(acme, line("1000.00"), currency="USD", exchangeRate="0.9", issueDate="2026-03-10")
    payment(acme, "1000.00", invoiceId=abroad["id"], exchangeRate="0.95", date="2026-03-12")
    _, documents = ledger(acme, "1100")
    assert [document["number"] for document in documents if document["type"] == "invoice"].count(first["number"]) == 2
    assert [document["number"] for document in documents if document["type"] == "invoice"].count(abroad["number"]) == 2


def test_rows_of_a_statement_lead_to_their_document(acme):
    made = invoice(acme, "100.00", issueDate="2026-03-02")
    paid = payment(acme, "40.00", invoiceId=made["id"], date="2026-03-09")
    (block,) = acme.ok("GET", f"/finance/contacts/{made['customerId']}/statement")["blocks"]
    assert [row["document"] for row in block["lines"]] == [
        {"type": "invoice", "id": made["id"], "number": made["number"]},
        {"type": "payment", "id": paid["id"], "number": paid["number"]},
    ]
