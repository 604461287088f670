"""Closing a leave year: the carried and the expiring part of each balance.

Up to the type's `carryForwardMaxDays` of the remaining days go to the next year, for people employed on its first day;
the rest expires. Days taken in advance are carried over in full. Types without a grant are left alone.
"""

import re
from collections.abc import Sequence
from datetime import date
from typing import Annotated, Any, ClassVar

import msgspec

from erp.hr.calendar import work_calendar
from erp.hr.leave import ledger
from erp.hr.leave.accrual import Line
from erp.hr.leave.days import DaysText, shown
from erp.hr.leave.ledger import Key, LeaveYearClosed
from erp.hr.leave.models import LeaveType, LeaveYear
from erp.kernel import caller
from erp.kernel.errors import NotFound, Refusal
from erp.kernel.language import says
from erp.store import events, names, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.scalars import Note
from erp.web.schema import Body, View, show


class LeaveYearClosing(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"dryRun": True}

    dry_run: bool = False


class LeaveYearReopening(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"reason": "Sick notes came late"}

    reason: Annotated[Note, msgspec.Meta(min_length=1, description="For the log and the leave ledger.")]


class LeaveYearView(View):
    """A closed leave year; all years before it are closed too."""

    year: int
    closed_at: str
    closed_by_user_id: str
    closed_by_name: str | None

    @classmethod
    def of(cls, closed: LeaveYear) -> "LeaveYearView":
        name = names.of_user(closed.closed_by)
        return show(cls, closed, closed_by_user_id=closed.closed_by, closed_by_name=name)


class CarriedLeave(msgspec.Struct, frozen=True, kw_only=True):
    """The effect of closing a year on one balance; hundredths of a day."""

    employee_id: str
    employee_name: str
    leave_type: LeaveType
    balance: int

    @property
    def key(self) -> Key:
        """The key of its ledger account."""
        return self.employee_id, self.leave_type.id

    @property
    def carried(self) -> int:
        """The carried days; below zero for days taken in advance."""
        return ledger.carried(self.leave_type, self.balance)

    @property
    def expired(self) -> int:
        """The days that are not carried over."""
        return self.balance - self.carried


class CarriedLeaveView(View):
    """The effect of closing a year on one balance."""

    employee_id: str
    employee_name: str
    leave_type_id: str
    leave_type_name: str
    balance: DaysText
    carried: DaysText
    expired: DaysText

    @classmethod
    def of(cls, leave: CarriedLeave) -> "CarriedLeaveView":
        return cls(
            employee_id=leave.employee_id,
            employee_name=leave.employee_name,
            leave_type_id=leave.leave_type.id,
            leave_type_name=leave.leave_type.name,
            balance=shown(leave.balance),
            carried=shown(leave.carried),
            expired=shown(leave.expired),
        )


class ClosedLeaveYearView(View):
    """A closed leave year or, as a dry run, the effect of closing it."""

    year: int
    dry_run: bool
    rows: list[CarriedLeaveView]


class LeaveYearNotOver(Refusal):
    """The leave year {year} is not over. Close it next year."""


class LeavePending(Refusal):
    """{count} leave requests up to the end of {year} are pending. Decide on them before you close the year."""


class LeaveYearNotLast(Refusal):
    """Only the last closed leave year can be reopened: {last}."""


def close(year: int, dry_run: bool) -> list[CarriedLeave]:
    """Close a leave year and all years before; return the effect on each balance that is not zero.

    Args:
        dry_run: store nothing.

    Raises:
        LeaveYearNotOver: the year is not over.
        LeaveYearClosed: the year, or a later one, is closed already.
        LeavePending: leave of the year, or of an earlier one, is pending.
    """
    _check_can_be_closed(year)
    names, types = _staying(year), _granting()
    compute = ledger.compute if dry_run else ledger.settle
    accounts = compute(list(names), list(types.values()), year)
    carried = [
        CarriedLeave(
            employee_id=employee_id,
            employee_name=names[employee_id],
            leave_type=types[type_id],
            balance=account.balance,
        )
        for (employee_id, type_id), account in accounts.items()
        if account.balance
    ]
    if not dry_run:
        _carry_over(year, carried)
    return carried


def _check_can_be_closed(year: int) -> None:
    if year >= workspace_settings.today().year:
        raise LeaveYearNotOver(year=year)
    if year <= ledger.last_closed():
        raise LeaveYearClosed(says("The leave year {year} is already closed.", year=year))
    pending = "SELECT count(*) FROM leave_application WHERE status = 'pending' AND start_date <= ?"
    ((count,),) = WORKSPACE.rows(pending, (f"{year}-12-31",))
    if count:
        singular = says(
            "{count} leave request up to the end of {year} is pending. Decide on it before you close the year."
        )
        raise LeavePending(singular.fill(count=1, year=year) if count == 1 else None, count=count, year=year)


