"""Employment periods: they begin, move and end, never overlap, and never cut off attendance, leave or paid days."""

from contextlib import AbstractContextManager
from datetime import date, timedelta

from erp.hr.access.models import Employee
from erp.hr.employees.models import Employment
from erp.hr.leave import ledger
from erp.kernel import clock
from erp.kernel.errors import Invalid, Refusal
from erp.kernel.language import Listed, Word, says
from erp.store import recorded
from erp.store.router import WORKSPACE

_SETTLED = """
SELECT date, NULL, NULL FROM attendance_record WHERE employee_id = ?1 AND date BETWEEN ?2 AND ?3
UNION ALL
SELECT start_date, end_date, status FROM leave_application
WHERE employee_id = ?1 AND status IN ('pending', 'approved') AND end_date >= ?2 AND start_date <= ?3
ORDER BY 1 LIMIT 5
"""
_SET_START = "UPDATE employment SET starts_on = ? WHERE employee_id = ? AND starts_on = ? RETURNING id"
_SET_END = "UPDATE employment SET ends_on = ? WHERE employee_id = ? AND starts_on = ? RETURNING id"
_BEFORE = "SELECT max(ends_on) FROM employment WHERE employee_id = ? AND starts_on < ?"
_MOVE_PAY = """
UPDATE compensation SET effective_from = ?3, version = version + 1, updated_at = ?4
WHERE employee_id = ?1 AND effective_from = ?2 AND replaced_by_id IS NULL AND NOT EXISTS (
    SELECT 1 FROM compensation AS other WHERE other.employee_id = ?1 AND other.replaced_by_id IS NULL
    AND other.effective_from <> ?2
    AND (other.effective_from BETWEEN ?2 AND ?3 OR other.effective_from BETWEEN ?3 AND ?2))
RETURNING id
"""
_MOVE_SCHEDULE = """
UPDATE work_schedule SET effective_from = ?3 WHERE employee_id = ?1 AND effective_from = ?2 AND NOT EXISTS (
    SELECT 1 FROM work_schedule AS other WHERE other.employee_id = ?1
    AND other.effective_from <> ?2
    AND (other.effective_from BETWEEN ?2 AND ?3 OR other.effective_from BETWEEN ?3 AND ?2))
RETURNING id
"""


class DaysCutOff(Refusal):
    """{name} would not be employed on days with records: {what}. Change those records first."""


def begin(employee_id: str, day: date) -> None:
    """Begin an employment period. The previous one must have ended."""
    with _correcting_grants(employee_id):
        Employment.create(employee=employee_id, starts_on=day)


def end(employee: Employee, day: date) -> None:
    """End the latest employment period with that day, or change its end.

    Raises:
        Invalid: the day is before the period.
        DaysCutOff: there is attendance or leave after it.
    """
    if day < employee.hire_date:
        raise Invalid.one(
            "date",
            "before_hire_date",
            says("Must not be before the hire date, {hire_date}.", hire_date=employee.hire_date),
        )
    _refuse_cut(employee, day + timedelta(days=1), date.max, "date")
    _set_end(employee, day)


def reopen(employee: Employee) -> None:
    """Remove the end of the latest employment period."""
    _set_end(employee, None)


def _set_end(employee: Employee, day: date | None) -> None:
    with _correcting_grants(employee.id):
        end = None if day is None else day.isoformat()
        _write(_SET_END, (end, employee.id, employee.hire_date.isoformat()), "employment", {"ends_on": end})


def _correcting_grants(employee_id: str) -> AbstractContextManager[None]:
    return ledger.correcting_grants(employee_id, "The employment was changed.")


def move_start(employee: Employee, day: date) -> None:
    """Move the start of the latest employment period; pay and schedule that begin on its first day move with it.

    Raises:
        Invalid: the day is after its end, or within the previous period.
        DaysCutOff: there is attendance or leave before the new start.
    """
    _check_start(employee, day)
    if day > employee.hire_date:
        _refuse_cut(employee, employee.hire_date, day - timedelta(days=1), "hireDate")
    old, new = employee.hire_date.isoformat(), day.isoformat()
    with _correcting_grants(employee.id):
        _write(_SET_START, (new, employee.id, old), "employment", {"starts_on": new})
        _write(_MOVE_SCHEDULE, (employee.id, old, new), "work_schedule", {"effective_from": new})
    _write(_MOVE_PAY, (employee.id, old, new, clock.stamp()), "compensation", {"effective_from": new})


def _write(statement: str, parameters: tuple[str | None, ...], table: str, columns: dict[str, str | None]) -> None:
    for (id,) in WORKSPACE.rows(statement, parameters):
        recorded.note(table, id, columns)


def _check_start(employee: Employee, day: date) -> None:
    if employee.termination_date is not None and day > employee.termination_date:
        message = says(
            "Must not be after the termination date, {termination_date}.", termination_date=employee.termination_date
        )
        raise Invalid.one("hireDate", "after_termination", message)
    ((ended,),) = WORKSPACE.rows(_BEFORE, (employee.id, employee.hire_date.isoformat()))
    if ended is not None and day.isoformat() <= ended:
        raise Invalid.one(
            "hireDate", "overlap", says("Must be after the previous employment, which ended on {ended}.", ended=ended)
        )


def _refuse_cut(employee: Employee, start: date, end: date, field: str) -> None:
    rows = WORKSPACE.rows(_SETTLED, (employee.id, start.isoformat(), end.isoformat()))
    if rows:
        raise DaysCutOff(field=field, name=employee.name, what=Listed.of([_named(*row) for row in rows]))


def _named(start: str, end: str | None, leave_status: str | None) -> str:
    first = date.fromisoformat(start)
    if end is None or leave_status is None:
        return says("attendance on {date}", date=first)
    last = date.fromisoformat(end)
    return says("{status} leave from {start} to {end}", status=Word.of(leave_status), start=first, end=last)
