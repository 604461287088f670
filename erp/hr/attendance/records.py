"""Recording attendance by hand, one day or many, and changing records."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from msgspec import UNSET

from erp.hr.access import people
from erp.hr.access.models import Employee
from erp.hr.attendance import checks
from erp.hr.attendance.bodies import AttendanceChange, NewAttendance, NewAttendanceDay
from erp.hr.attendance.checks import ClaimedDay
from erp.hr.attendance.models import AttendanceRecord
from erp.hr.attendance.punches import Punch
from erp.kernel import complaints
from erp.kernel.complaints import REQUIRED
from erp.kernel.errors import Complaint, Invalid
from erp.kernel.language import Noun, says
from erp.kernel.wire import wire_name
from erp.store import changes, events, sql
from erp.web.schema import Body


def record(new: NewAttendance) -> list[AttendanceRecord]:
    """Record one day, or all of several; the records in the order of the days.

    Raises:
        NoEmployeeRecord: no employee is named, and the caller has no employee record.
        Invalid: a day cannot be as claimed.
        AlreadyExists: a day has a record already.
    """
    if new.records is not UNSET:
        return _import(new, new.records)
    if new.date is UNSET:
        raise Invalid.one("date", *REQUIRED)
    values = sent(new)
    employee_id = people.subject(values.pop("employee_id", None), "attendance.write").id
    check_may_write(employee_id)
    added = _add(ClaimedDay(employee_id=employee_id, **values), "manual")
    events.write("attendance.recorded", "attendance", added.id, event_data(added))
    return [added]


def check_may_write(employee_id: str) -> None:
    """Refuse to write attendance of someone beyond the caller's right, such as a manager's own.

    Raises:
        Forbidden: the right covers others alone.
    """
    if not people.may_for(employee_id, "attendance.write"):
        raise people.refusal("attendance.write")


def _import(new: NewAttendance, days: Sequence[NewAttendanceDay]) -> list[AttendanceRecord]:
    others = [wire_name(name) for name in new.changes() if name != "records"]
    if others:
        raise Invalid([Complaint(name, "not_applicable", says("Set this in each of the records.")) for name in others])
    paths = [f"records[{index}]." for index in range(len(days))]
    ids = employee_ids({path: day.employee_id for path, day in zip(paths, days, strict=True)})
    for id in ids:
        check_may_write(id)
    return add_imported(
        [
            ClaimedDay(**{**sent(day), "employee_id": id}, path=path)
            for path, day, id in zip(paths, days, ids, strict=True)
        ]
    )


def add_imported(days: Sequence[ClaimedDay]) -> list[AttendanceRecord]:
    """Record many days, all of them or none.

    Raises:
        Invalid, AlreadyExists: as for `record`.
    """
    added = _add_all(days, "import")
    dates = sorted(day.date for day in days)
    imported = {"count": len(added), "dateFrom": dates[0].isoformat(), "dateTo": dates[-1].isoformat()}
    events.write("attendance.imported", "attendance", added[0].id, imported)
    return added


def employee_ids(named: Mapping[str, str | None]) -> list[str]:
    """The ids of employees who are named by id or number, all looked up at once; None is the caller.

    Args:
        named: the names by the path of their day.

    Raises:
        NoEmployeeRecord: no employee is named, and the caller has no employee record.
        Invalid: with a complaint for each unknown one.
    """
    names = {name for name in named.values() if name is not None}
    ids: dict[str | None, str] = {}
    is_named = sql.among(Employee.id, names) | sql.among(Employee.employee_number, names)
    for employee in Employee.select().where(is_named):
        ids |= {employee.employee_number: employee.id, employee.id: employee.id}
    if None in named.values():
        ids[None] = people.subject(None, "attendance.write").id
    unknown = [path for path, name in named.items() if name not in ids]
    if unknown:
        raise Invalid([complaints.unknown(f"{path}employeeId", Noun("employee")) for path in unknown])
    return [ids[name] for name in named.values()]


def sent(body: Body) -> dict[str, Any]:
    """The fields of a day that were sent, with punches decoded."""
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


def change(id: str, body: AttendanceChange) -> AttendanceRecord:
    """Change the record of a day.

    Raises:
        Invalid: the day cannot be as claimed.
    """
    present = AttendanceRecord.find_to_change(id)
    check_may_write(present.employee_id)
    (columns,) = checks.check([claim(present.employee_id, present.date, sent(body), present)])
    values = changes.differing(present, columns)
    if values:
        changed = changes.before_and_after(present, values)
        if "note" in values:
            changed["note"] = {}  # a note may be about an illness
        present.change(**values)
        events.write("attendance.updated", "attendance", id, event_data(present) | {"changed": changed})
    return present


def claim(employee_id: str, day: date, values: dict[str, Any], present: AttendanceRecord | None) -> ClaimedDay:
    """The day with the values in place of the recorded ones.

    Raises:
        Invalid: there is no record, and the values lack a status.
    """
    if present is None and not {"status", "punches", "break_minutes"} & values.keys():
        raise Invalid.one(
            "status", "required", says("{day} has no record yet. Enter the status or the punches.", day=day)
        )
    if present is None:
        return ClaimedDay(employee_id=employee_id, date=day, **values)
    whole = recorded(present) | {"time_zone": present.time_zone} | values
    return ClaimedDay(employee_id=employee_id, date=day, record_id=present.id, **whole)


def recorded(present: AttendanceRecord) -> dict[str, Any]:
    """The values of a recorded day, as `apply` takes them."""
    punches = [Punch.of(punch) for punch in present.punches]
    return {
        "status": present.status,
        "punches": punches,
        "break_minutes": present.break_minutes,
        "note": present.note,
    }


def apply(employee_id: str, day: date, values: dict[str, Any]) -> AttendanceRecord:
    """Set values of a day; a day without a record gets one.

    Raises:
        Invalid: the day cannot be as claimed.
    """
    present = of_day(employee_id, day)
    claimed = claim(employee_id, day, values, present)
    if present is None:
        return _add(claimed, "manual")
    present.change(**checks.check([claimed])[0])
    return present


def of_day(employee_id: str, day: date) -> AttendanceRecord | None:
    """An employee's record of a day."""
    return AttendanceRecord.find_by(employee_id=employee_id, date=day.isoformat())


def remove(id: str) -> None:
    """Delete the record of a day."""
    present = AttendanceRecord.find_to_change(id)
    check_may_write(present.employee_id)
    present.delete_instance()
    deleted = event_data(present) | {"workedMinutes": present.worked_minutes}
    events.write("attendance.deleted", "attendance", id, deleted)


def event_data(present: AttendanceRecord) -> dict[str, Any]:
    return {"employeeId": present.employee_id, "date": present.date.isoformat(), "status": present.status}
