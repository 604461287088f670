"""The numbers of a year, and the ones that are missing."""

import pytest

from erp.store import workspace_settings
from tests.finance.documents.invoices import bill, invoice
from tests.finance.reports.trees import labelled

GAPS = "/finance/reports/number-gaps"


@pytest.fixture
def year(acme, clock_at):
    """Five invoices of 2026, of which one is void, a bill, and an invoice of 2025."""
    clock_at("2026-02-10T09:00:00Z")
    made = [invoice(acme, issueDate=f"2026-01-{day:02}") for day in range(1, 6)]
    acme.ok("POST", f"/finance/invoices/{made[3]['id']}/void", {"reason": "Wrong"})
    bill(acme, issueDate="2026-01-05")
    invoice(acme, issueDate="2025-12-31")
    return acme


def of_series(office, name, **params):
    shown = office.ok("GET", GAPS, params=params)["series"]
    return next((row for row in shown if row["series"] == name), None)


def test_a_series_without_gaps(year):
    assert of_series(year, "salesInvoice") == {
        "series": "salesInvoice",
        "first": "INV-2026-00001",
        "last": "INV-2026-00005",
        "count": 5,
        "void": 1,
        "missing": 0,
        "gaps": [],
    }
    assert of_series(year, "purchaseInvoice")["count"] == 1
    assert of_series(year, "payment") is None
    assert of_series(year, "salesInvoice", year="2025")["last"] == "INV-2025-00001"


def skip(office, numbers):
    """Give out numbers without documents."""
    with office.books(write=True):
        for _ in range(numbers):
            workspace_settings.count_on("salesInvoice", 2026)


def test_missing_numbers_are_named(year):
    skip(year, 2)
    invoice(year, issueDate="2026-02-01")
    skip(year, 1)
    shown = of_series(year, "salesInvoice")
    assert (shown["count"], shown["missing"], shown["last"]) == (6, 3, "INV-2026-00008")
    assert shown["gaps"] == [
        {"first": "INV-2026-00006", "last": "INV-2026-00007"},
        {"first": "INV-2026-00009", "last": "INV-2026-00009"},
    ]
    row = labelled(year.ok("GET", GAPS), "Invoices")
    assert (row["missing"], row["gaps"]) == ("3", "INV-2026-00006 – INV-2026-00007, INV-2026-00009")


def test_it_can_be_checked_again(year):
    proof = year.ok("GET", GAPS)["proof"]
    assert proof["parameters"] == {"year": "2026"}
    del proof["madeAt"]
    assert year.ok("POST", "/finance/reports/verify", proof)["isSame"]
    invoice(year, issueDate="2026-02-01")
    assert not year.ok("POST", "/finance/reports/verify", proof)["isSame"]


@pytest.mark.parametrize("format", ["csv", "xlsx", "pdf"])
def test_it_is_a_file_too(year, format):
    answer = year.call("GET", GAPS, params={"format": format, "language": "de"})
    assert (answer.status_code, f"number-gaps.{format}" in answer.headers["Content-Disposition"]) == (200, True)
