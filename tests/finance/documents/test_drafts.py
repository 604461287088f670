"""Drafts of invoices: changed in every part, issued later, deleted."""

import pytest

from erp.finance.documents.models import InvoiceLine
from tests.finance.contacts.contacts import customer, tax_rate
from tests.finance.documents.invoices import invoice, line, new_invoice
from tests.finance.journals.journals import entry_count, posted
from tests.refusals import complaints

TODAY = "2026-03-10T09:00:00Z"


@pytest.fixture(autouse=True)
def _today(clock_at):
    clock_at(TODAY)


def test_a_draft_has_no_number_and_posts_nothing(acme):
    draft = invoice(acme, draft=True)
    assert (draft["number"], draft["status"], draft["issuedAt"], draft["total"]) == (None, "draft", None, "100.00")
    assert entry_count(acme) == 0


def test_a_draft_is_issued_later(acme):
    draft = invoice(acme, draft=True, issueDate="2026-03-01")
    issued = acme.ok("POST", f"/finance/invoices/{draft['id']}/issue")
    assert (issued["id"], issued["status"], issued["number"]) == (draft["id"], "issued", "INV-2026-00001")
    assert (issued["issueDate"], issued["version"]) == ("2026-03-01", 2)
    assert posted(acme, issued["journalEntryId"]) == {"1100": 10_000, "4000": -10_000}
    assert acme.ok("GET", f"/finance/invoices/{draft['id']}") == issued


def test_a_draft_without_a_date_is_dated_when_it_is_issued(acme, clock_at):
    draft = invoice(acme, draft=True)
    clock_at("2026-03-12T09:00:00Z")
    issued = acme.ok("POST", f"/finance/invoices/{draft['id']}/issue")
    assert (draft["issueDate"], issued["issueDate"], issued["dueDate"]) == ("2026-03-10", "2026-03-12", "2026-04-11")


def test_a_draft_changes_in_every_part(acme):
    tax = tax_rate(acme)["id"]
    draft = invoice(acme, line(taxRateId=tax), draft=True, note="Soon", reference="A")
    initech = customer(acme, name="Initech")["id"]
    change = {
        "kind": "sales_credit_note",
        "customerId": initech,
        "issueDate": "2026-02-01",
        "dueDate": "2026-02-05",
        "lines": [line("7.00", "3", taxRateId=tax), line("1.00")],
        "discount": {"percent": "50"},
        "note": None,
    }
    changed = acme.ok("PATCH", f"/finance/invoices/{draft['id']}", change)
    assert (changed["kind"], changed["customerName"], changed["dueDate"]) == (
        "sales_credit_note",
        "Initech",
        "2026-02-05",
    )
    assert [each["net"] for each in changed["lines"]] == ["21.00", "1.00"]
    assert (changed["taxTotal"], changed["total"], changed["note"], changed["reference"]) == (
        "2.10",
        "13.10",
        None,
        "A",
    )
    assert changed["version"] == 2
    assert acme.ok("GET", f"/finance/invoices/{draft['id']}") == changed
    with acme.books():
        assert InvoiceLine.select().count() == 2


def test_what_a_change_of_a_draft_leaves_out_stays(acme):
    tax = tax_rate(acme, isDefault=True)["id"]
    body = new_invoice(
        line(), line(taxRateId=None), draft=True, discount={"amount": "10.00"}, charges=[{"amount": "5.00"}]
    )
    draft = acme.ok("POST", "/finance/invoices", body)
    changed = acme.ok("PATCH", f"/finance/invoices/{draft['id']}", {"reference": "B"})
    assert [each["taxRateId"] for each in changed["lines"]] == [tax, None]
    assert changed["total"] == draft["total"]
    cleared = acme.ok("PATCH", f"/finance/invoices/{draft['id']}", {"discount": None, "charges": None})
    assert (cleared["discount"], cleared["charges"], cleared["total"]) == (None, [], "220.00")


def test_a_draft_keeps_every_number_as_it_was_sent(acme):
    lines = [line("0.000001", "1000000", charge="1.00"), line("100.00", "0.000001", charge={"percent": "2.5"})]
    body = new_invoice(*lines, draft=True, currency="USD", exchangeRate="0.000000000001", roundingAmount="-0.01")
    draft = acme.ok("POST", "/finance/invoices", body)
    changed = acme.ok("PATCH", f"/finance/invoices/{draft['id']}", {"note": "x"})
    assert (changed["exchangeRate"], changed["lines"][0]["charge"]["amount"]) == ("0.000000000001", "1.00")
    for shown in (draft, changed):
        shown |= {"note": "", "version": 0, "lines": [each | {"id": ""} for each in shown["lines"]]}
    assert changed == draft


def test_a_wrong_change_of_a_draft_changes_nothing(acme):
    draft = invoice(acme, draft=True)
    path = f"/finance/invoices/{draft['id']}"
    error = acme.refused("PATCH", path, {"lines": [line("1", accountId="none")]}, status=422, code="unknown_reference")
    assert complaints(error) == {"lines[0].accountId": "unknown_reference"}
    acme.refused("PATCH", path, {"lines": []}, status=422, code="validation_failed")
    assert acme.ok("GET", path) == draft


def test_a_draft_is_deleted_with_its_lines(acme):
    draft = invoice(acme, draft=True, charges=[{"amount": "5.00"}])
    acme.ok("DELETE", f"/finance/invoices/{draft['id']}")
    acme.refused("GET", f"/finance/invoices/{draft['id']}", status=404, code="not_found")
    with acme.books():
        assert InvoiceLine.select().count() == 0


def test_a_draft_below_zero_waits_to_be_corrected(acme):
    draft = invoice(acme, line("-5.00"), draft=True)
    assert draft["total"] == "-5.00"
    acme.refused("POST", f"/finance/invoices/{draft['id']}/issue", status=422, code="negative_total")
