"""Entering attendance by hand: one day or many, and changing what was recorded."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import UNSET

from erp.hr import locked_days
from erp.hr.access import people
from erp.hr.access.models import Employee
from erp.hr.attendance import checks
from erp.hr.attendance.checks import ClaimedDay, Status
from erp.hr.attendance.models import AttendanceRecord
from erp.hr.attendance.punches import Punch
from erp.kernel.errors import Complaint, Invalid, UnknownReference
from erp.store import changes, events
from erp.web.scalars import Day, Id, Moment, Note
from erp.web.schema import Body, Unset

EmployeeName = Annotated[Id, msgspec.Meta(description="An employee's id or number; the caller's own when absent.")]
BreakMinutes = Annotated[int, msgspec.Meta(ge=0, le=1440, description="Taken off the time between punches.")]


class PunchGiven(Body):
    """A stretch of work; the last one of a day may be without its end."""

    start: Moment = msgspec.field(name="in")
    end: Moment | None = msgspec.field(name="out", default=None)


Punches = Annotated[list[PunchGiven], msgspec.Meta(max_length=48)]


class AttendanceDay(Body):
    """A day of an employee's."""

    date: Day
    employee_id: EmployeeName | None = None
    status: Status = "present"
    punches: Punches = []
    break_minutes: BreakMinutes = 0
    note: Note | None = None


class NewAttendance(Body):
    """A day of an employee's, or `records` alone: up to 1000 days, of which all are recorded or none."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "employeeId": "EMP-0001",
        "date": "2026-03-02",
        "punches": [
            {"in": "2026-03-02T08:00:00Z", "out": "2026-03-02T12:00:00Z"},
            {"in": "2026-03-02T12:30:00Z", "out": "2026-03-02T17:00:00Z"},
        ],
        "breakMinutes": 15,
    }

    employee_id: EmployeeName | Unset | None = UNSET
    date: Annotated[Day, msgspec.Meta(description="Required, unless there are `records`.")] | Unset = UNSET
    status: Annotated[Status, msgspec.Meta(description="`present` when absent.")] | Unset = UNSET
    punches: Punches | Unset = UNSET
    break_minutes: BreakMinutes | Unset = UNSET
    note: Note | Unset | None = UNSET
    records: Annotated[list[AttendanceDay], msgspec.Meta(min_length=1, max_length=1000)] | Unset = UNSET


class AttendanceChange(Body):
    """Fields of a day to change; those left out stay, punches are replaced as a whole."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"breakMinutes": 30, "note": "Lunch was longer."}

    status: Status | Unset = UNSET
    punches: Punches | Unset = UNSET
    break_minutes: BreakMinutes | Unset = UNSET
    note: Note | Unset | None = UNSET


def record(new: NewAttendance) -> list[str]:
    """Record a day, or all of several; their ids, in that order.

    Raises:
        NoEmployeeRecord: no employee is named, and the caller is none.
        Invalid: a day cannot be as it is said.
        AlreadyExists: a day has a record already.
        PaidAlready: payroll covers a day.
    """
    if new.records is not UNSET:
        return _import(new, new.records)
    if new.date is UNSET:
        raise Invalid.one("date", "required", "This field is required.")
    values = sent(new)
    employee_id = people.subject(values.pop("employee_id", None), "attendance.write").id
    made = _add(ClaimedDay(employee_id=employee_id, **values), "manual")
    events.write("attendance.recorded", "attendance", made.id, facts(made))
    return [made.id]


def _import(new: NewAttendance, given: Sequence[AttendanceDay]) -> list[str]:
    besides = [changes.wire_name(name) for name in new.changes() if name != "records"]
    if besides:
        raise Invalid([Complaint(name, "not_applicable", "It stands in each of the records.") for name in besides])
    claimed = [
        ClaimedDay(**{**sent(day), "employee_id": id}, where=f"records[{place}].")
        for place, (day, id) in enumerate(zip(given, _employees(given), strict=True))
    ]
    made = _add_all(claimed, "import")
    days = sorted(day.date for day in claimed)
    told = {"count": len(made), "dateFrom": days[0].isoformat(), "dateTo": days[-1].isoformat()}
    events.write("attendance.imported", "attendance", made[0].id, told)
    return [each.id for each in made]


