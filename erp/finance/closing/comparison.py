"""Balances of earlier months in the former program, kept beside the books for comparison in reports."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal

from erp.finance.books import account_balances, accounts
from erp.finance.books.models import ComparisonBalance
from erp.finance.closing.opening_bodies import OpeningMonth
from erp.kernel.complaints import Complaints
from erp.kernel.language import says
from erp.store import workspace_settings
from erp.store.records import new_id
from erp.store.router import WORKSPACE

Balances = Mapping[tuple[str, str], int]
"""Minor units by account and month, a debit above zero."""


def read(rows: Mapping[str, OpeningMonth], day: date, complaints: Complaints) -> Balances:
    """The balances in rows, by their places in the request.

    Args:
        day: the day of the opening balances, after which no month may end.
    """
    refs, wrong = accounts.look_up({f"{path}.accountId": row.account_id for path, row in rows.items()})
    complaints.items += wrong
    balances: dict[tuple[str, str], int] = {}
    for path, row in rows.items():
        amount = _amount(row, path, complaints)
        if row.month > account_balances.last_month(day):
            message = says("The last day must not be after {day}, the date of the opening balances.", day=day)
            complaints.add(f"{path}.month", "too_late", message)
        account = refs.get(f"{path}.accountId")
        if account is None:
            continue
        if (account.id, row.month) in balances:
            message = says("Account {code} appears twice for {month}.", code=account.code, month=row.month)
            complaints.add(f"{path}.accountId", "duplicate", message)
        balances[account.id, row.month] = amount
    return balances


def keep(balances: Balances) -> None:
    """Store these balances in place of earlier ones; the caller logs the event."""
    for (id,) in WORKSPACE.rows("SELECT id FROM comparison_balance"):
        ComparisonBalance.record_removed(id)
    WORKSPACE.run("DELETE FROM comparison_balance")
    rows = [(new_id(), account_id, month, amount) for (account_id, month), amount in balances.items()]
    WORKSPACE.run_many(_INSERT, rows)
    for row in rows:
        ComparisonBalance.record_columns(row[0], dict(zip(_COLUMNS[1:], row[1:], strict=True)))


def months() -> Sequence[str]:
    """The months with balances, in their order."""
    return [month for (month,) in WORKSPACE.rows("SELECT DISTINCT month FROM comparison_balance ORDER BY month")]


_COLUMNS = ("id", "account_id", "month", "base_amount")
_INSERT = f"INSERT INTO comparison_balance ({', '.join(_COLUMNS)}) VALUES (?, ?, ?, ?)"


def _amount(row: OpeningMonth, path: str, complaints: Complaints) -> int:
    if (row.debit is None) == (row.credit is None):
        complaints.add(f"{path}.debit", "one_side", says("A balance is either a debit or a credit. Give one of them."))
        return 0
    side = "credit" if row.debit is None else "debit"
    currency = workspace_settings.current().base_currency
    amount = complaints.minor(row.debit or row.credit or Decimal(0), currency, f"{path}.{side}")
    return amount if side == "debit" else -amount
