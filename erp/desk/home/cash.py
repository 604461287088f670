"""Money on the home page: bank and cash accounts now and in the next weeks, and the amounts due soon."""

from bisect import bisect_right
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

from erp.finance.books import account_balances, open_items
from erp.finance.reports import cash_forecast
from erp.kernel import caller, money
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.web.scalars import Money
from erp.web.schema import View

WEEKS = 13
WEEK, MONTH = 7, 30
"""Days, today included."""


class CashAccountView(View):
    """A bank or cash account, with its balance in the base currency."""

    account_id: str
    name: str
    balance: Money


class CashDayView(View):
    """The expected balance at the end of a day."""

    date: str
    balance: Money


class CashView(View):
    """Bank and cash accounts, and their balance in 13 weeks if everything is paid when it is due."""

    currency: str
    bank: Annotated[Money, Meta(description="The sum of the accounts today.")]
    accounts: Annotated[list[CashAccountView], Meta(description="With a balance that is not zero.")]
    weeks: Annotated[list[CashDayView], Meta(description="The next 13 Mondays, by the cash forecast of today.")]
    lowest: Annotated[
        CashDayView, Meta(description="The first day of the lowest balance until the last Monday, from `bank` today.")
    ]
    overdue: Annotated[
        Money, Meta(description="Overdue items to come in less those to pay; the weeks take them as paid today.")
    ]


class DueSideView(View):
    """Open items of a side, in the base currency, above zero; credits reduce what is due on their day."""

    overdue: Money
    overdue_count: int
    week: Annotated[Money, Meta(description="Due today or in the 6 days after.")]
    month: Annotated[Money, Meta(description="Due today or in the 29 days after.")]


class DueView(View):
    """Money due: to come in, and to go out."""

    currency: str
    incoming: DueSideView = msgspec.field(name="in")
    outgoing: DueSideView = msgspec.field(name="out")


_ACCOUNTS = "SELECT id, name FROM account WHERE subtype IN ('bank', 'cash') ORDER BY code"
_IS_OVERDUE = open_items.overdue("open", "account.subtype")
_DUE = f"""
SELECT account.subtype, sum(CASE WHEN {_IS_OVERDUE} THEN open_base ELSE 0 END),
    count(CASE WHEN {_IS_OVERDUE} THEN 1 END),
    sum(CASE WHEN due_date BETWEEN :today AND :week THEN open_base ELSE 0 END),
    sum(CASE WHEN due_date BETWEEN :today AND :month THEN open_base ELSE 0 END)
FROM open_item JOIN account ON account.id = open_item.account_id
WHERE open <> 0 AND due_date <= :month GROUP BY account.subtype
"""


def cash() -> CashView | None:
    """The money of today and of the next weeks; None without the right."""
    if not caller.may("finance.read"):
        return None
    day, currency = workspace_settings.today(), workspace_settings.current().base_currency
    balances = account_balances.of_all(day)
    held = [(id, name, balances.get(id, (0,))[0]) for id, name in WORKSPACE.rows(_ACCOUNTS)]
    bank, mondays = sum(amount for *_, amount in held), [*_mondays(day)]
    overdue, ends = cash_forecast.ahead(bank, day, mondays[-1])
    days = [day for day, _ in ends]
    lowest = min([(day, bank), *ends], key=lambda each: each[1])
    return CashView(
        currency=currency,
        bank=money.text(bank, currency),
        accounts=[
            CashAccountView(account_id=id, name=name, balance=money.text(amount, currency))
            for id, name, amount in held
            if amount
        ],
        weeks=[_on(monday, ends[bisect_right(days, monday) - 1][1], currency) for monday in mondays],
        lowest=_on(*lowest, currency),
        overdue=money.text(overdue, currency),
    )


def _mondays(day: date) -> Iterable[date]:
    """The next Mondays, beginning with the day itself if it is one."""
    first = day + timedelta(days=-day.weekday() % WEEK)
    return (first + timedelta(weeks=week) for week in range(WEEKS))


def _on(day: date, balance: int, currency: str) -> CashDayView:
    return CashDayView(date=day.isoformat(), balance=money.text(balance, currency))


class _Due(NamedTuple):
    overdue: int = 0
    overdue_count: int = 0
    week: int = 0
    month: int = 0


def due() -> DueView | None:
    """The overdue amounts, and those due in the next days; None without the right."""
    if not caller.may("finance.read"):
        return None
    day, currency = workspace_settings.today(), workspace_settings.current().base_currency
    last = {name: str(day + timedelta(days=days - 1)) for name, days in (("week", WEEK), ("month", MONTH))}
    sides = {side: _Due(*sums) for side, *sums in WORKSPACE.rows(_DUE, {"today": str(day), **last})}
    return DueView(
        currency=currency,
        incoming=_shown(sides.get("receivable", _Due()), 1, currency),
        outgoing=_shown(sides.get("payable", _Due()), -1, currency),
    )


def _shown(due: _Due, sign: int, currency: str) -> DueSideView:
    overdue, week, month = (money.text(sign * amount, currency) for amount in (due.overdue, due.week, due.month))
    return DueSideView(overdue=overdue, overdue_count=due.overdue_count, week=week, month=month)
