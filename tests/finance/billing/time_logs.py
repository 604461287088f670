"""Projects, tasks and time logs for tests, and invoices of that time."""

from typing import Any

from erp.store import sql
from erp.tasks.models import TimeLog
from tests.conftest import Office


def hourly_project(
    office: Office, name: str = "Web", customer_id: str | None = None, rate: str | None = "90.00", **fields: Any
) -> dict[str, Any]:
    """A new project that is billed by the hour."""
    body = {"name": name, "customerId": customer_id, "billing": "hourly", "hourlyRate": rate, "status": "active"}
    shown: dict[str, Any] = office.ok("POST", "/projects", {**body, **fields})
    return shown


def project_task(office: Office, project_id: str | None, title: str = "Pages", **fields: Any) -> dict[str, Any]:
    """A new task."""
    shown: dict[str, Any] = office.ok("POST", "/tasks", {"projectId": project_id, "title": title, **fields})
    return shown


def time_log(
    office: Office, task_id: str, minutes: int = 60, date: str = "2026-03-02", **fields: Any
) -> dict[str, Any]:
    """A new time log of a task."""
    body = {"minutes": minutes, "date": date, **fields}
    shown: dict[str, Any] = office.ok("POST", f"/tasks/{task_id}/time-logs", body)
    return shown


def time_invoice(office: Office, **fields: Any) -> dict[str, Any]:
    """A new draft invoice of billable time."""
    shown: dict[str, Any] = office.ok("POST", "/finance/invoices/from-time-logs", fields)
    return shown


def billing_of(office: Office, *log_ids: str) -> list[tuple[str | None, int | None, int]]:
    """The invoice, the position of its line and the amount in minor units that each time log has."""
    with office.books():
        logs = {log.id: log for log in TimeLog.select().where(sql.among(TimeLog.id, log_ids))}
    return [(logs[id].invoice_id, logs[id].invoice_line, logs[id].amount) for id in log_ids]
