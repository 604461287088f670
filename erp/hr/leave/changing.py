"""Changing the days of requested or approved leave: its record, its days, the leave ledger and the event."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date

import msgspec

from erp.hr.access.models import Employee
from erp.hr.attendance import days as attendance
from erp.hr.leave import days as leave_days
from erp.hr.leave import late, ledger
from erp.hr.leave.accrual import Line
from erp.hr.leave.days import CountedDay, event_data, shown
from erp.hr.leave.models import LeaveApplication, LeaveType
from erp.kernel import caller, clock
from erp.store import events


class Cause(msgspec.Struct, frozen=True):
    """A reason to count leave again, as the ledger and leave without any day left note it."""

    of_ledger: str
    of_cancelled: str


class Recounted(msgspec.Struct, frozen=True):
    """An application that takes other days than before; the days are in hundredths."""

    leave: LeaveApplication
    employee_name: str
    days_before: int
    days: int
    changed_dates: list[date]


def change_days(
    leave: LeaveApplication, before: Sequence[CountedDay], after: Sequence[CountedDay], cause: Cause
) -> Recounted | None:
    """Let an application cover other days; without any, it is cancelled. None if each day counts as before.

    The ledger follows; a closed year is closed again.

    Raises:
        TooLittleLeave: days of a closed year that it now takes have been carried over and taken.
    """
    days_before, days = sum(day.days for day in before), sum(day.days for day in after)
    changed = [new.date for old, new in zip(before, after, strict=True) if new.days != old.days]
    if not changed:
        return None
    if leave.status == "approved":
        _write_ledger(leave, before, after, cause)
    _change(leave, after, days, cause)
    late.close_again(leave.employee_id, LeaveType.find(leave.leave_type_id), {day.year for day in changed})
    name = Employee.find(leave.employee_id).name
    about = event_data(leave) | {"days": shown(days), "daysBefore": shown(days_before)}
    events.write("leave.recounted" if days else "leave.cancelled", "leave", leave.id, about)
    return Recounted(leave, name, days_before, days, changed)


def _write_ledger(
    leave: LeaveApplication, before: Sequence[CountedDay], after: Sequence[CountedDay], cause: Cause
) -> None:
    freed: dict[int, int] = defaultdict(int)
    first: dict[int, date] = {}
    for old, new in zip(before, after, strict=True):
        if old.days != new.days:
            freed[new.date.year] += old.days - new.days
            first.setdefault(new.date.year, new.date)
    for year, days in freed.items():
        line = Line(first[year], "returned" if days > 0 else "taken", days)
        if days:
            ledger.write((leave.employee_id, leave.leave_type_id), year, line, leave.id, note=cause.of_ledger)


def _change(leave: LeaveApplication, after: Sequence[CountedDay], days: int, cause: Cause) -> None:
    columns = leave_days.columns(after, leave.balance_before)
    if days:
        leave.change(**columns)
        leave_days.write(leave, after)
    else:
        decided = {"decided_by": caller.current().user_id, "decided_at": clock.stamp()}
        details = columns["day_details"]
        leave.change(status="cancelled", decision_note=cause.of_cancelled, day_details=details, **decided)
        leave_days.drop(leave)
        attendance.recompute(leave.employee_id, leave.start_date, leave.end_date)
    ledger.settle_leave(leave, LeaveType.find(leave.leave_type_id))
