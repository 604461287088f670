"""Time logs: person, task, day and minutes."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, ClassVar

from msgspec import UNSET

from erp.kernel import caller, clock
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Complaint, Forbidden, NotFound, Refusal
from erp.kernel.language import Noun, Word, says
from erp.members import people
from erp.projects import rates
from erp.projects.models import Project
from erp.projects.projects import ProjectArchived
from erp.store import changes, events
from erp.store.router import WORKSPACE
from erp.tasks.models import Task, TimeLog
from erp.tasks.time import locks, spans
from erp.tasks.time.locks import Force
from erp.tasks.time.spans import EnteredTime, Minutes, Worked
from erp.web.scalars import Day, Id, Moment, Note, NotNegativeAmount
from erp.web.schema import Body, Query, Unset


class NewTimeLog(Body):
    """Time on a task: minutes of a day (today by default), or from a start to an end."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"minutes": 90, "note": "Sketches for the front page"}

    date: Day | None = None
    minutes: Minutes | None = None
    started_at: Moment | None = None
    ended_at: Moment | None = None
    note: Note | None = None
    is_billable: bool | None = None
    user_id: Id | None = None
    hourly_rate: NotNegativeAmount | None = None
    force: Force = False

    def check(self) -> Iterator[Complaint]:
        return spans.not_after(self.started_at, self.ended_at)


