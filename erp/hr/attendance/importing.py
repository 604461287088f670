"""Attendance from a spreadsheet, all rows or none: a row is a period of work, or a whole day without one."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Annotated, NamedTuple

import msgspec

from erp.hr.access import zones
from erp.hr.attendance import records
from erp.hr.attendance.bodies import BreakMinutes, EmployeeName, Status
from erp.hr.attendance.checks import ClaimedDay
from erp.hr.attendance.punches import Punch
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Complaint
from erp.web.scalars import Day, Note, Unfit
from erp.web.schema import Body
from erp.web.transport import sheets, times
from erp.web.transport.sheets import ImportedView, ReadRows, SheetImport

TimeText = Annotated[str, msgspec.Meta(max_length=40, description="A time of day (08:30), or an instant.")]


class AttendanceRow(Body):
    """A period of work; rows of one person and date are one day."""

    date: Day
    employee_id: EmployeeName | None = None
    start: TimeText | None = msgspec.field(name="in", default=None)
    end: TimeText | None = msgspec.field(name="out", default=None)
    break_minutes: BreakMinutes | None = None
    status: Status | None = None
    note: Note | None = None


class _Row(NamedTuple):
    """A row with its path and its employee."""

    path: str
    row: AttendanceRow
    employee_id: str


def load(body: SheetImport, read: ReadRows[AttendanceRow]) -> ImportedView:
    """Record the days of a spreadsheet, or only check them.

    Raises:
        Invalid: with a complaint for everything that is wrong, by row; the headings are row 1.
    """
    rows, complaints = read
    with sheets.all_or_none(complaints, dry_run=body.dry_run):
        if not complaints:
            complaints += _record(rows)
    return ImportedView(rows=len(rows), dry_run=body.dry_run)


def _record(rows: Mapping[str, AttendanceRow]) -> list[Complaint]:
    """Record the days; the complaints about them."""
    found, places = Complaints(), dict[str, str]()
    with found.taking("rows"):
        days = [_day(of_day, found, places) for of_day in _by_day(rows)]
        if days and not found.items:
            records.add_imported(days)
    return [Complaint(_placed(each.field, places), each.code, each.message) for each in found.items]


def _by_day(rows: Mapping[str, AttendanceRow]) -> Iterable[list[_Row]]:
    """The rows of each employee and date.

    Raises:
        Invalid: an employee is unknown.
    """
    ids = records.employee_ids({f"{path}.": row.employee_id for path, row in rows.items()})
    days: dict[tuple[str, date], list[_Row]] = {}
    for (path, row), employee_id in zip(rows.items(), ids, strict=True):
        days.setdefault((employee_id, row.date), []).append(_Row(path, row, employee_id))
    return days.values()


def _day(rows: Sequence[_Row], complaints: Complaints, places: dict[str, str]) -> ClaimedDay:
    """The day of some rows; its path is its first row's, and `places` gets the rows of its punches by their paths."""
    first, zone = rows[0], zones.of_one(rows[0].employee_id)
    punches = [(punch, each.path) for each in rows if (punch := _punch(each, zone, complaints)) is not None]
    punches.sort(key=lambda placed: placed[0].start)
    places |= {f"{first.path}.punches[{i}]": path for i, (_, path) in enumerate(punches)}
    return ClaimedDay(
        employee_id=first.employee_id,
        date=first.row.date,
        status=next((each.row.status for each in rows if each.row.status is not None), "present"),
        punches=[punch for punch, _ in punches],
        break_minutes=sum(each.row.break_minutes or 0 for each in rows),
        note=" · ".join(each.row.note for each in rows if each.row.note) or None,
        path=f"{first.path}.",
    )


def _placed(field: str, places: Mapping[str, str]) -> str:
    """The field of a complaint in the row of its punch."""
    punch, _, name = field.rpartition(".")
    return f"{places[punch]}.{name}" if punch in places else places.get(field, field)


def _punch(each: _Row, zone: str, complaints: Complaints) -> Punch | None:
    path, row, _ = each
    if row.start is None:
        return None
    try:
        start = times.instant(row.start, row.date, zone)
    except Unfit as unfit:
        complaints.add(f"{path}.in", unfit.code, unfit.message)
        return None
    try:
        end = None if row.end is None else times.end(row.end, start, row.date, zone)
    except Unfit as unfit:
        complaints.add(f"{path}.out", unfit.code, unfit.message)
        return None
    return Punch(start, end)
