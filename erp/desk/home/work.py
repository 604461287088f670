"""The caller's own work: due tasks, billable time, the clock."""

from datetime import timedelta
from typing import Annotated

from msgspec import Meta

from erp.desk.home import waiting
from erp.desk.home.waiting import Waiting
from erp.hr.access import people as employees
from erp.hr.attendance import clocking, week
from erp.hr.attendance.week import OwnDayView, OwnWeekView
from erp.kernel import caller
from erp.members import people
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.tasks.bodies import Priority
from erp.tasks.statuses import OPEN, OVERDUE, OpenStatus
from erp.web.scalars import Instant, Money
from erp.web.schema import View

AHEAD = 7
"""Days after today."""


class DueTaskView(View):
    """A task of the caller's that is due today or overdue."""

    id: str
    version: int
    key: str
    title: str
    project_id: str | None
    project_name: str | None
    status: OpenStatus
    priority: Priority
    due_date: str
    is_overdue: bool
    is_private: Annotated[
        bool,
        Meta(description="About an employee: `POST /hr/checklist-tasks/{id}/done` finishes it, whatever the role."),
    ]


class DueTasks(Waiting):
    """Tasks that are due, the longest overdue at the top."""

    items: list[DueTaskView]


class TasksAheadView(View):
    """Open tasks of the caller's that are due in the seven days after today."""

    total: int
    first_date: str | None


class UnbilledProjectView(View):
    """Billable time of a project on no invoice; the amount at its rates, in the base currency."""

    project_id: str
    project_code: str
    project_name: str
    customer_id: str
    customer_name: str
    minutes: int
    currency: str
    amount: Money


class UnbilledTime(Waiting):
    """Projects with time to bill, the largest amount at the top."""

    items: list[UnbilledProjectView]


class ClockView(View):
    """The caller's clock: its start, and the time worked today and this week."""

    employee_id: str
    keeps_attendance: bool
    since: Instant | None
    today: OwnDayView
    week: OwnWeekView


_TASKS = f"""
SELECT {
    sql.json_of(
        DueTaskView,
        {
            "project_name": "(SELECT name FROM project WHERE project.id = project_id)",
            "is_overdue": sql.json_bool(OVERDUE),
            "is_private": sql.json_bool("employee_id IS NOT NULL"),
        },
    )
}, count(*) OVER ()
FROM task WHERE id IN (SELECT task_id FROM task_assignee WHERE user_id = :user_id)
    AND status IN {OPEN} AND due_date <= :today
ORDER BY due_date, CASE priority WHEN 'urgent' THEN 1 WHEN 'high' THEN 2 WHEN 'medium' THEN 3 ELSE 4 END, key
"""
_AHEAD = f"""
SELECT count(*), min(due_date) FROM task WHERE id IN (SELECT task_id FROM task_assignee WHERE user_id = ?)
    AND status IN {OPEN} AND due_date BETWEEN ? AND ?
"""
_UNBILLED = f"""
SELECT {
    sql.json_of(
        UnbilledProjectView,
        {
            "project_id": "project.id",
            "project_code": "project.code",
            "project_name": "project.name",
            "customer_id": "contact.id",
            "customer_name": "contact.name",
            "minutes": "minutes",
            "currency": "CAST(:base AS TEXT)",
            "amount": sql.money_text("amount", "CAST(:base AS TEXT)"),
        },
    )
}, count(*) OVER ()
FROM (
    SELECT project_id, sum(minutes) AS minutes, coalesce(sum(amount), 0) AS amount FROM time_log
    WHERE is_billable = true AND invoice_id IS NULL AND date <= :today GROUP BY project_id
) AS unbilled
JOIN project ON project.id = unbilled.project_id JOIN contact ON contact.id = project.customer_id
ORDER BY amount DESC, minutes DESC, project.code
"""


def tasks() -> DueTasks | None:
    """The caller's open tasks that are due by today in their time zone."""
    if not caller.may("tasks.read"):
        return None
    return waiting.read(DueTasks, _TASKS, {"user_id": caller.current().user_id, "today": people.today().isoformat()})


def tasks_ahead() -> TasksAheadView | None:
    """The caller's open tasks that are due soon."""
    if not caller.may("tasks.read"):
        return None
    first, last = (people.today() + timedelta(days=days) for days in (1, AHEAD))
    ((total, day),) = WORKSPACE.rows(_AHEAD, (caller.current().user_id, str(first), str(last)))
    return TasksAheadView(total=total, first_date=day)


def unbilled_time() -> UnbilledTime | None:
    """The projects whose time the caller may invoice; projects without a customer are left out."""
    if not caller.may("finance.write"):
        return None
    base = workspace_settings.current().base_currency
    return waiting.read(UnbilledTime, _UNBILLED, {"base": base, "today": people.today().isoformat()})


def clock() -> ClockView | None:
    """The caller's clock; None without an employee record."""
    own = employees.own()
    if own is None:
        return None
    running = clocking.running(own.id)
    today, this_week = week.so_far(own.id)
    return ClockView(
        employee_id=own.id,
        keeps_attendance=own.keeps_attendance,
        since=running.open_since if running else None,
        today=today,
        week=this_week,
    )
