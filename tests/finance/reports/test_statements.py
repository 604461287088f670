"""A contact's statement: documents by their own numbers, in their own currency, between two balances."""

import csv
import io

import pytest

from tests.finance.contacts.contacts import customer
from tests.finance.documents.invoices import invoice
from tests.finance.payments.payments import payment
from tests.finance.reports.trees import sheet

JOURNALS = "/finance/journals"


@pytest.fixture(autouse=True)
def _in_march(clock_at):
    clock_at("2026-03-10T09:00:00Z")


@pytest.fixture
def office(installation):
    """An office whose invoices are numbered R-2025-0001."""
    office = installation.office("Nora")
    formats = {"salesInvoice": "R-{year}-{seq:4}", "salesCreditNote": "G-{year}-{seq:4}"}
    office.ok("PATCH", f"/workspace/{office.workspace_id}", {"numberFormats": formats})
    return office


def statement(office, contact, **params):
    return office.ok("GET", f"/finance/contacts/{contact['id']}/statement", params=params)


def lines_of(block):
    return [(line["date"], line["number"], line["debit"], line["credit"], line["balance"]) for line in block["lines"]]


@pytest.fixture
def pacific(office):
    """A customer with an invoice of 10,000.00 USD, paid in two parts at other rates."""
    for _ in range(3):
        invoice(office, "1.00", issueDate="2025-09-01", dueDate="2025-09-30")
    contact = customer(office, "Pacific", currency="USD")
    dollars = {"customerId": contact["id"], "currency": "USD", "exchangeRate": "0.92"}
    line = {"description": "Consulting", "quantity": "1", "unitPrice": "10000.00"}
    made = invoice(office, line, issueDate="2025-10-06", dueDate="2025-11-05", reference="PO 7", **dollars)
    for amount, rate, day in (("4000.00", "0.90", "2025-11-04"), ("6000.00", "0.95", "2025-12-12")):
        payment(office, amount, invoiceId=made["id"], exchangeRate=rate, date=day)
    return contact


def test_a_statement_is_in_the_currency_of_the_documents_without_exchange_lines(office, pacific):
    shown = statement(office, pacific, dateFrom="2025-10-01", dateTo="2025-12-31")
    (block,) = shown["blocks"]
    assert (block["currency"], block["opening"], block["closing"]) == ("USD", "0.00", "0.00")
    assert lines_of(block) == [
        ("2025-10-06", "R-2025-0004", "10000.00", "0.00", "10000.00"),
        ("2025-11-04", "PAY-2025-00001", "0.00", "4000.00", "6000.00"),
        ("2025-12-12", "PAY-2025-00002", "0.00", "6000.00", "0.00"),
    ]
    assert (shown["name"], shown["dateFrom"], shown["dateTo"]) == ("Pacific", "2025-10-01", "2025-12-31")


def test_a_line_shows_its_due_date_and_its_document(office, pacific):
    (block,) = statement(office, pacific)["blocks"]
    billed, paid = block["lines"][:2]
    (made,) = office.ok("GET", "/finance/invoices", params={"customerId": pacific["id"]})
    assert (billed["kind"], billed["dueDate"], billed["reference"]) == ("invoice", "2025-11-05", "PO 7")
    assert billed["source"] == {"type": "invoice", "id": made["id"]}
    assert (paid["kind"], paid["dueDate"], paid["source"]["type"]) == ("payment", None, "payment")


def test_a_statement_opens_with_what_was_owed_in_each_currency(office, pacific):
    (block,) = statement(office, pacific, dateFrom="2025-11-01", dateTo="2025-11-30")["blocks"]
    assert (block["opening"], block["closing"]) == ("10000.00", "6000.00")
    empty = statement(office, pacific, dateFrom="2026-01-01")["blocks"]
    assert empty == [{"currency": "USD", "opening": "0.00", "lines": [], "closing": "0.00", "openItems": []}]


def test_a_released_exchange_difference_is_left_out_as_well(office, pacific):
    paid = office.ok("GET", "/finance/payments", params={"contactId": pacific["id"]})[0]
    path = f"/finance/payments/{paid['id']}/allocations/{paid['allocations'][0]['id']}/release"
    office.ok("POST", path, {"date": "2026-01-05"})
    (block,) = statement(office, pacific)["blocks"]
    assert (len(block["lines"]), block["closing"]) == (3, "0.00")


