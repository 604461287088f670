"""Leave types over HTTP."""

from typing import Annotated, Any, Literal, cast

import msgspec

from erp.hr.leave import types
from erp.hr.leave.days import shown
from erp.hr.leave.models import LeaveType
from erp.hr.leave.types import Accrual, LeaveTypeChange, NewLeaveType
from erp.kernel.errors import AlreadyExists, InUse, InvalidTransition
from erp.web.endpoint import endpoint
from erp.web.paging import page
from erp.web.schema import ListQuery, Page, RecordView

DaysText = Annotated[str, msgspec.Meta(description="Days without trailing zeros.", examples=["2.5"])]


class LeaveTypeFilter(ListQuery):
    """Which leave types to list."""

    archived: Annotated[bool, msgspec.Meta(description="List those that are archived instead.")] = False
    sort: Literal["position", "-position", "name", "-name", "createdAt", "-createdAt"] = "position"


class LeaveTypeView(RecordView):
    """A kind of leave and its rules."""

    created_by: str | None
    name: str
    code: str
    paid: bool
    allowance_days: DaysText
    accrual: Accrual
    carry_forward_max_days: DaysText
    carry_forward_expires_after_months: int | None
    allow_negative: bool
    max_consecutive_days: DaysText | None
    min_notice_days: int | None
    color: str | None
    position: int
    archived_at: str | None

    @classmethod
    def of(cls, kind: LeaveType) -> "LeaveTypeView":
        """The view of a leave type."""
        plain: dict[str, Any] = {name: getattr(kind, name) for name in cls.__struct_fields__}
        for name in ("allowance_days", "carry_forward_max_days", "max_consecutive_days"):
            plain[name] = None if plain[name] is None else shown(cast(int, plain[name]))
        return cls(**plain)


class Collection:
    @endpoint(permission="leave.read_own")
    def on_get(self, query: LeaveTypeFilter) -> Page[LeaveTypeView]:
        """List the leave types; the first is the one that applications are of unless they name another."""
        select = LeaveType.select().where(LeaveType.archived_at.is_null(not query.archived))
        sortable = {"position": LeaveType.position, "name": LeaveType.name}
        return page(select, query, LeaveTypeView.of, sort=query.sort, sortable=sortable)

    @endpoint(permission="leave.write", status=201, refuses=(AlreadyExists,))
    def on_post(self, body: NewLeaveType) -> LeaveTypeView:
        """Add a leave type.

        `yearly` grants the allowance on 1 January, in the first year in proportion to the days employed; `monthly`
        a twelfth as each month begins; `none` nothing by itself. At the year's end up to `carryForwardMaxDays` are
        carried over, once the year is closed.
        """
        return LeaveTypeView.of(types.add(body))


class Item:
    @endpoint(permission="leave.read_own")
    def on_get(self, id: str) -> LeaveTypeView:
        """Show a leave type."""
        return LeaveTypeView.of(LeaveType.find(id))

    @endpoint(permission="leave.write", refuses=(AlreadyExists,))
    def on_patch(self, id: str, body: LeaveTypeChange) -> LeaveTypeView:
        """Change a leave type.

        What was granted stays: another allowance holds for the months and years to come. Correct the present one
        with an adjustment.
        """
        return LeaveTypeView.of(types.change(id, body))

    @endpoint(permission="leave.write", refuses=(InUse,))
    def on_delete(self, id: str) -> None:
        """Delete a leave type of which nobody ever had a day."""
        types.remove(id)


class Archive:
    @endpoint(permission="leave.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> LeaveTypeView:
        """Archive a leave type, so that nobody can ask for it; from the next year on it grants nothing."""
        return LeaveTypeView.of(types.archive(id))


class Unarchive:
    @endpoint(permission="leave.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> LeaveTypeView:
        """Take an archived leave type back into use."""
        return LeaveTypeView.of(types.unarchive(id))
