"""The summary of a project: minutes, money, budget used, by person and by task."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET

from erp.kernel import caller, money
from erp.members import people
from erp.projects import totals
from erp.projects.models import Project
from erp.projects.totals import Totals, percent
from erp.projects.views import visible_currency
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.scalars import Money
from erp.web.schema import Unset, View


class SummaryMinutes(View):
    """Minutes logged; billable ones are either unbilled or invoiced."""

    logged: int
    billable: int
    unbilled: int
    invoiced: Annotated[int, msgspec.Meta(description="On an invoice, drafts included.")]


class SummaryMoney(View):
    """Amounts in the base currency."""

    billable_amount: Annotated[Money, msgspec.Meta(description="Billable time at its rates.")]
    unbilled_amount: Annotated[Money, msgspec.Meta(description="The part of it that is on no invoice.")]
    invoiced_amount: Annotated[Money, msgspec.Meta(description="Invoiced before tax, for time or anything else.")]


class SummaryBudget(View):
    """The budget and how much of it is used, in whole percent rounded down; null without a budget."""

    minutes: int | None
    used_minutes: int
    minutes_percent: int | None
    amount: Money | Unset | None = UNSET
    used_amount: Annotated[Money | Unset, msgspec.Meta(description="Invoiced, plus unbilled time at its rates.")] = (
        UNSET
    )
    amount_percent: int | Unset | None = UNSET
    remaining_amount: Annotated[Money | Unset | None, msgspec.Meta(description="Below zero once it is exceeded.")] = (
        UNSET
    )


class PersonTime(View):
    """One person's time."""

    user_id: str
    name: Annotated[str | None, msgspec.Meta(description="Null for a person this server does not know.")]
    minutes: int
    billable_minutes: int
    amount: Money | Unset = UNSET


TaskStatus = Literal["todo", "in_progress", "review", "blocked", "done", "cancelled"]
"""As in `erp.tasks.statuses`, which lies above this room."""


class TaskTime(View):
    """One task's time."""

    task_id: str
    key: str
    title: str
    status: TaskStatus
    estimate_minutes: int | None
    minutes: int
    billable_minutes: int
    amount: Money | Unset = UNSET


class ProjectSummary(View):
    """Minutes and money of a project, as far as the caller may see them."""

    project_id: str
    minutes: SummaryMinutes
    budget: SummaryBudget
    per_task: Annotated[
        list[TaskTime], msgspec.Meta(description="The tasks with time or an estimate, in the order they were made.")
    ]
    money: SummaryMoney | Unset = UNSET
    per_person: Annotated[
        list[PersonTime] | Unset,
        msgspec.Meta(description="By name. Only your own row if you may read only your own time."),
    ] = UNSET


def of(project: Project) -> ProjectSummary:
    """Sum up a project as the caller may see it."""
    figures, currency = totals.of([project.id])[project.id], visible_currency()
    return ProjectSummary(
        project_id=project.id,
        minutes=SummaryMinutes(
            logged=figures.minutes, billable=figures.billable, unbilled=figures.unbilled, invoiced=figures.billed
        ),
        money=UNSET if currency is None else _money(figures, currency),
        budget=_budget(project, figures, currency),
        per_person=_per_person(project.id, currency),
        per_task=list(_per_task(project.id, currency)),
    )


def _money(figures: Totals, currency: str) -> SummaryMoney:
    return SummaryMoney(
        billable_amount=money.text(figures.billed_worth + figures.unbilled_amount, currency),
        unbilled_amount=money.text(figures.unbilled_amount, currency),
        invoiced_amount=money.text(figures.invoiced_amount, currency),
    )


def _budget(project: Project, figures: Totals, currency: str | None) -> SummaryBudget:
    shown = SummaryBudget(
        minutes=project.budget_minutes,
        used_minutes=figures.minutes,
        minutes_percent=percent(figures.minutes, project.budget_minutes),
    )
    if currency is not None:
        used = figures.unbilled_amount + figures.invoiced_amount
        budget = project.budget_amount
        shown.amount = None if budget is None else money.text(budget, currency)
        shown.remaining_amount = None if budget is None else money.text(budget - used, currency)
        shown.used_amount = money.text(used, currency)
        shown.amount_percent = percent(used, budget)
    return shown


_SUMS = "coalesce(sum(minutes), 0), coalesce(sum(minutes) FILTER (WHERE log.is_billable), 0), coalesce(sum(amount), 0)"
_BY_PERSON = f"SELECT user_id, {_SUMS} FROM time_log AS log WHERE project_id = ? GROUP BY user_id"
_OF_ONE = f"SELECT user_id, {_SUMS} FROM time_log AS log WHERE project_id = ? AND user_id = ? GROUP BY user_id"
_BY_TASK = f"""
SELECT task.id, key, title, status, estimate_minutes, {_SUMS}
FROM task LEFT JOIN time_log AS log ON log.task_id = task.id
WHERE task.project_id = ? GROUP BY task.id HAVING count(log.id) > 0 OR estimate_minutes IS NOT NULL ORDER BY task.id
"""


def _per_person(project_id: str, currency: str | None) -> list[PersonTime] | Unset:
    current = caller.current()
    assert current.role is not None
    if not caller.may("time.read_own"):
        return UNSET
    if caller.may("time.read"):
        rows = WORKSPACE.rows(_BY_PERSON, (project_id,))
    else:
        rows = WORKSPACE.rows(_OF_ONE, (project_id, current.user_id))
    names = people.names([row[0] for row in rows])
    rows_shown = [PersonTime(user_id=id, name=names.get(id), **_sums(sums, currency)) for id, *sums in rows]
    return sorted(rows_shown, key=lambda person: (person.name or "", person.user_id))


def _per_task(project_id: str, currency: str | None) -> Iterator[TaskTime]:
    for id, key, title, status, estimate, *sums in WORKSPACE.rows(_BY_TASK, (project_id,)):
        yield TaskTime(
            task_id=id, key=key, title=title, status=status, estimate_minutes=estimate, **_sums(sums, currency)
        )


def _sums(sums: Sequence[int], currency: str | None) -> dict[str, Any]:
    minutes, billable, amount = sums
    shown = {"minutes": minutes, "billable_minutes": billable}
    return shown if currency is None else {**shown, "amount": money.text(amount, currency)}


class Resource:
    @endpoint(permission="projects.read")
    def on_get(self, id: str) -> ProjectSummary:
        """Sum up a project: minutes, money, budget, and time by person and by task.

        Money needs the right to see it. Anyone who logs time sees their own row by person; readers of all time see
        every row.
        """
        return of(Project.find(id))
