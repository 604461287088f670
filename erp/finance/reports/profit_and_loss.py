"""Profit and loss: income and expenses of some days, in total, or by month, quarter, year, project or dimension."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta

from erp.finance.books.dimensions import assigning
from erp.finance.books.years import RESULT_TYPES
from erp.finance.budgets import plans
from erp.finance.budgets.plans import Plan
from erp.finance.reports import dimensions_in, fixed_assets, movements, projects_in
from erp.finance.reports.dimensions_in import NO_VALUE, Wanted
from erp.finance.reports.period import ComparedQuery, Span, compared, span_of
from erp.finance.reports.projects_in import NO_PROJECT
from erp.finance.reports.table import accounts as chart
from erp.finance.reports.table import links
from erp.finance.reports.table.accounts import AccountRow
from erp.finance.reports.table.tree import Cell, Column, Figure, ReportTree, Row, Tree, comparison
from erp.kernel.days import ONE_DAY, months_later
from erp.kernel.errors import BadParameter, Complaint, UnknownReference
from erp.kernel.language import Word, month_and_year, says
from erp.projects import projects
from erp.store import workspace_settings
from erp.web.endpoint import endpoint
from erp.web.scalars import Id, shaped

MOST_COLUMNS = 60


class ProfitAndLossQuery(ComparedQuery):
    """The days, columns, order and comparison to show."""

    columns: Annotated[
        str,
        shaped(
            r"^(total|month|quarter|year|project|dimension:[a-z0-9]{1,20})$",
            says("Must be total, month, quarter, year, project, or dimension: and the code of a dimension."),
            description="`total` for one column; `month`, `quarter` or `year` of the fiscal year, `project`, or"
            " `dimension:cc` with the code of a dimension, for a column each.",
        ),
    ] = "total"
    layout: Annotated[
        Literal["subtypes", "hgb"],
        Meta(description="The groups: the subtypes of accounts, or the order of § 275 (2) HGB."),
    ] = "subtypes"
    project_id: Annotated[Id, Meta(description="A project's id or code: only its postings.")] | None = None
    dimension: Annotated[str, Meta(max_length=2000, description=dimensions_in.DIMENSION)] | None = None
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
        UnknownReference: there is no such project, dimension, value or budget.
    """
    span = span_of(query)
    project = projects.refer(query.project_id, "projectId").id if query.project_id else None
    total = Part("amount", span.label, span, project, dimensions_in.read(query.dimension))
    takes = total.wanted.takes
    plan = plans.of(query.budget_id, span.first, span.last, project, takes) if query.budget_id else None
    return _Statement(query, total, plan).tree().view(query)


class Part(NamedTuple):
    """A column: the days, the project and the dimensions of its postings; some have no ledger of their own."""

    key: str
    label: str
    span: Span
    project: str | None
    wanted: Wanted
    has_ledger: bool = True


def _parts(query: ProfitAndLossQuery, total: Part) -> list[Part]:
    columns, _, code = query.columns.partition(":")
    if columns == "total" or (columns == "project" and total.project is not None):
        return [total]
    if columns == "dimension":
        parts = [*_of_dimension(code, total)] or [total]
    elif columns == "project":
        parts = [total._replace(key=id, label=name, project=id) for id, name in projects_in.with_results(total.span)]
    else:
        parts = [
            total._replace(key=key, label=label, span=piece) for key, label, piece in _periods(columns, total.span)
        ]
    if len(parts) > MOST_COLUMNS:
        raise BadParameter(says("columns: There would be more than {most}. Shorten the period.", most=MOST_COLUMNS))
    return parts


def _of_dimension(code: str, total: Part) -> Iterator[Part]:
    """A column for each value with postings, then one for those without a value where they are wanted."""
    names = dimensions_in.values_of(code)
    posted = dimensions_in.values_in(dimensions_in.amounts(total.span, total.project), total.wanted, code)
    for value in sorted(posted - {NO_VALUE}):
        name, has_others = names[value]
        own = total.wanted.only(code, value)
        yield total._replace(key=f"{code}:{value}", label=f"{value} {name}", wanted=own, has_ledger=not has_others)
    if NO_VALUE in total.wanted.values.get(code, {NO_VALUE}):
        label = says("Without {name}", name=assigning.known()[code].name)
        yield total._replace(key="without", label=label, wanted=total.wanted.only(code, NO_VALUE))


