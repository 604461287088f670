"""Customers pay the billable lines of posted claims, each once."""

import pytest

from tests.finance.contacts.contacts import customer
from tests.finance.write_downs.deductions import check_is_silent
from tests.hr.expenses.claims import act, path_of, posted, rates, receipt

PATH = "/finance/invoices/from-time-logs"


@pytest.fixture
def site(office):
    """A project of a customer who pays expenses with 10 % on top."""
    body = {"name": "Site", "customerId": customer(office)["id"], "expenseMarkupPercent": "10"}
    project = office.ok("POST", "/projects", body)
    assert project["expenseMarkupPercent"] == "10"
    return project


@pytest.fixture
def claim(office, dan, site):
    """A train at 83.30 with 19 % that the customer pays, and a taxi that the office pays."""
    train = receipt("83.30", taxRateId=rates(office)["19"], projectId=site["id"], isBillable=True, description="Train")
    return posted(dan, office, train, receipt("32.10", projectId=site["id"]))


def bill(office, site, **fields):
    return office.ok("POST", PATH, {"projectId": site["id"], "dateTo": "2026-03-31", **fields})


def nothing(office, site, **fields):
    body = {"projectId": site["id"], "dateTo": "2026-03-31", **fields}
    office.refused("POST", PATH, body, status=422, code="nothing_to_bill")


def test_a_billable_line_is_billed_once_with_the_markup(office, site, claim):
    nothing(office, site, includeExpenses=False)
    draft = bill(office, site)
    (line,) = draft["lines"]
    assert (line["description"], line["net"], line["projectId"]) == ("Train", "77.00", site["id"])
    assert line["expenseLineId"] == claim["lines"][0]["id"]
    nothing(office, site)
    assert [row["isBilled"] for row in office.ok("GET", path_of(claim))["lines"]] == [True, False]
    office.refused("POST", path_of(claim, "/void"), {}, status=409, code="claim_billed")
    check_is_silent(office)


def test_a_deleted_draft_and_a_void_invoice_free_their_expenses(office, site, claim):
    draft = bill(office, site)
    office.ok("DELETE", f"/finance/invoices/{draft['id']}")
    draft = bill(office, site)
    office.ok("POST", f"/finance/invoices/{draft['id']}/issue", {})
    office.ok("POST", f"/finance/invoices/{draft['id']}/void", {})
    draft = bill(office, site)
    office.ok(
        "PATCH",
        f"/finance/invoices/{draft['id']}",
        {"lines": [{"description": "Work", "quantity": "1", "unitPrice": "1.00"}]},
    )
    assert bill(office, site)["lines"][0]["net"] == "77.00", "the line is gone from the draft"


def test_a_void_claim_offers_nothing(office, site, claim):
    (line,) = office.ok("POST", PATH, {"projectId": site["id"], "dateTo": "2026-03-31", "dryRun": True})["lines"]
    assert line["net"] == "77.00"
    assert act(office, claim, "void")["status"] == "void"
    nothing(office, site)
