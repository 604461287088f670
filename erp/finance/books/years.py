"""Balances by fiscal year: income and expense begin at zero in each; before that, they are the result of earlier years.

Nothing is posted for that: fiscal years follow the settings at the time of reading.
"""

from collections.abc import Mapping
from datetime import date, timedelta

import msgspec

from erp.finance.books import account_balances
from erp.finance.books.models import Account
from erp.kernel import clock
from erp.store import workspace_settings

RESULT_TYPES = ("income", "expense")
"""The types of accounts that begin at zero in each fiscal year."""


class Balances(msgspec.Struct, frozen=True):
    """Balances by account id in minor units of the base currency, debit above zero; with `earlier` they sum to zero."""

    of: dict[str, int]
    earlier: int
    """The result of the fiscal years before, as a balance: a profit is below zero."""


def current_start() -> date:
    """The first day of the present fiscal year."""
    return workspace_settings.fiscal_year_start(clock.today(workspace_settings.current().time_zone))


def next_start(day: date) -> date:
    """The first day of the fiscal year after a day's own."""
    start = workspace_settings.fiscal_year_start(day)
    return start.replace(year=start.year + 1)


def balances(types: Mapping[str, str], through: date, start: date) -> Balances:
    """The balances at the end of a day, with income and expense since a fiscal year began.

    Args:
        types: the type of each account by its id.
        start: the first day of the fiscal year.
    """
    of, earlier = {}, 0
    for id, (amount, before) in account_balances.of_all(through, start - timedelta(days=1)).items():
        of[id] = amount
        if types[id] in RESULT_TYPES:
            of[id] -= before
            earlier += before
    return Balances(of, earlier)


def has_balance(account: Account) -> bool:
    """Whether an account shows a balance other than zero, in the base currency or in its own."""
    start = current_start() if account.type in RESULT_TYPES else None
    if account_balances.of_account(account.id, start=start):
        return True
    is_foreign = account.currency != workspace_settings.current().base_currency
    return is_foreign and account_balances.in_foreign(account.id, account.currency, start=start) != 0
