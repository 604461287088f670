"""Tax of other countries through the one-stop shop, and sales tax by state."""

import pytest

from tests.conftest import Installation, Office
from tests.finance.contacts.contacts import tax_rate
from tests.finance.documents.invoices import bill, credit, invoice, let_bills_go_by_default, line
from tests.finance.reports.trees import cells, report
from tests.refusals import complaint

NAMELESS = {"name": "Nowhere", "rate": "8.25", "category": "S", "region": ""}
SECOND = {"dateFrom": "2026-04-01", "dateTo": "2026-06-30"}


@pytest.fixture(autouse=True)
def _in_july(clock_at) -> None:
    clock_at("2026-07-05T09:00:00Z")


def rows(office: Office, name: str, **days: str) -> dict[str, dict[str, str]]:
    return {row["key"]: cells(row) for row in report(office, name, **days)["rows"] if row["key"]}


def test_the_one_stop_shop_adds_up_by_country_and_rate(installation: Installation) -> None:
    """250.00 at 20 % in France and 80.00 at 22 % in Italy: 50.00 + 17.60 = 67.60."""
    office = installation.office("Olga", country="DE", vatId="DE136695976")
    french = tax_rate(office, "20", name="FR", taxTag="oss", country="FR")["id"]
    italian = tax_rate(office, "22", name="IT", taxTag="oss", country="IT")["id"]
    first = invoice(office, line("100.00", taxRateId=french), issueDate="2026-02-10")
    for amount, rate in (("200.00", french), ("50.00", french), ("80.00", italian)):
        invoice(office, line(amount, taxRateId=rate), issueDate="2026-04-10")
    invoice(office, line("1000.00"), issueDate="2026-04-10")
    assert rows(office, "oss", **SECOND) == {
        "FR-20 %": {"rate": "20 %", "base": "250.00", "tax": "50.00"},
        "IT-22 %": {"rate": "22 %", "base": "80.00", "tax": "17.60"},
        "total": {"base": "330.00", "tax": "67.60"},
    }
    credit(office, first, date="2026-05-02")
    corrected = rows(office, "oss", **SECOND)
    assert corrected["FR-2026-Q1"] == {"quarter": "2026-Q1", "base": "-100.00", "tax": "-20.00"}
    assert corrected["FR-20 %"]["tax"] == "50.00"
    assert corrected["total"]["tax"] == "47.60"


def test_sales_tax_is_shared_among_state_city_and_transit(installation: Installation) -> None:
    """6.25 + 1 + 1 % of 1,234.56 are 101.85: 77.16, and of two equal remainders the first gets the cent."""
    office = installation.office("Olga", country="US")
    parts = [{"name": "1 State", "rate": "6.25"}, {"name": "2 City", "rate": "1"}, {"name": "3 Transit", "rate": "1"}]
    texas = tax_rate(office, "8.25", name="Austin", region="TX", components=parts)["id"]
    exempt = tax_rate(office, "0", name="Resale", category="E", region="TX", exemptionReason="Resale")["id"]
    abroad = tax_rate(office, "13", name="Ontario", country="CA")["id"]
    invoice(office, line("1234.56", taxRateId=texas), line("500.00", taxRateId=exempt), issueDate="2026-04-10")
    invoice(office, line("70.00", taxRateId=abroad), issueDate="2026-04-10")
    assert rows(office, "sales-tax", **SECOND) == {
        "TX": {"sales": "1734.56", "exempt": "500.00", "taxable": "1234.56", "tax": "101.85"},
        "TX-1 State": {"taxable": "1234.56", "tax": "77.16"},
        "TX-2 City": {"taxable": "1234.56", "tax": "12.35"},
        "TX-3 Transit": {"taxable": "1234.56", "tax": "12.34"},
        "total": {"sales": "1734.56", "exempt": "500.00", "taxable": "1234.56", "tax": "101.85"},
    }


def test_the_parts_of_a_rate_of_zero_have_no_taxable_sales(installation: Installation) -> None:
    office = installation.office("Olga", country="US")
    parts = [{"name": "State", "rate": "0"}, {"name": "City", "rate": "0"}]
    oregon = tax_rate(office, "0", name="Oregon", region="OR", components=parts)["id"]
    invoice(office, line("50.00", taxRateId=oregon), issueDate="2026-04-10")
    shown = rows(office, "sales-tax", **SECOND)
    assert [shown[key]["taxable"] for key in ("OR", "OR-State", "OR-City")] == ["0.00", "0.00", "0.00"]


def test_a_bill_is_no_sale_of_the_one_stop_shop(installation: Installation) -> None:
    office = let_bills_go_by_default(installation.office("Olga", country="DE", vatId="DE136695976"))
    rate = tax_rate(office, "20", taxTag="oss", country="FR", side="both")["id"]
    bill(office, line("70.00", taxRateId=rate), issueDate="2026-04-10")
    assert rows(office, "oss", **SECOND) == {"total": {"base": "0.00", "tax": "0.00"}}


def test_the_place_of_a_rate_in_use_stays(installation: Installation) -> None:
    """Otherwise the sales tax of one state would become another's."""
    office = installation.office("Olga", country="US")
    assert complaint(office.refused("POST", "/finance/tax-rates", NAMELESS, status=422)) == ("region", "required")
    texas = tax_rate(office, "8.25", name="Austin", region="TX")
    office.ok("PATCH", f"/finance/tax-rates/{texas['id']}", {"region": "CA"})
    invoice(office, line("10.00", taxRateId=texas["id"]), issueDate="2026-04-10")
    for change in ({"region": "TX"}, {"country": "CA"}):
        office.refused("PATCH", f"/finance/tax-rates/{texas['id']}", change, status=409, code="in_use")


@pytest.mark.parametrize("name", ["oss", "sales-tax"])
@pytest.mark.parametrize("format", ["csv", "xlsx", "pdf"])
def test_both_are_files_as_well(installation: Installation, name: str, format: str) -> None:
    office = installation.office("Olga", country="US")
    tax_rate(office, "8.25", region="TX")
    answer = office.call("GET", f"/finance/reports/{name}", params=SECOND | {"format": format})
    assert answer.status_code == 200
