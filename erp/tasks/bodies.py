"""Request bodies of tasks, checked as a whole and as columns."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import UNSET

from erp.kernel import caller
from erp.kernel.complaints import Complaints, refuse_any
from erp.kernel.errors import Complaint, Forbidden
from erp.kernel.language import Listed, Noun, says
from erp.members import people
from erp.projects import projects, rates
from erp.projects.bodies import RateFrom, lacks_rate, reversed_dates
from erp.projects.models import Project
from erp.tasks import assignees, dependencies, repeating
from erp.tasks.models import Task
from erp.tasks.repeating import Repeat
from erp.tasks.statuses import OpenStatus, Status
from erp.web.scalars import Day, Id, Name, Note, NotNegativeAmount
from erp.web.schema import Body, Unset

Priority = Literal["low", "medium", "high", "urgent"]
Tags = Annotated[list[Annotated[str, msgspec.Meta(min_length=1, max_length=50)]], msgspec.Meta(max_length=20)]
People = Annotated[list[Id], msgspec.Meta(max_length=50, description="User ids of members.")]
TaskName = Annotated[str, msgspec.Meta(min_length=1, max_length=64, description="A task's id or its key.")]
Others = Annotated[list[TaskName], msgspec.Meta(max_length=100, description="Tasks to be done first, by id or key.")]
Minutes = Annotated[int, msgspec.Meta(ge=0, le=6_000_000)]

_ELSEWHERE = ("assignee_user_ids", "depends_on", "hourly_rate_from")
"""Fields that are no columns of a task."""

_SHOWN = 12
"""The most tasks of a circle that a message names."""


class NewTask(Body):
    """A task. The caller becomes its reporter; it goes to the end of its column."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "title": "Design the start page",
        "description": "Three drafts, one of them without pictures.",
        "priority": "high",
        "tags": ["design"],
        "startDate": "2026-03-16",
        "dueDate": "2026-03-31",
        "estimateMinutes": 480,
        "repeat": {"every": 3, "unit": "month", "from": "due_date"},
    }

    title: Name
    project_id: Annotated[Id | Unset | None, msgspec.Meta(description="The parent's when left out.")] = UNSET
    description: Note | None = None
    status: OpenStatus = "todo"
    priority: Priority = "medium"
    assignee_user_ids: People = []
    tags: Tags = []
    parent_id: TaskName | None = None
    depends_on: Others = []
    start_date: Day | None = None
    due_date: Day | None = None
    estimate_minutes: Minutes | None = None
    is_billable: bool | None = None
    hourly_rate: NotNegativeAmount | Unset | None = UNSET
    repeat: Repeat | None = None

    def check(self) -> Iterator[Complaint]:
        return reversed_dates(self.start_date, self.due_date)


class TaskChange(Body):
    """Fields of a task to change; those left out stay, null clears. Lists and `repeat` are replaced as a whole."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"status": "in_progress", "priority": "urgent", "dueDate": "2026-04-15"}

    project_id: Id | Unset | None = UNSET
    title: Name | Unset = UNSET
    description: Note | Unset | None = UNSET
    status: Status | Unset = UNSET
    priority: Priority | Unset = UNSET
    assignee_user_ids: People | Unset = UNSET
    tags: Tags | Unset = UNSET
    parent_id: TaskName | Unset | None = UNSET
    depends_on: Others | Unset = UNSET
    start_date: Day | Unset | None = UNSET
    due_date: Day | Unset | None = UNSET
    estimate_minutes: Minutes | Unset | None = UNSET
    is_billable: bool | Unset | None = UNSET
    hourly_rate: NotNegativeAmount | Unset | None = UNSET
    hourly_rate_from: RateFrom | Unset = UNSET
    repeat: Repeat | Unset | None = UNSET

    def check(self) -> Iterator[Complaint]:
        yield from reversed_dates(self.start_date, self.due_date)
        yield from lacks_rate(self.hourly_rate, self.hourly_rate_from)


class CheckedTask(msgspec.Struct):
    """A request about a task, once checked.

    `columns` are the columns of its row; `assignee_user_ids` and `depends_on` are None where the request leaves them
    out. `project` is the task's future one.
    """

    columns: dict[str, Any]
    project: Project | None
    assignee_user_ids: list[str] | None = None
    depends_on: list[str] | None = None
    complaints: Complaints = msgspec.field(default_factory=Complaints)


def read(task_id: str, sent: dict[str, Any], present: Task | None) -> CheckedTask:
    """Check a request about a task.

    Args:
        task_id: the task's id, also for a new one.
        sent: the fields of the body, by their Python names.
        present: the task as it is now; None for a new one.

    Raises:
        Forbidden: it sets a rate, and the caller may not see any.
        UnknownReference: a field names something that is not in this workspace.
        Invalid: with a complaint for every field that is wrong.
    """
    _check_rights(sent)
    checked = CheckedTask({name: value for name, value in sent.items() if name not in _ELSEWHERE}, None)
    _read_project(checked, present)
    _read_dates(checked, present)
    _read_people(checked, sent, present)
    _read_tags(checked)
    if "hourly_rate" in sent:
        checked.columns["hourly_rate"] = rates.read(sent["hourly_rate"], checked.complaints)
    _read_tasks(checked, task_id, sent, present)
    checked.complaints.refuse()
    return checked


def _check_rights(sent: dict[str, Any]) -> None:
    if "hourly_rate" in sent and not caller.may("money.read"):
        raise Forbidden(says("Your role does not allow you to set rates."))


def _read_project(checked: CheckedTask, present: Task | None) -> None:
    """Find the task's project; a new one must take tasks, the present one may not."""
    own = present.project_id if present else None
    if present is None:
        checked.columns.setdefault("project_id", _project_of(checked.columns["parent_id"]))
    project_id = checked.columns.get("project_id", own)
    if project_id is not None:
        takes: Literal["tasks"] | None = "tasks" if project_id != own else None
        with checked.complaints.gathered():
            checked.project = projects.refer(project_id, "projectId", takes=takes)
            if "project_id" in checked.columns:  # by its code, perhaps
                checked.columns["project_id"] = checked.project.id


