"""Payments for tests."""

from typing import Any

from tests.conftest import Office


def payment(office: Office, amount: str, **fields: Any) -> dict[str, Any]:
    """A new payment."""
    shown: dict[str, Any] = office.ok("POST", "/finance/payments", {"amount": amount, **fields})
    return shown
