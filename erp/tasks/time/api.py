"""Time logs and timers over HTTP."""

from erp.kernel.errors import UnknownReference
from erp.projects.projects import ProjectArchived
from erp.tasks.models import Task
from erp.tasks.time import importing, listing, logs, sums, timers, week
from erp.tasks.time.importing import Read, TimeImport, TimeImportView
from erp.tasks.time.listing import TaskTimeFilter, TimeLogFilter, TimeLogView
from erp.tasks.time.locks import LOCKED
from erp.tasks.time.logs import (
    LogRemoval,
    NewTimeLog,
    ProjectCancelled,
    TaskCancelled,
    TaskPrivate,
    TimeInvoiced,
    TimeLogChange,
)
from erp.tasks.time.spans import DayFull, TimeOverlap
from erp.tasks.time.sums import TimeLogSum
from erp.tasks.time.timers import NoTimer, TimerOwner, TimerRunning, TimerStart, TimerStop, TimerView
from erp.tasks.time.week import TimeWeek, TimeWeekQuery, TimeWeekView
from erp.web.endpoint import endpoint
from erp.web.schema import SummedPage

CLOSED = (ProjectArchived, ProjectCancelled, TaskCancelled, TaskPrivate)
IMPOSSIBLE = (TimeOverlap, DayFull)


def _listed(
    query: TaskTimeFilter, task_id: str | None = None
) -> SummedPage[TimeLogView, TimeLogSum] | list[TimeLogSum]:
    if query.group_by is not None:
        return sums.sums(query, task_id)
    return SummedPage.of(listing.search(query, task_id), sums.whole(query, task_id) if query.total else None)


class OfTask:
    @endpoint(permission="time.read_own")
    def on_get(self, id: str, query: TaskTimeFilter) -> SummedPage[TimeLogView, TimeLogSum] | list[TimeLogSum]:
        """List the time logs of a task, the newest day first.

        You see your own, or everyone's with the right to. `groupBy` answers sums instead.
        """
        return _listed(query, Task.find(id).id)

    @endpoint(
        permission="time.write_own",
        status=201,
        collection="/api/v1/tasks/time-logs",
        refuses=(UnknownReference, *CLOSED, *IMPOSSIBLE, *LOCKED),
    )
    def on_post(self, id: str, body: NewTimeLog) -> TimeLogView:
        """Log time on a task.

        Send either `minutes` with a `date` (today when left out), or `startedAt` and `endedAt`. From those two the
        minutes are computed, to the nearest minute, and the date is the day of the start. Days are in the user's time
        zone. No one can work twice at the same time, more than 24 hours a day or in the future. `userId` logs for
        someone else, which needs that right. Without `isBillable`, the task decides, else whether its project is billed
        by the hour.
        """
        return listing.show(logs.add(id, body).id)


class Collection:
    @endpoint(permission="time.read_own", refuses=(UnknownReference,))
    def on_get(self, query: TimeLogFilter) -> SummedPage[TimeLogView, TimeLogSum] | list[TimeLogSum]:
        """List time logs, the newest day first.

        You see your own, or everyone's with the right to. `groupBy` answers sums instead: days the newest first,
        anything else by name.
        """
        return _listed(query)


class Item:
    @endpoint(permission="time.read_own")
    def on_get(self, id: str) -> TimeLogView:
        """Show a time log.

        Your own, or with the right to read all time, anyone's. Rates and amounts are left out for roles that may not
        read finances.
        """
        return listing.show(logs.find(id).id)

    @endpoint(permission="time.write_own", refuses=(UnknownReference, TimeInvoiced, *CLOSED, *IMPOSSIBLE, *LOCKED))
    def on_patch(self, id: str, body: TimeLogChange) -> TimeLogView:
        """Change a time log, under the rules for new ones.

        Null for both `startedAt` and `endedAt` keeps the minutes and the date. Time on an invoice, drafts included,
        or on an archived project cannot be changed, nor can time of a week that has been submitted or approved.
        """
        return listing.show(logs.change(id, body).id)

    @endpoint(permission="time.write_own", refuses=(TimeInvoiced, ProjectArchived, *LOCKED))
    def on_delete(self, id: str, query: LogRemoval) -> None:
        """Delete a time log that is not on an invoice or an archived project.

        Your own, or with the right to write all time, anyone's. Invoiced time is refused (409 `time_invoiced`), and
        so is time of a week that has been submitted or approved.
        """
        logs.remove(id, force=query.force)


