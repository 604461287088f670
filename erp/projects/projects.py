"""Projects: finding, adding, changing and archiving."""

from typing import Any, Literal

from erp.attachments import attachments
from erp.kernel.errors import AlreadyExists, InUse, Invalid, Refusal, UnknownReference
from erp.kernel.language import Noun, Word, says
from erp.projects import bodies, codes, rates, states
from erp.projects.bodies import NewProject, ProjectChange
from erp.projects.models import Project
from erp.projects.task_keys import LOOSE
from erp.store import changes, events
from erp.store.router import WORKSPACE

CLOSED_TO = {"tasks": ("completed", "cancelled"), "time": ("cancelled",)}
"""Statuses in which a project takes no new tasks, or no new time."""


class ProjectArchived(Refusal):
    """The project is archived. Unarchive the project first."""


def refer(value: str, field: str, *, takes: Literal["tasks", "time"] | None = None) -> Project:
    """Find the project that a field names by id or code.

    Args:
        takes: the records that the project must still take; any project will do when absent.

    Raises:
        UnknownReference: there is none in this workspace.
        Invalid: it is archived, or takes no more of it.
    """
    project = Project.find_or_none(value) or Project.find_by(code=value)
    if project is None:
        raise UnknownReference(field, Noun("project"))
    if takes is not None and project.archived_at is not None:
        raise Invalid.one(
            field, "archived", says("{name} is archived. Unarchive the project first.", name=project.name)
        )
    if takes is not None and project.status in CLOSED_TO[takes]:
        raise Invalid.one(
            field,
            "closed",
            says(
                "{name} is {status} and accepts no new {takes}.",
                name=project.name,
                status=Word.of(project.status),
                takes=Word.of(takes),
            ),
        )
    return project


def add(new: NewProject) -> Project:
    """Add a project; without a code it gets one made from its name.

    Raises:
        UnknownReference: the customer, the owner or a member is not in this workspace.
        Invalid: with a complaint for every field that is wrong.
        AlreadyExists: another project has that code.
    """
    values = bodies.columns(new)
    members = values.pop("member_user_ids")
    if values["code"] is None:
        values["code"] = free_code(new.name)
    _check_code_is_free(values["code"])
    values["billing"] = new.billing or _usual_billing(new)
    project = Project.add(**values)
    name_members(project, members)
    events.write("project.created", "project", project.id, _event_data(project) | {"status": project.status})
    return project


def change(id: str, body: ProjectChange) -> Project:
    """Change a project; time that is not on an invoice yet follows its hourly rate.

    Raises:
        ProjectArchived: it must be unarchived first.
        UnknownReference: the customer, the owner or a member is not in this workspace.
        Invalid: with a complaint for every field that is wrong.
        AlreadyExists: another project has that code.
        InUse: keys of tasks begin with its code.
        InvalidTransition: its status does not lead to the new one.
        OpenTasks: it cannot be completed yet.
    """
    project = Project.find_to_change(id)
    if project.archived_at is not None:
        raise ProjectArchived
    values = bodies.columns(body, project)
    begins = rates.first_day(body.hourly_rate_from, values, known=project.hourly_rate is not None)
    if "code" in values:
        _check_code_may_change(project, values["code"])
    if "status" in values:
        states.check(project, values["status"], force=body.force)
    if begins is not None:
        rates.begin("project", project.id, project.hourly_rate, begins)
    if values:
        _write(project, values)
    elif begins is not None:
        rates.reprice_project(project.id)
        events.write("project.updated", "project", project.id, _event_data(project) | {"changed": {}})
    return project


def remove(id: str) -> None:
    """Delete an unused project.

    Files that came from the inbox go back there, other files are deleted.

    Raises:
        InUse: it has tasks, or documents or postings name it.
    """
    project = Project.find_to_change(id)
    attachments.give_back("project", id)
    changes.delete(
        project,
        says("{name} has tasks or entries and cannot be deleted. Archive the project instead.", name=project.name),
        _event_data,
    )


def archive(id: str) -> Project:
    """Archive a project, which can then be read but not changed or worked on."""
    return changes.archive(Project.find_to_change(id), _event_data)


def unarchive(id: str) -> Project:
    return changes.unarchive(Project.find_to_change(id), _event_data)


def free_code(name: str) -> str:
    taken = {code for (code,) in WORKSPACE.rows("SELECT code FROM project")}
    return codes.make(name, taken | {LOOSE})


def name_members(project: Project, user_ids: list[str]) -> None:
    """Set the members of a project."""
    WORKSPACE.run("DELETE FROM project_member WHERE project_id = ?", (project.id,))
    rows = [(project.id, user_id) for user_id in user_ids]
    WORKSPACE.run_many("INSERT INTO project_member (project_id, user_id) VALUES (?, ?)", rows)
    Project.record_columns(project.id, {"members": sorted(set(user_ids))})


def _usual_billing(new: NewProject) -> str:
    if new.fixed_price is not None:
        return "fixed"
    return "non_billable" if new.hourly_rate is None else "hourly"


def _check_code_is_free(code: str) -> None:
    if WORKSPACE.rows("SELECT 1 FROM project WHERE code = ?", (code,)):
        raise AlreadyExists(says("Another project has the code {code}.", code=code), field="code")


def _check_code_may_change(project: Project, code: str) -> None:
    _check_code_is_free(code)
    if WORKSPACE.rows("SELECT 1 FROM task WHERE project_id = ? LIMIT 1", (project.id,)):
        raise InUse(says("The project code cannot change: the keys of its tasks begin with it."), field="code")


def _write(project: Project, values: dict[str, Any]) -> None:
    changed = changes.before_and_after(project, values)
    if "member_user_ids" in values:
        name_members(project, values.pop("member_user_ids"))
    project.change(**values)
    if "hourly_rate" in values:
        rates.reprice_project(project.id)
    events.write("project.updated", "project", project.id, _event_data(project) | {"changed": changed})


def _event_data(project: Project) -> dict[str, Any]:
    return {"code": project.code, "name": project.name}
