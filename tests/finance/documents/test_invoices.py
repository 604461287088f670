"""Invoices that are issued: their numbers, what they keep, and how they change."""

import csv
from typing import Any

import pytest

from erp.finance.contacts.models import Contact
from erp.finance.documents.models import Invoice
from erp.store.events import Event
from tests.finance.contacts.contacts import customer, tax_rate
from tests.finance.documents.invoices import invoice, line, new_invoice
from tests.finance.journals.journals import entry_count, posted
from tests.refusals import complaints

TODAY = "2026-03-10T09:00:00Z"


@pytest.fixture(autouse=True)
def _today(clock_at):
    clock_at(TODAY)


def events(office):
    with office.books():
        return [event.type for event in Event.select().order_by(Event.seq) if event.type.startswith("invoice.")]


def test_an_invoice_is_issued_at_once_and_gets_the_next_number(acme):
    first = invoice(acme)
    second = invoice(acme)
    assert (first["number"], second["number"]) == ("INV-2026-00001", "INV-2026-00002")
    assert (first["status"], first["version"], first["amountDue"]) == ("issued", 1, "100.00")
    assert first["issuedAt"] == "2026-03-10T09:00:00.000Z"


def test_numbers_have_no_gap_after_a_refusal(acme):
    acme.refused("POST", "/finance/invoices", new_invoice(line("-5.00")), status=422, code="negative_total")
    assert invoice(acme)["number"] == "INV-2026-00001"


def test_a_number_belongs_to_the_fiscal_year_of_the_invoice(acme):
    assert invoice(acme, issueDate="2025-12-31")["number"] == "INV-2025-00001"
    assert invoice(acme, issueDate="2026-01-01")["number"] == "INV-2026-00001"


def test_credit_notes_have_a_series_of_their_own(acme):
    invoice(acme)
    note = invoice(acme, kind="sales_credit_note")
    assert (note["number"], note["status"], note["amountDue"]) == ("CN-2026-00001", "issued", "100.00")


@pytest.fixture
def varied(acme):
    """The answer to an invoice with everything that a line and a document may have."""
    tax, untaxed = tax_rate(acme)["id"], tax_rate(acme, "0", category="Z")["id"]
    body = new_invoice(
        line(
            "9.999999",
            "3.5",
            unit="hour",
            priceBaseQuantity="2",
            discount={"percent": "5"},
            charge="1.10",
            taxRateId=tax,
        ),
        reference="Order 7",
        note="Thank you.\nGoodbye.",
        discount={"amount": "1.00"},
        allowances=[{"description": "Loyalty", "percent": "10", "taxRateId": untaxed}],
        charges=[{"description": "Freight", "amount": "4.00", "taxRateId": tax}],
    )
    return acme.call("POST", "/finance/invoices", body)


EMPTY: dict[str, Any] = {
    "id": "",
    "accountId": "",
    "taxRateId": "",
    **dict.fromkeys(("projectId", "projectName", "taskId", "taskKey", "taskTitle", "productId", "productName")),
    **dict.fromkeys(("loggedMinutes", "billedMinutes", "expenseLineId", "creditedLineId", "asset")),
    **dict.fromkeys(("deductibleTaxPercent", "deductibleCostPercent")),
    **dict.fromkeys(("nonDeductibleAccountId", "nonDeductibleAccountCode", "nonDeductibleAccountName")),
    **dict.fromkeys(("serviceDate", "servicePeriod", "taxDate")),
    "nonDeductibleTax": "0.00",
    "nonDeductibleCost": "0.00",
    "timeLogIds": [],
    "dimensions": {},
    "madeAssets": [],
}
"""What a line says that has no project, time, product, date or deduction; its ids are blanked."""


def test_an_invoice_is_read_as_it_was_made(acme, varied):
    made = varied.json["data"]
    assert varied.headers["Location"] == f"/api/v1/finance/invoices/{made['id']}"
    assert varied.headers["ETag"] == '"1"'
    assert acme.ok("GET", f"/finance/invoices/{made['id']}") == made
    assert made["lines"][0] | {"id": "", "accountId": "", "taxRateId": ""} == {
        **EMPTY,
        "description": "Consulting",
        "quantity": "3.5",
        "unit": "hour",
        "unitPrice": "9.999999",
        "priceBaseQuantity": "2",
        "discount": {"percent": "5", "amount": None},
        "charge": {"percent": None, "amount": "1.10"},
        "net": "17.72",
        "tax": "3.34",
        "gross": "20.06",
        "discountShare": "1.00",
        "netAfterDiscount": "16.72",
        "accountCode": "4000",
        "accountName": "Sales",
        "accountBecause": "default",
        "taxRateName": "Rate of 20",
    }


