"""The day of a later matching: that of the money, not of the entry, so that tax counts in the month it was received."""

import pytest

from tests.finance.contacts.contacts import customer, tax_rate
from tests.finance.documents.invoices import invoice, line
from tests.finance.payments.payments import payment
from tests.finance.reports.trees import cells, report

JANUARY = {"dateFrom": "2026-01-01", "dateTo": "2026-01-31"}
FEBRUARY = {"dateFrom": "2026-02-01", "dateTo": "2026-02-28"}


@pytest.fixture
def office(acme, clock_at):
    """An invoice of 119.00 of 5 January, and a receipt of 10 January that is matched in November."""
    clock_at("2026-11-16T09:00:00Z")
    settings = {"country": "DE", "taxBasis": [{"since": "2020-01-01", "basis": "cash"}]}
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", settings)
    alster, rate = customer(acme, "Alster")["id"], tax_rate(acme, "19")["id"]
    acme.sold = invoice(acme, line("100", taxRateId=rate), customerId=alster, issueDate="2026-01-05")
    acme.paid = payment(acme, "119.00", contactId=alster, date="2026-01-10")
    return acme


def lock(office):
    office.ok("POST", "/finance/periods/lock", {"throughDate": "2026-01-31", "reason": "Closed"})


def pair(office):
    ids = {item["documentId"]: item["id"] for item in office.ok("GET", "/finance/open-items")}
    return {"fromItemId": ids[office.paid["id"]], "toItemId": ids[office.sold["id"]]}


def proposed_day(office):
    ids = pair(office)
    return office.ok("GET", f"/finance/open-items/{ids['fromItemId']}/allocation-day/{ids['toItemId']}")


def by_payment(office):
    body = {"allocations": [{"invoiceId": office.sold["id"], "amount": "119.00"}]}
    return office.ok("POST", f"/finance/payments/{office.paid['id']}/allocations", body)["allocations"][0]


def by_items(office):
    return office.ok("POST", "/finance/allocations", {**pair(office), "amount": "119.00"})


def counted(office, days):
    rows = [cells(row) for row in report(office, "tax", **days)["rows"] if row["key"] == "81"]
    return [f"{row['base']}/{row['tax']}" for row in rows]


@pytest.mark.parametrize("match", [by_payment, by_items])
def test_a_later_matching_counts_in_the_month_of_the_money(office, match):
    assert match(office)["date"] == "2026-01-10"
    assert counted(office, JANUARY) == ["100.00/19.00"]
    ageing = office.ok("GET", "/finance/reports/aged-receivables", params={"date": "2026-03-31"})
    assert "Alster" not in [row["label"] for row in ageing["rows"]]


@pytest.mark.parametrize("match", [by_payment, by_items])
def test_if_that_month_is_locked_it_counts_on_the_first_open_day(office, match):
    lock(office)
    assert match(office)["date"] == "2026-02-01"
    assert (counted(office, JANUARY), counted(office, FEBRUARY)) == (["0.00/0.00"], ["100.00/19.00"])


def test_the_day_is_proposed_with_its_reason(office):
    proposed = proposed_day(office)
    names = f"{office.paid['number']} and {office.sold['number']}"
    expected = {"date": "2026-01-10", "reason": "items", "message": f"The later date of {names}.", "warnings": []}
    assert proposed == expected
    lock(office)
    proposed = proposed_day(office)
    assert (proposed["date"], proposed["reason"]) == ("2026-02-01", "locked")
    assert proposed["message"] == "The first open day. The books are locked through 31 Jan 2026."


def test_a_filed_return_that_changes_is_named(office):
    office.ok("POST", "/finance/tax-returns", JANUARY)
    (warning,) = proposed_day(office)["warnings"]
    assert warning == {
        "code": "filed_return_changes",
        "message": "The VAT return from 1 Jan 2026 to 31 Jan 2026 has been filed, and changes with this allocation.",
    }
    lock(office)
    assert proposed_day(office)["warnings"] == []


def test_an_item_that_does_not_exist_has_no_day(office):
    path = f"/finance/open-items/{pair(office)['fromItemId']}/allocation-day/{office.sold['id']}"
    office.refused("GET", path, status=404, code="not_found")
