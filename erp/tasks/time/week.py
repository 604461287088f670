"""A week of a person's time as a grid, tasks by days: shown, and written as a whole.

A cell is the time of one task on one day. It can be written where it has no log, or one of minutes alone: time from a
start to an end, several logs in a cell, and time on an invoice are changed one by one.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import groupby
from operator import itemgetter
from typing import Annotated, Any, ClassVar, NamedTuple

import msgspec
from msgspec.structs import replace

from erp.kernel import caller
from erp.kernel.complaints import Complaints, said_of
from erp.kernel.days import monday
from erp.kernel.errors import Complaint, Forbidden, Invalid, Refusal
from erp.kernel.language import Noun, says
from erp.members import people
from erp.store.router import WORKSPACE
from erp.tasks import dependencies
from erp.tasks.bodies import TaskName
from erp.tasks.models import Task, TimeLog
from erp.tasks.time import locks, logs, spans
from erp.tasks.time.locks import Force
from erp.tasks.time.logs import NewTimeLog, TimeLogChange
from erp.tasks.time.spans import LONGEST
from erp.web.scalars import Day, Id
from erp.web.schema import Body, Query, View

DAYS = 7

Whose = Annotated[Id, msgspec.Meta(description="The person; your own week when left out, `me` is you.")]
CellMinutes = Annotated[int, msgspec.Meta(ge=0, le=LONGEST)]
Cells = Annotated[
    list[CellMinutes | None],
    msgspec.Meta(
        max_length=DAYS,
        description="The minutes of each day from `dateFrom` on; 0 deletes the log, null leaves the day as it is.",
    ),
]


class TimeWeekQuery(Query):
    """The week to show."""

    date_from: (
        Annotated[Day, msgspec.Meta(description="The first of seven days; this Monday when left out.")] | None
    ) = None
    user_id: Whose | None = None


class TimeWeekEntry(Body):
    """The time of a task on the days of a week."""

    task_id: TaskName
    minutes: Cells


class TimeWeek(Body, kw_only=True):
    """A week of time to write; omitted cells stay."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "dateFrom": "2026-03-02",
        "rows": [{"taskId": "TASK-1", "minutes": [480, 240, None, 0]}],
    }

    date_from: Annotated[Day, msgspec.Meta(description="The first day.")]
    user_id: Whose | None = None
    rows: Annotated[list[TimeWeekEntry], msgspec.Meta(min_length=1, max_length=100)]
    force: Force = False


class TimeCellView(View):
    """The time of a task on a day; a fixed cell cannot be written in the grid."""

    minutes: int
    log_ids: list[str]
    is_fixed: Annotated[
        bool, msgspec.Meta(description="Several logs, from a start to an end, on an invoice, or on a locked day.")
    ]


class TimeWeekRowView(View):
    """A task with its cells, one for each day."""

    task_id: str
    task_key: str
    task_title: str
    project_id: str | None
    project_name: str | None
    cells: list[TimeCellView]
    minutes: int


class TimeWeekView(View):
    """The tasks that a person worked on in a week, by project and key; `minutes` are the sums of its days."""

    user_id: str
    date_from: date
    date_to: date
    rows: list[TimeWeekRowView]
    minutes: list[int]
    total: int


class _Cell(NamedTuple):
    """A cell whose minutes are to change."""

    place: tuple[int, int]
    task: Task
    day: date
    logs: Sequence[TimeLog]
    minutes: int

    @property
    def path(self) -> str:
        row, column = self.place
        return f"rows[{row}].minutes[{column}]"

    @property
    def change(self) -> int:
        return self.minutes - sum(log.minutes for log in self.logs)


def show(date_from: date | None, user_id: str | None) -> TimeWeekView:
    """A person's week.

    Raises:
        Forbidden: it is someone else's, and the caller may read only their own time.
    """
    person = people.meant(user_id) if user_id else caller.current().user_id
    if person != caller.current().user_id and not caller.may("time.read"):
        raise Forbidden(says("You can only read your own time."))
    today = people.today(person)
    first = date_from or monday(today)
    days = [first + timedelta(days=i) for i in range(DAYS)]
    logged = WORKSPACE.rows(_WEEK, (person, days[0].isoformat(), days[-1].isoformat()))
    locked = {day for day in days if locks.refusal(person, day)}
    rows = [_row(task, list(of_task), days, locked) for task, of_task in groupby(logged, key=lambda row: row[:5])]
    sums = [sum(row.cells[i].minutes for row in rows) for i in range(DAYS)]
    return TimeWeekView(user_id=person, date_from=days[0], date_to=days[-1], rows=rows, minutes=sums, total=sum(sums))


