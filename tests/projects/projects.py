"""Projects for tests, with tasks in any state and time logged on them."""

from erp.kernel import clock
from erp.projects.models import Project
from erp.tasks.models import Task, TimeLog

PATH = "/projects"


def plan(office, name="Website", **fields):
    """A project."""
    return office.ok("POST", PATH, {"name": name, **fields})


def shown(office, project):
    return office.ok("GET", f"{PATH}/{project['id']}")


def put(office, project, **columns):
    """Set columns of a project as they are, whichever way it would have come there."""
    with office.books(write=True):
        Project.update(**columns).where(Project.id == project["id"]).execute()


def stored_task(office, project, title="Pages", status="todo", **columns):
    """A task of a project, in any state; its id."""
    with office.books(write=True):
        number = Task.select().count() + 1
        done_at = clock.stamp() if status == "done" else None
        columns = {"key": f"{project['code']}-{number}", "position": number, "completed_at": done_at, **columns}
        return Task.add(project=project["id"], title=title, status=status, **columns).id


def stored_log(office, project, task_id, minutes, amount=0, **columns):
    """Time on a task, worth an amount in minor units; its id."""
    with office.books(write=True):
        given = {"user_id": office.user["id"], "date": "2026-03-02", "is_billable": amount > 0, **columns}
        return TimeLog.add(task=task_id, project=project["id"], minutes=minutes, amount=amount, **given).id


def project_invoice(office, project_id, price, **fields):
    """An invoice of one line that names a project."""
    line = {"description": "Work", "quantity": "1", "unitPrice": price, "taxRateId": None, "projectId": project_id}
    return office.ok("POST", "/finance/invoices", {"customer": {"name": "Heron"}, "lines": [line], **fields})