def test_an_invoice_is_read_with_its_adjustments_and_totals(acme, varied):
    made = varied.json["data"]
    assert [(each["description"], each["percent"], each["amount"]) for each in made["allowances"]] == [
        ("Loyalty", "10", "1.77")
    ]
    assert [(each["description"], each["percent"], each["amount"]) for each in made["charges"]] == [
        ("Freight", None, "4.00")
    ]
    assert (made["subtotal"], made["discountTotal"], made["chargeTotal"]) == ("17.72", "2.77", "4.00")
    assert made["netTotal"] == "18.95"
    assert (made["taxTotal"], made["total"]) == ("4.14", "23.09")
    assert (made["reference"], made["note"], made["createdByUserId"]) == (
        "Order 7",
        "Thank you.\nGoodbye.",
        acme.user["id"],
    )


def test_a_line_charge_may_be_a_percentage(acme):
    made = invoice(acme, line(charge={"percent": "2.5"}))
    assert (made["lines"][0]["charge"]["percent"], made["total"]) == ("2.5", "102.50")


def test_a_customer_is_made_along_with_the_invoice(acme):
    body = new_invoice(customer={"name": "Initech", "currency": "EUR", "paymentTermsDays": 7})
    made = acme.ok("POST", "/finance/invoices", body)
    assert (made["customerName"], made["dueDate"]) == ("Initech", "2026-03-17")
    contact = acme.ok("GET", f"/finance/contacts/{made['customerId']}")
    assert (contact["kind"], contact["name"]) == ("customer", "Initech")


def test_an_invoice_shows_its_customer_as_of_the_day_of_issue(acme):
    address = {"line1": "4 Mill Lane", "city": "Hamburg", "country": "DE"}
    known = {"name": "Globex", "legalName": "Globex Ltd", "vatId": "DE136695976", "taxNumber": "12/345/67890"}
    globex = customer(acme, **known, address=address)["id"]
    made = invoice(acme, customerId=globex)
    later = {"name": "Globex Two", "legalName": None, "vatId": None, "taxNumber": "1", "address": None}
    acme.ok("PATCH", f"/finance/contacts/{globex}", later)
    shown = acme.ok("GET", f"/finance/invoices/{made['id']}")["customer"]
    assert {name: shown[name] for name in ("id", *known)} == {"id": globex, **known}
    assert shown["address"]["city"] == "Hamburg"


def test_dates_follow_the_workspace_and_the_customer(acme):
    by_workspace = invoice(acme)
    assert (by_workspace["issueDate"], by_workspace["dueDate"]) == ("2026-03-10", "2026-04-09")
    globex = customer(acme, paymentTermsDays=0)["id"]
    assert invoice(acme, customerId=globex)["dueDate"] == "2026-03-10"
    dated = new_invoice(customerId=globex, issueDate="2026-02-01", dueDate="2026-02-02")
    assert acme.ok("POST", "/finance/invoices", dated)["dueDate"] == "2026-02-02"


def test_today_is_the_day_where_the_office_is(installation, clock_at):
    clock_at("2026-03-10T23:30:00Z")
    office = installation.office("Aiko", timeZone="Asia/Tokyo", baseCurrency="JPY")
    assert invoice(office, line("100"))["issueDate"] == "2026-03-11"


def test_an_invoice_of_nothing_is_paid_and_posts_nothing(acme):
    made = invoice(acme, line("0"))
    assert (made["status"], made["number"], made["journalEntryId"]) == ("paid", "INV-2026-00001", None)
    assert entry_count(acme) == 0


def test_an_invoice_that_cancels_out_still_posts_what_moves(acme):
    made = invoice(acme, line(), line("-100.00", accountId="4100"))
    assert made["status"] == "paid"
    assert posted(acme, made["journalEntryId"]) == {"4000": -10_000, "4100": 10_000}


def test_an_invoice_is_issued_once(acme):
    made = invoice(acme)
    acme.refused("POST", f"/finance/invoices/{made['id']}/issue", status=409, code="invalid_transition")
    assert entry_count(acme) == 1


def test_an_issued_invoice_changes_in_reference_notes_and_due_date_alone(acme):
    made = invoice(acme)
    path = f"/finance/invoices/{made['id']}"
    changed = acme.ok("PATCH", path, {"reference": "B", "note": "Paid soon", "dueDate": "2026-03-20"})
    assert (changed["reference"], changed["note"], changed["dueDate"], changed["version"]) == (
        "B",
        "Paid soon",
        "2026-03-20",
        2,
    )
    acme.refused("PATCH", path, {"note": "x", "lines": [line()]}, status=409, code="invalid_transition")
    acme.refused("PATCH", path, {"issueDate": "2026-03-01"}, status=409, code="invalid_transition")
    error = acme.refused("PATCH", path, {"dueDate": "2026-03-09"}, status=422)
    assert complaints(error) == {"dueDate": "too_early"}
    assert complaints(acme.refused("PATCH", path, {"dueDate": None}, status=422)) == {"dueDate": "required"}
    assert acme.ok("GET", path) == changed