def _employees(given: Sequence[AttendanceDay]) -> list[str]:
    """The id of the employee of each day, all looked up at once."""
    named = {day.employee_id for day in given if day.employee_id is not None}
    found: dict[str | None, str] = {}
    for employee in Employee.select().where(Employee.id.in_(named) | Employee.employee_number.in_(named)):
        found |= {employee.employee_number: employee.id, employee.id: employee.id}
    if any(day.employee_id is None for day in given):
        found[None] = people.subject(None, "attendance.write").id
    unknown = [place for place, day in enumerate(given) if day.employee_id not in found]
    if unknown:
        raise Invalid([UnknownReference(f"records[{place}].employeeId", "employee").details[0] for place in unknown])
    return [found[day.employee_id] for day in given]


def sent(body: Body) -> dict[str, Any]:
    """The fields that were sent of a day, with punches as the arithmetic takes them."""
    values = body.changes()
    if "punches" in values:
        values["punches"] = [Punch(punch.start, punch.end) for punch in values["punches"]]
    return values


def _add(day: ClaimedDay, source: str) -> AttendanceRecord:
    return _add_all([day], source)[0]


def _add_all(days: Sequence[ClaimedDay], source: str) -> list[AttendanceRecord]:
    return [
        AttendanceRecord.add(employee=day.employee_id, date=day.date, source=source, **columns)
        for day, columns in zip(days, checks.check(days), strict=True)
    ]


def change(id: str, wanted: AttendanceChange) -> None:
    """Change what was recorded of a day.

    Raises:
        Invalid: the day cannot be as it is said.
        PaidAlready: payroll covers the day.
    """
    found = AttendanceRecord.find_to_change(id)
    (columns,) = checks.check([claim(found.employee_id, found.date, sent(wanted), found)])
    values = changes.differing(found, columns)
    if values:
        told = changes.before_and_after(found, values) | (
            {"note": {}} if "note" in values else {}
        )  # may be about an illness
        found.change(**values)
        events.write("attendance.updated", "attendance", id, facts(found) | {"changed": told})


def claim(employee_id: str, day: date, values: dict[str, Any], found: AttendanceRecord | None) -> ClaimedDay:
    """A day as it will be: what its record says, if it is marked, with the values in place of that.

    Raises:
        Invalid: it is not marked, and the values do not say what it was.
    """
    if found is None and not {"status", "punches", "break_minutes"} & values.keys():
        raise Invalid.one("status", "required", f"{day} is not marked: say its status or its punches.")
    if found is None:
        return ClaimedDay(employee_id=employee_id, date=day, **values)
    recorded = {
        "status": found.status,
        "punches": [Punch.of(each) for each in found.punches],
        "break_minutes": found.break_minutes,
        "note": found.note,
    }
    return ClaimedDay(employee_id=employee_id, date=day, record_id=found.id, **{**recorded, **values})


def apply(employee_id: str, day: date, values: dict[str, Any]) -> str:
    """Have a day be with the values, recording it if it is not marked; the record's id.

    Raises:
        Invalid: the day cannot be as it is said.
        PaidAlready: payroll covers the day.
    """
    found = of_day(employee_id, day)
    claimed = claim(employee_id, day, values, found)
    if found is None:
        return _add(claimed, "manual").id
    found.change(**checks.check([claimed])[0])
    return found.id


def of_day(employee_id: str, day: date) -> AttendanceRecord | None:
    """An employee's record of a day, if it is marked."""
    found: AttendanceRecord | None = AttendanceRecord.get_or_none(
        AttendanceRecord.employee == employee_id, AttendanceRecord.date == day
    )
    return found


def remove(id: str) -> None:
    """Delete what was recorded of a day, so that it is unmarked.

    Raises:
        PaidAlready: payroll covers the day.
    """
    found = AttendanceRecord.find_to_change(id)
    locked_days.check_open(found.employee_id, found.date, found.date)
    told = facts(found) | {"workedMinutes": found.worked_minutes}
    found.delete_instance()
    events.write("attendance.deleted", "attendance", id, told)


def facts(found: AttendanceRecord) -> dict[str, Any]:
    """What the log says of a record."""
    return {"employeeId": found.employee_id, "date": found.date.isoformat(), "status": found.status}