def _periods(by: str, span: Span) -> Iterator[tuple[str, str, Span]]:
    """By key and label, the months, or quarters or years of the fiscal year, that a span touches, cut to its days."""
    months = {"month": 1, "quarter": 3, "year": 12}[by]
    year = workspace_settings.fiscal_year_start(span.first)
    start = span.first.replace(day=1) if by == "month" else year
    number = 0
    while (first := months_later(start, number * months)) <= span.last:
        number += 1
        piece = Span(max(first, span.first), min(months_later(start, number * months) - ONE_DAY, span.last))
        if piece.first <= piece.last:
            fiscal_year = workspace_settings.fiscal_year(piece.last)
            if by == "month":
                yield f"{piece.first:%Y-%m}", month_and_year(piece.first), piece
            else:
                name = str(fiscal_year) if by == "year" else f"{fiscal_year} Q{(number - 1) % 4 + 1}"
                yield name, name, piece


class _Statement:
    """A profit and loss statement while it is made."""

    def __init__(self, query: ProfitAndLossQuery, total: Part, plan: Plan | None) -> None:
        self.span, self.plan, self.wanted = total.span, plan, total.wanted
        self.parts, then = _parts(query, total), compared(query, total.span)
        self.then = total._replace(key="previous", label=then.label, span=then) if then else None
        self.layout = LAYOUTS[query.layout]
        planned = plan.accounts if plan else ()
        self.accounts = [account for account in chart.accounts(planned) if account.type in RESULT_TYPES]
        self.now = _amounts(self.parts)
        self.previous = _previous(self.then) if self.then else {}
        self.written_down = {*fixed_assets.written_down(self.span).results} if query.layout == "hgb" else set()

    def tree(self) -> Tree:
        """The whole statement."""
        tree = Tree(
            "profit_and_loss",
            self.wanted.titled(Word("Profit and loss")),
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
            first, last = self.then.span
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
            part.key: Figure(-sign * amount, _link(account.id, part))
            for part, amount in zip(self.parts, amounts, strict=True)
        }
        if self.plan is not None:
            cells["budget"], cells["year_budget"] = map(Figure, self.plan.accounts.get(account.id, (0, 0)))
        if self.then is not None:
            amount = self.previous.get(account.id, 0)
            cells["previous"] = Figure(-sign * amount, _link(account.id, self.then))
        return cells


def _link(account_id: str, part: Part) -> str | None:
    first, last = part.span
    if part.project is None and not part.wanted.values:
        return links.ledger(account_id, date_from=first, date_to=last)
    if not part.has_ledger:
        return None
    chosen = {"account_id": account_id, "project_id": part.project, "dimension": part.wanted.text}
    return links.to("/reports/general-ledger", **chosen, date_from=first, date_to=last)


def _amounts(parts: Sequence[Part]) -> Amounts:
    if any(part.wanted.values for part in parts):
        return _analysed(parts)
    if all(part.project is None for part in parts):
        return movements.of_spans([part.span for part in parts])
    return projects_in.amounts([(part.span, part.project or NO_PROJECT) for part in parts])


def _analysed(parts: Sequence[Part]) -> Amounts:
    read = {chosen: dimensions_in.amounts(*chosen) for chosen in {(part.span, part.project) for part in parts}}
    result: dict[str, list[int]] = {}
    for index, part in enumerate(parts):
        for id, amount in dimensions_in.by_account(read[part.span, part.project], part.wanted).items():
            result.setdefault(id, [0] * len(parts))[index] = amount
    return result


def _previous(then: Part) -> dict[str, int]:
    is_whole = then.project is None and not then.wanted.values
    imported = movements.imported(then.span) if is_whole else None
    return {id: amounts[0] for id, amounts in _amounts([then]).items()} if imported is None else imported


class Resource:
    @endpoint(permission="finance.read", refuses=(BadParameter, UnknownReference))
    def on_get(self, query: ProfitAndLossQuery) -> ReportTree:
        """Show income and expenses.

        Without days, it shows the fiscal year until today. Income and expenses are both above zero, and sums subtract
        expenses; `result` is the balance sheet's result for the same days of a fiscal year. Accounts without a figure
        in any column are left out. With `columns=project`, postings without a project have their own column, as with
        `columns=dimension:cc` postings without a value: the columns add up to the total.
        With `budgetId`, the plan of the months that the days touch stands beside the total, with the `difference`
        (below zero is worse, for expenses too), the total in per cent of the budget, and the rest of the year's budget.
        """
        return of(query)
