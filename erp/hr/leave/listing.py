"""The list of leave applications."""

from typing import Annotated, Any, Literal, get_args

import msgspec
from peewee import ModelSelect, fn

from erp.hr.access import people
from erp.hr.leave.days import DaysText, shown
from erp.hr.leave.models import LeaveApplication
from erp.hr.leave.types import types
from erp.hr.leave.views import LeaveView, Status
from erp.store import sql
from erp.web.paging import chosen, page, several, within
from erp.web.scalars import Day, Id
from erp.web.schema import Page, RecordQuery, View, one_or_several

STATUSES: tuple[Status, ...] = get_args(Status)


class LeaveFilter(RecordQuery):
    """Filter for leave that you can read."""

    employee_id: Annotated[Id, msgspec.Meta(description="An employee's id or number.")] | None = None
    leave_type_id: Annotated[Id, msgspec.Meta(description="A leave type's id or code.")] | None = None
    status: Annotated[str, one_or_several(STATUSES)] | None = None
    date_from: Annotated[Day | None, msgspec.Meta(description="Leave that ends on this day or later.")] = None
    date_to: Annotated[Day | None, msgspec.Meta(description="Leave that begins on this day or earlier.")] = None
    group_by: Annotated[
        Literal["status"] | None, msgspec.Meta(description="Answer counts of all that match instead of a page.")
    ] = None
    sort: Literal["startDate", "-startDate", "createdAt", "-createdAt"] = "-createdAt"


class LeaveCount(View):
    """The applications of a status: their number and days."""

    status: Status
    count: int
    days: DaysText


def counts(query: LeaveFilter) -> list[LeaveCount]:
    """The numbers of applications that a filter matches, by status.

    Raises:
        Forbidden: it names someone else, and the caller can read only their own leave.
    """
    application: Any = LeaveApplication
    columns = (application.status, fn.count(application.id), fn.sum(application.days))
    rows: Any = chosen(_matching(query), query).select(*columns).group_by(application.status).tuples()
    by_status = {status: (count, days) for status, count, days in rows}
    return [
        LeaveCount(status=status, count=by_status[status][0], days=shown(by_status[status][1]))
        for status in STATUSES
        if status in by_status
    ]


def search(query: LeaveFilter) -> Page[LeaveView]:
    """The applications a filter matches, as far as the caller can see them.

    Raises:
        Forbidden: it names someone else, and the caller can read only their own leave.
    """
    sortable = {"startDate": LeaveApplication.start_date}
    return page(_matching(query), query, LeaveView.of, sort=query.sort, sortable=sortable)


def _matching(query: LeaveFilter) -> "ModelSelect[LeaveApplication]":
    select = LeaveApplication.select()
    visible = people.visible(query.employee_id, "leave.read")
    if visible is not None:
        select = select.where(sql.among(LeaveApplication.employee, visible))
    if query.leave_type_id is not None:
        select = select.where(LeaveApplication.leave_type == types.named(query.leave_type_id, "leaveTypeId").id)
    if query.status is not None:
        select = select.where(sql.among(LeaveApplication.status, several("status", query.status, STATUSES)))
    return within(select, query, LeaveApplication.start_date, LeaveApplication.end_date)
