"""The hourly rates of a task over time, over HTTP."""

from erp.kernel import caller
from erp.kernel.errors import InUse
from erp.projects import rate_history, rates
from erp.projects.projects import ProjectArchived
from erp.projects.rate_history import HourlyRateView
from erp.store import events
from erp.tasks import tasks
from erp.tasks.models import Task
from erp.tasks.statuses import TaskArchived
from erp.web.endpoint import endpoint


class OfTask:
    @endpoint(permission="money.read")
    def on_get(self, id: str) -> list[HourlyRateView]:
        """List the hourly rates of a task, the first at the top.

        Each holds for time dated from its first day on until the next one begins. Null means the rate of the project.
        """
        return rate_history.views("task", id, Task.find(id).hourly_rate)


class Item:
    @endpoint(permission="tasks.write_own", refuses=(InUse, ProjectArchived, TaskArchived))
    def on_delete(self, id: str, rate_id: str) -> None:
        """Delete an hourly rate of a task: the one before it counts for its time.

        A rate of invoiced time is refused (409 `in_use`), and the first rate has no id.
        """
        task = tasks.find_to_change(id)
        if not caller.may("money.read"):
            raise caller.refusal("money.read")
        was_present, before = rate_history.remove("task", id, rate_id)
        if was_present:
            task.change(hourly_rate=before)
        rates.reprice_task(id)
        events.write("task.updated", "task", id, tasks.event_data(task, changed={}))
