"""Time logs over HTTP."""

from erp.kernel.errors import UnknownReference
from erp.projects.projects import ProjectArchived
from erp.tasks.models import Task
from erp.tasks.time import csv_import, listing, logs, sums
from erp.tasks.time.csv_import import TimeImport, TimeImportView
from erp.tasks.time.listing import TaskTimeFilter, TimeLogFilter, TimeLogView
from erp.tasks.time.logs import NewTimeLog, ProjectCancelled, TaskCancelled, TimeInvoiced, TimeLogChange
from erp.tasks.time.spans import DayFull, TimeOverlap
from erp.tasks.time.sums import TimeLogSum
from erp.web.endpoint import endpoint
from erp.web.schema import Page

CLOSED = (ProjectArchived, ProjectCancelled, TaskCancelled)
IMPOSSIBLE = (TimeOverlap, DayFull)


def _listed(query: TaskTimeFilter, task_id: str | None = None) -> Page[TimeLogView] | list[TimeLogSum]:
    if query.group_by is not None:
        return sums.sums(query, task_id)
    return listing.search(query, task_id)


class OfTask:
    @endpoint(permission="time.read_own")
    def on_get(self, id: str, query: TaskTimeFilter) -> Page[TimeLogView] | list[TimeLogSum]:
        """List the time on a task, that of the newest day first.

        Everybody's to those who may read it, else your own. `groupBy` gives sums instead.
        """
        return _listed(query, Task.find(id).id)

    @endpoint(
        permission="time.write_own",
        status=201,
        collection="/api/v1/tasks/time-logs",
        refuses=(UnknownReference, *CLOSED, *IMPOSSIBLE),
    )
    def on_post(self, id: str, body: NewTimeLog) -> TimeLogView:
        """Log time on a task.

        Send either `minutes`, with the `date` they are of (today, if you leave it out), or `startedAt` and `endedAt`;
        these make the minutes, the nearest to what really went by, and the date is the day of the start. Days are
        those of the user's own time zone. Nobody works twice at the same time, more than 24 hours a day or in the
        future. `userId` logs for somebody else, which not every role may. Without `billable`, time is billable as its
        task says, else if its project is billed by the hour.
        """
        return listing.show(logs.add(id, body).id)


class Collection:
    @endpoint(permission="time.read_own")
    def on_get(self, query: TimeLogFilter) -> Page[TimeLogView] | list[TimeLogSum]:
        """List time, that of the newest day first.

        Everybody's to those who may read it, else your own. `groupBy` gives sums instead, days the newest first,
        anything else by name.
        """
        return _listed(query)


class Item:
    @endpoint(permission="time.read_own")
    def on_get(self, id: str) -> TimeLogView:
        """Show time that was logged."""
        return listing.show(logs.find(id).id)

    @endpoint(permission="time.write_own", refuses=(UnknownReference, TimeInvoiced, *CLOSED, *IMPOSSIBLE))
    def on_patch(self, id: str, body: TimeLogChange) -> TimeLogView:
        """Change time that was logged, under the rules for new time.

        Null for both `startedAt` and `endedAt` leaves the minutes and the date. Time on an invoice, a draft
        included, cannot be changed, nor can that on an archived project.
        """
        return listing.show(logs.change(id, body).id)

    @endpoint(permission="time.write_own", refuses=(TimeInvoiced, ProjectArchived))
    def on_delete(self, id: str) -> None:
        """Delete time that is on no invoice, and not on an archived project."""
        logs.remove(id)


class Import:
    @endpoint(permission="time.write_own")
    def on_post(self, body: TimeImport) -> TimeImportView:
        """Log the time of a spreadsheet, all rows or none.

        `csv` is the text of a file with a row of headings: `task` (a key such as WEB-12) and either `date` with
        `minutes` or `hours` (1.5), or `start` and `end`; and if you like `note`, `billable` (yes or no) and `user` (an
        e-mail address; for others than yourself not every role may). A start or an end is an instant with its offset
        (2026-01-31T09:30:00+01:00), or a time of day (09:30) on the `date` where the user is; an end that is not after
        the start is of the next day. Columns are separated by commas or semicolons. Every row keeps the rules of time
        logged by hand; what is wrong is named as `rows[3].minutes`, with the row's number as a spreadsheet shows it.
        `dryRun` checks and counts, and stores nothing.
        """
        return csv_import.run(body)
