"""Corrections: an employee requests a change to a day of attendance, and someone with the right decides."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import UNSET

from erp.hr.access import people, undoing
from erp.hr.attendance import checks, records
from erp.hr.attendance.bodies import BreakMinutes, EmployeeName, Punches, Status
from erp.hr.attendance.models import AttendanceCorrection, AttendanceRecord
from erp.hr.attendance.punches import Punch
from erp.hr.attendance.views import PunchView
from erp.kernel import caller, clock
from erp.kernel.complaints import all_or_none
from erp.kernel.errors import Forbidden, Invalid, InvalidTransition, Refusal
from erp.kernel.language import Word, says
from erp.kernel.wire import wire_name
from erp.store import events, names, sql
from erp.store.router import WORKSPACE
from erp.store.sql import Condition
from erp.web.json_pages import page
from erp.web.scalars import Day, Id, Instant, Name, Note, dec_hook
from erp.web.schema import Body, Page, RecordQuery, RecordView, Unset, View, known

CorrectionStatus = Literal["pending", "approved", "rejected", "cancelled"]
Action = Literal["approve", "cancel", "reject", "undo"]

_PROPOSED = ("status", "punches", "break_minutes", "note")


class NewCorrection(Body):
    """A day as it should be; fields that are left out stay as recorded."""

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

    note: Annotated[Note | None, msgspec.Meta(description="A message to the employee.")] = None


class CorrectionVerdict(Body):
    """The decision on one correction."""

    id: Id
    decision: Literal["approve", "reject"]
    note: Note | None = None


class CorrectionDecisions(Body):
    """Decisions that are taken together."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "decisions": [{"id": "01890a5d-ac96-774b-bcce-b302099a8057", "decision": "approve"}]
    }

    decisions: Annotated[list[CorrectionVerdict], msgspec.Meta(min_length=1, max_length=200)]


class CorrectionFilter(RecordQuery):
    """Filter for corrections."""

    employee_id: Annotated[Id, msgspec.Meta(description="An employee's id or number.")] | None = None
    status: CorrectionStatus | None = None
    date_from: Annotated[Day, msgspec.Meta(description="The first day to be corrected.")] | None = None
    date_to: Annotated[Day, msgspec.Meta(description="The last day to be corrected.")] | None = None
    sort: Literal["date", "-date", "createdAt", "-createdAt"] = "-createdAt"


class OwnCorrection(Refusal):
    """You cannot decide on a correction of your own attendance. Ask your manager or HR."""

    status = 403


class ProposedAttendanceView(View):
    """The proposed changes to a day; absent fields stay as they are."""

    status: Status | Unset = UNSET
    punches: list[PunchView] | Unset = UNSET
    break_minutes: int | Unset = UNSET
    note: str | Unset | None = UNSET


class CorrectionView(RecordView):
    """A requested correction."""

    created_by: str | None
    created_by_name: str | None
    employee_id: str
    employee_name: str
    date: Day
    proposed: ProposedAttendanceView
    reason: str | None
    status: CorrectionStatus
    decided_by: str | None
    decided_by_name: str | None
    decided_at: Instant | None
    decision_note: str | None
    can: Annotated[
        list[Action],
        msgspec.Meta(
            description="Actions open to you now, except where `approve` breaks a rule about the day, or pay."
        ),
    ]

    @classmethod
    def of(cls, correction: AttendanceCorrection) -> "CorrectionView":
        shown = _shown()
        rows = WORKSPACE.rows(
            f"SELECT {shown.sql} FROM attendance_correction WHERE id = :id", {**shown.parameters, "id": correction.id}
        )
        ((document,),) = rows
        return msgspec.json.decode(document, type=known(cls), dec_hook=dec_hook)


class DecidedCorrectionsView(View):
    """The corrections that were decided, in the order of the request."""

    corrections: list[CorrectionView]


_DECIDES = "(:decides = 1 AND (:owns = 1 OR employee_id <> :own_id))"
_DECIDABLE = (
    f"(status = 'pending' AND {_DECIDES} AND (:over_all = 1 OR employee_id IN (SELECT value FROM json_each(:over))))"
)
_CANCELLABLE = "(status = 'pending' AND :writes = 1 AND (created_by = :me OR employee_id = :own_id))"
_UNDOABLE = (
    f"(status IN ('approved', 'rejected') AND {_DECIDES} AND (:edits_all = 1"
    " OR employee_id IN (SELECT value FROM json_each(:edits)) OR (decided_by = :me AND decided_at >= :fresh)))"
)
_OFFERED: dict[Action, str] = {
    "approve": _DECIDABLE,
    "cancel": _CANCELLABLE,
    "reject": _DECIDABLE,
    "undo": _UNDOABLE,
}
_COLUMNS = {
    "can": sql.json_names(_OFFERED),
    "employee_name": "(SELECT name FROM employee WHERE employee.id = attendance_correction.employee_id)",
    "proposed": "json(proposed)",
    "created_by_name": names.of_column("created_by"),
    "decided_by_name": names.of_column("decided_by"),
}
_SHOWN = sql.json_of(CorrectionView, _COLUMNS)


