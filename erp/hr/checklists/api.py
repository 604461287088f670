"""Checklists over HTTP."""

from erp.hr.checklists import checklists
from erp.hr.checklists.bodies import (
    ChecklistChange,
    ChecklistFilter,
    ChecklistStarting,
    ChecklistView,
    NewChecklist,
    StartedChecklistView,
)
from erp.hr.checklists.models import Checklist
from erp.kernel.errors import AlreadyExists, InvalidTransition, UnknownReference
from erp.tasks import listing
from erp.tasks.listing import TaskView
from erp.tasks.statuses import TaskArchived
from erp.web.endpoint import endpoint
from erp.web.paging import page
from erp.web.schema import Page


class Collection:
    @endpoint(permission="employees.write")
    def on_get(self, query: ChecklistFilter) -> Page[ChecklistView]:
        """List the checklists, by name.

        They say what is to be done when someone joins or leaves, by whom and when.
        """
        select = Checklist.select()
        if query.kind is not None:
            select = select.where(Checklist.kind == query.kind)
        return page(select, query, views=ChecklistView.of_many, sort=query.sort, sortable={"name": Checklist.name})

    @endpoint(permission="employees.write", status=201, refuses=(UnknownReference,))
    def on_post(self, body: NewChecklist) -> ChecklistView:
        """Add a checklist.

        `days` count from the day for which it is started: −2 is two days before it.
        """
        return ChecklistView.of(checklists.add(body))


class Item:
    @endpoint(permission="employees.write")
    def on_get(self, id: str) -> ChecklistView:
        """Show a checklist.

        With its items in their order.
        """
        return ChecklistView.of(Checklist.find(id))

    @endpoint(permission="employees.write", refuses=(UnknownReference,))
    def on_patch(self, id: str, body: ChecklistChange) -> ChecklistView:
        """Change a checklist.

        Tasks that were made of it stay as they are.
        """
        return ChecklistView.of(checklists.change(id, body))

    @endpoint(permission="employees.write")
    def on_delete(self, id: str) -> None:
        """Delete a checklist.

        Tasks that were made of it stay.
        """
        checklists.remove(id)


class Start:
    @endpoint(permission="employees.write", refuses=(UnknownReference, AlreadyExists))
    def on_post(self, id: str, body: ChecklistStarting) -> StartedChecklistView:
        """Start a checklist for an employee: a private task of each item, once for a person and day.

        Only its assignees and those who may change employees see such a task. If a due day is at the weekend or on a
        holiday, the task is due on the working day before it for negative `days`, else on the one after it. `manager`
        is the employee's manager now, `hr` every member with that role, `person` the employee. Where there is no such
        user, the task is assigned to you.
        """
        made = checklists.start(id, body)
        return StartedChecklistView(tasks=[listing.show(task.id) for task in made])


class Done:
    @endpoint(permission="employees.read_own", refuses=(InvalidTransition, TaskArchived))
    def on_post(self, id: str) -> TaskView:
        """Finish a private task about an employee.

        Its assignees may, whatever their role, and those who may change employees.
        """
        return listing.show(checklists.finish(id).id)


class Reopen:
    @endpoint(permission="employees.read_own", refuses=(InvalidTransition, TaskArchived))
    def on_post(self, id: str) -> TaskView:
        """Reopen a private task about an employee that was finished.

        Its assignees may, whatever their role, and those who may change employees.
        """
        return listing.show(checklists.reopen(id).id)
