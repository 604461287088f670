"""Leave applications over HTTP: who sees which, and the answers."""

from typing import Annotated, Literal, cast

import msgspec
from peewee import ModelSelect

from erp.hr.access import people
from erp.hr.access.people import NoEmployeeRecord
from erp.hr.leave import applications, decisions, rules
from erp.hr.leave.applications import NewLeave
from erp.hr.leave.days import shown
from erp.hr.leave.decisions import LeaveBegun, LeaveDecision, OwnLeave
from erp.hr.leave.ledger import LeaveYearClosed
from erp.hr.leave.models import LeaveApplication
from erp.hr.leave.types_api import DaysText
from erp.hr.locked_days import PaidAlready
from erp.kernel.errors import BadParameter, InvalidTransition, UnknownReference
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.paging import page
from erp.web.scalars import Day, Id
from erp.web.schema import ListQuery, Page, RecordView, View

Status = Literal["pending", "approved", "rejected", "cancelled"]
STATUSES = ("pending", "approved", "rejected", "cancelled")


class LeaveFilter(ListQuery):
    """Which leave to list; without the right to see all leave one's own alone."""

    employee_id: Id | None = None
    leave_type_id: Id | None = None
    status: (
        Annotated[str, msgspec.Meta(description=f"One or several, separated by commas, of {', '.join(STATUSES)}.")]
        | None
    ) = None
    date_from: Annotated[Day | None, msgspec.Meta(description="Leave that ends on that day or later.")] = None
    date_to: Annotated[Day | None, msgspec.Meta(description="Leave that begins on that day or earlier.")] = None
    sort: Literal["startDate", "-startDate", "createdAt", "-createdAt"] = "-createdAt"


class LeaveDayView(View):
    """A day that an application covers: how much of it, what it takes of the balance, and why."""

    date: str
    fraction: DaysText
    counted: DaysText
    why: str


class LeaveView(RecordView):
    """Leave that somebody asked for; the balances are those before and after it when it was asked for.

    They leave out what other pending leave reserves; leave over the turn of a year shows both years together.
    """

    created_by: str | None
    employee_id: str
    employee_name: str
    leave_type_id: str
    leave_type_name: str
    start_date: str
    end_date: str
    start_half: bool
    end_half: bool
    reason: str | None
    days: DaysText
    day_details: list[LeaveDayView]
    status: Status
    decided_by: str | None
    decided_at: str | None
    decision_note: str | None
    balance_before: DaysText
    balance_after: DaysText

    @classmethod
    def of(cls, leave: LeaveApplication) -> "LeaveView":
        """The view of an application."""
        return cls(
            id=leave.id,
            version=leave.version,
            created_at=leave.created_at,
            updated_at=leave.updated_at,
            created_by=leave.created_by,
            employee_id=leave.employee_id,
            employee_name=_names("employee")[leave.employee_id],
            leave_type_id=leave.leave_type_id,
            leave_type_name=_names("leave_type")[leave.leave_type_id],
            start_date=leave.start_date.isoformat(),
            end_date=leave.end_date.isoformat(),
            start_half=leave.start_half,
            end_half=leave.end_half,
            reason=leave.reason,
            days=shown(leave.days),
            day_details=[LeaveDayView(**each) for each in leave.day_details],
            status=cast(Status, leave.status),
            decided_by=leave.decided_by,
            decided_at=leave.decided_at,
            decision_note=leave.decision_note,
            balance_before=shown(leave.balance_before),
            balance_after=shown(leave.balance_after),
        )


def _names(table: str) -> dict[str, str]:
    return WORKSPACE.memo(f"{table}_names", lambda: dict(WORKSPACE.rows(f"SELECT id, name FROM {table}")))


def matching(query: LeaveFilter) -> "ModelSelect[LeaveApplication]":
    """The applications that a filter lets through and the caller may see.

    Raises:
        Forbidden: it names somebody else, and the caller does not see all leave.
    """
    found = LeaveApplication.select()
    employee_id = people.visible(query.employee_id, "leave.read")
    if employee_id is not None:
        found = found.where(LeaveApplication.employee == employee_id)
    if query.leave_type_id is not None:
        found = found.where(LeaveApplication.leave_type == query.leave_type_id)
    if query.status is not None:
        found = found.where(LeaveApplication.status.in_(_statuses(query.status)))
    if query.date_from is not None:
        found = found.where(LeaveApplication.end_date >= query.date_from)
    if query.date_to is not None:
        found = found.where(LeaveApplication.start_date <= query.date_to)
    return found


def find(id: str) -> LeaveApplication:
    """Find an application that the caller may see.

    Raises:
        NotFound: there is none in this workspace.
        Forbidden: it is another's, and the caller does not see all leave.
    """
    leave = LeaveApplication.find(id)
    people.visible(leave.employee_id, "leave.read")
    return leave


def _statuses(text: str) -> list[str]:
    named = text.split(",")
    if not set(named) <= set(STATUSES):
        raise BadParameter(f"status: Must be of {', '.join(STATUSES)}.")
    return named


_TERMS = (
    rules.NotEmployedThen,
    rules.NoLeaveDays,
    rules.AtWorkThen,
    rules.TooLittleLeave,
    LeaveYearClosed,
    PaidAlready,
)
_REQUEST = (
    *_TERMS,
    rules.LeaveOverlap,
    applications.TooManyConsecutiveDays,
    applications.NoticeTooShort,
    NoEmployeeRecord,
    UnknownReference,
)


class Collection:
    @endpoint(permission="leave.read_own")
    def on_get(self, query: LeaveFilter) -> Page[LeaveView]:
        """List leave, the newest request first; without the right to see all leave one's own alone."""
        return page(
            matching(query),
            query,
            LeaveView.of,
            sort=query.sort,
            sortable={"startDate": LeaveApplication.start_date},
        )

    @endpoint(permission="leave.write_own", status=201, refuses=_REQUEST)
    def on_post(self, body: NewLeave) -> LeaveView:
        """Ask for leave.

        Each day is counted and explained in `dayDetails`: days without scheduled minutes and holidays take nothing.
        The days are reserved until somebody decides. With the right to manage leave it may be asked for another.
        """
        return LeaveView.of(applications.request(body))


class Item:
    @endpoint(permission="leave.read_own")
    def on_get(self, id: str) -> LeaveView:
        """Show an application for leave."""
        return LeaveView.of(find(id))


class Approve:
    @endpoint(permission="leave.decide", refuses=(*_TERMS, OwnLeave, InvalidTransition))
    def on_post(self, id: str, body: LeaveDecision) -> LeaveView:
        """Approve pending leave.

        Its days are counted anew, for schedules and holidays may have changed since; `days` and `dayDetails` are then
        those of the approval, and the balance is checked again. Nobody but an owner approves her own.
        """
        return LeaveView.of(decisions.approve(id, body))


class Reject:
    @endpoint(permission="leave.decide", refuses=(OwnLeave, InvalidTransition))
    def on_post(self, id: str, body: LeaveDecision) -> LeaveView:
        """Reject pending leave; nobody but an owner rejects her own."""
        return LeaveView.of(decisions.reject(id, body))


class Cancel:
    @endpoint(
        permission="leave.write_own", refuses=(OwnLeave, LeaveBegun, InvalidTransition, LeaveYearClosed, PaidAlready)
    )
    def on_post(self, id: str, body: LeaveDecision) -> LeaveView:
        """Cancel leave that is pending or approved, so that its days go back to the balance.

        One's own until it begins; afterwards, and others', with the right to decide on leave.
        """
        return LeaveView.of(decisions.cancel(id, body))
