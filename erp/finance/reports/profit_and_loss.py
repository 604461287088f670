"""Profit and loss: income and expenses of some days, in total, or by month, quarter, year or project."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta

from erp.finance.books.years import RESULT_TYPES
from erp.finance.budgets import plans
from erp.finance.budgets.plans import Plan
from erp.finance.reports import fixed_assets, movements, projects_in
from erp.finance.reports.period import ComparedQuery, Span, compared, span_of
from erp.finance.reports.projects_in import NO_PROJECT
from erp.finance.reports.table import accounts as chart
from erp.finance.reports.table import links
from erp.finance.reports.table.accounts import AccountRow
from erp.finance.reports.table.tree import Cell, Column, Figure, ReportTree, Row, Tree, comparison
from erp.kernel.days import ONE_DAY, months_later
from erp.kernel.errors import BadParameter, Complaint, UnknownReference
from erp.kernel.language import Word, says
from erp.projects import projects
from erp.store import workspace_settings
from erp.web.endpoint import endpoint
from erp.web.scalars import Id

MOST_COLUMNS = 60


class ProfitAndLossQuery(ComparedQuery):
    """The days, columns, order and comparison to show."""

    columns: Annotated[
        Literal["total", "month", "quarter", "year", "project"],
        Meta(description="One column, or one for each month, quarter or year of the fiscal year, or project."),
    ] = "total"
    layout: Annotated[
        Literal["subtypes", "hgb"],
        Meta(description="The groups: the subtypes of accounts, or the order of § 275 (2) HGB."),
    ] = "subtypes"
    project_id: Annotated[Id, Meta(description="A project's id or code: only its postings.")] | None = None
    budget_id: (
        Annotated[Id, Meta(description="A budget of the fiscal year of these days: the plan beside the total.")] | None
    ) = None

    def check(self) -> Iterator[Complaint]:
        yield from super().check()
        if self.budget_id is not None and self.columns != "total":
            message = says("A budget is compared with the total only. Leave out columns.")
            yield Complaint("columns", "not_with_budget", message)


class Group(NamedTuple):
    """Accounts of some subtypes under a heading; `sign` is 1 for income and -1 for expenses."""

    key: str
    label: str
    subtypes: tuple[str, ...]
    sign: Literal[1, -1] = -1


class Total(NamedTuple):
    """The sum of the groups above."""

    key: str
    label: str


DEPRECIATION = "depreciation"
"""The subtype of expenses against which fixed assets were written down."""

LAYOUTS: Mapping[str, tuple[Group | Total, ...]] = {
    "subtypes": (
        Group("income", Word("Income"), ("income",), 1),
        Group("cost_of_sales", Word("Cost of sales"), ("cost_of_sales",)),
        Total("gross_profit", Word("Gross profit")),
        Group("expense", Word("Expenses"), ("expense",)),
        Group("payroll_expense", Word("Payroll expenses"), ("payroll_expense",)),
        Total("operating_result", Word("Operating result")),
        Group("other_income", Word("Other income"), ("other_income",), 1),
        Group("other_expense", Word("Other expenses"), ("other_expense",)),
        Total("result", Word("Result")),
    ),
    "hgb": (
        Group("income", Word("1. Revenue"), ("income",), 1),
        Group("other_income", Word("4. Other operating income"), ("other_income",), 1),
        Group("cost_of_sales", Word("5. Cost of materials"), ("cost_of_sales",)),
        Group("payroll_expense", Word("6. Personnel expenses"), ("payroll_expense",)),
        Group("depreciation", Word("7. Depreciation"), (DEPRECIATION,)),
        Group("expense", Word("8. Other operating expenses"), ("expense", "other_expense")),
        Total("result", Word("Net income for the year")),
    ),
}
"""Source of the second: § 275 (2) HGB; lines that the subtypes of accounts cannot tell apart are left out."""

Amounts = Mapping[str, Sequence[int]]
"""By account id, an amount for each column: debit above zero."""


def of(query: ProfitAndLossQuery) -> ReportTree:
    """The statement that a query asks for.

    Raises:
        BadParameter: there would be too many columns, or the days are not of the budget's fiscal year.
        UnknownReference: there is no such project or budget.
    """
    span = span_of(query)
    project = projects.refer(query.project_id, "projectId").id if query.project_id else None
    plan = plans.of(query.budget_id, span.first, span.last, project) if query.budget_id else None
    return _Statement(query, span, project, plan).tree().view(query)


class Part(NamedTuple):
    """A column: its days, and its project."""

    key: str
    label: str
    span: Span
    project: str | None = None


def _parts(query: ProfitAndLossQuery, span: Span, project: str | None) -> list[Part]:
    if query.columns == "total" or (query.columns == "project" and project is not None):
        return [Part("amount", span.label, span, project)]
    if query.columns == "project":
        parts = [Part(id, name, span, id) for id, name in projects_in.with_results(span)]
    else:
        parts = [Part(name, name, piece, project) for name, piece in _periods(query.columns, span)]
    if len(parts) > MOST_COLUMNS:
        raise BadParameter(says("columns: There would be more than {most}. Shorten the period.", most=MOST_COLUMNS))
    return parts


def _periods(by: str, span: Span) -> Iterator[tuple[str, Span]]:
    """The months, or the quarters or years of the fiscal year, that a span touches, cut to its days."""
    months = {"month": 1, "quarter": 3, "year": 12}[by]
    year = workspace_settings.fiscal_year_start(span.first)
    start = span.first.replace(day=1) if by == "month" else year
    number = 0
    while (first := months_later(start, number * months)) <= span.last:
        number += 1
        piece = Span(max(first, span.first), min(months_later(start, number * months) - ONE_DAY, span.last))
        if piece.first <= piece.last:
            fiscal_year = workspace_settings.fiscal_year(piece.last)
            names = {"month": f"{piece.first:%Y-%m}", "year": str(fiscal_year)}
            yield names.get(by, f"{fiscal_year} Q{(number - 1) % 4 + 1}"), piece


class _Statement:
    """A profit and loss statement while it is made."""

    def __init__(self, query: ProfitAndLossQuery, span: Span, project: str | None, plan: Plan | None) -> None:
        self.span, self.project, self.plan = span, project, plan
        self.parts, self.then = _parts(query, span, project), compared(query, span)
        self.layout = LAYOUTS[query.layout]
        planned = plan.accounts if plan else ()
        self.accounts = [account for account in chart.accounts(planned) if account.type in RESULT_TYPES]
        self.now = _amounts(self.parts)
        self.previous = _previous(self.then, project) if self.then else {}
        self.written_down = {*fixed_assets.written_down(span).results} if query.layout == "hgb" else set()

    def tree(self) -> Tree:
        """The whole statement."""
        tree = Tree(
            "profit_and_loss",
            Word("Profit and loss"),
            [*self._columns()],
            heading=Word("Account"),
            since=self.span.first,
            until=self.span.last,
        )
        earned: list[Row] = []
        spent: list[Row] = []
        for step in self.layout:
            if isinstance(step, Total):
                tree.sum(step.label, earned, spent, key=step.key)
            elif row := tree.group(step.label, self._lines(step), key=step.key):
                (earned if step.sign == 1 else spent).append(row)
        return tree

    def _columns(self) -> Iterator[Column]:
        for part in self.parts:
            yield Column(key=part.key, label=part.label, date_from=part.span.first, date_to=part.span.last)
        keys = tuple(part.key for part in self.parts)
        if keys != ("amount",):
            first, last = self.span
            yield Column(key="amount", label=Word("Total"), date_from=first, date_to=last, adds=keys)
        if self.plan is not None:
            yield from self._budget_columns(self.plan)
        if self.then is not None:
            first, last = self.then
            yield Column(key="previous", label=self.then.label, date_from=first, date_to=last)
            yield from comparison()

    def _budget_columns(self, plan: Plan) -> Iterator[Column]:
        first, last = plan.year
        yield Column(key="budget", label=Word("Budget"), date_from=self.span.first, date_to=self.span.last)
        yield Column(key="difference", label=Word("Difference"), adds=("amount",), subtracts=("budget",), turns=True)
        yield Column(key="percent", label=Word("% of budget"), kind="percent", adds=("amount",), percent_of="budget")
        yield Column(key="year_budget", label=Word("Budget of the year"), date_from=first, date_to=last)
        yield Column(key="rest", label=Word("Rest of the year"), adds=("year_budget",), subtracts=("amount",))

    def _lines(self, group: Group) -> Iterator[Row]:
        for account in self.accounts:
            if self._subtype(account) in group.subtypes:
                cells = self._cells(account, group.sign)
                if any(isinstance(cell, Figure) and cell.minor for cell in cells.values()):
                    link = links.to(f"/accounts/{account.id}")
                    yield Row(
                        kind="line",
                        label=account.name,
                        code=account.code,
                        link=link,
                        is_expense=group.sign < 0,
                        cells=cells,
                    )

    def _subtype(self, account: AccountRow) -> str:
        return DEPRECIATION if account.id in self.written_down else account.subtype

    def _cells(self, account: AccountRow, sign: int) -> dict[str, Cell]:
        amounts = self.now.get(account.id, [0] * len(self.parts))
        cells: dict[str, Cell] = {
            part.key: Figure(-sign * amount, _link(account.id, part.span, part.project))
            for part, amount in zip(self.parts, amounts, strict=True)
        }
        if self.plan is not None:
            cells["budget"], cells["year_budget"] = map(Figure, self.plan.accounts.get(account.id, (0, 0)))
        if self.then is not None:
            amount = self.previous.get(account.id, 0)
            cells["previous"] = Figure(-sign * amount, _link(account.id, self.then, self.project))
        return cells


def _link(account_id: str, span: Span, project: str | None) -> str:
    if project is None:
        return links.ledger(account_id, date_from=span.first, date_to=span.last)
    first, last = span
    of_project = {"account_id": account_id, "project_id": project}
    return links.to("/reports/general-ledger", **of_project, date_from=first, date_to=last)


def _amounts(parts: Sequence[Part]) -> Amounts:
    if all(part.project is None for part in parts):
        return movements.of_spans([part.span for part in parts])
    return projects_in.amounts([(part.span, part.project or NO_PROJECT) for part in parts])


def _previous(then: Span, project: str | None) -> dict[str, int]:
    if project is not None:
        return {id: amounts[0] for id, amounts in projects_in.amounts([(then, project)]).items()}
    imported = movements.imported(then)
    if imported is not None:
        return imported
    return {id: amounts[0] for id, amounts in movements.of_spans([then]).items()}


class Resource:
    @endpoint(permission="finance.read", refuses=(BadParameter, UnknownReference))
    def on_get(self, query: ProfitAndLossQuery) -> ReportTree:
        """Show income and expenses.

        Without days, it shows the fiscal year until today. Income and expenses are both above zero, and sums subtract
        expenses; `result` is the balance sheet's result for the same days of a fiscal year. Accounts without a figure
        in any column are left out. With `columns=project`, postings without a project have their own column.
        With `budgetId`, the plan of the months that the days touch stands beside the total, with the `difference`
        (below zero is worse, for expenses too), the total in per cent of the budget, and the rest of the year's budget.
        """
        return of(query)
