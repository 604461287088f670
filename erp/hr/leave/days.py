"""Days of leave: counting and explaining the days of an application, and the approved ones.

A day is 100 hundredths. Holidays and days without scheduled minutes take nothing from the balance; on half a holiday, a
day of leave takes the other half.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import date
from decimal import Decimal
from types import MappingProxyType
from typing import Annotated, Any, cast

import msgspec

from erp.hr.calendar.work_days import Half, Part, WorkCalendar, WorkDay
from erp.hr.leave.models import LeaveApplication, LeaveDay
from erp.kernel import money
from erp.kernel.language import Digits, says, weekday
from erp.store import sql
from erp.store.router import WORKSPACE
from erp.web.scalars import Number

SCALE = 100
DaysText = Annotated[
    str,
    msgspec.Meta(
        description="Days without trailing zeros.",
        examples=["2.5"],
        extra_json_schema={"pattern": r"^-?[0-9]+(\.[0-9]+)?$"},
    ),
]
_HALF: dict[Half, str] = {"afternoon": "Half day, from noon", "morning": "Half day, until noon"}
_HALF_HOLIDAY = {"afternoon": says("Holiday from noon: {name}"), "morning": says("Holiday until noon: {name}")}


class LeaveDays(Number):
    """Days of leave, 0 or more."""

    decimals = 2
    whole_digits = 3
    sign = "not_negative"
    json_schema = {"type": "string", "description": "Days, from 0 to 999.99, with at most 2 decimals."}


class SomeLeaveDays(LeaveDays):
    """Days of leave, more than 0."""

    sign = "positive"
    json_schema = {"type": "string", "description": "Days, from 0.01 to 999.99, with at most 2 decimals."}


class LeaveDaysChange(LeaveDays):
    """Days of leave to add or take away."""

    sign = "not_zero"
    json_schema = {"type": "string", "description": "Days to add, or below 0 to take away; not 0."}


def hundredths(days: Decimal) -> int:
    return money.scaled(days, SCALE)


def shown(days: int) -> str:
    """Hundredths of a day as clients see them: days without trailing zeros."""
    return money.plain(days, SCALE)


def worded(days: int) -> str:
    """Hundredths of a day for a sentence."""
    return says("{days} day" if days == SCALE else "{days} days", days=Digits(shown(days)))


_DAY_OFF = says("{weekday} is not a working day")


class CountedDay(msgspec.Struct, frozen=True):
    """A day of an application: the part that it covers, its effect on the balance, and the reason.

    Of a day that other leave has replaced, the part is what remains of it, if anything.
    """

    date: date
    part: Part | None
    days: int
    why: str
    replaced_by: str | None = None

    @property
    def fraction(self) -> int:
        """The covered part of the day, in hundredths."""
        return len(halves_of(self.part)) * SCALE // 2

    def detail(self) -> dict[str, str]:
        """The day as an application stores and shows it."""
        detail = {
            "date": self.date.isoformat(),
            "fraction": shown(self.fraction),
            "counted": shown(self.days),
            "why": self.why,
        }
        return detail | ({"replaced_by_leave_id": self.replaced_by} if self.replaced_by else {})


def halves_of(part: Part | None) -> frozenset[Half]:
    """The halves of the day in a part."""
    if part is None:
        return frozenset()
    return _BOTH if part == "day" else frozenset((part,))


def part_of(halves: Collection[Half]) -> Part | None:
    """The part of the day that these halves make up."""
    return "day" if len(halves) == len(_BOTH) else next(iter(halves), None)


_BOTH: frozenset[Half] = frozenset(("morning", "afternoon"))


class Replaced(msgspec.Struct, frozen=True):
    """The rest of a day that other leave has replaced, and the id of that leave."""

    part: Part | None
    by: str


def count(
    calendar: WorkCalendar,
    start: date,
    end: date,
    start_half: bool = False,
    end_half: bool = False,
    replaced: Mapping[date, Replaced] = MappingProxyType({}),
) -> list[CountedDay]:
    """Count the days from `start` to `end`, both included.

    Args:
        start_half: it begins at noon.
        end_half: it ends at noon.
        replaced: the days of which other leave has taken all or half.
    """
    parts: dict[date, Part] = {}
    if start_half:
        parts[start] = "afternoon"
    if end_half:
        parts[end] = "morning"
    return [
        remaining(day, replaced[day.date]) if day.date in replaced else _counted(day, parts.get(day.date, "day"))
        for day in calendar.days(start, end)
    ]


def remaining(day: WorkDay, replaced: Replaced) -> CountedDay:
    """Count what other leave has left of a day."""
    if replaced.part is None:
        return CountedDay(day.date, None, 0, says("Replaced by other leave"), replaced.by)
    return msgspec.structs.replace(_counted(day, replaced.part), replaced_by=replaced.by)


def _counted(day: WorkDay, part: Part) -> CountedDay:
    if not day.employed:
        return CountedDay(day.date, part, 0, says("Not employed"))
    if not day.scheduled_minutes:
        return CountedDay(day.date, part, 0, _DAY_OFF.fill(weekday=weekday(day.date)))
    if day.holiday is not None and day.holiday.half in (None, part):
        return CountedDay(day.date, part, 0, says("Holiday: {name}", name=day.holiday.name))
    if part != "day":
        return CountedDay(day.date, part, SCALE // 2, _HALF[part])
    if day.holiday is not None and day.holiday.half is not None:
        return CountedDay(day.date, part, SCALE // 2, _HALF_HOLIDAY[day.holiday.half].fill(name=day.holiday.name))
    return CountedDay(day.date, part, SCALE, "Working day")


def write(leave: LeaveApplication, counted: Collection[CountedDay]) -> None:
    """Write the days that an application covers, in place of the earlier ones."""
    drop(leave)
    WORKSPACE.run_many(
        "INSERT INTO leave_day (application_id, date, employee_id, part, days) VALUES (?, ?, ?, ?, ?)",
        [(leave.id, day.date.isoformat(), leave.employee_id, day.part, day.days) for day in counted if day.part],
    )


def of(leave: LeaveApplication) -> list[CountedDay]:
    """The days of an application as they were last counted."""
    rows = {row.date: row for row in LeaveDay.select().where(LeaveDay.application == leave.id)}
    return [_stored(rows.get(date.fromisoformat(detail["date"])), detail) for detail in leave.day_details]


def _stored(row: LeaveDay | None, detail: Mapping[str, str]) -> CountedDay:
    part, days = (None, 0) if row is None else (cast(Part, row.part), row.days)
    return CountedDay(date.fromisoformat(detail["date"]), part, days, detail["why"], detail.get("replaced_by_leave_id"))


def replaced(leave: LeaveApplication) -> dict[date, Replaced]:
    """The days of an application of which other leave has taken all or half; none if it is not in force."""
    if leave.status not in ("pending", "approved"):
        return {}
    return {day.date: Replaced(day.part, day.replaced_by) for day in of(leave) if day.replaced_by}


def drop(leave: LeaveApplication) -> None:
    """Free the days of an application."""
    WORKSPACE.run("DELETE FROM leave_day WHERE application_id = ?", (leave.id,))


def columns(counted: Collection[CountedDay], balance_before: int) -> dict[str, Any]:
    """The columns of an application that follow from its days."""
    days = sum(day.days for day in counted)
    details = [day.detail() for day in counted]
    return {"days": days, "day_details": details, "balance_after": balance_before - days}


_APPROVED = """
SELECT leave_day.employee_id, date, leave_day.days, is_paid FROM leave_day
JOIN leave_application ON leave_application.id = application_id JOIN leave_type ON leave_type.id = leave_type_id
WHERE status = 'approved' AND leave_day.days > 0 AND date BETWEEN ? AND ?
AND leave_day.employee_id IN (SELECT value FROM json_each(?))
ORDER BY date, part DESC
"""


def approved_between(
    employee_ids: Collection[str], start: date, end: date
) -> dict[str, dict[date, list[tuple[int, bool]]]]:
    """The approved leave from `start` to `end`, both included; one query.

    Returns:
        By employee and day: the hundredths that each application takes, and whether that leave is paid. Employees
        without leave are left out.
    """
    leave: dict[str, dict[date, list[tuple[int, bool]]]] = defaultdict(lambda: defaultdict(list))
    rows = WORKSPACE.rows(_APPROVED, (start.isoformat(), end.isoformat(), sql.array(employee_ids)))
    for id, day, days, paid in rows:
        leave[id][date.fromisoformat(day)].append((days, bool(paid)))
    return {id: dict(days) for id, days in leave.items()}


def event_data(leave: LeaveApplication) -> dict[str, Any]:
    """The event of an application has neither type nor reason, because illness is private."""
    span = {"startDate": leave.start_date.isoformat(), "endDate": leave.end_date.isoformat()}
    return {"employeeId": leave.employee_id, **span, "days": shown(leave.days)}
