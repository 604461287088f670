"""Absent people on the home page, today and in the next week; the kind of leave stays with who may read it."""

from datetime import date, timedelta
from typing import Annotated

from msgspec import Meta

from erp.hr.access import people, reporting_line
from erp.kernel import caller
from erp.kernel.days import monday
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.schema import View


class AwayPersonView(View):
    """A person on leave."""

    employee_id: str
    name: str
    until: Annotated[date, Meta(description="The last day of their leave.")]


class AwayView(View):
    """People on approved leave: those whose leave you may read, else your team."""

    today: list[AwayPersonView]
    next_week: Annotated[list[AwayPersonView], Meta(description="On any day of it, Monday to Sunday.")]


_AWAY = """
SELECT employee_id, employee.name, max(end_date) FROM leave_application AS leave
JOIN employee ON employee.id = employee_id
WHERE leave.status = 'approved' AND start_date <= :last AND end_date >= :first
    AND (CAST(:among AS TEXT) IS NULL OR employee_id IN (SELECT value FROM json_each(:among)))
GROUP BY employee_id, employee.name ORDER BY employee.name, employee_id
"""


def away() -> AwayView | None:
    """The absent people; None for a caller who may read no one's leave and has no employee record."""
    own = people.own_id()
    if not caller.may("leave.read_reports") and own is None:
        return None
    among = people.over("leave.read") if caller.may("leave.read_reports") else _team(own)
    today = workspace_settings.today()
    following = monday(today) + timedelta(days=7)
    return AwayView(
        today=_between(today, today, among), next_week=_between(following, following + timedelta(days=6), among)
    )


def _team(own: str | None) -> set[str]:
    """The caller's manager, and everyone who reports to that manager; a person without one sees themselves."""
    if own is None:
        return set()
    manager = reporting_line.managers([own]).get(own)
    return {own} if manager is None else {own, manager, *reporting_line.reports(manager)}


def _between(first: date, last: date, among: set[str] | None) -> list[AwayPersonView]:
    parameters = {"first": str(first), "last": str(last), "among": None if among is None else sql.array(among)}
    return [
        AwayPersonView(employee_id=id, name=name, until=date.fromisoformat(until))
        for id, name, until in WORKSPACE.rows(_AWAY, parameters)
    ]
