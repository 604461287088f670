"""Projects: how they are found, and the rules of changing them."""

from typing import Any, Literal

from erp.kernel.errors import AlreadyExists, InUse, Invalid, Refusal, UnknownReference
from erp.projects import bodies, codes, rates, states
from erp.projects.bodies import NewProject, ProjectChange
from erp.projects.models import Project
from erp.projects.task_keys import LOOSE
from erp.store import changes, events
from erp.store.router import WORKSPACE

CLOSED_TO = {"tasks": ("completed", "cancelled"), "time": ("cancelled",)}
"""The statuses in which a project takes no more of it."""


class ProjectArchived(Refusal):
    """The project is archived and can only be read; take it back first."""


def find_reference(value: str, field: str, *, takes: Literal["tasks", "time"] | None = None) -> Project:
    """Find the project that a field of a new record names by id.

    Args:
        takes: what it has to take yet; any project will do when absent.

    Raises:
        UnknownReference: there is none in this workspace.
        Invalid: it is archived, or takes no more of it.
    """
    project = Project.find_or_none(value)
    if project is None:
        raise UnknownReference(field, "project")
    if takes is not None and project.archived_at is not None:
        raise Invalid.one(field, "archived", f"{project.name} is archived; take it back first.")
    if takes is not None and project.status in CLOSED_TO[takes]:
        raise Invalid.one(field, "closed", f"{project.name} is {project.status} and takes no more {takes}.")
    return project


def add(new: NewProject) -> Project:
    """Add a project, with a code made from its name if it was given none.

    Raises:
        UnknownReference: the customer, the owner or a member is not in this workspace.
        Invalid: with a complaint for every field that is wrong.
        AlreadyExists: another project has that code.
    """
    values = bodies.read(new)
    members = values.pop("member_ids")
    if values["code"] is None:
        values["code"] = free_code(new.name)
    _check_code_is_free(values["code"])
    values["billing"] = new.billing or _usual_billing(new)
    project = Project.add(**values)
    name_members(project, members)
    events.write("project.created", "project", project.id, _facts(project) | {"status": project.status})
    return project


def change(id: str, wanted: ProjectChange) -> Project:
    """Change a project; time that is not on an invoice yet follows its hourly rate.

    Raises:
        ProjectArchived: it has to be taken back first.
        UnknownReference: the customer, the owner or a member is not in this workspace.
        Invalid: with a complaint for every field that is wrong.
        AlreadyExists: another project has that code.
        InUse: its code stands in the keys of tasks.
        InvalidTransition: its status does not lead to the one wanted.
        OpenTasks: it cannot be completed yet.
    """
    project = Project.find_to_change(id)
    if project.archived_at is not None:
        raise ProjectArchived
    values = bodies.read(wanted, project)
    if "code" in values:
        _check_code_may_change(project, values["code"])
    if "status" in values:
        states.check(project, values["status"], force=wanted.force)
    if values:
        _write(project, values)
    return project


def remove(id: str) -> None:
    """Delete a project that nothing names.

    Raises:
        InUse: it has tasks, or stands in documents or postings.
    """
    project = Project.find_to_change(id)
    changes.delete(project, f"{project.name} has tasks or stands in the books; archive the project instead.")
    events.write("project.deleted", "project", id, _facts(project))


def archive(id: str) -> Project:
    """Archive a project: it is read, but neither changed nor worked on.

    Raises:
        InvalidTransition: it is archived already.
    """
    project = Project.find_to_change(id)
    changes.archive(project, "The project", _facts(project))
    return project


def unarchive(id: str) -> Project:
    """Take an archived project back.

    Raises:
        InvalidTransition: it is not archived.
    """
    project = Project.find_to_change(id)
    changes.unarchive(project, "The project", _facts(project))
    return project


def free_code(name: str) -> str:
    """A code for a project of that name which no other has."""
    taken = {code for (code,) in WORKSPACE.rows("SELECT code FROM project")}
    return codes.make(name, taken | {LOOSE})


def name_members(project: Project, user_ids: list[str]) -> None:
    """Make these users, and no others, the members of a project."""
    WORKSPACE.run("DELETE FROM project_member WHERE project_id = ?", (project.id,))
    rows = [(project.id, user_id) for user_id in user_ids]
    WORKSPACE.run_many("INSERT INTO project_member (project_id, user_id) VALUES (?, ?)", rows)


def _usual_billing(new: NewProject) -> str:
    if new.fixed_price is not None:
        return "fixed"
    return "non_billable" if new.hourly_rate is None else "hourly"


def _check_code_is_free(code: str) -> None:
    if WORKSPACE.rows("SELECT 1 FROM project WHERE code = ?", (code,)):
        raise AlreadyExists(f"There is a project with the code {code} already.", field="code")


def _check_code_may_change(project: Project, code: str) -> None:
    _check_code_is_free(code)
    if WORKSPACE.rows("SELECT 1 FROM task WHERE project_id = ? LIMIT 1", (project.id,)):
        raise InUse("The keys of the project's tasks begin with its code, which therefore stays.", field="code")


def _write(project: Project, values: dict[str, Any]) -> None:
    told = changes.before_and_after(project, values)
    if "member_ids" in values:
        name_members(project, values.pop("member_ids"))
    project.change(**values)
    if "hourly_rate" in values:
        rates.reprice_project(project.id)
    events.write("project.updated", "project", project.id, _facts(project) | {"changed": told})


def _facts(project: Project) -> dict[str, Any]:
    return {"code": project.code, "name": project.name}
