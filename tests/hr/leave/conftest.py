"""The turn of the year 2026, for tests of leave years."""

from datetime import date

import pytest

from erp.store import workspace_settings
from tests.hr.leave.applications import hired_colleague, type_id


@pytest.fixture
def today_is(monkeypatch):
    """Set the day in the office; no session ends because of it."""
    return lambda day: monkeypatch.setattr(workspace_settings, "today", lambda: date.fromisoformat(day))


@pytest.fixture
def december(today_is):
    """Tuesday, 1 December 2026."""
    today_is("2026-12-01")


@pytest.fixture
def mia(acme, december):
    """A member with an employee record, and its id; up to five days of annual leave are carried over until March."""
    rules = {"carryForwardMaxDays": "5", "carryForwardExpiresAfterMonths": 3}
    acme.ok("PATCH", f"/hr/leave-types/{type_id(acme)}", rules)
    return hired_colleague(acme)
