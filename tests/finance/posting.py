"""What the tests of the books have in common: short journal entries, and balances as numbers."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from decimal import Decimal
from typing import Any


def entry(amount="100.00", *, day="2026-01-15", debit="1010", credit="3000", **more: Any) -> dict[str, Any]:
    """The body of a journal entry of two lines."""
    lines = [{"accountId": debit, "debit": amount}, {"accountId": credit, "credit": amount}]
    return {"date": day, "description": "Capital paid in", "lines": lines, **more}


def trial_balance(office, day=None) -> dict[str, Decimal]:
    """Balances by account code, debit above zero."""
    params = {"date": day} if day else {}
    rows = office.ok("GET", "/finance/reports/trial-balance", params=params)["rows"]
    return {row["account"]["code"]: Decimal(row["debit"]) - Decimal(row["credit"]) for row in rows}


def customer(office, name="Initech") -> str:
    """A new customer's id."""
    return str(office.ok("POST", "/finance/contacts", {"name": name, "kind": "customer"})["id"])


class Undone(Exception):
    """Nothing of what was tried stays."""


@contextmanager
def for_nothing(office) -> Iterator[None]:
    """Open the books for writing, and leave them as they were."""
    with suppress(Undone), office.books(write=True):
        yield
        raise Undone
