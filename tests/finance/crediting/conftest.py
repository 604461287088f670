"""Three tax rates, and an invoice to credit."""

import pytest

from tests.finance.contacts.contacts import tax_rate
from tests.finance.crediting.credits import TODAY
from tests.finance.documents.invoices import invoice, line


@pytest.fixture(autouse=True)
def _today(clock_at):
    clock_at(f"{TODAY}T09:00:00Z")


@pytest.fixture
def standard(acme):
    return tax_rate(acme, "19")["id"]


@pytest.fixture
def reduced(acme):
    return tax_rate(acme, "7")["id"]


@pytest.fixture
def zero(acme):
    return tax_rate(acme, "0", category="Z")["id"]


@pytest.fixture
def r1(acme, standard, reduced):
    """1,000.00 at 19 % and 200.00 at 7 %."""
    return invoice(acme, line("1000.00", taxRateId=standard), line("200.00", taxRateId=reduced), issueDate="2026-01-05")