def _carry_over(year: int, carried: Sequence[CarriedLeave]) -> None:
    last, next_first = date(year, 12, 31), date(year + 1, 1, 1)
    for leave in carried:
        if leave.carried:
            ledger.write(leave.key, year, Line(last, "carried_out", -leave.carried))
            ledger.write(leave.key, year + 1, Line(next_first, "carried_in", leave.carried))
        if leave.expired:
            ledger.write(leave.key, year, Line(last, "expired", -leave.expired))
    LeaveYear.insert(year=year, closed_by=caller.current().user_id).execute()
    LeaveYear.record_columns(str(year), {"closed_by": caller.current().user_id})
    event_data = {"balances": len(carried), "carried": shown(sum(leave.carried for leave in carried))}
    events.write("leave_year.closed", "leave_year", str(year), event_data)


_CLOSING = """
SELECT employee_id, leave_type_id, year, date, kind, sum(days) FROM leave_entry
WHERE (date = :last AND year = :year AND kind IN ('carried_out', 'carry_corrected', 'expired'))
    OR (date = :first AND year = :year + 1 AND kind IN ('carried_in', 'carry_corrected'))
GROUP BY employee_id, leave_type_id, year, date, kind HAVING sum(days) <> 0
ORDER BY employee_id, leave_type_id, year, kind
"""


def reopen(year: int, reason: str) -> LeaveYear:
    """Reopen the last closed leave year: mirror the entries of its close.

    Raises:
        LeaveYearNotLast: it is not the last closed year.
    """
    if year != (last := ledger.last_closed()):
        raise LeaveYearNotLast(None if last else says("No leave year is closed."), last=last)
    closed: LeaveYear = LeaveYear.get_by_id(year)
    closed.delete_instance()
    entries = WORKSPACE.rows(_CLOSING, {"year": year, "last": f"{year}-12-31", "first": f"{year + 1}-01-01"})
    for employee_id, type_id, of_year, day, kind, days in entries:
        line = Line(date.fromisoformat(day), kind, -days)
        ledger.write((employee_id, type_id), of_year, line, note=reason)
    ids, types = {entry[0] for entry in entries}, [LeaveType.find(id) for id in {entry[1] for entry in entries}]
    ledger.settle(ids, types, year + 1)
    events.write("leave_year.reopened", "leave_year", str(year), {"reason": reason})
    return closed


def _staying(year: int) -> dict[str, str]:
    """Names by id of people employed on the first day of the next year."""
    day = f"{year + 1}-01-01"
    employed = f"SELECT id, name FROM employee WHERE {work_calendar.EMPLOYED} ORDER BY name, id"
    return dict(WORKSPACE.rows(employed, {"start": day, "end": day}))


def _granting() -> dict[str, LeaveType]:
    types = LeaveType.fetch(
        "SELECT * FROM leave_type WHERE accrual <> 'none' OR carry_forward_max_days > 0 ORDER BY position, id"
    )
    return {leave_type.id: leave_type for leave_type in types}


def _year(text: str) -> int:
    if not re.fullmatch("(19|20|21)[0-9]{2}", text):
        raise NotFound(says("There is no such leave year."))
    return int(text)


class Collection:
    @endpoint(permission="leave.read")
    def on_get(self) -> list[LeaveYearView]:
        """List the closed leave years, the latest first.

        A year without a row is closed as well if a later one is.
        """
        return [LeaveYearView.of(closed) for closed in LeaveYear.select().order_by(LeaveYear.year.desc())]


class Reopen:
    @endpoint(permission="leave.write", refuses=(NotFound, LeaveYearNotLast))
    def on_post(self, year: str, body: LeaveYearReopening) -> LeaveYearView:
        """Reopen the last closed leave year, for example to close it by another rule.

        Mirrored entries take back what the close carried over and let expire. A single late request or adjustment needs
        no reopening: the close is worked again for that person and leave type. Another year than the last one that was
        closed is refused (409).
        """
        return LeaveYearView.of(reopen(_year(year), body.reason))


class Close:
    @endpoint(permission="leave.write", refuses=(NotFound, LeaveYearNotOver, LeaveYearClosed, LeavePending))
    def on_post(self, year: str, body: LeaveYearClosing) -> ClosedLeaveYearView:
        """Close a leave year: carry over what each leave type allows, and let the rest expire.

        Only people employed on the first day of the next year are concerned. Days taken in advance are carried over in
        full, as a negative balance. After that, only someone who can manage leave enters leave for that year, which
        corrects what was carried over; types without an allowance stay open. `dryRun` shows the effect and stores
        nothing.
        """
        closing = _year(year)
        rows = [CarriedLeaveView.of(leave) for leave in close(closing, body.dry_run)]
        return ClosedLeaveYearView(year=closing, dry_run=body.dry_run, rows=rows)
