"""Quotes for tests."""

from typing import Any

from tests.conftest import Office


def line(price: str = "960.00", quantity: str = "10", **fields: Any) -> dict[str, Any]:
    """The body of a line."""
    return {"description": "Concept", "unit": "day", "quantity": quantity, "unitPrice": price, **fields}


def new_quote(*lines: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """The body of a quote, to a new customer unless the fields name one."""
    customer = {} if "customerId" in fields else {"customer": {"name": "Globex"}}
    return {**customer, "lines": list(lines or (line(),)), **fields}


def draft(office: Office, *lines: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A new draft; the arguments are those of `new_quote`."""
    shown: dict[str, Any] = office.ok("POST", "/finance/quotes", new_quote(*lines, **fields))
    return shown


def act(office: Office, quote: dict[str, Any], step: str, **body: Any) -> dict[str, Any]:
    """The quote after a step."""
    shown: dict[str, Any] = office.ok("POST", f"/finance/quotes/{quote['id']}/{step}", body)
    return shown


def issued(office: Office, *lines: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A quote that is out."""
    return act(office, draft(office, *lines, **fields), "issue")


def accepted(office: Office, *lines: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """An accepted quote without options."""
    return act(office, issued(office, *lines, **fields), "accept")


def again(office: Office, quote: dict[str, Any]) -> dict[str, Any]:
    """The quote as it is now."""
    shown: dict[str, Any] = office.ok("GET", f"/finance/quotes/{quote['id']}")
    return shown


def refused(
    office: Office, quote: dict[str, Any], step: str, code: str, status: int = 409, **body: Any
) -> dict[str, Any]:
    """The refusal of a step."""
    return office.refused("POST", f"/finance/quotes/{quote['id']}/{step}", body, status=status, code=code)
