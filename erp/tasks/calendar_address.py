"""Your open tasks in your own calendar: a secret address that a calendar program subscribes to."""

import json
from collections.abc import Iterator
from datetime import date

from erp.auth import calendar_addresses
from erp.auth.calendar_addresses import CalendarAddressView, CreatedCalendarAddressView
from erp.kernel.errors import NotFound, SampleData, Unavailable
from erp.store import control
from erp.store.router import WORKSPACE
from erp.web import ical
from erp.web.endpoint import endpoint
from erp.web.schema import File

PATH = "/api/v1/tasks/calendar"
PRIORITIES = {"urgent": 1, "high": 3, "medium": 5, "low": 9}
"""RFC 5545: 1 is the highest."""

_OPEN = """
SELECT task.id, task.key, task.title, task.description, task.due_date, task.priority, task.tags,
    task.created_at, task.updated_at, task.version, project.name
FROM task_assignee JOIN task ON task.id = task_assignee.task_id LEFT JOIN project ON project.id = task.project_id
WHERE task_assignee.user_id = ? AND task.due_date IS NOT NULL AND task.status NOT IN ('done', 'cancelled')
    AND project.archived_at IS NULL
ORDER BY task.due_date, task.id
"""


def feed(secret: str) -> bytes:
    """The calendar of the address's owner: their open tasks, each on its due date.

    Raises:
        NotFound: there is no such address.
    """
    with control.read():
        subscriber = calendar_addresses.find_subscriber("tasks", secret, "tasks.read")
    with control.open_workspace(subscriber.workspace_id, write=False):
        return ical.calendar(f"Tasks, {subscriber.workspace_name}", _entries(subscriber.user_id))


def _entries(user_id: str) -> Iterator[ical.Entry]:
    for id, key, title, description, due, priority, tags, created_at, updated_at, version, project in WORKSPACE.rows(
        _OPEN, (user_id,)
    ):
        day = date.fromisoformat(due)
        yield ical.Entry(
            uid=id,
            first=day,
            last=day,
            summary=f"{key} {title}",
            description=description or "",
            categories=[*([project] if project else []), *json.loads(tags)],
            priority=PRIORITIES[priority],
            created_at=created_at,
            updated_at=updated_at,
            version=version,
        )


class Address:
    @endpoint(permission="tasks.read", store="control")
    def on_get(self) -> CalendarAddressView:
        """Show whether you have a calendar address, with its date.

        The address itself is a secret and is shown only when it is created.
        """
        return calendar_addresses.show("tasks")

    @endpoint(
        permission="tasks.read",
        store="control",
        status=201,
        shows_secret=True,
        session_only=True,
        refuses=(SampleData,),
    )
    def on_post(self) -> CreatedCalendarAddressView:
        """Create a secret calendar address of your open tasks.

        A calendar program that subscribes to it shows each of your open tasks in this workspace on its due date. Anyone
        who knows the address can read them without signing in. It is therefore shown only once. A new address replaces
        the old one.
        """
        return calendar_addresses.make("tasks", PATH)

    @endpoint(permission="tasks.read", store="control", also_when=("archived",), refuses=(NotFound,))
    def on_delete(self) -> None:
        """Revoke your calendar address. Programs that subscribed to it can no longer read it.

        A new one can be created at any time. Without an address the answer is a 404.
        """
        calendar_addresses.revoke("tasks")


class Feed:
    @endpoint(access="public", produces=ical.MEDIA_TYPE, refuses=(NotFound, Unavailable))
    def on_get(self, secret: str) -> File:
        """Read the calendar of a secret address.

        The open tasks with a due date that are assigned to its owner, as iCalendar (RFC 5545).
        """
        return File(feed(secret), "tasks.ics", ical.SENT_AS)
