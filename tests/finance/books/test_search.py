"""What `q` finds among documents, payments and journal entries."""

import pytest

from erp.finance.books.search import Reading, readings
from tests.finance.contacts.contacts import customer
from tests.finance.documents.invoices import invoice
from tests.finance.journals.journals import entry
from tests.finance.payments.payments import payment


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5124.16", [(5124, "16")]),
        ("5,124.16", [(5124, "16")]),
        ("5.124,16", [(5124, "16")]),
        ("5 124,16", [(5124, "16")]),
        ("5'124.16", [(5124, "16")]),
        ("-5124.16", [(5124, "16")]),
        ("1,234,567", [(1234567, None)]),
        ("5124", [(5124, None)]),
        ("5,124", [(5124, None), (5, "124")]),
        ("5.124", [(5124, None), (5, "124")]),
        ("0.5", [(0, "5")]),
        ("INV-5124", []),
        ("5124.", []),
        ("12,34,5", []),
        ("", []),
    ],
)
def test_an_amount_is_read_as_people_write_it(text, expected):
    assert readings(text) == [Reading(*each) for each in expected]


def test_a_reading_stands_for_minor_units_of_a_currency():
    assert Reading(5124, "16").between(2) == (512416, 512416)
    assert Reading(5124, "1").between(2) == (512410, 512410)
    assert Reading(5124, None).between(2) == (512400, 512499)
    assert Reading(5124, None).between(0) == (5124, 5124)
    assert Reading(5124, "00").between(0) == (5124, 5124)
    assert Reading(5124, "16").between(0) is None
    assert Reading(5, "124").between(3) == (5124, 5124)
    assert Reading(10**16, None).between(2) is None


@pytest.fixture
def office(acme, clock_at):
    """Documents in four currencies, one partly paid, and a customer who has another name today."""
    clock_at("2026-03-10T09:00:00Z")
    return acme.once(_office)


def _office(acme):
    globex = customer(acme)["id"]
    invoice(acme, "5124.16", customerId=globex, reference="Order 7", note="Deliver to gate 9")
    invoice(acme, "5124.00", customerId=customer(acme, "Initech")["id"])
    yen = customer(acme, "Umbrella", currency="JPY")["id"]
    invoice(acme, "5124", customerId=yen, exchangeRate="0.006")
    invoice(acme, "5.124", customer={"name": "Sahara"}, currency="KWD", exchangeRate="3")
    part = invoice(acme, "700.00", customer={"name": "Hooli"})
    payment(acme, "250.50", invoiceId=part["id"], reference="Statement 12", note="In two parts")
    acme.ok("PATCH", f"/finance/contacts/{globex}", {"name": "Globex Holding"})
    return acme


def documents(office, q):
    return sorted(each["customerName"] for each in office.ok("GET", "/finance/invoices", params={"q": q}))


@pytest.mark.parametrize(
    ("q", "expected"),
    [
        ("inv-2026-00001", ["Globex"]),
        ("ORDER 7", ["Globex"]),
        ("gate 9", ["Globex"]),
        ("globex", ["Globex"]),
        ("holding", ["Globex"]),
        ("5124.16", ["Globex"]),
        ("5,124.16", ["Globex"]),
        ("5.124,16", ["Globex"]),
        ("5124", ["Globex", "Initech", "Umbrella"]),
        ("5,124", ["Globex", "Initech", "Sahara", "Umbrella"]),
        ("5124.00", ["Initech", "Umbrella"]),
        ("5124.1", []),
        ("5.124", ["Globex", "Initech", "Sahara", "Umbrella"]),
        ("700", ["Hooli"]),
        ("449.50", ["Hooli"]),
        ("124.16", []),
        ("gate_9", []),
    ],
)
def test_documents_are_found_by_texts_and_amounts(office, q, expected):
    assert documents(office, q) == expected


@pytest.mark.parametrize("q", ["pay-2026-00001", "statement 12", "TWO PARTS", "hooli", "250.50", "250"])
def test_payments_are_found_by_texts_and_amounts(office, q):
    found = office.ok("GET", "/finance/payments", params={"q": q, "total": "true"})
    assert [each["number"] for each in found] == ["PAY-2026-00001"]


@pytest.mark.parametrize("q", ["initech", "250.5", "251", "700.00", "gate 9"])
def test_a_payment_is_not_found_by_what_it_does_not_say(office, q):
    expected = ["PAY-2026-00001"] if q == "250.5" else []
    assert [each["number"] for each in office.ok("GET", "/finance/payments", params={"q": q})] == expected


def test_entries_are_found_by_texts_contacts_and_totals(office):
    bare = entry(office, date="2026-03-01", description="Rent", reference="Lease 4")["number"]

    def numbers(q):
        return [each["number"] for each in office.ok("GET", "/finance/journals", params={"q": q})]

    assert numbers("lease 4") == [bare]
    assert numbers("rent") == [bare]
    assert len(numbers("holding")) == 1
    assert len(numbers("hooli")) == 2
    assert len(numbers("5124")) == 2
    assert numbers("5,124.16") == numbers("holding")
    assert numbers("250.50") == numbers("hooli")[:1]


def test_the_search_of_payments_pages_and_counts(office):
    for _ in range(3):
        payment(office, "8.00", contactId=customer(office, "Vandelay")["id"])
    page = office.call("GET", "/finance/payments", params={"q": "8.00", "limit": "2", "total": "true"}).json
    assert page["page"]["total"] == 3
    after = {"q": "8.00", "limit": "2", "cursor": page["page"]["nextCursor"]}
    assert len(office.ok("GET", "/finance/payments", params=after)) == 1
