"""Views of budgets."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated, Any

from msgspec import Meta

from erp.finance.books.dimensions.codes import of_text
from erp.finance.budgets.budgets import evenly, months_of
from erp.finance.budgets.models import Budget, BudgetLine
from erp.kernel import money
from erp.store import names, workspace_settings
from erp.web.scalars import Figure
from erp.web.schema import RecordView, View, show


class BudgetSummary(RecordView):
    """A budget in the list."""

    created_by: str | None
    created_by_name: str | None
    year: Annotated[int, Meta(description="The fiscal year, named by the calendar year in which it ends.")]
    start_date: date
    end_date: date
    name: str
    currency: str

    @classmethod
    def of_many(cls, budgets: Sequence[Budget]) -> "list[BudgetSummary]":
        return [show(cls, budget, **_derived(budget)) for budget in budgets]


class BudgetLineView(View):
    """The plan for an account, above zero for income and for expenses."""

    account_id: str
    account_code: str | None
    account_name: str | None
    project_id: str | None
    project_code: str | None
    project_name: str | None
    dimensions: dict[str, str]
    year: Annotated[Figure, Meta(description="The sum of its months.")]
    is_even: Annotated[bool, Meta(description="The months are the amount of the year, spread evenly.")]
    months: Annotated[list[Figure], Meta(description="From the fiscal year's first month.")]


class BudgetView(BudgetSummary):
    """A budget with its lines."""

    lines: list[BudgetLineView]

    @classmethod
    def of(cls, budget: Budget) -> "BudgetView":
        derived = _derived(budget)
        return show(cls, budget, **derived, lines=_lines(budget.lines, derived["currency"]))


def _derived(budget: Budget) -> dict[str, Any]:
    months = months_of(budget.year)
    return {
        "currency": workspace_settings.current().base_currency,
        "start_date": months[0][0],
        "end_date": months[-1][1],
    }


def _lines(lines: Sequence[BudgetLine], currency: str) -> list[BudgetLineView]:
    named = names.of(account=[line.account_id for line in lines], project=[line.project_id for line in lines])
    return [
        show(
            BudgetLineView,
            line,
            account_code=named.code(line.account_id),
            account_name=named.name(line.account_id),
            project_code=named.code(line.project_id),
            project_name=named.name(line.project_id),
            dimensions=of_text(line.dimensions),
            year=money.text(sum(line.months), currency),
            is_even=line.months == evenly(sum(line.months)),
            months=[money.text(amount, currency) for amount in line.months],
        )
        for line in lines
    ]
