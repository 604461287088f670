"""Time logs and timers for tests."""

from erp.finance.documents.models import Invoice
from erp.tasks.models import TimeLog
from tests.tasks.tasks import add, project

LOGS = "/tasks/time-logs"
TIMER = "/tasks/timer"
NOON = "2026-03-16T12:00:00Z"
"""A Monday on which many of the tests live."""


def hourly_task(office, rate="90.00", **fields):
    """A project that is billed by the hour, and a task of it."""
    made = project(office, "Website", billing="hourly", hourlyRate=rate, **fields)
    return made, add(office, projectId=made["id"])


def log(office, task, minutes=None, **fields):
    """Time on a task."""
    body = fields if minutes is None else {"minutes": minutes, **fields}
    return office.ok("POST", f"/tasks/{task['id']}/time-logs", body)


def span(start, end):
    """A start and an end, each as 2026-03-16T09:00 with or without an offset; UTC without."""
    return {
        name: at if "+" in at or at.endswith("Z") else f"{at}Z" for name, at in (("startedAt", start), ("endedAt", end))
    }


def refuse(office, task, status, code, /, **fields):
    """See that time is refused; the error."""
    return office.refused("POST", f"/tasks/{task['id']}/time-logs", fields, status=status, code=code)


def change(office, made, **fields):
    """A log, changed."""
    return office.ok("PATCH", f"{LOGS}/{made['id']}", fields)


def start(office, task, **fields):
    """A timer, started."""
    return office.ok("POST", f"/tasks/{task['id']}/timer/start", fields)


def stop(office, **fields):
    """The log of the timer that was running."""
    return office.ok("POST", f"{TIMER}/stop", fields)


def listed(office, **params):
    """The logs that a query lists."""
    return office.ok("GET", LOGS, params=params)


def minutes(office, **params):
    """The minutes of the logs that a query lists, in order."""
    return [each["minutes"] for each in listed(office, **params)]


def live_in(office, zone):
    """Give a user a time zone."""
    office.ok("PATCH", "/auth/me", {"timeZone": zone})


def put_on_invoice(office, *logs, issued=True):
    """Put logs on an invoice, and name it as the refusals do."""
    line = {"description": "Work", "quantity": "1", "unitPrice": "5.00", "taxRateId": None}
    body = {"customer": {"name": "Heron"}, "lines": [line], "draft": not issued}
    invoice = office.ok("POST", "/finance/invoices", body)
    ids = [each["id"] for each in logs]
    with office.books(write=True):
        TimeLog.update(invoice_id=invoice["id"], invoice_line=1).where(TimeLog.id.in_(ids)).execute()
        number = Invoice.find(invoice["id"]).number
    return f"invoice {number}" if issued else "a draft invoice"
