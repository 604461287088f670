"""Contacts and tax rates for tests."""

from typing import Any

from tests.conftest import Office


def customer(office: Office, name: str = "Globex", **fields: Any) -> dict[str, Any]:
    """A new customer."""
    shown: dict[str, Any] = office.ok("POST", "/finance/contacts", {"kind": "customer", "name": name, **fields})
    return shown


def supplier(office: Office, name: str = "Meyer", **fields: Any) -> dict[str, Any]:
    """A new supplier."""
    return customer(office, name, **{"kind": "supplier", **fields})


def tax_rate(office: Office, percent: str = "20", **fields: Any) -> dict[str, Any]:
    """A new tax rate."""
    body = {"name": f"Rate of {percent}", "rate": percent, **fields}
    shown: dict[str, Any] = office.ok("POST", "/finance/tax-rates", body)
    return shown
