"""Corrections: somebody asks that her day of attendance be changed, somebody with the right to decides."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import UNSET

from erp.hr.access import people
from erp.hr.attendance import checks, records
from erp.hr.attendance.checks import Status
from erp.hr.attendance.models import AttendanceCorrection
from erp.hr.attendance.punches import Punch
from erp.hr.attendance.records import BreakMinutes, EmployeeName, Punches
from erp.kernel import caller, clock
from erp.kernel.errors import Forbidden, Invalid, InvalidTransition, Refusal
from erp.store import changes, events
from erp.web.scalars import Day, Name, Note
from erp.web.schema import Body, Unset

CorrectionStatus = Literal["pending", "approved", "rejected", "cancelled"]

_PROPOSED = ("status", "punches", "break_minutes", "note")


class NewCorrection(Body):
    """How a day ought to be: what is left out stays as recorded."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "employeeId": "EMP-0001",
        "date": "2026-03-03",
        "punches": [{"in": "2026-03-03T08:00:00Z", "out": "2026-03-03T16:30:00Z"}],
        "breakMinutes": 30,
        "reason": "I was with a customer all day and could not clock in.",
    }

    date: Day
    reason: Name
    employee_id: EmployeeName | None = None
    status: Status | Unset = UNSET
    punches: Punches | Unset = UNSET
    break_minutes: BreakMinutes | Unset = UNSET
    note: Note | Unset | None = UNSET


class CorrectionDecision(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"note": "The gate says otherwise."}

    note: Annotated[Note | None, msgspec.Meta(description="A word to the person.")] = None


class OwnCorrection(Refusal):
    """Nobody decides on a correction of her own day; somebody else who may has to."""

    status = 403


def request(wanted: NewCorrection) -> AttendanceCorrection:
    """Ask for a correction, which is checked as if it were approved now.

    Raises:
        NoEmployeeRecord: no employee is named, and the caller is none.
        Forbidden: somebody else is named, and the caller may not write attendance.
        Invalid: nothing is to change, or the day cannot be like that.
        PaidAlready: payroll covers the day.
    """
    employee = people.subject(wanted.employee_id, "attendance.write")
    values = {name: value for name, value in records.sent(wanted).items() if name in _PROPOSED}
    if not values:
        raise Invalid.one("punches", "required", "Say what is to change: status, punches, breakMinutes or note.")
    found = records.of_day(employee.id, wanted.date)
    checks.check([records.claim(employee.id, wanted.date, values, found)])
    made = AttendanceCorrection.add(
        employee=employee.id, date=wanted.date, proposed=_kept(values), reason=wanted.reason
    )
    _tell("requested", made)
    return made


def _kept(values: Mapping[str, Any]) -> dict[str, Any]:
    """What is proposed, as the file keeps it: by the names of the wire."""
    plain = dict(values)
    if "punches" in plain:
        plain["punches"] = [punch.kept() for punch in plain["punches"]]
    return {changes.wire_name(name): value for name, value in plain.items()}


def _read(proposed: Mapping[str, Any]) -> dict[str, Any]:
    """What `_kept` wrote."""
    values = {name: proposed[changes.wire_name(name)] for name in _PROPOSED if changes.wire_name(name) in proposed}
    if "punches" in values:
        values["punches"] = [Punch.of(each) for each in values["punches"]]
    return values


def approve(id: str, wanted: CorrectionDecision) -> AttendanceCorrection:
    """Have the day be as the correction says.

    Raises:
        OwnCorrection: it is the caller's own day, and she is no owner.
        InvalidTransition: it was decided before, or cancelled.
        Invalid: the day cannot be like that by now.
        PaidAlready: payroll covers the day by now.
    """
    found = _find_to_decide(id)
    record_id = records.apply(found.employee_id, found.date, _read(found.proposed))
    _decide(found, "approved", wanted.note, {"attendanceId": record_id})
    return found


def reject(id: str, wanted: CorrectionDecision) -> AttendanceCorrection:
    """Leave the day as it is.

    Raises:
        OwnCorrection: it is the caller's own day, and she is no owner.
        InvalidTransition: it was decided before, or cancelled.
    """
    found = _find_to_decide(id)
    _decide(found, "rejected", wanted.note)
    return found


def cancel(id: str) -> AttendanceCorrection:
    """Take back a correction that was asked for.

    Raises:
        Forbidden: the caller neither asked for it, nor is it her day.
        InvalidTransition: it was decided before, or cancelled.
    """
    found = AttendanceCorrection.find_to_change(id)
    if found.created_by != caller.current().user_id and found.employee_id != people.own_id():
        raise Forbidden("Who asked for the correction may cancel it; others reject it.")
    _check_is_pending(found)
    _decide(found, "cancelled", None)
    return found


def _find_to_decide(id: str) -> AttendanceCorrection:
    found = AttendanceCorrection.find_to_change(id)
    if found.employee_id == people.own_id() and caller.current().role != "owner":
        raise OwnCorrection
    _check_is_pending(found)
    return found


def _check_is_pending(found: AttendanceCorrection) -> None:
    if found.status != "pending":
        raise InvalidTransition(f"The correction is {found.status} already.")


def _decide(
    found: AttendanceCorrection, status: CorrectionStatus, note: str | None, facts: Mapping[str, Any] | None = None
) -> None:
    found.change(
        status=status, decided_by=caller.current().user_id, decided_at=clock.stamp(), decision_note=note or None
    )
    _tell(status, found, facts or {})


def _tell(what: str, found: AttendanceCorrection, facts: Mapping[str, Any] | None = None) -> None:
    about = {"employeeId": found.employee_id, "date": found.date.isoformat(), "proposed": sorted(found.proposed)}
    events.write(f"attendance_correction.{what}", "attendance_correction", found.id, {**about, **(facts or {})})
