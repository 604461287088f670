"""The leave ledger: one balance for each leave year, employee and type, which is the sum of its entries.

The leave year is the calendar year. Allocations, accruals and the expiry of carried days are written when first
needed: a writer calls `settle`, a reader adds `accrual.due` to what is written.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from itertools import product

from msgspec.structs import replace

from erp.hr.access.models import Employee
from erp.hr.calendar import work_calendar
from erp.hr.calendar.work_days import WorkCalendar
from erp.hr.leave import accrual
from erp.hr.leave.accrual import Account, Line, Rules, Use, Week
from erp.hr.leave.models import LeaveApplication, LeaveEntry, LeaveType
from erp.kernel import caller, clock
from erp.kernel.errors import Refusal
from erp.store import sql, workspace_settings
from erp.store.records import new_id
from erp.store.router import WORKSPACE

Key = tuple[str, str]
"""An employee's and a leave type's id."""


class LeaveYearClosed(Refusal):
    """The leave year {year} is closed. Ask HR to enter this."""


def allocate(employee: Employee, year: int) -> None:
    """Write the grants of a year by today, for every leave type. The employments must be written before.

    Idempotent.
    """
    settle([employee.id], types_in_use(), year)


def types_in_use() -> list[LeaveType]:
    """The leave types that are not archived, in order."""
    return LeaveType.fetch("SELECT * FROM leave_type WHERE archived_at IS NULL ORDER BY position, id")


def check_open(years: Iterable[int], leave_type: LeaveType) -> None:
    """Refuse to change a closed leave year without the right to manage leave; without an allowance, none is closed.

    Raises:
        LeaveYearClosed: one of the years, or a later one, is closed.
    """
    closed = [year for year in years if year <= last_closed()]
    if closed and leave_type.accrual != "none" and not caller.may("leave.write"):
        raise LeaveYearClosed(year=closed[0])


def last_closed() -> int:
    """The last closed leave year; 0 if there is none."""
    ((year,),) = WORKSPACE.rows("SELECT coalesce(max(year), 0) FROM leave_year")
    return int(year)


def settle(
    employee_ids: Collection[str], types: Sequence[LeaveType], year: int, through: date | None = None
) -> dict[Key, Account]:
    """Write the entries that are due, as the last step of every change; return the accounts.

    Args:
        through: the day up to which months accrue, if that is after today.
    """
    before = accounts(employee_ids, types, year)
    due = _due(before, through)
    for key, lines in due.items():
        for line in lines:
            write(key, year, line)
    return {key: account.plus(lines=due[key]) for key, account in before.items()}


def settle_leave(leave: LeaveApplication, leave_type: LeaveType) -> None:
    """Write the entries due in the years of an application, by the days it covers now."""
    through = leave.end_date if leave.status in ("pending", "approved") else None
    for year in range(leave.start_date.year, leave.end_date.year + 1):
        settle([leave.employee_id], [leave_type], year, through)


def compute(
    employee_ids: Collection[str],
    types: Sequence[LeaveType],
    year: int,
    through: date | None = None,
    except_id: str | None = None,
) -> dict[Key, Account]:
    """The accounts as `settle` would write them.

    Args:
        except_id: an application whose days are not counted among the uses.
    """
    before = accounts(employee_ids, types, year, except_id)
    # expiry counts every use: days that the application under decision reserves do not expire meanwhile
    due = _due(before if except_id is None else accounts(employee_ids, types, year), through)
    return {key: account.plus(lines=due[key]) for key, account in before.items()}


def _due(accounts: Mapping[Key, Account], through: date | None) -> dict[Key, list[Line]]:
    today = workspace_settings.today()
    return {key: accrual.due(account, max(today, through or today), today) for key, account in accounts.items()}


def accounts(
    employee_ids: Collection[str], types: Sequence[LeaveType], year: int, except_id: str | None = None
) -> dict[Key, Account]:
    """The written entries of employees and types in a year, in a handful of queries for any number of them."""
    lines, uses, closed = _lines(employee_ids, year), _uses(employee_ids, year, except_id), year <= last_closed()
    calendars = work_calendar.of(employee_ids, date(year, 1, 1), date(year, 1, 1))
    weeks = {id: _weeks(calendar) for id, calendar in calendars.items()}
    rules_of = {leave_type.id: rules(leave_type) for leave_type in types}
    return {
        (id, leave_type.id): Account(
            year=year,
            rules=rules_of[leave_type.id],
            employments=calendars[id].employments,
            weeks=weeks[id],
            full_week=_full_week(calendars[id]),
            lines=tuple(lines[id, leave_type.id]),
            uses=tuple(uses[id, leave_type.id]),
            closed=closed,
        )
        for id, leave_type in product(employee_ids, types)
    }


def _weeks(calendar: WorkCalendar) -> tuple[Week, ...]:
    """Working days a week, by the day they are valid from; the first also counts before its day."""
    schedules = calendar.schedules or ((date.min, calendar.usual),)
    return tuple((day, sum(minutes > 0 for minutes in week)) for day, week in schedules)


def _full_week(calendar: WorkCalendar) -> int:
    return sum(minutes > 0 for minutes in calendar.usual)


def rules(leave_type: LeaveType) -> Rules:
    return Rules(
        accrual=leave_type.accrual,
        allowance=leave_type.allowance_days,
        own_week=leave_type.allowance_basis == "own_week",
        expires_after_months=leave_type.carry_forward_expires_after_months,
        last_year=9999 if leave_type.archived_at is None else clock.parse(leave_type.archived_at).year,
    )


def write(key: Key, year: int, line: Line, application_id: str | None = None, note: str | None = None) -> str:
    """Write an entry and return its id."""
    id = new_id()
    values = (line.date.isoformat(), line.kind, line.days, application_id, note)
    WORKSPACE.run(_WRITE, (id, clock.stamp(), caller.current().user_id, *key, year, *values))
    LeaveEntry.record_columns(id, dict(zip(_ENTERED, (*key, year, *values), strict=True)))
    return id


@contextmanager
def correcting_grants(employee_id: str, note: str) -> Iterator[None]:
    """Correct the grants of the open years after employment periods, schedules or the site change in the block.

    Args:
        note: why, for the entries that correct the ledger.
    """
    day = workspace_settings.today()
    before = work_calendar.of([employee_id], day, day)[employee_id]
    yield
    years = WORKSPACE.rows(_YEARS, (employee_id, last_closed()))
    types = LeaveType.fetch("SELECT * FROM leave_type") if years else []
    for (year,) in years:
        for key, account in accounts([employee_id], types, year).items():
            granted = replace(
                account, employments=before.employments, weeks=_weeks(before), full_week=_full_week(before)
            )
            for line in accrual.corrections(account, granted):
                write(key, year, line, note=note)


def settle_open(leave_type: LeaveType) -> None:
    """Write the grants of a leave type by today in the open years, before its rules change."""
    ids, this_year = [id for (id,) in WORKSPACE.rows("SELECT id FROM employee")], workspace_settings.today().year
    for year in {max(this_year - 1, last_closed() + 1), this_year}:
        settle(ids, [leave_type], year)


def correct_future_grants(leave_type: LeaveType, before: Rules) -> None:
    """Correct the future grants of a leave type, after its rules have changed.

    Args:
        before: its rules when it was granted.
    """
    today = workspace_settings.today()
    ids: dict[int, list[str]] = defaultdict(list)
    for year, id in WORKSPACE.rows(_FUTURE_YEARS, (leave_type.id, today.isoformat())):
        ids[year].append(id)
    for year in ids:
        for key, account in accounts(ids[year], [leave_type], year).items():
            for line in accrual.corrections(account, replace(account, rules=before)):
                if line.date > today:
                    write(key, year, line, note="The leave type was changed.")


def return_days(leave: LeaveApplication, leave_type: LeaveType) -> set[int]:
    """Return the days of an approved application to the balance, and the years that they belong to.

    Raises:
        LeaveYearClosed: one of the years is closed, and the caller cannot manage leave.
    """
    taken = {int(year): days for year, days in WORKSPACE.rows(_TAKEN, (leave.id,))}
    check_open(taken, leave_type)
    for year, days in taken.items():
        line = Line(workspace_settings.today(), "returned", -days)
        write((leave.employee_id, leave_type.id), year, line, leave.id)
    return set(taken)


def carried(leave_type: LeaveType, balance: int) -> int:
    """The days of a balance that are carried over; below zero for days taken in advance."""
    return min(balance, leave_type.carry_forward_max_days)


_ENTERED = ("employee_id", "leave_type_id", "year", "date", "kind", "days", "application_id", "note")
_WRITE = (
    "INSERT INTO leave_entry (id, created_at, created_by, employee_id, leave_type_id, year, date, kind, days,"
    " application_id, note) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_TAKEN = (
    "SELECT year, sum(days) FROM leave_entry WHERE application_id = ? GROUP BY year HAVING sum(days) <> 0 ORDER BY year"
)
_YEARS = "SELECT DISTINCT year FROM leave_entry WHERE employee_id = ? AND year > ? ORDER BY year"
_FUTURE_YEARS = "SELECT DISTINCT year, employee_id FROM leave_entry WHERE leave_type_id = ? AND date > ? ORDER BY year"
_LINES = (
    "SELECT employee_id, leave_type_id, date, kind, sum(days) FROM leave_entry WHERE year = ?"
    " AND employee_id IN (SELECT value FROM json_each(?)) GROUP BY employee_id, leave_type_id, date, kind"
)
_USES = (
    "SELECT leave_day.employee_id, leave_type_id, date, leave_day.days, status = 'pending' FROM leave_day"
    " JOIN leave_application ON leave_application.id = application_id"
    " WHERE date BETWEEN ? AND ? AND leave_day.days > 0 AND application_id IS DISTINCT FROM CAST(? AS TEXT)"
    " AND leave_day.employee_id IN (SELECT value FROM json_each(?)) ORDER BY date"
)


def _lines(ids: Collection[str], year: int) -> dict[Key, list[Line]]:
    lines: dict[Key, list[Line]] = defaultdict(list)
    for employee_id, type_id, day, kind, days in WORKSPACE.rows(_LINES, (year, sql.array(ids))):
        lines[employee_id, type_id].append(Line(date.fromisoformat(day), kind, days))
    return lines


def _uses(ids: Collection[str], year: int, except_id: str | None) -> dict[Key, list[Use]]:
    uses: dict[Key, list[Use]] = defaultdict(list)
    rows = WORKSPACE.rows(_USES, (f"{year}-01-01", f"{year}-12-31", except_id, sql.array(ids)))
    for employee_id, type_id, day, days, pending in rows:
        uses[employee_id, type_id].append(Use(date.fromisoformat(day), days, bool(pending)))
    return uses