def test_the_statement_of_a_customer_in_the_worked_month(office):
    alster = customer(office, "Alster")
    owed = [
        {"accountId": "1100", "contactId": alster["id"], "debit": "1190.00"},
        {"accountId": "3900", "credit": "1190"},
    ]
    opening = {"date": "2025-12-31", "description": "R-0815 of last year", "lines": owed}
    office.ok("POST", JOURNALS, opening)
    rates = [{"name": f"VAT {rate}", "rate": rate, "category": "S"} for rate in ("19", "7")]
    full, reduced = [office.ok("POST", "/finance/tax-rates", rate)["id"] for rate in rates]
    lines = [
        {"description": "Consulting", "quantity": "1", "unitPrice": "1000.00", "taxRateId": full},
        {"description": "Books", "quantity": "1", "unitPrice": "200.00", "taxRateId": reduced},
    ]
    made = invoice(office, *lines, customerId=alster["id"], issueDate="2026-01-05", dueDate="2026-01-19")
    payment(office, "1190.00", contactId=alster["id"], date="2026-01-07")
    payment(office, "1375.92", invoiceId=made["id"], date="2026-01-19")
    discount = [
        {"accountId": "4000", "debit": "28.08"},
        {"accountId": "1100", "contactId": alster["id"], "credit": "28.08"},
    ]
    office.ok("POST", JOURNALS, {"date": "2026-01-19", "description": "Cash discount", "lines": discount})
    (block,) = statement(office, alster, dateFrom="2026-01-01", dateTo="2026-01-31")["blocks"]
    assert (block["currency"], block["opening"], block["closing"]) == ("EUR", "1190.00", "0.00")
    assert lines_of(block) == [
        ("2026-01-05", "R-2026-0001", "1404.00", "0.00", "2594.00"),
        ("2026-01-07", "PAY-2026-00001", "0.00", "1190.00", "1404.00"),
        ("2026-01-19", "PAY-2026-00002", "0.00", "1375.92", "28.08"),
        ("2026-01-19", "JE-2026-00004", "0.00", "28.08", "0.00"),
    ]
    assert block["closing"] == office.ok("GET", f"/finance/contacts/{alster['id']}")["balance"]


def test_a_contact_with_two_currencies_has_a_block_for_each(office, pacific):
    invoice(office, "50.00", customerId=pacific["id"], currency="EUR", issueDate="2026-02-01")
    blocks = statement(office, pacific)["blocks"]
    assert [(block["currency"], block["closing"]) for block in blocks] == [("EUR", "50.00"), ("USD", "0.00")]
    path, params = f"/finance/contacts/{pacific['id']}/statement", {"dateFrom": "2025-12-01", "format": "csv"}
    table = list(csv.DictReader(io.StringIO(office.call("GET", path, params=params).text)))
    assert [(row["currency"], row["rowKind"], row["number"], row["balance"]) for row in table] == [
        ("EUR", "opening", "", "0.00"),
        ("EUR", "line", "R-2026-0001", "50.00"),
        ("EUR", "closing", "", "50.00"),
        ("USD", "opening", "", "6000.00"),
        ("USD", "line", "PAY-2025-00002", "0.00"),
        ("USD", "closing", "", "0.00"),
    ]


def test_a_void_document_shows_twice_under_its_number(office):
    alster = customer(office, "Alster")
    made = invoice(office, "80.00", customerId=alster["id"], issueDate="2026-02-01", dueDate="2026-03-01")
    office.ok("POST", f"/finance/invoices/{made['id']}/void", {"date": "2026-02-05", "reason": "Wrong"})
    (block,) = statement(office, alster)["blocks"]
    assert [(line["kind"], line["number"], line["dueDate"], line["balance"]) for line in block["lines"]] == [
        ("invoice", "R-2026-0001", "2026-03-01", "80.00"),
        ("reversal", "R-2026-0001", None, "0.00"),
    ]


def test_a_new_contact_has_an_empty_statement_in_its_own_currency(office):
    (block,) = statement(office, customer(office, "Globex"))["blocks"]
    assert block == {"currency": "EUR", "opening": "0.00", "lines": [], "closing": "0.00", "openItems": []}


def test_a_statement_says_what_was_settled_and_what_was_open_on_its_last_day(office, pacific):
    november = {"dateFrom": "2025-10-01", "dateTo": "2025-11-30"}
    (block,) = statement(office, pacific, **november)["blocks"]
    assert [(line["number"], line["settled"], line["open"]) for line in block["lines"]] == [
        ("R-2025-0004", "4000.00", "6000.00"),
        ("PAY-2025-00001", "4000.00", "0.00"),
    ]
    (item,) = block["openItems"]
    assert (item["number"], item["open"], item["daysOverdue"]) == ("R-2025-0004", "6000.00", 25)
    assert (item["dueDate"], block["closing"]) == ("2025-11-05", "6000.00")
    (paid,) = statement(office, pacific, dateFrom="2025-10-01", dateTo="2025-12-31")["blocks"]
    assert paid["openItems"] == []
    assert {line["open"] for line in paid["lines"]} == {"0.00"}


def test_a_statement_is_paper_and_a_spreadsheet_with_what_is_open(office, pacific):
    path = f"/finance/contacts/{pacific['id']}/statement"
    params = {"dateFrom": "2025-10-01", "dateTo": "2025-11-30"}
    paper = office.call("GET", path, params={**params, "format": "pdf"})
    assert paper.content.startswith(b"%PDF-")
    rows = sheet(office.call("GET", path, params={**params, "format": "xlsx"}).content)
    assert rows[0][0] == "Account statement: Pacific"
    shown = {row[1]: row[5:] for row in rows}
    assert shown["Closing balance"][-1] == 6000.0
    assert shown["25 days overdue"][3] == 6000.0
    semicolons = office.call("GET", path, params={**params, "format": "csv", "separator": "semicolon"}).text
    assert '"Closing balance";' in semicolons
    assert "6000,00" in semicolons