class Week:
    @endpoint(permission="time.read_own")
    def on_get(self, query: TimeWeekQuery) -> TimeWeekView:
        """Show a week of time as a grid: tasks by days.

        It is your own week, or with the right to read all time, the week of `userId`. Minutes are summed by task and
        day.
        """
        return week.show(query.date_from, query.user_id)

    @endpoint(permission="time.write_own", refuses=(UnknownReference,))
    def on_post(self, body: TimeWeek) -> TimeWeekView:
        """Write a week of time at once, all cells or none.

        Each row is a task, and each of its minutes a day. Minutes add a log or change it, 0 deletes it, and null leaves
        it. Every cell follows the rules for time logged by hand. Errors name the cell (`rows[2].minutes[4]`): several
        logs, time from a start to an end, time on an invoice.
        """
        return week.show(body.date_from, week.write(body))


class Import:
    @endpoint(permission="time.write_own", prepare=importing.read)
    def on_post(self, body: TimeImport, prepared: Read) -> TimeImportView:
        """Import time logs from a spreadsheet, all rows or none.

        The first row holds the headings: `task` (a key such as WEB-12), and either
        `date` with `minutes` or `hours` (1.5), or `start` and `end`. Optional are `note`, `billable` (yes or no) and
        `user` (an e-mail address; logging for others needs that right). A start or an end is an instant with its
        offset (2026-01-31T09:30:00+01:00), or a time of day (09:30) on the `date` in the user's time zone; an end that
        is not after the start is on the next day. Columns are separated by commas or semicolons. Every row follows
        the rules for time logged by hand. Complaints name the cell, as `rows[3].minutes`, with the row's number in the
        spreadsheet. `dryRun` checks and counts, and stores nothing.

        With `source`, the file is the export of Toggl Track (the detailed report), Clockify (the detailed report) or
        Kimai (the export of timesheets) as it is. Its people are members by their e-mail addresses or names, or as
        `people` names them; customers, projects and tasks are found by their names, or added if `create` lists them. A
        row without a task goes to its activity, else to the task "Time". Time that Kimai has exported is not billable.
        Rows that have been imported before are left out, so the same file brings nothing twice.
        """
        return importing.run(body, prepared)


class RunningTimer:
    @endpoint(permission="time.read_own")
    def on_get(self) -> TimerView:
        """Show your running timer.

        When none runs, `running` is false.
        """
        return TimerView.of(timers.mine())

    @endpoint(permission="time.write_own", refuses=(NoTimer,))
    def on_delete(self, query: TimerOwner) -> None:
        """Discard a running timer without logging its time, for example one started by mistake.

        Your own timer, or with the right to write all time, the timer of `userId`. Without a running timer the answer
        is a 409 `no_timer`.
        """
        timers.discard(query.user_id)


class StartTimer:
    @endpoint(permission="time.write_own", refuses=(TimerRunning, *CLOSED, *LOCKED))
    def on_post(self, id: str, body: TimerStart) -> TimerView:
        """Start your timer on a task; only one runs at a time.

        Stopping the timer makes a time log. While a timer runs, another is refused (409 `timer_running`), as are
        archived projects and cancelled work.
        """
        return TimerView.of(timers.start(id, body))


class StopTimer:
    @endpoint(permission="time.write_own", refuses=(NoTimer, *IMPOSSIBLE, *LOCKED))
    def on_post(self, body: TimerStop) -> TimeLogView:
        """Stop your timer and log its time.

        The minutes are rounded to the nearest, at least 1, on the day it was started in your time zone. A timer that
        has run for more than 24 hours needs an `endedAt`, which may be any time since the start.
        """
        return listing.show(timers.stop(body).id)
