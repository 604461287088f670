"""Decisions on leave: approval takes its days from the balance, cancelling returns them."""

from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Literal

import msgspec

from erp.hr.access import people, undoing, zones
from erp.hr.access.models import Employee
from erp.hr.attendance import days as attendance
from erp.hr.leave import days as leave_days
from erp.hr.leave import interruptions, late, ledger, rules
from erp.hr.leave.accrual import Line
from erp.hr.leave.days import CountedDay
from erp.hr.leave.models import LeaveApplication, LeaveType
from erp.hr.leave.rules import Span
from erp.kernel import caller, clock
from erp.kernel.complaints import all_or_none
from erp.kernel.errors import InvalidTransition, Refusal, UnknownReference
from erp.kernel.language import Noun, Word, says
from erp.store import events
from erp.web.scalars import Id, Note
from erp.web.schema import Body

Action = Literal["approve", "reject", "cancel", "undo"]


class LeaveDecision(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"note": "Enjoy it"}

    note: Note | None = None


class LeaveVerdict(Body):
    """The decision on one request for leave."""

    leave_id: Id
    decision: Literal["approve", "reject"]
    note: Note | None = None


class LeaveDecisions(Body):
    """Decisions that are taken together."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "decisions": [{"leaveId": "01890a5d-ac96-774b-bcce-b302099a8057", "decision": "approve"}]
    }

    decisions: Annotated[list[LeaveVerdict], msgspec.Meta(min_length=1, max_length=200)]


class OwnLeave(Refusal):
    """Only an owner can decide on their own leave. Ask another person."""

    status = 403


class LeaveBegun(Refusal):
    """This leave has begun. Ask your manager or HR to cancel it."""

    status = 403


class Begun(Refusal):
    """The days of this leave have begun. Ask HR to undo the decision."""


def undo(id: str) -> LeaveApplication:
    """Make leave pending again that was approved or rejected; its days are reserved as for a new request.

    Raises:
        Forbidden: another person decided, or too long ago, and the caller cannot manage this leave.
        InvalidTransition: it is neither approved nor rejected.
        Begun: its days have begun, and the caller cannot manage this leave.
        LeaveYearClosed, LeaveOverlap, TooLittleLeave: the days of rejected leave are no longer free.
    """
    leave = LeaveApplication.find_to_change(id)
    _check_undoable(leave)
    was_approved = leave.status == "approved"
    nothing = dict.fromkeys(("decided_by", "decided_at", "decision_note"))
    leave_type = LeaveType.find(leave.leave_type_id)
    if was_approved:
        _return(leave, leave_type)
        leave.change(status="pending", **nothing)
        interruptions.put_back(leave)
    else:
        leave.change(status="pending", **nothing, **_reserved(leave, leave_type))
    ledger.settle_leave(leave, leave_type)
    events.write("leave.decision_undone", "leave", leave.id, leave_days.event_data(leave))
    return leave


def _check_undoable(leave: LeaveApplication) -> None:
    undoing.check(leave.employee_id, leave.status, leave.decided_by, leave.decided_at, "leave.write")
    begun = leave.start_date <= zones.today(leave.employee_id)
    if begun and not caller.may("leave.write"):
        raise Begun


def _return(leave: LeaveApplication, leave_type: LeaveType) -> None:
    """Return the days of approved leave to the balances of their years."""
    if years := ledger.return_days(leave, leave_type):
        late.close_again(leave.employee_id, leave_type, years)


def _reserved(leave: LeaveApplication, leave_type: LeaveType) -> dict[str, Any]:
    """The columns of leave whose days are counted and reserved again."""
    span = Span.of(leave, Employee.find(leave.employee_id), leave.id)
    counted = rules.count(span)
    rules.check_free(span, leave_type, counted)
    rules.check_absent(span, counted)
    before = rules.check_balance(span, leave_type, counted)
    leave_days.write(leave, counted)
    return leave_days.columns(counted, before) | {"balance_before": before}


def approve(id: str, decision: LeaveDecision) -> LeaveApplication:
    """Approve pending leave; its days are counted again, because schedule and holidays may have changed.

    Raises:
        OwnLeave: it is the caller's own.
        Forbidden: the employee does not report to the caller, who may decide only on their reports.
        InvalidTransition: it is not pending.
        LeaveYearClosed: it takes days of a closed year.
        NotEmployedThen, NoLeaveDays, AtWorkThen, TooLittleLeave: it breaks that rule by now.
    """
    leave, employee = _to_decide(id)
    leave_type = LeaveType.find(leave.leave_type_id)
    span = Span.of(leave, employee, id)
    counted = rules.count(span)
    rules.check_absent(span, counted)
    rules.check_balance(span, leave_type, counted)
    recounted = _recounted(leave, counted)
    _decide(leave, "approved", decision, recounted)
    leave_days.write(leave, counted)
    for year, days in rules.by_year(counted).items():
        line = Line(days[0].date, "taken", -sum(day.days for day in days))
        ledger.write((leave.employee_id, leave.leave_type_id), year, line, leave.id)
    if leave_type.interrupts_leave:
        interruptions.replace_days(leave, counted)
    ledger.settle_leave(leave, leave_type)
    late.close_again(leave.employee_id, leave_type, rules.by_year(counted))
    attendance.recompute(leave.employee_id, leave.start_date, leave.end_date)
    _write_event(leave, recounted)
    return leave


def reject(id: str, decision: LeaveDecision) -> LeaveApplication:
    """Reject pending leave; its days are free again.

    Raises:
        OwnLeave: it is the caller's own.
        Forbidden: the employee does not report to the caller, who may decide only on their reports.
        InvalidTransition: it is not pending.
    """
    leave, _ = _to_decide(id)
    _decide(leave, "rejected", decision)
    _free(leave)
    _write_event(leave)
    return leave


def decide_all(body: LeaveDecisions) -> list[LeaveApplication]:
    """Approve and reject leave in the given order; each decision counts the ones before it.

    Raises:
        Invalid: with a complaint for every request that cannot be decided so; then none is.
    """
    return all_or_none(body.decisions, _decide_one, "decisions")


def _decide_one(verdict: LeaveVerdict) -> LeaveApplication:
    if LeaveApplication.find_or_none(verdict.leave_id) is None:
        raise UnknownReference("leaveId", Noun("leave"))
    act = approve if verdict.decision == "approve" else reject
    return act(verdict.leave_id, LeaveDecision(note=verdict.note))


def cancel(id: str, decision: LeaveDecision) -> LeaveApplication:
    """Cancel pending or approved leave; its days return to the balance.

    Raises:
        Forbidden: it is someone else's, and the caller cannot decide on their leave.
        LeaveBegun: it is the caller's own, is approved and has begun.
        OwnLeave: the same, where the caller can decide on others' leave.
        InvalidTransition: it is rejected or cancelled already.
        LeaveYearClosed: it took days of a closed year.
    """
    leave = LeaveApplication.find_to_change(id)
    _check_cancellable(leave)
    was_approved = leave.status == "approved"
    if was_approved:
        _return(leave, LeaveType.find(leave.leave_type_id))
    _decide(leave, "cancelled", decision)
    _free(leave)
    if was_approved:
        interruptions.put_back(leave)
    _write_event(leave)
    return leave


def _to_decide(id: str) -> tuple[LeaveApplication, Employee]:
    leave = LeaveApplication.find_to_change(id)
    employee = Employee.find(leave.employee_id)
    _check_decidable(leave)
    return leave, employee


def actions(leave: LeaveApplication) -> list[Action]:
    """The caller's actions on leave; checked as the rules refuse, except for the rules about its days."""
    decide: dict[Action, Callable[[], object]] = dict.fromkeys(("approve", "reject"), lambda: _check_decidable(leave))
    decide["undo"] = lambda: _check_undoable(leave)
    cancel: dict[Action, Callable[[], object]] = {"cancel": lambda: _check_cancellable(leave)}
    return sorted([*caller.allowed("leave.decide_reports", decide), *caller.allowed("leave.write_own", cancel)])