_WEEK = (
    "SELECT task.id, task.key, task.title, project.id, project.name, log.date, log.id, log.minutes,"
    " log.started_at IS NOT NULL OR log.invoice_id IS NOT NULL"
    " FROM time_log AS log JOIN task ON task.id = log.task_id LEFT JOIN project ON project.id = task.project_id"
    " WHERE log.user_id = ? AND log.date BETWEEN ? AND ? ORDER BY project.name, task.key, task.id, log.date, log.id"
)


def _row(
    task: Sequence[Any], logged: Sequence[Sequence[Any]], days: Sequence[date], locked: Collection[date]
) -> TimeWeekRowView:
    cells = [_cell([row[6:] for row in logged if row[5] == day.isoformat()], is_locked=day in locked) for day in days]
    id, key, title, project_id, project_name = task
    return TimeWeekRowView(
        task_id=id,
        task_key=key,
        task_title=title,
        project_id=project_id,
        project_name=project_name,
        cells=cells,
        minutes=sum(cell.minutes for cell in cells),
    )


def _cell(logged: Sequence[Sequence[Any]], *, is_locked: bool) -> TimeCellView:
    return TimeCellView(
        minutes=sum(minutes for _, minutes, _ in logged),
        log_ids=[id for id, *_ in logged],
        is_fixed=is_locked or len(logged) > 1 or any(is_fixed for *_, is_fixed in logged),
    )


def write(body: TimeWeek) -> str:
    """Make, change and delete the logs of a week, all or none; return the user.

    Reductions come first, so that time can move between the tasks of a full day.

    Raises:
        Forbidden: it is someone else's week, and the caller may not write that.
        Invalid: with a complaint for every row and cell that cannot be written.
    """
    person = people.meant(body.user_id) if body.user_id else caller.current().user_id
    logs.check_rights(person, sets_rate=False)
    complaints = Complaints()
    if people.strangers([person]):
        complaints.unknown("userId", Noun("member"))
    cells = list(_cells(body, person, complaints))
    complaints.refuse()
    refused: list[tuple[tuple[int, int], Complaint]] = []
    for cell in sorted(cells, key=lambda cell: cell.change):
        try:
            _write(cell, person, force=body.force)
        except Refusal as refusal:
            refused += [(cell.place, replace(problem, field=cell.path)) for problem in said_of(refusal, cell.path)]
    if refused:
        raise Invalid([complaint for _, complaint in sorted(refused, key=itemgetter(0))])
    return person


_LOGS = "SELECT * FROM time_log WHERE user_id = ? AND date BETWEEN ? AND ? ORDER BY date, id"


def _cells(body: TimeWeek, person: str, complaints: Complaints) -> Iterator[_Cell]:
    """The cells to change; complaints about rows whose task is unknown, or named before."""
    last = body.date_from + timedelta(days=DAYS - 1)
    present: dict[tuple[str, date], list[TimeLog]] = {}
    for log in TimeLog.fetch(_LOGS, person, body.date_from.isoformat(), last.isoformat()):
        present.setdefault((log.task_id, log.date), []).append(log)
    named, seen = dependencies.named([row.task_id for row in body.rows]), set[str]()
    for i, row in enumerate(body.rows):
        task = named.get(row.task_id)
        if task is None:
            complaints.unknown(f"rows[{i}].taskId", Noun("task"))
        elif task.id in seen:
            complaints.add(f"rows[{i}].taskId", "duplicate", says("{key} already has a row.", key=task.key))
        else:
            seen.add(task.id)
            yield from _changed(_of_row(i, row, task, body.date_from, present))


def _of_row(
    i: int, row: TimeWeekEntry, task: Task, first: date, present: Mapping[tuple[str, date], Sequence[TimeLog]]
) -> Iterator[_Cell]:
    for column, minutes in enumerate(row.minutes):
        day = first + timedelta(days=column)
        if minutes is not None:
            yield _Cell((i, column), task, day, present.get((task.id, day), ()), minutes)


def _changed(cells: Iterable[_Cell]) -> Iterator[_Cell]:
    return (cell for cell in cells if cell.change)


def _write(cell: _Cell, person: str, *, force: bool) -> None:
    if not cell.logs:
        logs.add(
            cell.task.id,
            NewTimeLog(
                date=Day(cell.day.year, cell.day.month, cell.day.day),
                minutes=cell.minutes,
                user_id=person,
                force=force,
            ),
        )
        return
    log, *others = cell.logs
    if others:
        message = says(
            "{key} has {count} time entries on {day}. Change them one by one.",
            key=cell.task.key,
            count=len(cell.logs),
            day=cell.day,
        )
        raise Invalid.one(cell.path, "several_logs", message)
    if not cell.minutes:
        logs.remove(log.id, force=force)
        return
    if log.started_at is not None:
        span = spans.shown(log.started_at, log.ended_at or "", people.zone(person))
        message = says("This time entry has a start and an end ({span}). Change its start or end instead.", span=span)
        raise Invalid.one(cell.path, "timed", message)
    logs.change(log.id, TimeLogChange(minutes=cell.minutes, force=force))
