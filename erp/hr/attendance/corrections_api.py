"""Corrections of attendance over HTTP."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET

from erp.hr.access import people
from erp.hr.access.people import NoEmployeeRecord
from erp.hr.attendance import corrections
from erp.hr.attendance.checks import Status
from erp.hr.attendance.corrections import CorrectionDecision, CorrectionStatus, NewCorrection, OwnCorrection
from erp.hr.attendance.models import AttendanceCorrection
from erp.hr.attendance.views import PunchView
from erp.hr.locked_days import PaidAlready
from erp.kernel.errors import InvalidTransition, UnknownReference
from erp.store import sql
from erp.store.router import WORKSPACE
from erp.store.sql import Condition
from erp.web.endpoint import endpoint
from erp.web.json_pages import page
from erp.web.scalars import Day, Id, Instant
from erp.web.schema import ListQuery, Page, RecordView, Unset, View, dec_hook


class CorrectionFilter(ListQuery):
    """Which corrections to list."""

    employee_id: Id | None = None
    status: CorrectionStatus | None = None
    date_from: Annotated[Day, msgspec.Meta(description="The first day that is to be corrected.")] | None = None
    date_to: Annotated[Day, msgspec.Meta(description="The last day that is to be corrected.")] | None = None
    sort: Literal["date", "-date", "createdAt", "-createdAt"] = "-createdAt"


class ProposedView(View):
    """What is to change of a day; what is absent stays."""

    status: Status | Unset = UNSET
    punches: list[PunchView] | Unset = UNSET
    break_minutes: int | Unset = UNSET
    note: str | Unset | None = UNSET


class CorrectionView(RecordView):
    """A correction that somebody asked for."""

    created_by: str | None
    employee_id: str
    employee_name: str
    date: Day
    proposed: ProposedView
    reason: str | None
    status: CorrectionStatus
    decided_by: str | None
    decided_at: Instant | None
    decision_note: str | None

    @classmethod
    def of(cls, found: AttendanceCorrection) -> "CorrectionView":
        """The view of a correction."""
        ((shown,),) = WORKSPACE.rows(f"SELECT {_SHOWN} FROM attendance_correction WHERE id = ?", (found.id,))
        return msgspec.json.decode(shown, type=cls, dec_hook=dec_hook)


_COLUMNS = {
    "employee_name": "(SELECT name FROM employee WHERE employee.id = attendance_correction.employee_id)",
    "proposed": "json(proposed)",
}
_SHOWN = sql.json_of(CorrectionView, _COLUMNS)


def search(query: CorrectionFilter) -> Page[Any]:
    """The corrections that a query asks for."""
    where = list(_conditions(query))
    return page("attendance_correction", Condition(_SHOWN), where, query, sort=query.sort, sortable={"date": "date"})


def _conditions(query: CorrectionFilter) -> Iterator[Condition]:
    yield from sql.given(
        ("employee_id = :employee_id", people.visible(query.employee_id, "attendance.read")),
        ("status = :status", query.status),
        ("date >= :date_from", query.date_from),
        ("date <= :date_to", query.date_to),
    )


class Collection:
    @endpoint(permission="attendance.read_own")
    def on_get(self, query: CorrectionFilter) -> Page[CorrectionView]:
        """List the corrections that were asked for, the newest first.

        Who may not read everybody's attendance is shown her own.
        """
        return search(query)

    @endpoint(permission="attendance.write_own", status=201, refuses=(NoEmployeeRecord, UnknownReference, PaidAlready))
    def on_post(self, body: NewCorrection) -> CorrectionView:
        """Ask that a day of one's attendance be corrected.

        The day is checked as it would be, so that what is asked for can be approved. Who may write attendance asks
        for others too.
        """
        return CorrectionView.of(corrections.request(body))


class Item:
    @endpoint(permission="attendance.read_own")
    def on_get(self, id: str) -> CorrectionView:
        """Show a correction that was asked for."""
        found = AttendanceCorrection.find(id)
        people.subject(found.employee_id, "attendance.read")
        return CorrectionView.of(found)


class Approve:
    @endpoint(permission="attendance.decide", refuses=(OwnCorrection, InvalidTransition, PaidAlready))
    def on_post(self, id: str, body: CorrectionDecision) -> CorrectionView:
        """Approve a correction: the day is from now on as it says.

        A day that is not marked gets its record. Everything is checked again, for the day may have changed since.
        Nobody approves her own, but an owner.
        """
        return CorrectionView.of(corrections.approve(id, body))


class Reject:
    @endpoint(permission="attendance.decide", refuses=(OwnCorrection, InvalidTransition))
    def on_post(self, id: str, body: CorrectionDecision) -> CorrectionView:
        """Reject a correction: the day stays as it is.

        Nobody rejects her own, but an owner; who asked for it cancels it.
        """
        return CorrectionView.of(corrections.reject(id, body))


class Cancel:
    @endpoint(permission="attendance.write_own", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> CorrectionView:
        """Cancel a correction that one asked for and nobody has decided on."""
        return CorrectionView.of(corrections.cancel(id))
