"""What tests of bills do again and again."""

from tests.finance.documents.invoices import new_bill

TODAY = "2026-01-31"


def account(office, code, name, **fields):
    """A new account of SKR 04; an expense unless the fields say otherwise."""
    body = {"code": code, "name": name, "type": "expense", "subtype": "expense", **fields}
    return office.ok("POST", "/finance/accounts", body)["code"]


def refused(office, *lines, status=422, code="validation_failed", **fields):
    return office.refused("POST", "/finance/invoices", new_bill(*lines, **fields), status=status, code=code)
