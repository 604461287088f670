"""What issuing an invoice would do, shown before it is done."""

import pytest

from tests.finance.contacts.contacts import customer, tax_rate
from tests.finance.documents.invoices import bill, invoice, line, new_bill, new_invoice

ADDRESS = {"line1": "4 Mill Lane", "city": "Hamburg", "postalCode": "20095", "country": "DE"}


@pytest.fixture
def own_details(acme):
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"address": ADDRESS, "taxNumber": "12/345/67890"})


def codes(shown):
    return [warning["code"] for warning in shown["warnings"]]


def posted(shown):
    return [
        [(each["accountCode"], each["debit"], each["credit"]) for each in entry["lines"]] for entry in shown["entries"]
    ]


def everything(office):
    return [office.ok("GET", path) for path in ("/finance/invoices", "/finance/contacts", "/finance/journals")]


def test_a_dry_run_shows_number_entry_and_total_and_stores_nothing(acme, own_details):
    """3 × 50.00 and 20 %: 150.00 of sales, 30.00 of tax, 180.00 receivable."""
    rate = tax_rate(acme, "20")["id"]
    globex = customer(acme, name="Globex", address=ADDRESS)["id"]
    draft = invoice(acme, line("50.00", "3", taxRateId=rate), customerId=globex, issueDate="2026-03-02", draft=True)
    tip = acme.ok("GET", "/workspace/events?limit=1")
    path = f"/finance/invoices/{draft['id']}/issue"
    for _ in range(2):
        shown = acme.ok("POST", path, {"dryRun": True})
        assert (shown["number"], shown["status"], shown["total"]) == ("INV-2026-00001", "issued", "180.00")
        (legs,) = posted(shown)
        assert sorted(legs) == [("1100", "180.00", None), ("2200", None, "30.00"), ("4000", None, "150.00")]
        assert shown["entries"][0]["number"] == "JE-2026-00001"
    assert acme.ok("GET", "/workspace/events?limit=1") == tip
    assert acme.ok("GET", f"/finance/invoices/{draft['id']}") == draft
    made = acme.ok("POST", path)
    assert (made["number"], made["total"]) == (shown["number"], shown["total"])


def test_a_new_invoice_is_rehearsed_with_its_new_customer(acme, own_details):
    body = new_invoice("40.00", customer={"name": "Initech", "address": ADDRESS})
    before = everything(acme)
    answer = acme.call("POST", "/finance/invoices", body | {"dryRun": True})
    assert answer.status_code == 200
    assert "Location" not in answer.headers
    shown = answer.json["data"]
    assert (shown["total"], shown["amountDue"], codes(shown)) == ("40.00", "40.00", [])
    assert everything(acme) == before


def test_what_cannot_be_issued_is_refused_as_issuing_refuses_it(acme):
    draft = invoice(acme, line("-5.00"), draft=True)
    path = f"/finance/invoices/{draft['id']}/issue"
    acme.refused("POST", path, {"dryRun": True}, status=422, code="negative_total")
    acme.ok("DELETE", f"/finance/invoices/{draft['id']}")
    acme.refused("POST", path, {"dryRun": True}, status=404)
    acme.refused("POST", "/finance/invoices", new_invoice(customerId="gone") | {"dryRun": True}, status=422)


def test_a_draft_is_not_rehearsed(acme):
    refused = acme.refused("POST", "/finance/invoices", new_invoice(draft=True, dryRun=True), status=422)
    assert [detail["field"] for detail in refused["details"]] == ["dryRun"]


def test_warnings_name_what_an_accountant_would_look_at(acme):
    globex = customer(acme, name="Globex")["id"]
    first = invoice(acme, "75.00", customerId=globex, issueDate="2026-03-09")
    body = new_invoice("75.00", customerId=globex, issueDate="2026-03-02", dueDate="2026-03-05", dryRun=True)
    shown = acme.ok("POST", "/finance/invoices", body)
    assert codes(shown) == ["past_due", "alike", "out_of_order", "no_customer_address", "no_own_details"]
    messages = {warning["code"]: warning["message"] for warning in shown["warnings"]}
    assert messages["out_of_order"].startswith(f"{first['number']} has a later date, 9 Mar 2026.")
    assert messages["alike"].startswith(f"{first['number']} of 9 Mar 2026 has the same customer and total.")


def test_another_total_or_a_day_long_ago_is_not_alike(acme, own_details):
    globex = customer(acme, name="Globex", address=ADDRESS)["id"]
    invoice(acme, "75.00", customerId=globex, issueDate="2026-03-01")
    for price, day in (("75.01", "2026-03-02"), ("75.00", "2026-03-16")):
        body = new_invoice(price, customerId=globex, issueDate=day, dueDate="2099-01-01", dryRun=True)
        assert codes(acme.ok("POST", "/finance/invoices", body)) == []


def test_a_bill_that_may_be_entered_twice_is_named(acme):
    supplier = bill(acme, "20.00")["supplierId"]
    shown = acme.ok("POST", "/finance/invoices", new_bill("20.00", supplierId=supplier, dryRun=True))
    assert codes(shown) == ["alike"]
    assert "the same supplier" in shown["warnings"][0]["message"]


def test_a_rehearsed_invoice_leaves_its_idempotency_key_to_the_answer_it_gave(acme):
    key = {"Idempotency-Key": "dry"}
    body = new_invoice("10.00")
    acme.ok("POST", "/finance/invoices", body | {"dryRun": True}, headers=key)
    acme.refused("POST", "/finance/invoices", body, headers=key, status=422, code="idempotency_mismatch")


def test_a_viewer_rehearses_nothing(acme):
    body = new_invoice(dryRun=True)
    acme.colleague("viewer").refused("POST", "/finance/invoices", body, status=403, code="forbidden")