def test_a_stale_change_is_refused(acme):
    made = invoice(acme, draft=True)
    path = f"/finance/invoices/{made['id']}"
    acme.ok("PATCH", path, {"note": "One"}, headers={"If-Match": '"1"'})
    for verb, where, body in (
        ("PATCH", path, {"note": "Two"}),
        ("POST", f"{path}/issue", None),
        ("DELETE", path, None),
    ):
        acme.refused(verb, where, body, status=412, code="version_mismatch", headers={"If-Match": '"1"'})


def test_an_issued_invoice_is_never_deleted(acme):
    made = invoice(acme)
    acme.refused("DELETE", f"/finance/invoices/{made['id']}", status=409, code="invalid_transition")


def test_every_change_is_one_event_that_names_its_entry(acme):
    draft = invoice(acme, draft=True)
    path = f"/finance/invoices/{draft['id']}"
    acme.ok("PATCH", path, {"note": "x"})
    acme.ok("POST", f"{path}/issue")
    acme.ok("PATCH", path, {"note": "y"})
    acme.ok("PATCH", path, {"note": "y"})
    acme.ok("POST", f"{path}/void")
    acme.ok("DELETE", f"/finance/invoices/{invoice(acme, draft=True)['id']}")
    assert events(acme) == [
        "invoice.draft",
        "invoice.updated",
        "invoice.issued",
        "invoice.updated",
        "invoice.void",
        "invoice.draft",
        "invoice.deleted",
    ]
    with acme.books():
        posting = [event for event in Event.select().order_by(Event.seq) if "entries" in event.data]
        assert [event.type for event in posting] == ["invoice.issued", "invoice.void"]


def test_a_preview_stores_nothing(acme):
    tax = tax_rate(acme)["id"]
    body = new_invoice(line(taxRateId=tax), line("-200.00", taxRateId=tax))
    shown = acme.ok("POST", "/finance/invoices/preview", body)
    assert (shown["subtotal"], shown["taxTotal"], shown["total"]) == ("-100.00", "-20.00", "-120.00")
    assert [each["gross"] for each in shown["lines"]] == ["120.00", "-240.00"]
    assert (shown["issueDate"], shown["dueDate"], shown["currency"]) == ("2026-03-10", "2026-04-09", "EUR")
    with acme.books():
        assert Invoice.select().count() == Contact.select().count() == 0


def test_a_viewer_reads_invoices_and_writes_none(acme):
    made = invoice(acme, draft=True)
    viewer = acme.colleague("viewer")
    assert viewer.ok("GET", f"/finance/invoices/{made['id']}")["id"] == made["id"]
    for path in ("/finance/invoices", "/finance/invoices/preview", f"/finance/invoices/{made['id']}/issue"):
        viewer.refused("POST", path, new_invoice() if "issue" not in path else None, status=403, code="forbidden")


def test_a_repeated_request_issues_one_invoice(acme):
    first = acme.ok("POST", "/finance/invoices", new_invoice(), headers={"Idempotency-Key": "a"})
    body = new_invoice()
    again = acme.call("POST", "/finance/invoices", body, headers={"Idempotency-Key": "a"})
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.json["data"] == first
    assert entry_count(acme) == 1


def test_what_remains_of_each_line_after_the_discount_makes_up_the_net_total(acme):
    """60.00 and 40.00 less 10.00 are 54.00 and 36.00; less 5.00, with 2.00 charged, 87.00 net."""
    full, low = tax_rate(acme, "20")["id"], tax_rate(acme, "10")["id"]
    body = new_invoice(
        line("60.00", taxRateId=full),
        line("40.00", taxRateId=low),
        discount={"amount": "10.00"},
        allowances=[{"amount": "5.00", "taxRateId": full}],
        charges=[{"amount": "2.00", "taxRateId": low}],
        roundingAmount="-0.05",
    )
    made = acme.ok("POST", "/finance/invoices", body)
    for shown in (made, acme.ok("POST", "/finance/invoices/preview", body)):
        assert [each["netAfterDiscount"] for each in shown["lines"]] == ["54.00", "36.00"]
        assert (shown["subtotal"], shown["netTotal"]) == ("100.00", "87.00")
        assert [(each["base"], each["amount"]) for each in shown["taxBreakdown"]] == [
            ("49.00", "9.80"),
            ("38.00", "3.80"),
        ]
        assert (shown["taxTotal"], shown["roundingAmount"], shown["total"]) == ("13.60", "-0.05", "100.55")
    (row,) = acme.ok("GET", "/finance/invoices")
    assert (row["subtotal"], row["netTotal"]) == ("100.00", "87.00")
    (sheet,) = csv.DictReader(acme.call("GET", "/finance/invoices", params={"format": "csv"}).text.splitlines())
    assert (sheet["subtotal"], sheet["netTotal"]) == ("100.00", "87.00")