def _check_decidable(leave: LeaveApplication) -> None:
    if _is_own(leave) and caller.current().role != "owner":
        raise OwnLeave
    if not people.may_for(leave.employee_id, "leave.decide"):
        raise people.refusal("leave.decide")
    if leave.status != "pending":
        raise InvalidTransition(says("This leave is already {status}.", status=Word.of(leave.status)))


def _is_own(leave: LeaveApplication) -> bool:
    return people.own_id() == leave.employee_id


def _check_cancellable(leave: LeaveApplication) -> None:
    _check_may_cancel(leave)
    if leave.status not in ("pending", "approved"):
        raise InvalidTransition(says("This leave is already {status}.", status=Word.of(leave.status)))


def _check_may_cancel(leave: LeaveApplication) -> None:
    decides = caller.may("leave.decide_reports")
    if not _is_own(leave):
        if not people.may_for(leave.employee_id, "leave.decide"):
            raise people.refusal("leave.decide")
        return
    begun = leave.status == "approved" and leave.start_date <= zones.today(leave.employee_id)
    if begun and caller.current().role != "owner":
        raise OwnLeave if decides else LeaveBegun


def _recounted(leave: LeaveApplication, counted: list[CountedDay]) -> dict[str, Any]:
    """The columns that change if the days differ from the request."""
    columns = leave_days.columns(counted, leave.balance_before)
    return {} if columns["day_details"] == leave.day_details else columns


def _free(leave: LeaveApplication) -> None:
    """Free the days; carried days that they reserved past their expiry expire now."""
    leave_days.drop(leave)
    ledger.settle_leave(leave, LeaveType.find(leave.leave_type_id))


def _decide(
    leave: LeaveApplication, status: str, decision: LeaveDecision, recounted: dict[str, Any] | None = None
) -> None:
    decided = {"decided_by": caller.current().user_id, "decided_at": clock.stamp(), "decision_note": decision.note}
    leave.change(status=status, **decided, **(recounted or {}))


def _write_event(leave: LeaveApplication, recounted: dict[str, Any] | None = None) -> None:
    about = leave_days.event_data(leave) | ({"recounted": True} if recounted else {})
    events.write(f"leave.{leave.status}", "leave", leave.id, about)
