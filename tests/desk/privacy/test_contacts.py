"""Erasing a contact: the books and the documents stay, the contact loses its name."""

import pytest

from tests.desk.files import attach, pdf
from tests.desk.privacy.people import amounts, days, erase, findings, sign_in, traces
from tests.finance.documents.invoices import invoice
from tests.finance.payments.payments import payment

NAME, EMAIL, PHONE, IBAN = "Clara Kunde", "clara@kunde.example", "+49 89 5554443", "DE89370400440532013000"


@pytest.fixture
def clara(acme, clock_at):
    clock_at("2026-03-02T09:00:00Z")
    body = {"name": NAME, "email": EMAIL, "phone": PHONE, "bankAccount": {"holder": NAME, "iban": IBAN}}
    address = {"line1": "Kundengasse 3", "city": "Ulm", "country": "DE"}
    contact = acme.ok(
        "POST", "/finance/contacts", {"kind": "customer", "note": f"{NAME} rings", "address": address, **body}
    )
    attach(acme, pdf(300, NAME.encode()), f"{NAME}.pdf", ("contact", contact["id"]))
    return str(contact["id"])


def test_a_contact_without_documents_goes_at_once(acme, clara):
    rule = {"text": NAME, "accountId": "6100", "contactId": clara, "direction": "in"}
    acme.ok("POST", "/finance/bank/rules", rule)
    shown = erase(acme, "contact", clara, dry_run=True)
    assert (amounts(shown["erases"]), shown["keeps"]) == ({"profile": 3}, [])
    assert erase(acme, "contact", clara)["name"] == f"Person {clara[-4:].upper()}"
    contact = acme.ok("GET", f"/finance/contacts/{clara}")
    assert [contact[name] for name in ("email", "phone", "address", "bankAccount", "note")] == [None] * 5
    assert traces(acme, NAME, EMAIL, PHONE, IBAN, "Kundengasse") == set()
    assert acme.ok("GET", "/workspace/events/verify")["isValid"]
    assert findings(acme) == []


def test_an_open_invoice_keeps_a_contact(acme, clara):
    invoice(acme, customerId=clara)
    acme.refused(
        "POST", f"/workspace/people/contact/{clara}/erase", {"reason": "Asked"}, status=409, code="balance_open"
    )


def test_documents_and_books_keep_the_name_until_their_time_is_over(acme, clara, clock_at):
    made = invoice(acme, customerId=clara)
    acme.call("GET", f"/finance/invoices/{made['id']}/pdf")
    acme.ok("POST", f"/finance/invoices/{made['id']}/send", {"via": "eml"})
    due = acme.ok("GET", f"/finance/invoices/{made['id']}")["amountDue"]
    payment(acme, due, contactId=clara, allocations=[{"invoiceId": made["id"], "amount": due}])
    kept = days(erase(acme, "contact", clara, dry_run=True)["keeps"])
    assert kept == {"profile": "2026-12-31", "documents": "2034-12-31", "books": "2036-12-31"}
    clock_at("2027-01-02T09:00:00Z")
    sign_in(acme)
    assert amounts(erase(acme, "contact", clara)["erases"]) == {"profile": 2}
    assert acme.ok("GET", f"/finance/invoices/{made['id']}")["customerName"] == NAME
    left = {each.table for each in traces(acme, NAME, EMAIL, PHONE, IBAN)}
    assert "message" in left
    assert left <= {"invoice", "message", "journal_entry", "posting", "event", "stored_part"}
    clock_at("2035-01-02T09:00:00Z")
    sign_in(acme)
    done = erase(acme, "contact", clara)
    assert (set(amounts(done["erases"])), days(done["keeps"])["books"]) == ({"documents"}, "2036-12-31")
    assert acme.ok("GET", f"/finance/invoices/{made['id']}")["customerName"] == f"Person {clara[-4:].upper()}"
    assert {each.table for each in traces(acme, NAME, EMAIL, PHONE, IBAN)} <= {"journal_entry", "posting", "event"}
    assert acme.ok("GET", "/workspace/events/verify")["isValid"]
    assert findings(acme) == []


def test_the_search_finds_an_erased_contact_by_its_alias_alone(acme, clara):
    assert [hit["id"] for hit in acme.ok("GET", "/workspace/search", params={"q": "Kunde"})] == [clara]
    erase(acme, "contact", clara)
    assert acme.ok("GET", "/workspace/search", params={"q": "Kunde"}) == []
    assert [hit["id"] for hit in acme.ok("GET", "/workspace/search", params={"q": clara[-4:]})] == [clara]
