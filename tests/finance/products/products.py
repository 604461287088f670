"""Products for tests."""

from typing import Any

from tests.conftest import Office


def product(office: Office, name: str = "Consulting", **fields: Any) -> dict[str, Any]:
    """A new product at 95.00 an hour, unless the fields say otherwise."""
    body = {"name": name, "unit": "hour", "unitPrice": "95.00", **fields}
    shown: dict[str, Any] = office.ok("POST", "/finance/products", body)
    return shown