def _shown() -> Condition:
    """The JSON of a correction, with its actions, which follow `_find_to_decide`, `cancel` and `undoing.check`."""
    over, edits = people.over("attendance.decide"), people.over("attendance.write")
    rights = {
        "decides": int(caller.may_change("attendance.decide_reports")),
        "writes": int(caller.may_change("attendance.write_own")),
        "owns": int(caller.current().role == "owner"),
        "own_id": people.own_id() or "",
        "over_all": int(over is None),
        "over": sql.array(over or ()),
        "edits_all": int(edits is None),
        "edits": sql.array(edits or ()),
        "fresh": clock.stamp(clock.now() - undoing.UNDOABLE),
        "me": caller.current().user_id,
    }
    return Condition(_SHOWN, {"people": names.members_json(), **rights})


def search(query: CorrectionFilter) -> Page[Any]:
    """The corrections a filter matches, as far as the caller can see them.

    Raises:
        Forbidden: it names someone else, and the caller can read only their own attendance.
    """
    where = list(_conditions(query))
    return page("attendance_correction", _shown(), where, query, sort=query.sort, sortable={"date": "date"})


def _conditions(query: CorrectionFilter) -> Iterator[Condition]:
    yield from people.conditions(people.visible(query.employee_id, "attendance.read"))
    yield from sql.given(
        ("status = :status", query.status),
        ("date >= :date_from", query.date_from),
        ("date <= :date_to", query.date_to),
    )


def find(id: str) -> AttendanceCorrection:
    """A correction that the caller can see.

    Raises:
        NotFound: there is no such correction.
        Forbidden: it is someone else's, and the caller can read only their own attendance.
    """
    correction = AttendanceCorrection.find(id)
    people.subject(correction.employee_id, "attendance.read")
    return correction


def request(new: NewCorrection) -> AttendanceCorrection:
    """Request a correction; it is checked as if it were approved now.

    Raises:
        NoEmployeeRecord: no employee is named, and the caller has no employee record.
        Forbidden: someone else is named, and the caller cannot edit attendance.
        Invalid: it changes nothing, or the day cannot be as proposed.
    """
    employee = people.subject(new.employee_id, "attendance.write")
    values = {name: value for name, value in records.sent(new).items() if name in _PROPOSED}
    if not values:
        raise Invalid.one(
            "punches", "required", says("Change at least the status, the punches, the break or the note.")
        )
    present = records.of_day(employee.id, new.date)
    checks.check([records.claim(employee.id, new.date, values, present)])
    correction = AttendanceCorrection.add(
        employee=employee.id, date=new.date, proposed=_stored(values), reason=new.reason
    )
    _write_event("pending", correction)
    return correction


def will_end(record: AttendanceRecord) -> bool:
    """Whether a pending correction gives an end to each punch of a day."""
    pending = AttendanceCorrection.select().where(
        AttendanceCorrection.employee == record.employee_id,
        AttendanceCorrection.date == record.date,
        AttendanceCorrection.status == "pending",
    )
    proposed = [correction.proposed.get("punches") for correction in pending]
    return any(punches and all(punch["out"] is not None for punch in punches) for punches in proposed)


def _stored(values: Mapping[str, Any]) -> dict[str, Any]:
    """The proposed values with wire names, as stored."""
    plain = dict(values)
    if "punches" in plain:
        plain["punches"] = [punch.stored() for punch in plain["punches"]]
    return {wire_name(name): value for name, value in plain.items()}


def _read(proposed: Mapping[str, Any]) -> dict[str, Any]:
    """Decode the values that `_stored` encoded."""
    values = {name: proposed[wire_name(name)] for name in _PROPOSED if wire_name(name) in proposed}
    if "punches" in values:
        values["punches"] = [Punch.of(punch) for punch in values["punches"]]
    return values


