"""Balances of the books, and a way to try out a change of them."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from decimal import Decimal

from erp.store.router import WORKSPACE
from tests.conftest import Office


def balances(office: Office) -> dict[str, int]:
    """The balance of each account other than zero in minor units, by its code; debit above zero."""
    with office.books():
        rows = WORKSPACE.rows(
            "SELECT code, sum(amount) FROM posting JOIN account ON account.id = account_id GROUP BY code ORDER BY code"
        )
    return {code: amount for code, amount in rows if amount}


def owed_by(office: Office, contact_id: str) -> int:
    """A contact's balance in minor units: the sum of its postings."""
    with office.books():
        rows = WORKSPACE.rows("SELECT coalesce(sum(amount), 0) FROM posting WHERE contact_id = ?", (contact_id,))
    return int(rows[0][0])


EARLIER_YEARS = "earlier years"


def trial_balance(office: Office, day: str | None = None) -> dict[str, Decimal]:
    """The balances of the trial balance by account code, the computed row as `EARLIER_YEARS`; debit above zero."""
    params = {"date": day} if day else {}
    rows = office.ok("GET", "/finance/reports/trial-balance", params=params)["rows"]
    return {row["account"]["code"] or EARLIER_YEARS: Decimal(row["debit"]) - Decimal(row["credit"]) for row in rows}


class RolledBack(Exception):
    """Nothing of what was tried stays."""


@contextmanager
def rolled_back(office: Office) -> Iterator[None]:
    """Open the books for writing, and leave them as they were."""
    with suppress(RolledBack), office.books(write=True):
        yield
        raise RolledBack
