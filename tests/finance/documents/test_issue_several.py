"""Several drafts issued at once: all or none."""

import pytest

from tests.finance.documents.invoices import invoice, line, new_invoice
from tests.finance.journals.journals import entry_count
from tests.refusals import complaints


@pytest.fixture(autouse=True)
def _in_march(clock_at):
    clock_at("2026-03-10T09:00:00Z")


def issue_all(office, *drafts, **options):
    body = {"invoiceIds": [draft["id"] for draft in drafts]}
    return office.ok("POST", "/finance/invoices/issue", body, **options)["invoices"]


def refused(office, *drafts, **fields):
    body = {"invoiceIds": [draft["id"] for draft in drafts], **fields}
    return office.refused("POST", "/finance/invoices/issue", body, status=422, code="validation_failed")


def test_drafts_are_issued_in_their_order(acme):
    first, second = (invoice(acme, price, draft=True) for price in ("10.00", "20.00"))
    made = issue_all(acme, second, first)
    assert [(each["number"], each["total"]) for each in made] == [
        ("INV-2026-00001", "20.00"),
        ("INV-2026-00002", "10.00"),
    ]
    assert [acme.ok("GET", f"/finance/invoices/{each['id']}") for each in made] == made
    assert entry_count(acme) == 2


def test_what_cannot_be_issued_is_named_by_its_row_and_no_number_is_taken(acme):
    good, negative, issued = invoice(acme, draft=True), invoice(acme, line("-5.00"), draft=True), invoice(acme)
    late = invoice(acme, issueDate="2026-05-01", draft=True)
    error = refused(acme, good, negative, issued, {"id": "none"}, late)
    assert complaints(error) == {
        "invoiceIds[1].lines": "negative_total",
        "invoiceIds[2]": "invalid_transition",
        "invoiceIds[3]": "unknown_reference",
        "invoiceIds[4].issueDate": "date_in_future",
    }
    assert acme.ok("GET", f"/finance/invoices/{good['id']}") == good
    assert issue_all(acme, good)[0]["number"] == "INV-2026-00002"


def test_a_locked_period_refuses_all(acme):
    old, new = (invoice(acme, issueDate=day, draft=True) for day in ("2026-01-15", "2026-03-01"))
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2026-01-31", "reason": "Closed"})
    assert complaints(refused(acme, new, old)) == {"invoiceIds[1].issueDate": "period_locked"}
    assert entry_count(acme) == 0


def test_a_later_date_is_accepted_for_all_together(acme):
    late = invoice(acme, issueDate="2026-05-01", draft=True)
    body = {"invoiceIds": [late["id"]], "allowFuture": True}
    assert acme.ok("POST", "/finance/invoices/issue", body)["invoices"][0]["status"] == "issued"


def test_what_is_sent_again_is_issued_once(acme):
    key = {"Idempotency-Key": "all"}
    draft = invoice(acme, draft=True)
    assert issue_all(acme, draft, headers=key) == issue_all(acme, draft, headers=key)
    assert entry_count(acme) == 1


@pytest.mark.parametrize("count", [0, 101])
def test_1_to_100_are_issued_together(acme, count):
    assert list(complaints(refused(acme, *[{"id": "x"}] * count))) == ["invoiceIds"]


def test_a_viewer_issues_nothing(acme):
    body = {"invoiceIds": [acme.ok("POST", "/finance/invoices", new_invoice(draft=True))["id"]]}
    acme.colleague("viewer").refused("POST", "/finance/invoices/issue", body, status=403, code="forbidden")