def approve(id: str, decision: CorrectionDecision) -> AttendanceCorrection:
    """Change the day as the correction proposes.

    Raises:
        OwnCorrection: it is the caller's own day, and they are not an owner.
        Forbidden: the employee does not report to the caller, who may decide only on their reports.
        InvalidTransition: it is already decided or cancelled.
        Invalid: the day can no longer be as proposed.
    """
    correction = _find_to_decide(id)
    before = records.of_day(correction.employee_id, correction.date)
    values = None if before is None else _stored(records.recorded(before))
    record = records.apply(correction.employee_id, correction.date, _read(correction.proposed))
    correction.replaced = {"version": record.version, "values": values}
    _decide(correction, "approved", decision.note, attendanceId=record.id)
    return correction


def decide_all(body: CorrectionDecisions) -> list[AttendanceCorrection]:
    """Approve and reject corrections in the given order, all or none.

    Raises:
        Invalid: with a complaint for every correction that cannot be decided so.
    """
    return all_or_none(body.decisions, _decide_one, "decisions")


def _decide_one(verdict: CorrectionVerdict) -> AttendanceCorrection:
    act = approve if verdict.decision == "approve" else reject
    return act(verdict.id, CorrectionDecision(note=verdict.note))


def undo(id: str) -> AttendanceCorrection:
    """Make a correction pending again that was approved or rejected; an approved one's day is as before.

    Raises:
        Forbidden: another person decided, or too long ago, and the caller may not write this attendance.
        InvalidTransition: it is neither approved nor rejected, or the day has changed since.
    """
    correction = AttendanceCorrection.find_to_change(id)
    decided = correction.status, correction.decided_by, correction.decided_at
    undoing.check(correction.employee_id, *decided, "attendance.write")
    if correction.status == "approved":
        _restore(correction)
    nothing = dict.fromkeys(("decided_by", "decided_at", "decision_note", "replaced"))
    correction.change(status="pending", **nothing)
    _write_event("decision_undone", correction)
    return correction


def _restore(correction: AttendanceCorrection) -> None:
    record, replaced = records.of_day(correction.employee_id, correction.date), correction.replaced
    if record is None or replaced is None or record.version != replaced["version"]:
        raise InvalidTransition(says("The attendance of {date} has changed since.", date=correction.date))
    if replaced["values"] is None:
        record.delete_instance()
    else:
        records.apply(correction.employee_id, correction.date, _read(replaced["values"]))


def reject(id: str, decision: CorrectionDecision) -> AttendanceCorrection:
    """Leave the day as it is.

    Raises:
        OwnCorrection: it is the caller's own day, and they are not an owner.
        Forbidden: the employee does not report to the caller, who may decide only on their reports.
        InvalidTransition: it is already decided or cancelled.
    """
    correction = _find_to_decide(id)
    _decide(correction, "rejected", decision.note)
    return correction


def cancel(id: str) -> AttendanceCorrection:
    """Take back a requested correction.

    Raises:
        Forbidden: the caller neither requested it, nor is it their day.
        InvalidTransition: it is already decided or cancelled.
    """
    correction = AttendanceCorrection.find_to_change(id)
    if correction.created_by != caller.current().user_id and correction.employee_id != people.own_id():
        raise Forbidden(
            says("Only the employee or the requester can withdraw a correction. Reject the correction instead.")
        )
    _check_is_pending(correction)
    _decide(correction, "cancelled", None)
    return correction


def _find_to_decide(id: str) -> AttendanceCorrection:
    correction = AttendanceCorrection.find_to_change(id)
    if correction.employee_id == people.own_id() and caller.current().role != "owner":
        raise OwnCorrection
    if not people.may_for(correction.employee_id, "attendance.decide"):
        raise Forbidden(people.NOT_REPORTING)
    _check_is_pending(correction)
    return correction


def _check_is_pending(correction: AttendanceCorrection) -> None:
    if correction.status != "pending":
        raise InvalidTransition(says("This correction is already {status}.", status=Word.of(correction.status)))


def _decide(correction: AttendanceCorrection, status: CorrectionStatus, note: str | None, **event_data: str) -> None:
    correction.change(
        replaced=correction.replaced,
        status=status,
        decided_by=caller.current().user_id,
        decided_at=clock.stamp(),
        decision_note=note or None,
    )
    _write_event(status, correction, **event_data)


def _write_event(action: str, correction: AttendanceCorrection, **more: str) -> None:
    event_data = {
        "employeeId": correction.employee_id,
        "date": correction.date.isoformat(),
        "proposed": sorted(correction.proposed),
    }
    events.write(f"attendance_correction.{action}", "attendance_correction", correction.id, event_data | more)
