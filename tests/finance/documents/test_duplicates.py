"""Duplicates: a new draft like a document that there is, of any status."""

import pytest

from tests.events import last_event
from tests.finance.contacts.contacts import customer, tax_rate
from tests.finance.documents.invoices import credit, invoice, line
from tests.finance.payments.payments import payment
from tests.refusals import complaint


@pytest.fixture(autouse=True)
def _in_march(clock_at):
    clock_at("2026-03-10T09:00:00Z")


def duplicate(office, document, **options):
    return office.ok("POST", f"/finance/invoices/{document['id']}/duplicate", **options)


def like(document):
    """What a duplicate has of its original."""
    names = (
        "kind customerId currency exchangeRate pricesIncludeTax discount allowances charges projectId note reference"
        " subtotal discountTotal chargeTotal netTotal taxTotal roundingAmount total taxBreakdown"
    )
    own = {"id", "creditedLineId", "timeLogIds", "loggedMinutes", "billedMinutes"}
    lines = [{name: value for name, value in each.items() if name not in own} for each in document["lines"]]
    return {name: document[name] for name in names.split()} | {"lines": lines}


def test_a_duplicate_is_a_draft_of_today_with_the_same_lines(acme, clock_at):
    rate = tax_rate(acme, "19")["id"]
    project = acme.ok("POST", "/projects", {"name": "Site"})["id"]
    made = invoice(
        acme,
        line("80.00", "2.5", unit="hour", discount={"percent": "5"}, charge="1.00", taxRateId=rate),
        line("0.333", "3", priceBaseQuantity="10", taxRateId=rate, accountId="4100"),
        discount={"amount": "3.00"},
        allowances=[{"percent": "2", "taxRateId": rate}],
        charges=[{"description": "Freight", "amount": "4.00", "taxRateId": rate}],
        roundingAmount="0.01",
        reference="Order 7",
        note="Thank you.",
        projectId=project,
        issueDate="2026-03-01",
        dueDate="2026-03-21",
    )
    payment(acme, "10.00", invoiceId=made["id"])
    clock_at("2026-04-02T09:00:00Z")
    answer = acme.call("POST", f"/finance/invoices/{made['id']}/duplicate")
    copy = answer.json["data"]
    assert (answer.status_code, answer.headers["Location"]) == (201, f"/api/v1/finance/invoices/{copy['id']}")
    assert like(copy) == like(made)
    assert (copy["status"], copy["number"], copy["journalEntryId"]) == ("draft", None, None)
    assert (copy["issueDate"], copy["dueDate"], copy["amountPaid"]) == ("2026-04-02", "2026-04-22", "0.00")
    assert not {each["id"] for each in copy["lines"]} & {each["id"] for each in made["lines"]}
    assert acme.ok("GET", f"/finance/invoices/{copy['id']}") == copy
    kind, data = last_event(acme)
    assert (kind, data["duplicateOf"]) == ("invoice.draft", made["id"])


def test_the_duplicate_of_a_void_invoice_is_issued_later(acme, clock_at):
    made = invoice(acme)
    acme.ok("POST", f"/finance/invoices/{made['id']}/void", {})
    copy = duplicate(acme, made)
    clock_at("2026-05-20T09:00:00Z")
    issued = acme.ok("POST", f"/finance/invoices/{copy['id']}/issue")
    assert (issued["number"], issued["issueDate"], issued["total"]) == ("INV-2026-00002", "2026-05-20", made["total"])


def test_the_duplicate_of_a_credit_note_credits_no_invoice(acme):
    rate = tax_rate(acme, "19")["id"]
    made = invoice(
        acme, line("33.33", "3", taxRateId=rate), discount={"percent": "3"}, currency="CHF", exchangeRate="0.9"
    )
    note = credit(acme, made, {"lineId": made["lines"][0]["id"], "quantity": "1"}, reason="Broken")
    copy = duplicate(acme, note)
    assert like(copy) == like(note)
    assert (copy["kind"], copy["creditedInvoiceId"]) == ("sales_credit_note", None)
    assert [each["creditedLineId"] for each in copy["lines"]] == [None]
    issued = acme.ok("POST", f"/finance/invoices/{copy['id']}/issue")
    assert (issued["creditedInvoiceId"], issued["amountDue"]) == (None, issued["total"])
    assert acme.ok("GET", f"/finance/invoices/{made['id']}")["creditNoteIds"] == [note["id"]]


def test_prices_mean_the_same_in_a_duplicate_whatever_the_settings_are_now(acme):
    rate = tax_rate(acme, "20")["id"]
    globex = customer(acme, currency="CHF")["id"]
    made = invoice(acme, line("120.00", taxRateId=rate), customerId=globex, exchangeRate="0.9")
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"pricesIncludeTax": True})
    acme.ok("PATCH", f"/finance/contacts/{globex}", {"currency": "USD"})
    assert like(duplicate(acme, made)) == like(made)


def test_a_duplicate_says_what_its_original_says_by_now(acme):
    made = invoice(acme, reference="Order 7")
    acme.ok("PATCH", f"/finance/invoices/{made['id']}", {"reference": "Order 8", "note": "Corrected"})
    copy = duplicate(acme, made)
    assert (copy["reference"], copy["note"]) == ("Order 8", "Corrected")


def test_a_duplicate_bills_no_time(acme):
    globex = customer(acme)["id"]
    body = {"name": "Shop", "status": "active", "billing": "hourly", "customerId": globex, "hourlyRate": "60.00"}
    project = acme.ok("POST", "/projects", body)["id"]
    task = acme.ok("POST", "/tasks", {"title": "Cart", "projectId": project})["id"]
    acme.ok("POST", f"/tasks/{task}/time-logs", {"date": "2026-03-02", "minutes": 90})
    billed = acme.ok("POST", "/finance/invoices/from-time-logs", {"projectId": project})
    copy = duplicate(acme, billed)
    assert like(copy) == like(billed)
    assert [each["timeLogIds"] for each in copy["lines"]] == [[]]
    assert acme.ok("GET", f"/finance/invoices/{billed['id']}")["lines"][0]["timeLogIds"] != []


def test_what_has_been_archived_since_is_named(acme):
    globex = customer(acme)["id"]
    made = invoice(acme, customerId=globex)
    payment(acme, "100.00", invoiceId=made["id"])
    acme.ok("POST", f"/finance/contacts/{globex}/archive")
    error = acme.refused("POST", f"/finance/invoices/{made['id']}/duplicate", status=422)
    assert complaint(error) == ("customerId", "archived")
    acme.refused("POST", "/finance/invoices/nothing/duplicate", status=404, code="not_found")


def test_a_repeated_or_stale_request_makes_no_second_draft(acme):
    made = invoice(acme)
    first = duplicate(acme, made, headers={"Idempotency-Key": "a"})
    assert duplicate(acme, made, headers={"Idempotency-Key": "a"}) == first
    stale = {"If-Match": '"9"'}
    path = f"/finance/invoices/{made['id']}/duplicate"
    acme.refused("POST", path, status=412, code="version_mismatch", headers=stale)
    assert len(acme.ok("GET", "/finance/invoices")) == 2
