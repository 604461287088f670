"""Adjustments of leave balances by hand."""

from typing import Annotated, Any, ClassVar

import msgspec

from erp.hr.access import people
from erp.hr.calendar.holidays import Year
from erp.hr.leave import accrual, late, ledger
from erp.hr.leave.accrual import Account, Line
from erp.hr.leave.days import DaysText, LeaveDaysChange, hundredths, shown, worded
from erp.hr.leave.decisions import OwnLeave
from erp.hr.leave.models import LeaveEntry
from erp.hr.leave.rules import TooLittleLeave
from erp.hr.leave.types import types
from erp.kernel import caller
from erp.kernel.errors import NotFound, Refusal, UnknownReference
from erp.kernel.language import says
from erp.store import events, names, workspace_settings
from erp.web.endpoint import endpoint
from erp.web.scalars import Id, Note
from erp.web.schema import Body, View, show


class NewLeaveAdjustment(Body):
    """Days to add to a balance, or to subtract."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"employeeId": "EMP-0001", "days": "1.5", "note": "Worked on a Sunday"}

    employee_id: Annotated[Id, msgspec.Meta(description="An id or number.")]
    days: LeaveDaysChange
    note: Annotated[Note, msgspec.Meta(min_length=1, description="The reason.")]
    leave_type_id: Annotated[Id | None, msgspec.Meta(description="The first leave type by default.")] = None
    year: Annotated[Year | None, msgspec.Meta(description="This year by default.")] = None


class LeaveAdjustmentView(View):
    """An adjustment in the leave ledger."""

    id: str
    created_at: str
    created_by: str | None
    created_by_name: str | None
    employee_id: str
    employee_name: str
    leave_type_id: str
    leave_type_name: str
    year: int
    date: str
    days: DaysText
    note: str | None

    @classmethod
    def of(cls, entry: LeaveEntry) -> "LeaveAdjustmentView":
        named = names.of(employee=[entry.employee_id], leave_type=[entry.leave_type_id])
        return show(
            cls,
            entry,
            created_by_name=names.of_user(entry.created_by),
            employee_name=named.name(entry.employee_id),
            leave_type_name=named.name(entry.leave_type_id),
            date=entry.date.isoformat(),
            days=shown(entry.days),
        )


class LeaveBelowZero(Refusal):
    """The account can be reduced by at most {left}."""

    status = 422


def adjust(new: NewLeaveAdjustment) -> LeaveEntry:
    """Add days to a balance, or subtract some.

    Raises:
        OwnLeave: it is the caller's own balance, and they are not an owner.
        UnknownReference: there is no such employee or leave type in this workspace.
        Invalid: the leave type is archived.
        LeaveBelowZero: it takes away more than there is, and the leave type does not go below zero.
        TooLittleLeave: it takes away days of a closed year that have been carried over and taken.
    """
    employee = people.refer(new.employee_id, "employeeId")
    leave_type = types.refer(new.leave_type_id)
    if people.own_id() == employee.id and caller.current().role != "owner":
        raise OwnLeave
    year, days = new.year or workspace_settings.today().year, hundredths(new.days)
    account = ledger.compute([employee.id], [leave_type], year)[employee.id, leave_type.id]
    account = account.reopened if account.closed else account
    line = Line(account.within(workspace_settings.today()), "adjustment", days)
    if days < 0 and not leave_type.allow_negative:
        _check_not_below_zero(account, line)
    id = ledger.write((employee.id, leave_type.id), year, line, note=new.note)
    ledger.settle([employee.id], [leave_type], year)
    late.close_again(employee.id, leave_type, [year])
    entry: LeaveEntry = LeaveEntry.get_by_id(id)
    events.write("leave.adjusted", "leave_adjustment", id, _event_data(entry))
    return entry


def find(id: str) -> LeaveEntry:
    """An adjustment that the caller can see.

    Raises:
        NotFound: no such adjustment, or it is another employee's and the caller can read only their own leave.
    """
    entry = LeaveEntry.find_by(id=id, kind="adjustment")
    if entry is None or (entry.employee_id != people.own_id() and not people.may_for(entry.employee_id, "leave.read")):
        raise NotFound(says("There is no such leave adjustment."))
    return entry


def _event_data(entry: LeaveEntry) -> dict[str, Any]:
    about = {"employeeId": entry.employee_id, "leaveTypeId": entry.leave_type_id}
    return {**about, "year": entry.year, "days": shown(entry.days)}


def _check_not_below_zero(account: Account, line: Line) -> None:
    remaining = min(accrual.lowest(account, line.date), account.available)
    if remaining + line.days < 0:
        raise LeaveBelowZero(field="days", left=worded(max(remaining, 0)))


class Adjustments:
    @endpoint(
        permission="leave.write", status=201, refuses=(UnknownReference, OwnLeave, LeaveBelowZero, TooLittleLeave)
    )
    def on_post(self, body: NewLeaveAdjustment) -> LeaveAdjustmentView:
        """Adjust a balance: add or subtract days, with a reason.

        An adjustment is an entry of its own and never changes; correct a mistake with another one. Only an owner can
        adjust their own balance.
        """
        return LeaveAdjustmentView.of(adjust(body))


class Adjustment:
    @endpoint(permission="leave.read_own")
    def on_get(self, id: str) -> LeaveAdjustmentView:
        """Show an adjustment of your own balance or, with the right to read all leave, of anyone's.

        It shows the days, the year, the note, and who entered it.
        """
        return LeaveAdjustmentView.of(find(id))
