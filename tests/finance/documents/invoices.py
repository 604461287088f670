"""Invoices for tests."""

from typing import Any

from tests.conftest import Office


def line(price: str = "100.00", quantity: str = "1", **fields: Any) -> dict[str, Any]:
    """The body of a line."""
    return {"description": "Consulting", "quantity": quantity, "unitPrice": price, **fields}


def new_invoice(*lines: dict[str, Any] | str, **fields: Any) -> dict[str, Any]:
    """The body of an invoice, to a new customer unless the fields name one.

    Args:
        lines: bodies of lines or their prices alone; one line of 100.00 when there are none.
    """
    customer = {} if "customerId" in fields else {"customer": {"name": "Globex"}}
    return {
        **customer,
        "lines": [line(each) if isinstance(each, str) else each for each in lines or (line(),)],
        **fields,
    }


def invoice(office: Office, *lines: dict[str, Any] | str, **fields: Any) -> dict[str, Any]:
    """A new invoice, issued unless it is a draft; the arguments are those of `new_invoice`."""
    shown: dict[str, Any] = office.ok("POST", "/finance/invoices", new_invoice(*lines, **fields))
    return shown


def new_bill(*lines: dict[str, Any] | str, **fields: Any) -> dict[str, Any]:
    """The body of a bill, of a new supplier unless the fields name one; the lines are those of `new_invoice`."""
    party = {} if "supplierId" in fields else {"supplier": {"name": "Meyer"}}
    body = new_invoice(*lines, **{"kind": "purchase_invoice", **party, **fields})
    body.pop("customer", None)
    return body


def bill(office: Office, *lines: dict[str, Any] | str, **fields: Any) -> dict[str, Any]:
    """A new bill, issued unless it is a draft; the arguments are those of `new_bill`."""
    shown: dict[str, Any] = office.ok("POST", "/finance/invoices", new_bill(*lines, **fields))
    return shown


def let_bills_go_by_default(office: Office) -> Office:
    """The same office, in which a line of a bill needs no account."""
    office.ok("PATCH", f"/workspace/{office.workspace_id}", {"billsNeedAccount": False})
    return office


def status_and_due(office: Office, invoice_id: str) -> tuple[str, str]:
    """An invoice's status and what is due on it."""
    shown = office.ok("GET", f"/finance/invoices/{invoice_id}")
    return shown["status"], shown["amountDue"]


def credit(office: Office, invoice: dict[str, Any], *lines: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A credit note of an invoice: of these lines, or of all that is left."""
    body = {"lines": list(lines), **fields} if lines else fields
    shown: dict[str, Any] = office.ok("POST", f"/finance/invoices/{invoice['id']}/credit", body)
    return shown


def lacking(office: Office, body: dict[str, Any]) -> dict[str, str]:
    """What the preview of an invoice says is wrong with it: codes by field."""
    shown = office.ok("POST", "/finance/invoices/preview", body)
    details = shown["details"] + [detail for line in shown["lines"] for detail in line["details"]]
    return {detail["field"]: detail["code"] for detail in details}
