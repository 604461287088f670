"""Recurring tasks: when one is done for the first time, its successor is made with later dates."""

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from erp.kernel import days
from erp.kernel.complaints import Complaints
from erp.kernel.days import MONTHS_OF, Unit
from erp.kernel.language import says
from erp.members import people
from erp.projects import task_keys
from erp.projects.models import Project
from erp.projects.projects import CLOSED_TO
from erp.store import events
from erp.tasks import assignees, board
from erp.tasks.models import Task
from erp.web.schema import Body, View, known

Origin = Literal["due_date", "completion"]

_COPIED = (
    *("project_id", "parent_id", "title", "description", "priority", "reporter_user_id", "tags"),
    *("estimate_minutes", "is_billable", "hourly_rate", "repeat"),
)


class Repeat(Body):
    """The interval of a recurring task, counted from its due date or from its completion."""

    every: Annotated[int, msgspec.Meta(ge=1, le=366)]
    unit: Unit
    from_: Annotated[
        Origin,
        msgspec.Meta(description="`due_date` needs a `dueDate` and keeps its day of the month."),
    ] = msgspec.field(name="from", default="due_date")


class RepeatView(View):
    """The interval of a recurring task, counted from its due date or from its completion."""

    every: int
    unit: Unit
    from_: Origin = msgspec.field(name="from")


class Dates(NamedTuple):
    start: date | None
    due: date | None


def as_stored(
    repeat: Repeat | None, due: date | None, present: Task | None, complaints: Complaints
) -> dict[str, Any] | None:
    """A repetition to store, with the `day` of the month that it is tied to.

    A successor of 31 January that is due on 28 February stays tied to the 31st until another repetition or due date
    is set.
    """
    if repeat is None:
        return None
    if repeat.from_ == "due_date" and due is None:
        complaints.add("dueDate", "required", says("A task that repeats from its due date needs one."))
        return None
    sent = {"every": repeat.every, "unit": repeat.unit, "from": repeat.from_}
    if present is not None and due == present.due_date and _without_day(present.repeat) == sent:
        return dict(present.repeat)
    return sent | ({"day": due.day} if repeat.from_ == "due_date" and due and repeat.unit in MONTHS_OF else {})


def as_sent(repeat: Mapping[str, Any] | None) -> Repeat | None:
    """A stored repetition as a request would send it."""
    return None if repeat is None else msgspec.convert(_without_day(repeat), known(Repeat))


def make_successor(task: Task, project: Project | None, done_on: date) -> Task | None:
    """Make the task that follows one which is done; none where the project takes no more tasks, or after `LAST_DAY`.

    Args:
        done_on: the day in the caller's time zone.
    """
    if project is not None and project.status in CLOSED_TO["tasks"]:
        return None
    dates = next_dates(task.repeat, Dates(task.start_date, task.due_date), done_on)
    if dates is None:
        return None
    copied = {name: getattr(task, name) for name in _COPIED}
    position = board.end_of(task.project_id, "todo")
    successor = Task.add(
        **copied, key=task_keys.next_key(project), position=position, start_date=dates.start, due_date=dates.due
    )
    assigned = assignees.assigned(task.id)
    strangers = people.strangers(assigned)
    assignees.assign(successor.id, [user_id for user_id in assigned if user_id not in strangers])
    event_data = {"key": successor.key, "title": successor.title, "repeats": task.id}
    events.write("task.created", "task", successor.id, event_data)
    return successor


def next_dates(repeat: Mapping[str, Any], dates: Dates, done_on: date) -> Dates | None:
    """The dates of a successor, with the start as long before the due date as it was; None after `LAST_DAY`.

    A task with only a start moves it; one without dates, counted from completion, gets a due date.
    """
    counted_from = dates.due if repeat["from"] == "due_date" and dates.due is not None else done_on
    moved = days.later(counted_from, repeat["every"], repeat["unit"], repeat.get("day"))
    if moved is None:
        return None
    if dates.start is None:
        return Dates(None, moved)
    return Dates(moved, None) if dates.due is None else Dates(moved - (dates.due - dates.start), moved)


def _without_day(repeat: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return None if repeat is None else {name: value for name, value in repeat.items() if name != "day"}
