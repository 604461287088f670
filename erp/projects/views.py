"""How projects are shown, with their totals; money only to those who may read it."""

import json
from collections.abc import Sequence
from datetime import date
from typing import Annotated, Any

import msgspec
from msgspec import UNSET

from erp.kernel import caller, money
from erp.members import people
from erp.projects import totals
from erp.projects.bodies import Billing
from erp.projects.models import Project
from erp.projects.states import LIVE, Status
from erp.projects.totals import Totals
from erp.store import workspace_settings
from erp.web.scalars import Money
from erp.web.schema import RecordView, Unset, View


class ProjectTotals(View):
    """What came of a project so far."""

    task_count: int
    open_task_count: int
    logged_minutes: int
    billable_minutes: int
    progress_percent: Annotated[
        int, msgspec.Meta(description="The tasks done of those not cancelled, rounded down; 0 without any.")
    ]
    unbilled_amount: Annotated[
        Money | Unset, msgspec.Meta(description="What billable time that is on no invoice is worth.")
    ] = UNSET
    invoiced_amount: Annotated[
        Money | Unset,
        msgspec.Meta(
            description="What the lines of sales invoices that name the project come to before tax, in the base"
            " currency; drafts count, void ones do not, credit notes count against."
        ),
    ] = UNSET


class ProjectView(RecordView):
    """A project; amounts are in the base currency, and only for those who may read them."""

    created_by: str | None
    code: str
    name: str
    description: str | None
    customer_id: str | None
    owner_id: str | None
    member_ids: list[str]
    status: Status
    start_date: date | None
    due_date: date | None
    is_overdue: Annotated[bool, msgspec.Meta(description="Past its due date, in your time zone, and not done.")]
    billing: Billing
    budget_minutes: int | None
    tags: list[str]
    archived_at: str | None
    totals: ProjectTotals
    hourly_rate: Money | Unset | None = UNSET
    fixed_price: Money | Unset | None = UNSET
    budget_amount: Money | Unset | None = UNSET


def shown(project_ids: Sequence[str]) -> list[ProjectView]:
    """The views of projects for the present caller, in the order in which they are named."""
    figures, currency, today = totals.of(project_ids), currency_seen(), people.today()
    rows = Project.raw(_ROWS, json.dumps(project_ids))
    return [_view(project, figures[project.id], currency, today) for project in rows]


def view(project: Project) -> ProjectView:
    """The view of a project for the present caller."""
    (found,) = shown([project.id])
    return found


def currency_seen() -> str | None:
    """The currency in which the present caller sees amounts; None if none are for her to see."""
    seen = caller.may("money.read")
    return workspace_settings.current().base_currency if seen else None


_ROWS = """
SELECT project.*,
    (SELECT json_group_array(user_id ORDER BY user_id) FROM project_member WHERE project_id = project.id) AS members
FROM json_each(?) AS wanted JOIN project ON project.id = wanted.value ORDER BY wanted.key
"""
_DERIVED = ("member_ids", "is_overdue", "hourly_rate", "fixed_price", "budget_amount", "totals")


def _view(project: Any, figures: Totals, currency: str | None, today: date) -> ProjectView:
    return ProjectView(
        **{name: getattr(project, name) for name in ProjectView.__struct_fields__ if name not in _DERIVED},
        member_ids=json.loads(project.members),
        is_overdue=project.status in LIVE and project.due_date is not None and project.due_date < today,
        **_amounts(project, ("hourly_rate", "fixed_price", "budget_amount"), currency),
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
        return {}
    amounts = {name: getattr(source, name) for name in names}
    return {name: None if amount is None else money.text(amount, currency) for name, amount in amounts.items()}
