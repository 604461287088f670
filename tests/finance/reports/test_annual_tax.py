"""A year of VAT returns as filed, beside the year as it is now."""

from decimal import Decimal

import pytest

from tests.conftest import Installation, Office
from tests.finance.contacts.contacts import tax_rate
from tests.finance.documents.invoices import invoice, line
from tests.finance.reports.trees import cells


def rows(office: Office, **params: str) -> dict[str, dict[str, str]]:
    tree = office.ok("GET", "/finance/tax-returns/annual", params=params)
    return {row["code"]: cells(row) for row in tree["rows"] if row["code"]}


def test_a_year_shows_what_was_filed_what_is_so_now_and_the_difference(installation: Installation, clock_at) -> None:
    """Two months of 100.60 and 50.70 are cut to 150 in returns, but to 151 in the year; 30.00 came late."""
    clock_at("2027-01-10T09:00:00Z")
    office = installation.office("Olga", country="DE")
    rate = tax_rate(office, "19")["id"]
    for month, amount in (("01", "100.60"), ("02", "50.70")):
        invoice(office, line(amount, taxRateId=rate), issueDate=f"2026-{month}-10")
        office.ok("POST", "/finance/tax-returns", {"dateFrom": f"2026-{month}-01", "dateTo": f"2026-{month}-28"})
    shown = rows(office, year="2026")["81"]
    assert shown == {
        "filed_base": "150.00",
        "filed_tax": "28.50",
        "base": "151.00",
        "tax": "28.69",
        "base_change": "1.00",
        "tax_change": "0.19",
    }
    invoice(office, line("30.00", taxRateId=rate), issueDate="2026-02-20")
    office.ok("POST", "/finance/tax-returns", {"dateFrom": "2026-02-01", "dateTo": "2026-02-28"})
    shown = rows(office)["81"]
    assert (shown["filed_base"], shown["base"], shown["base_change"]) == ("180.00", "181.00", "1.00")
    shown_rows = office.ok("GET", "/finance/tax-returns/annual")["rows"]
    (payable,) = (cells(row) for row in shown_rows if row["key"] == "payable")
    # 28.50 + 5.70 were filed; the year comes to 181.00 × 19 % with its cents: 181.30 × 19 % = 34.447
    assert payable["tax_change"] == f"{Decimal(payable['tax']) - Decimal(payable['filed_tax'])}"
    assert rows(office, year="2025")["81"]["base"] == "0.00"


@pytest.mark.parametrize("year", ["99", "x"])
def test_a_year_is_a_number_of_four_digits(acme: Office, year: str) -> None:
    acme.refused("GET", f"/finance/tax-returns/annual?year={year}", status=400)
