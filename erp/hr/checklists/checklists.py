"""Checklists: adding, changing, deleting, and starting one for an employee."""

from collections.abc import Callable, Collection
from datetime import date, timedelta
from typing import Any

import msgspec

from erp.hr.access import people, reporting_line
from erp.hr.access.models import Employee
from erp.hr.calendar import work_calendar
from erp.hr.checklists.bodies import ROLES, ChecklistChange, ChecklistItem, ChecklistStarting, NewChecklist
from erp.hr.checklists.models import Checklist, ChecklistStart
from erp.kernel import caller
from erp.kernel.complaints import refuse_any
from erp.kernel.errors import AlreadyExists, NotFound
from erp.kernel.language import Noun, says
from erp.members import people as members
from erp.store import changes, control, events
from erp.store.control import Member
from erp.tasks import tasks
from erp.tasks.bodies import NewTask, TaskChange
from erp.tasks.models import Task

FARTHEST = timedelta(days=60)
"""The longest move of a due day: no office is closed for longer."""


def add(new: NewChecklist) -> Checklist:
    """Add a checklist.

    Raises:
        UnknownReference: an item names neither a role nor a member.
    """
    _check_assignees(new.items)
    checklist = Checklist.add(name=new.name, kind=new.kind, items=_stored(new.items))
    events.write("checklist.created", "checklist", checklist.id, event_data(checklist))
    return checklist


def change(id: str, body: ChecklistChange) -> Checklist:
    """Change a checklist; tasks that were made of it stay.

    Raises:
        UnknownReference: an item names neither a role nor a member.
    """
    checklist = Checklist.find_to_change(id)
    values = body.changes()
    if "items" in values:
        _check_assignees(values["items"], _named(checklist))
        values["items"] = _stored(values["items"])
    values = changes.differing(checklist, values)
    if values:
        checklist.change(**values)
        events.write("checklist.updated", "checklist", id, event_data(checklist))
    return checklist


def remove(id: str) -> None:
    """Delete a checklist; tasks that were made of it stay."""
    checklist = Checklist.find_to_change(id)
    checklist.delete_instance()
    events.write("checklist.deleted", "checklist", id, event_data(checklist))


def event_data(checklist: Checklist) -> dict[str, str]:
    return {"name": checklist.name, "kind": checklist.kind}


def _stored(items: list[ChecklistItem]) -> list[dict[str, Any]]:
    return [msgspec.structs.asdict(item) for item in items]


def _named(checklist: Checklist) -> set[str]:
    """The users whom a checklist names already; they may have left since."""
    return {item["assignee"] for item in checklist.items}


def _check_assignees(items: list[ChecklistItem], known: Collection[str] = ()) -> None:
    named = {
        f"items[{i}].assignee": item.assignee
        for i, item in enumerate(items)
        if item.assignee not in ROLES and item.assignee not in known
    }
    refuse_any(members.look_up(named), Noun("member"))


def start(id: str, body: ChecklistStarting) -> list[Task]:
    """Make a private task of each item, about the employee.

    Raises:
        UnknownReference: there is no such employee.
        AlreadyExists: it was started for this person and day before.
    """
    checklist, employee = Checklist.find(id), people.refer(body.employee_id, "employeeId")
    key = {"checklist": checklist.id, "employee": employee.id, "date": body.date}
    if ChecklistStart.get_or_none(**key) is not None:
        raise AlreadyExists(
            says("{checklist} was started for {name} on this day before.", checklist=checklist.name, name=employee.name)
        )
    ChecklistStart.create(**key)
    is_open, assigned = _open_days(employee, body.date), _assignees(employee)
    made = [_task(item, body.date, is_open, assigned, employee) for item in checklist.items]
    data = event_data(checklist) | {"employeeId": employee.id, "date": body.date.isoformat()}
    events.write("checklist.started", "checklist", id, data)
    return made


def _task(
    item: dict[str, Any],
    start: date,
    is_open: Callable[[date], bool],
    assigned: Callable[[str], list[str]],
    employee: Employee,
) -> Task:
    new = NewTask(
        title=item["title"],
        description=item["note"],
        due_date=due_on(start, item["days"], is_open),  # type: ignore[arg-type]  # a day is a date
        assignee_user_ids=assigned(item["assignee"]),
    )
    return tasks.add(new, employee.id)


def due_on(start: date, days: int, is_open: Callable[[date], bool]) -> date:
    """The day on which an item is due: a day on which the office is open, earlier if before the start, else later."""
    day = start + timedelta(days=days)
    step = timedelta(days=-1 if days < 0 else 1)
    last = day + FARTHEST * (-1 if days < 0 else 1)
    while day != last and not is_open(day):
        day += step
    return day


def _open_days(employee: Employee, start: date) -> Callable[[date], bool]:
    """Whether the site of an employee is open on a day near the start."""
    far = timedelta(days=365) + FARTHEST
    return work_calendar.of([employee.id], start - far, start + far)[employee.id].is_open


def _assignees(employee: Employee) -> Callable[[str], list[str]]:
    """The users of an item's assignee; the one who starts the checklist, if there are none."""
    with control.read():
        active = (Member.workspace == caller.current().workspace_id) & Member.has_access()
        roles = {member.user_id: member.role for member in Member.select().where(active)}
    by_role = {
        "manager": _users(reporting_line.managers([employee.id]).values()),
        "hr": sorted(user_id for user_id, role in roles.items() if role == "hr"),
        "person": _users([employee.id]),
    }

    def assigned(assignee: str) -> list[str]:
        users = by_role.get(assignee, [assignee])
        return [user_id for user_id in users if user_id in roles] or [caller.current().user_id]

    return assigned


def _users(employee_ids: Collection[str]) -> list[str]:
    found = (Employee.find_or_none(id) for id in employee_ids)
    return [employee.user_id for employee in found if employee is not None and employee.user_id is not None]


def finish(id: str) -> Task:
    """Finish a task about an employee: assignees may, and those who may change employees.

    Raises:
        NotFound: there is none that the caller may see.
    """
    return tasks.change(_private(id).id, TaskChange(status="done"))


def reopen(id: str) -> Task:
    """Reopen a finished task about an employee.

    Raises:
        NotFound: there is none that the caller may see.
    """
    return tasks.change(_private(id).id, TaskChange(status="todo"))


def _private(id: str) -> Task:
    task = Task.find(id)
    if task.employee_id is None:
        raise NotFound(Task.noun.missing())
    return task
