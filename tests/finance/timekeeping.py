"""What tests of billing time do over and over: a project, its tasks, and the time that was logged to them."""

from typing import Any

from erp.tasks.models import TimeLog
from tests.conftest import Office


def project(
    office: Office, name: str = "Web", customer_id: str | None = None, rate: str | None = "90.00", **more: Any
) -> str:
    """A project that is paid by the hour; its id."""
    body = {"name": name, "customerId": customer_id, "billing": "hourly", "hourlyRate": rate, "status": "active"}
    return str(office.ok("POST", "/projects", {**body, **more})["id"])


def task(office: Office, project_id: str | None, title: str = "Pages", **more: Any) -> dict[str, Any]:
    """A task."""
    made: dict[str, Any] = office.ok("POST", "/tasks", {"projectId": project_id, "title": title, **more})
    return made


def log(office: Office, task_id: str, minutes: int = 60, date: str = "2026-03-02", **more: Any) -> str:
    """Time on a task; its id."""
    made = office.ok("POST", f"/tasks/{task_id}/time-logs", {"minutes": minutes, "date": date, **more})
    return str(made["id"])


def bill(office: Office, **body: Any) -> dict[str, Any]:
    """A draft invoice of billable time."""
    drafted: dict[str, Any] = office.ok("POST", "/finance/invoices/from-time-logs", body)
    return drafted


def kept(office: Office, *log_ids: str) -> list[tuple[str | None, int | None, int]]:
    """The invoice, its line and the amount that each log has."""
    with office.books():
        found = {log.id: log for log in TimeLog.select().where(TimeLog.id.in_(log_ids))}
    return [(found[id].invoice_id, found[id].invoice_line, found[id].amount) for id in log_ids]
