"""Views of projects with their totals; money needs the right to see it."""

import json
from collections.abc import Sequence
from datetime import date
from typing import Annotated, Any

import msgspec
from msgspec import UNSET

from erp.kernel import caller, money
from erp.members import people
from erp.projects import states, totals
from erp.projects.bodies import Billing
from erp.projects.models import Project
from erp.projects.states import Status
from erp.projects.totals import Totals
from erp.store import names, sql, workspace_settings
from erp.web.scalars import Figure, Money
from erp.web.schema import RecordView, Unset, View, show
from erp.web.text_scalars import TimeBilling


class ProjectTotals(View):
    """Totals of a project so far."""

    task_count: int
    open_task_count: int
    logged_minutes: int
    billable_minutes: int
    progress_percent: Annotated[
        int, msgspec.Meta(description="Tasks done of those not cancelled, rounded down; 0 without tasks.")
    ]
    unbilled_amount: Annotated[
        Money | Unset, msgspec.Meta(description="Billable time that is on no invoice, at its rates.")
    ] = UNSET
    invoiced_amount: Annotated[
        Money | Unset,
        msgspec.Meta(
            description="Lines of sales invoices that name the project, before tax, in the base currency. Drafts count,"
            " void invoices do not, credit notes count against it."
        ),
    ] = UNSET


class ProjectView(RecordView):
    """A project. Amounts are in the base currency, and absent without the right to see money."""

    created_by: str | None
    created_by_name: str | None
    code: str
    name: str
    description: str | None
    customer_id: str | None
    customer_name: str | None
    owner_user_id: str | None
    owner_name: str | None
    member_user_ids: list[str]
    member_names: Annotated[list[str | None], msgspec.Meta(description="In the order of `memberUserIds`.")]
    status: Status
    start_date: date | None
    due_date: date | None
    is_overdue: Annotated[bool, msgspec.Meta(description="Past its due date in your time zone, and not done.")]
    billing: Billing
    budget_minutes: int | None
    time_billing: TimeBilling | None
    tags: list[str]
    archived_at: str | None
    totals: ProjectTotals
    can: Annotated[
        list[states.Action],
        msgspec.Meta(
            description="Actions open to you now. `activate`, `cancel`, `complete`, `hold` and `plan` change `status`; "
            "`complete` needs `force: true` while tasks are open. `delete` is refused if the books name it."
        ),
    ]
    hourly_rate: Annotated[
        Money | Unset | None, msgspec.Meta(description="The latest; `/rates` tells from which day, and those before.")
    ] = UNSET
    fixed_price: Money | Unset | None = UNSET
    budget_amount: Money | Unset | None = UNSET
    expense_markup_percent: Figure | Unset = UNSET


def of_many(project_ids: Sequence[str]) -> list[ProjectView]:
    """The views of projects, in the order of their ids."""
    figures, currency, today = totals.of(project_ids), visible_currency(), people.today()
    rows = Project.fetch(_ROWS, sql.array(project_ids))
    return [_view(project, figures[project.id], currency, today) for project in rows]


def view(project: Project) -> ProjectView:
    (shown,) = of_many([project.id])
    return shown


def visible_currency() -> str | None:
    """The currency of the amounts that the caller sees; None without the right to see money."""
    return workspace_settings.current().base_currency if caller.may("money.read") else None


_ROWS = f"""
SELECT project.*, (SELECT name FROM contact WHERE contact.id = project.customer_id) AS customer_name,
    {sql.json_list("user_id", "project_member WHERE project_id = project.id", "user_id")} AS members
FROM json_each(?) AS asked JOIN project ON project.id = asked.value ORDER BY asked.key
"""
_AMOUNTS = ("hourly_rate", "fixed_price", "budget_amount")


def _view(project: Any, figures: Totals, currency: str | None, today: date) -> ProjectView:
    members = json.loads(project.members)
    return show(
        ProjectView,
        project,
        owner_name=names.of_user(project.owner_user_id),
        member_user_ids=members,
        member_names=[names.of_user(user_id) for user_id in members],
        is_overdue=states.is_overdue(project, today),
        time_billing=TimeBilling.of(project.time_billing),
        can=states.actions(project, has_tasks=figures.tasks > 0),
        **_amounts(project, _AMOUNTS, currency),
        expense_markup_percent=UNSET if currency is None else money.plain(project.expense_markup_percent),
        totals=ProjectTotals(
            task_count=figures.tasks,
            open_task_count=figures.open_tasks,
            logged_minutes=figures.minutes,
            billable_minutes=figures.billable,
            progress_percent=figures.progress,
            **_amounts(figures, ("unbilled_amount", "invoiced_amount"), currency),
        ),
    )


def _amounts(source: Any, names: Sequence[str], currency: str | None) -> dict[str, Any]:
    if currency is None:
        return dict.fromkeys(names, UNSET)
    amounts = {name: getattr(source, name) for name in names}
    return {name: None if amount is None else money.text(amount, currency) for name, amount in amounts.items()}
