"""Attendance: employ people, record their days, and grant them leave."""

from erp.store.events import Event

NOW = "2026-03-11T17:00:00Z"
"""A Wednesday; the week before it is over."""


def employee_at_work(office, name="Anna", person=None, **fields):
    """Hire someone from the start of the year, Monday to Friday for eight hours; the employee's id."""
    body = {"name": name, "hireDate": "2026-01-01", "userId": person and person.user["id"], **fields}
    return office.ok("POST", "/hr/employees", body)["id"]


def punch(start, end=None):
    """A punch from a time such as `03-02 08:00` of 2026 in UTC to another, or to the same day's."""
    day, begun = start.split()
    ended = None if end is None else end.split() if " " in end else (day, end)
    return {"in": f"2026-{day}T{begun}:00Z", "out": ended and f"2026-{ended[0]}T{ended[1]}:00Z"}


def marked_day(office, employee_id, day, *punches, **fields):
    """Record a day by hand."""
    body = {"employeeId": employee_id, "date": day, "punches": list(punches), **fields}
    return office.ok("POST", "/hr/attendance", body)


def minutes(record):
    """The worked, expected and overtime minutes of a day."""
    return record["workedMinutes"], record["expectedMinutes"], record["overtimeMinutes"]


def settle(office, **settings):
    """Change the office's settings."""
    office.ok("PATCH", f"/workspace/{office.workspace_id}", settings)


def grant_leave(office, employee_id, day, **fields):
    """Grant leave for a day, or half of it."""
    body = {"employeeId": employee_id, "startDate": day, "endDate": day, **fields}
    asked = office.ok("POST", "/hr/leaves", body)
    office.ok("POST", f"/hr/leaves/{asked['id']}/approve", {})


def types(office):
    """The types of all events about attendance, in order."""
    with office.books():
        found = Event.select().where(Event.type.startswith("attendance")).order_by(Event.seq)
        return [event.type for event in found]