def _project_of(name: str | None) -> str | None:
    """The id of the project of a task that is named by id or key."""
    named = dependencies.named([name] if name is not None else [])
    return next((task.project_id for task in named.values()), None)


def _read_dates(checked: CheckedTask, present: Task | None) -> None:
    columns, complaints = checked.columns, checked.complaints
    start = columns.get("start_date", present and present.start_date)
    due = columns.get("due_date", present and present.due_date)
    complaints.items += reversed_dates(start, due, "dueDate" if "due_date" in columns else "startDate")
    if {"repeat", "due_date"} & columns.keys():
        repeat = columns["repeat"] if "repeat" in columns else repeating.as_sent(present.repeat if present else None)
        columns["repeat"] = repeating.as_stored(repeat, due, present, complaints)


def _read_people(checked: CheckedTask, sent: dict[str, Any], present: Task | None) -> None:
    """Read the assignees. New ones must be members; a former member may stay assigned."""
    if "assignee_user_ids" in sent:
        ids, assigned = sent["assignee_user_ids"], assignees.assigned(present.id) if present else []
        new = {f"assigneeUserIds[{i}]": id for i, id in enumerate(ids) if id not in assigned}
        with checked.complaints.gathered():
            refuse_any(people.look_up(new), Noun("member"))
        checked.assignee_user_ids = ids
        _check_unique("assigneeUserIds", ids, checked.complaints)


def _read_tags(checked: CheckedTask) -> None:
    if "tags" in checked.columns:
        _check_unique("tags", checked.columns["tags"], checked.complaints)


def _check_unique(name: str, values: Sequence[str | None], complaints: Complaints) -> None:
    for i, value in enumerate(values):
        if value is not None and value in values[:i]:
            complaints.add(f"{name}[{i}]", "duplicate", says("This value is in the list twice."))


def _read_tasks(checked: CheckedTask, task_id: str, sent: dict[str, Any], present: Task | None) -> None:
    """Find the new parent and dependencies, and check that the task would not depend on itself."""
    parent: str | None = sent.get("parent_id", present and present.parent_id)
    named = dependencies.named([*sent.get("depends_on", ()), *([parent] if parent else ())])
    named = {name: task for name, task in named.items() if task.employee_id is None}
    if sent.get("parent_id") is not None:
        project_id = checked.columns.get("project_id", present and present.project_id)
        _read_parent(checked, named.get(parent or ""), project_id)
    if "depends_on" in sent:
        _read_dependencies(checked, sent["depends_on"], named)
    if not {"depends_on", "parent_id"} & sent.keys():
        return
    depends_on = dependencies.of(task_id) if checked.depends_on is None else checked.depends_on
    circle = dependencies.circle(task_id, named[parent].id if parent in named else None, depends_on)
    if circle:
        _complain_of_circle(checked, circle[1][0], [key for _, key in circle])


def _read_parent(checked: CheckedTask, parent: Task | None, project_id: str | None) -> None:
    if parent is None:
        checked.complaints.unknown("parentId", Noun("task"))
        return
    checked.columns["parent_id"] = parent.id
    if parent.project_id != project_id:
        checked.complaints.add(
            "parentId",
            "other_project",
            says("A subtask belongs to the project of its parent. {key} belongs to another project.", key=parent.key),
        )


def _read_dependencies(checked: CheckedTask, names: list[str], named: dict[str, Task]) -> None:
    ids = [named[name].id if name in named else None for name in names]
    for i, id in enumerate(ids):
        if id is None:
            checked.complaints.unknown(f"dependsOn[{i}]", Noun("task"))
    _check_unique("dependsOn", ids, checked.complaints)
    checked.depends_on = [id for id in ids if id is not None]


def _complain_of_circle(checked: CheckedTask, first_id: str, keys: list[str]) -> None:
    """Complain about the field that closes a circle; `first_id` is the first task in it."""
    field_name = "dependsOn" if first_id in (checked.depends_on or ()) else "parentId"
    shown = keys if len(keys) <= _SHOWN else [*keys[: _SHOWN // 2], "…", *keys[-_SHOWN // 2 :]]
    checked.complaints.add(
        field_name, "circle", says("The task would depend on itself: {tasks}.", tasks=Listed.of(shown, separator=" → "))
    )
