"""The result of the fiscal year on the home page, beside the same days of the year before, and by month."""

from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal
from typing import Annotated

import msgspec
from msgspec import Meta

from erp.finance.books.years import RESULT_TYPES
from erp.finance.reports import movements
from erp.finance.reports.period import ComparedQuery, Span, compared
from erp.kernel import caller, money
from erp.kernel.days import month_end, months_later
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.web.scalars import Money
from erp.web.schema import View

MONTHS = 12
_BEFORE = " Of the imported balances, where it was before the books began."


class ResultMonthView(View):
    """Income and expenses of a whole month, both above zero."""

    month: str
    income: Money
    expense: Money
    income_before: Annotated[Money, Meta(description=f"The income of the same month a year earlier.{_BEFORE}")]


class ResultView(View):
    """Income less expenses of the fiscal year until today, and the last twelve months."""

    date_from: str = msgspec.field(name="from")
    date_to: str = msgspec.field(name="to")
    currency: str
    amount: Money
    before: Annotated[Money, Meta(description=f"The result of the same days last year.{_BEFORE}")]
    change_percent: Annotated[
        str | None, Meta(description="To one decimal; null unless the result before was above zero.")
    ]
    months: list[ResultMonthView]


def result() -> ResultView | None:
    """The result until today; None without the right."""
    if not caller.may("finance.read"):
        return None
    today, currency = workspace_settings.today(), workspace_settings.current().base_currency
    span = Span(workspace_settings.fiscal_year_start(today), today)
    types = dict(WORKSPACE.rows("SELECT id, type FROM account"))
    then = compared(ComparedQuery(compare="previous_year"), span) or span
    moved = movements.of_spans([span, then])
    amounts = [-sum(row[at] for id, row in moved.items() if types[id] in RESULT_TYPES) for at in (0, 1)]
    imported = movements.imported(then)
    amount, before = amounts[0], amounts[1] if imported is None else -sum(imported.values())
    return ResultView(
        date_from=span.first.isoformat(),
        date_to=span.last.isoformat(),
        currency=currency,
        amount=money.text(amount, currency),
        before=money.text(before, currency),
        change_percent=change_percent(amount, before),
        months=[*_months(today, currency, types)],
    )


def change_percent(amount: int, before: int) -> str | None:
    """The change in per cent, to one decimal; None unless it was above zero before."""
    return f"{Decimal(money.divide((amount - before) * 1000, before)) / 10:.1f}" if before > 0 else None


_BY_MONTH = f"""
SELECT month, type, sum(credit - debit) FROM balance JOIN account ON account.id = account_id
WHERE type IN {RESULT_TYPES} AND month BETWEEN ? AND ? GROUP BY month, type
"""


def _months(today: date, currency: str, types: Mapping[str, str]) -> Iterator[ResultMonthView]:
    first = [months_later(today.replace(day=1), back) for back in range(1 - 2 * MONTHS, 1)]
    rows = WORKSPACE.rows(_BY_MONTH, (f"{first[0]:%Y-%m}", f"{today:%Y-%m}"))
    sums = {(month, type): amount for month, type, amount in rows}
    for before, day in zip(first[:MONTHS], first[MONTHS:], strict=True):
        month = f"{day:%Y-%m}"
        income, expense = sums.get((month, "income"), 0), -sums.get((month, "expense"), 0)
        imported = movements.imported(Span(before, month_end(before)))
        then = sums.get((f"{before:%Y-%m}", "income"), 0) if imported is None else _income(imported, types)
        yield ResultMonthView(
            month=month,
            income=money.text(income, currency),
            expense=money.text(expense, currency),
            income_before=money.text(then, currency),
        )


def _income(imported: Mapping[str, int], types: Mapping[str, str]) -> int:
    return -sum(amount for id, amount in imported.items() if types[id] == "income")
