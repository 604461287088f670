"""A supplier, its tax rates and two bills of the worked month."""

import pytest

from tests.finance.contacts.contacts import supplier, tax_rate
from tests.finance.documents.bills.bills import TODAY, account
from tests.finance.documents.invoices import bill, line


@pytest.fixture(autouse=True)
def _today(clock_at):
    clock_at(f"{TODAY}T09:00:00Z")


@pytest.fixture
def standard(acme):
    """19 %, deducted on 1406."""
    input_tax = account(acme, "1406", "Vorsteuer 19 %", type="asset", subtype="current_asset")
    return tax_rate(acme, "19", inputTaxAccountId=input_tax)["id"]


@pytest.fixture
def reduced(acme):
    """7 %, deducted on 1401."""
    input_tax = account(acme, "1401", "Vorsteuer 7 %", type="asset", subtype="current_asset")
    return tax_rate(acme, "7", inputTaxAccountId=input_tax)["id"]


@pytest.fixture
def meyer(acme):
    return supplier(acme)["id"]


@pytest.fixture
def b1(acme, standard, reduced, meyer):
    """The worked month: supplies 100.00 at 19 %, books 50.00 at 7 %."""
    supplies, books = account(acme, "6815", "Bürobedarf"), account(acme, "6820", "Zeitschriften, Bücher")
    return bill(
        acme,
        line("100.00", description="Supplies", taxRateId=standard, accountId=supplies),
        line("50.00", description="Books", taxRateId=reduced, accountId=books),
        supplierId=meyer,
        supplierNumber="M-4711",
        issueDate="2026-01-08",
        dueDate="2026-02-07",
    )


@pytest.fixture
def reverse(acme):
    """§ 13b at 19 %: deducted on 1407, owed on 3837."""
    deducted = account(acme, "1407", "Vorsteuer § 13b", type="asset", subtype="current_asset")
    owed = account(acme, "3837", "Umsatzsteuer § 13b", type="liability", subtype="tax")
    return tax_rate(acme, "19", category="AE", inputTaxAccountId=deducted, outputTaxAccountId=owed)["id"]


@pytest.fixture
def b2(acme, reverse):
    """The worked month: 240.00 of Cloud Ireland, § 13b."""
    services = account(acme, "5923", "Leistungen § 13b")
    return bill(
        acme,
        line("240.00", taxRateId=reverse, accountId=services),
        supplier={"name": "Cloud Ireland", "vatId": "IE1234567T"},
        issueDate="2026-01-12",
        dueDate="2026-02-11",
    )