class TimeLogChange(Body):
    """Fields of a time log to change. Fields left out stay, null clears."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"note": "Sketches for the front page", "isBillable": False}

    task_id: Id | Unset = UNSET
    user_id: Id | Unset = UNSET
    date: Day | Unset = UNSET
    minutes: Minutes | Unset = UNSET
    started_at: Moment | Unset | None = UNSET
    ended_at: Moment | Unset | None = UNSET
    note: Note | Unset | None = UNSET
    is_billable: bool | Unset = UNSET
    hourly_rate: NotNegativeAmount | Unset | None = UNSET
    force: Force = False

    def check(self) -> Iterator[Complaint]:
        return spans.not_after(self.started_at, self.ended_at)


class LogRemoval(Query):
    """Options of deleting a time log."""

    force: Force = False


WHEN = ("date", "minutes", "started_at", "ended_at")
"""The columns of the time worked."""


class TaskCancelled(Refusal):
    """{key} is cancelled, so no time can be logged on it."""


class TaskPrivate(TaskCancelled):
    """{key} is private, so no time can be logged on it."""


class ProjectCancelled(Refusal):
    """{name} is cancelled, so no time can be logged on it."""


class TimeInvoiced(Refusal):
    """This time entry is on {invoice}. Void or delete the invoice first."""


def find(id: str) -> TimeLog:
    """A log that the caller may read.

    Raises:
        NotFound: there is none, or it is someone else's and the caller may read only their own.
    """
    log = TimeLog.find(id)
    if log.user_id != caller.current().user_id and not caller.may("time.read"):
        raise NotFound(says("There is no such time log."))
    return log


def add(task_id: str, new: NewTimeLog) -> TimeLog:
    """Log time on a task.

    Raises:
        NotFound: there is no such task.
        Forbidden: it logs for someone else or sets a rate, without the right.
        Invalid: with a complaint for every field that is wrong.
        TimeOverlap, DayFull: the person cannot have worked then.
        TimeSubmitted, TimeApproved, TimeClosed, PeriodLocked: the day is locked.
    """
    task = Task.find(task_id)
    check_rights(new.user_id, sets_rate=new.hourly_rate is not None)
    project = open_project(task)
    user_id, complaints = new.user_id or caller.current().user_id, Complaints()
    _check_member(user_id, complaints)
    rate = rates.read(new.hourly_rate, complaints)
    worked = spans.read(EnteredTime(new.date, new.minutes, new.started_at, new.ended_at), user_id, complaints)
    complaints.refuse()
    assert worked is not None
    locks.check(user_id, [worked.date], force=new.force)
    spans.check(user_id, worked)
    return insert(task, project, user_id, worked, note=new.note, is_billable=new.is_billable, hourly_rate=rate)


def insert(task: Task, project: Project | None, user_id: str, worked: Worked, **more: Any) -> TimeLog:
    """Insert a log that was checked; `more` is as for `columns`."""
    log = TimeLog.add(**columns(task, project, user_id, worked, **more))
    events.write("time_log.created", "time_log", log.id, _event_data(log))
    return log


def columns(
    task: Task,
    project: Project | None,
    user_id: str,
    worked: Worked,
    *,
    note: str | None,
    is_billable: bool | None,
    hourly_rate: int | None = None,
) -> dict[str, Any]:
    """The columns of a new log.

    Args:
        is_billable: None leaves it to the task, else to whether the project is billed by the hour.
    """
    if is_billable is None:
        by_the_hour = project is not None and project.billing == "hourly"
        is_billable = by_the_hour if task.is_billable is None else task.is_billable
    return {
        "task_id": task.id,
        "project_id": task.project_id,
        "user_id": user_id,
        **_when(worked),
        "note": note or None,
        "is_billable": is_billable,
        "hourly_rate": hourly_rate,
        "amount": rates.amount(worked.minutes, _rate(hourly_rate, task, project, worked.date), is_billable),
    }


def change(id: str, body: TimeLogChange) -> TimeLog:
    """Change a log, under the rules for a new one.

    Raises:
        NotFound: the caller sees no such log.
        Forbidden: it is someone else's, or sets a rate, without the right.
        TimeInvoiced: it is on an invoice.
        Invalid: with a complaint for every field that is wrong.
        TimeOverlap, DayFull: the person cannot have worked then.
        TimeSubmitted, TimeApproved, TimeClosed, PeriodLocked: the day is locked, before or after the change.
    """
    log, complaints = _find_to_change(id, force=body.force), Complaints()
    sent = body.changes()
    sent.pop("force", None)
    check_rights(sent.get("user_id"), sets_rate="hourly_rate" in sent)
    values = changes.differing(log, _columns(sent, complaints))
    task, project = _task_of(values.get("task_id", log.task_id), log, complaints)
    if "user_id" in values:
        _check_member(values["user_id"], complaints)
    user_id = values.get("user_id", log.user_id)
    worked = _worked(log, values, user_id, complaints) if values.keys() & {*WHEN, "user_id"} else None
    complaints.refuse()
    if worked is not None:
        locks.check(user_id, [worked.date], force=body.force)
        spans.check(user_id, worked, but=log.id)
        values |= _when(worked)
    _write(log, values, task, project)
    return log


def remove(id: str, *, force: bool = False) -> None:
    """Delete a log.

    Raises:
        NotFound: the caller sees no such log.
        Forbidden: it is someone else's.
        TimeInvoiced: it is on an invoice.
        TimeSubmitted, TimeApproved, TimeClosed, PeriodLocked: its day is locked.
    """
    log = _find_to_change(id, force=force)
    log.delete_instance()
    events.write("time_log.deleted", "time_log", id, _event_data(log))


def check_rights(user_id: str | None, *, sets_rate: bool) -> None:
    """Check the right to log for someone else, and to set a rate.

    Raises:
        Forbidden: the caller lacks it.
    """
    if user_id not in (None, caller.current().user_id) and not caller.may("time.write"):
        raise Forbidden(says("You can only log your own time."))
    if sets_rate and not caller.may("money.read"):
        raise Forbidden(says("You cannot set hourly rates."))


def open_project(task: Task) -> Project | None:
    """The project of a task, which takes time.

    Raises:
        ProjectArchived, ProjectCancelled, TaskCancelled, TaskPrivate: it does not.
    """
    if task.employee_id is not None:
        raise TaskPrivate(key=task.key)
    project = _project(task)
    if project is not None and project.status == "cancelled":
        raise ProjectCancelled(name=project.name)
    if task.status == "cancelled":
        raise TaskCancelled(key=task.key)
    return project


def _project(task: Task) -> Project | None:
    project = Project.find(task.project_id) if task.project_id is not None else None
    if project is not None and project.archived_at is not None:
        raise ProjectArchived
    return project


def _find_to_change(id: str, *, force: bool) -> TimeLog:
    log = find(id)
    log.check_version()
    if log.user_id != caller.current().user_id and not caller.may("time.write"):
        raise Forbidden(says("You can only change your own time."))
    if log.invoice_id is not None:
        ((number,),) = WORKSPACE.rows("SELECT number FROM invoice WHERE id = ?", (log.invoice_id,))
        raise TimeInvoiced(invoice=says("invoice {number}", number=number) if number else Word("a draft invoice"))
    _project(Task.find(log.task_id))
    locks.check(log.user_id, [log.date], force=force)
    return log


def _columns(sent: dict[str, Any], complaints: Complaints) -> dict[str, Any]:
    instants = {name: clock.stamp(sent[name]) for name in ("started_at", "ended_at") if sent.get(name) is not None}
    if "hourly_rate" in sent:
        sent["hourly_rate"] = rates.read(sent["hourly_rate"], complaints)
    if "note" in sent:
        sent["note"] = sent["note"] or None
    return sent | instants


def _task_of(task_id: str, log: TimeLog, complaints: Complaints) -> tuple[Task, Project | None]:
    """The task of a changed log and its project; the present task may have been cancelled."""
    task = Task.find_or_none(task_id)
    if task is None:
        complaints.unknown("taskId", Noun("task"))
        task = Task.find(log.task_id)
    return task, _project(task) if task.id == log.task_id else open_project(task)


def _worked(log: TimeLog, values: Mapping[str, Any], user_id: str, complaints: Complaints) -> Worked | None:
    """The time of a log after a change of some of it."""
    started_at, ended_at = (values.get(name, getattr(log, name)) for name in ("started_at", "ended_at"))
    if started_at is None and ended_at is None:
        time = EnteredTime(values.get("date", log.date), values.get("minutes", log.minutes))
    else:
        time = EnteredTime(values.get("date"), values.get("minutes"), _instant(started_at), _instant(ended_at))
    return spans.read(time, user_id, complaints)


def _rate(own: int | None, task: Task, project: Project | None, day: date) -> int | None:
    of_task = rates.on_day("task", task.id, task.hourly_rate, day)
    of_project = rates.on_day("project", project.id, project.hourly_rate, day) if project else None
    return rates.in_force(own, of_task, of_project)


def _write(log: TimeLog, values: dict[str, Any], task: Task, project: Project | None) -> None:
    values = {name: value for name, value in values.items() if getattr(log, name) != value}
    if not values:
        return
    rate = _rate(values.get("hourly_rate", log.hourly_rate), task, project, values.get("date", log.date))
    minutes, billable = (values.get(name, getattr(log, name)) for name in ("minutes", "is_billable"))
    changed = changes.before_and_after(log, values)
    log.change(**values, project_id=task.project_id, amount=rates.amount(minutes, rate, billable))
    events.write("time_log.updated", "time_log", log.id, _event_data(log) | {"changed": changed})


def _check_member(user_id: str, complaints: Complaints) -> None:
    if people.strangers([user_id]):
        complaints.unknown("userId", Noun("member"))


def _when(worked: Worked) -> dict[str, Any]:
    return {name: getattr(worked, name) for name in WHEN}


def _instant(stamped: str | None) -> Any:
    return None if stamped is None else clock.parse(stamped)


def _event_data(log: TimeLog) -> dict[str, Any]:
    return {"taskId": log.task_id, "userId": log.user_id, "date": log.date.isoformat(), "minutes": log.minutes}
