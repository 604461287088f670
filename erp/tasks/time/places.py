"""The customers, projects and tasks of time from another program: found by their names, or added."""

from collections.abc import Collection, Iterable, Sequence
from typing import Literal

import msgspec

from erp.finance.contacts import contacts
from erp.finance.contacts.contacts import ContactCommand
from erp.kernel import caller
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Forbidden
from erp.kernel.language import says
from erp.projects import projects
from erp.projects.bodies import NewProject
from erp.store.router import WORKSPACE
from erp.tasks import tasks
from erp.tasks.bodies import NewTask
from erp.tasks.time.peers import PeerRow, Place

Addable = Literal["customers", "projects", "tasks"]

_RIGHTS = {
    "customers": ("contacts.write", says("Your role cannot add customers. Leave them out of create.")),
    "projects": ("projects.write", says("Your role cannot add projects. Leave them out of create.")),
    "tasks": ("tasks.write_own", says("Your role cannot add tasks. Leave them out of create.")),
}

_MISSING = {
    "customer": says("There is no customer {name}. Add the customer, or let create add it."),
    "project": says("There is no project {name}. Add the project, or let create add it."),
    "task": says("There is no task {name}. Add the task, or let create add it."),
}

_CUSTOMERS = (
    "SELECT named.name, head.id FROM contact AS named"
    " JOIN contact AS head ON head.id = coalesce(named.head_id, named.id)"
    " WHERE head.kind IN ('customer', 'both') AND head.archived_at IS NULL"
    " ORDER BY named.head_id IS NULL, named.id DESC"
)
_PROJECTS = "SELECT name, customer_id, id FROM project WHERE archived_at IS NULL ORDER BY id DESC"
_TASKS = "SELECT title, project_id, key FROM task WHERE employee_id IS NULL ORDER BY id DESC"
"""The newest first: of several with one name, the oldest counts."""


def keys(rows: Sequence[PeerRow], add: Collection[Addable], complaints: Complaints) -> dict[Place, str]:
    """The keys of the tasks of rows, by their places.

    Names are compared without regard to capitals. A project is looked for among the projects of the row's customer,
    and a task among the tasks of its project. Names that are not found become complaints about their rows.

    Args:
        add: the kinds of records to add where there is none of the name.

    Raises:
        Forbidden: the caller may not add them.
    """
    for kind in add:
        right, refusal = _RIGHTS[kind]
        if not caller.may(right):
            raise Forbidden(refusal)
    known = _Known(set(add))
    for row in rows:
        known.find(row, complaints)
    return known.keys


def _plain(name: str) -> str:
    return " ".join(name.split()).casefold()


def _by_name(rows: Iterable[tuple[str, ...]]) -> dict[tuple[str, ...], str]:
    """The last column by the first ones, names without their capitals."""
    return {(_plain(name), *(inner or "" for inner in within)): id for name, *within, id in rows}


class _Known(msgspec.Struct):
    """The names that are known so far, and the keys of tasks by the places of rows."""

    add: set[Addable]
    keys: dict[Place, str] = msgspec.field(default_factory=dict)
    customers: dict[tuple[str, ...], str] = msgspec.field(default_factory=lambda: _by_name(WORKSPACE.rows(_CUSTOMERS)))
    projects: dict[tuple[str, ...], str] = msgspec.field(default_factory=lambda: _by_name(WORKSPACE.rows(_PROJECTS)))
    tasks: dict[tuple[str, ...], str] = msgspec.field(default_factory=lambda: _by_name(WORKSPACE.rows(_TASKS)))

    def find(self, row: PeerRow, complaints: Complaints) -> None:
        """Find or add the task of a row, and what is above it."""
        place = row.place
        if place in self.keys:
            return
        missing, key = self._key(place)
        if key is not None:
            self.keys[place] = key
        else:
            message = _MISSING[missing].fill(name=getattr(place, missing))
            complaints.add(f"rows[{row.number}].{missing}", "unknown_reference", message)

    def _key(self, place: Place) -> tuple[str, str | None]:
        """The key of the task, or the field of the name that is not found."""
        customer = self._customer(place.customer) if place.customer else ""
        if customer is None:
            return "customer", None
        project = self._project(place.project, customer) if place.project else ""
        return ("project", None) if project is None else ("task", self._task(place.task, project))

    def _customer(self, name: str) -> str | None:
        key = (_plain(name),)
        if key not in self.customers and "customers" in self.add:
            self.customers[key] = contacts.add(ContactCommand(kind="customer", name=name)).id
        return self.customers.get(key)

    def _project(self, name: str, customer: str) -> str | None:
        key = (_plain(name), customer)
        if key not in self.projects and "projects" in self.add:
            self.projects[key] = projects.add(NewProject(name=name, customer_id=customer or None)).id
        return self.projects.get(key)

    def _task(self, title: str, project: str) -> str | None:
        key = (_plain(title), project)
        if key not in self.tasks and "tasks" in self.add:
            self.tasks[key] = tasks.add(NewTask(title=title, project_id=project or None)).key
        return self.tasks.get(key)
