"""An office of 2026 with a travelling member."""

import pytest

from tests.hr.employees.employees import IBAN, hire


@pytest.fixture(autouse=True)
def _in_march(clock_at):
    clock_at("2026-03-12T09:00:00Z")


@pytest.fixture
def office(acme):
    """An office in Germany that pays from its account."""
    settings = {"iban": "DE75512108001245126199", "country": "DE", "timeZone": "Europe/Berlin"}
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", settings)
    return acme


@pytest.fixture
def dan(office):
    """A member who is an employee with a bank account."""
    member = office.colleague("member")
    account = {"holder": "Dan Iel", "iban": IBAN}
    hire(office, name="Dan Iel", userId=member.user["id"], bankAccount=account)
    return member
