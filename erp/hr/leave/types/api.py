"""Leave types over HTTP."""

from erp.hr.leave.models import LeaveType
from erp.hr.leave.types import types
from erp.hr.leave.types.types import LeaveTypeChange, LeaveTypeFilter, LeaveTypeView, NewLeaveType
from erp.kernel.errors import AlreadyExists, InUse, InvalidTransition
from erp.web.endpoint import endpoint
from erp.web.schema import Page


class Collection:
    @endpoint(permission="leave.read_own")
    def on_get(self, query: LeaveTypeFilter) -> Page[LeaveTypeView]:
        """List the leave types; the first is the default of applications.

        Every member can read them. Archived ones are listed when the filter asks for them.
        """
        return types.search(query)

    @endpoint(permission="leave.write", status=201, refuses=(AlreadyExists,))
    def on_post(self, body: NewLeaveType) -> LeaveTypeView:
        """Add a leave type.

        `yearly` grants the allowance on 1 January, prorated by the days employed in the year; `monthly` grants a
        twelfth as each month begins; `none` grants nothing. Someone who works 3 of the 5 days of the office's week gets
        3/5 of the allowance, unless `allowanceBasis` is `calendar`; schedules that change within the year count by
        days. When a year is closed, up to `carryForwardMaxDays` are carried over.
        """
        return LeaveTypeView.of(types.add(body))


class Item:
    @endpoint(permission="leave.read_own")
    def on_get(self, id: str) -> LeaveTypeView:
        """Show a leave type.

        It shows the yearly allowance, how it accrues, and what is carried over.
        """
        return LeaveTypeView.of(LeaveType.find(id))

    @endpoint(permission="leave.write", refuses=(AlreadyExists,))
    def on_patch(self, id: str, body: LeaveTypeChange) -> LeaveTypeView:
        """Change a leave type.

        Written grants stay: a new allowance applies to future months and years. Correct the present one with an
        adjustment.
        """
        return LeaveTypeView.of(types.change(id, body))

    @endpoint(permission="leave.write", refuses=(InUse,))
    def on_delete(self, id: str) -> None:
        """Delete a leave type that was never used.

        A type in use is refused (409 `in_use`); archive it instead.
        """
        types.remove(id)


class Archive:
    @endpoint(permission="leave.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> LeaveTypeView:
        """Archive a leave type: no one can request it, and from next year it grants nothing.

        Leave that was approved stays. A type that is archived already is refused (409).
        """
        return LeaveTypeView.of(types.archive(id))


class Unarchive:
    @endpoint(permission="leave.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> LeaveTypeView:
        """Unarchive a leave type, so that it can be used again.

        A type that is not archived is refused (409).
        """
        return LeaveTypeView.of(types.unarchive(id))
