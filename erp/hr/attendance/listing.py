"""The list of days of attendance."""

from collections.abc import Collection, Iterator
from typing import Any

import msgspec
from msgspec import Raw

from erp.hr.access import people
from erp.hr.attendance import missing, views
from erp.hr.attendance.bodies import AttendanceFilter
from erp.store import names, sql
from erp.store.sql import Condition
from erp.web.json_pages import page
from erp.web.schema import Page


def search(query: AttendanceFilter) -> Page[Any]:
    """The days a filter matches, as far as the caller can see them: recorded ones, or those without a record.

    Raises:
        Forbidden: it names someone else, and the caller can read only their own attendance.
    """
    visible = people.visible(query.employee_id, "attendance.read")
    return missing.search(query, visible) if query.is_missing else _recorded(query, visible)


def _recorded(query: AttendanceFilter, visible: Collection[str] | None) -> Page[Any]:
    where = list(_conditions(query, visible))
    shown = Condition(views.SHOWN, {"people": names.members_json()})
    rows = page("attendance_record", shown, where, query, sort=query.sort, sortable={"date": "date"})
    assert isinstance(rows.items, Raw)
    return msgspec.structs.replace(rows, items=views.decoded(rows.items))


def _conditions(query: AttendanceFilter, visible: Collection[str] | None) -> Iterator[Condition]:
    yield from people.conditions(visible)
    yield from sql.given(
        ("date >= :date_from", query.date_from),
        ("date <= :date_to", query.date_to),
        ("status = :status", query.status),
    )
