"""Request bodies and filters of attendance."""

from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import UNSET

from erp.web.scalars import Day, Id, Moment, Note
from erp.web.schema import Body, RecordQuery, Unset

Status = Literal["present", "absent", "half_day", "remote", "on_leave", "holiday"]
EmployeeName = Annotated[Id, msgspec.Meta(description="An employee's id or number; the caller's own by default.")]
BreakMinutes = Annotated[int, msgspec.Meta(ge=0, le=1440, description="Subtracted from the time between punches.")]


class NewPunch(Body):
    """A period of work; the last one of a day can be open, without an end."""

    start: Moment = msgspec.field(name="in")
    end: Moment | None = msgspec.field(name="out", default=None)


Punches = Annotated[list[NewPunch], msgspec.Meta(max_length=48)]


class NewAttendanceDay(Body):
    """One employee's day."""

    date: Day
    employee_id: EmployeeName | None = None
    status: Status = "present"
    punches: Punches = []
    break_minutes: BreakMinutes = 0
    note: Note | None = None


class NewAttendance(Body):
    """One employee's day, or only `records`: up to 1000 days, all of which are recorded or none."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "employeeId": "EMP-0001",
        "date": "2026-03-02",
        "punches": [
            {"in": "2026-03-02T08:00:00Z", "out": "2026-03-02T12:00:00Z"},
            {"in": "2026-03-02T12:30:00Z", "out": "2026-03-02T17:00:00Z"},
        ],
        "breakMinutes": 15,
    }

    employee_id: EmployeeName | Unset | None = UNSET
    date: Annotated[Day, msgspec.Meta(description="Required unless there are `records`.")] | Unset = UNSET
    status: Annotated[Status, msgspec.Meta(description="`present` by default.")] | Unset = UNSET
    punches: Punches | Unset = UNSET
    break_minutes: BreakMinutes | Unset = UNSET
    note: Note | Unset | None = UNSET
    records: Annotated[list[NewAttendanceDay], msgspec.Meta(min_length=1, max_length=1000)] | Unset = UNSET


class AttendanceChange(Body):
    """Fields of a day to change; the others stay as they are. Punches are replaced as a whole."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"breakMinutes": 30, "note": "Lunch was longer."}

    status: Status | Unset = UNSET
    punches: Punches | Unset = UNSET
    break_minutes: BreakMinutes | Unset = UNSET
    note: Note | Unset | None = UNSET


class AttendanceFilter(RecordQuery):
    """Filter for days of attendance."""

    employee_id: Annotated[Id, msgspec.Meta(description="An employee's id or number.")] | None = None
    date_from: Day | None = None
    date_to: Day | None = None
    status: Status | None = None
    is_missing: Annotated[bool, msgspec.Meta(description="List working days without a record instead.")] = False
    sort: Literal["date", "-date", "createdAt", "-createdAt"] = "-date"
