"""The leave ledger: one balance a leave year, employee and type, which is the sum of its entries.

The leave year is the calendar year. Allocations, accruals and the expiry of carried days are written when first
needed: whoever writes calls `settle`, whoever reads adds `leave_dues.due` to what is written.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import product

from erp.hr.access.models import Employee
from erp.hr.calendar import work_calendar
from erp.hr.leave import accrual
from erp.hr.leave.accrual import Account, Line, Rules, Stretch, Use
from erp.hr.leave.models import LeaveType
from erp.kernel import caller, clock
from erp.kernel.errors import Refusal
from erp.store import workspace_settings
from erp.store.records import new_id
from erp.store.router import WORKSPACE

Key = tuple[str, str]
"""An employee's and a leave type's id."""


class LeaveYearClosed(Refusal):
    """The leave year {year} is closed: its days are carried over. Correct the next one with an adjustment."""


def allocate(employee: Employee, year: int) -> None:
    """Write what a year grants somebody by today, of every leave type; her employments are written before.

    To call it again, or for a year of which it is written, changes nothing.
    """
    settle([employee.id], types_in_use(), year)


def types_in_use() -> list[LeaveType]:
    """The leave types that are not archived, in their order."""
    return list(LeaveType.raw("SELECT * FROM leave_type WHERE archived_at IS NULL ORDER BY position, id"))


def check_open(year: int) -> None:
    """Refuse to change a leave year that is closed.

    Raises:
        LeaveYearClosed: it is, or a later one.
    """
    if year <= last_closed():
        raise LeaveYearClosed(year=year)


def last_closed() -> int:
    """The last leave year that is closed; 0 when there is none."""
    ((year,),) = WORKSPACE.rows("SELECT coalesce(max(year), 0) FROM leave_year")
    return int(year)


def settle(
    employee_ids: Collection[str], types: Sequence[LeaveType], year: int, through: date | None = None
) -> dict[Key, Account]:
    """Write the entries that are due, the last thing of every change; the accounts as they are then.

    Args:
        through: the day up to which months accrue, where that is after today.
    """
    found = accounts(employee_ids, types, year)
    due = _due(found, through)
    for key, lines in due.items():
        for line in lines:
            write(key, year, line)
    return {key: account.plus(lines=due[key]) for key, account in found.items()}


def reckon(
    employee_ids: Collection[str],
    types: Sequence[LeaveType],
    year: int,
    through: date | None = None,
    besides: str | None = None,
) -> dict[Key, Account]:
    """The accounts as `settle` would leave them; nothing is written.

    Args:
        besides: an application whose days are not counted among the uses.
    """
    found = accounts(employee_ids, types, year, besides)
    # expiry is reckoned with every use: what an application under decision reserves does not expire meanwhile
    due = _due(found if besides is None else accounts(employee_ids, types, year), through)
    return {key: account.plus(lines=due[key]) for key, account in found.items()}


def _due(found: Mapping[Key, Account], through: date | None) -> dict[Key, list[Line]]:
    today = workspace_settings.today()
    return {key: accrual.due(account, max(today, through or today), today) for key, account in found.items()}


def accounts(
    employee_ids: Collection[str], types: Sequence[LeaveType], year: int, besides: str | None = None
) -> dict[Key, Account]:
    """What the ledger has of employees and types in a year, in a handful of queries however many they are."""
    lines, uses, closed = _lines(employee_ids, year), _uses(employee_ids, year, besides), year <= last_closed()
    known = work_calendar.of(employee_ids, date(year, 1, 1), date(year, 1, 1))
    return {
        (id, kind.id): Account(
            year, rules(kind), known[id].employments, tuple(lines[id, kind.id]), tuple(uses[id, kind.id]), closed
        )
        for id, kind in product(employee_ids, types)
    }


def rules(kind: LeaveType) -> Rules:
    """What a leave type grants."""
    last_year = 9999 if kind.archived_at is None else clock.parse(kind.archived_at).year
    return Rules(kind.accrual, kind.allowance_days, kind.carry_forward_expires_after_months, last_year)


def write(key: Key, year: int, line: Line, application_id: str | None = None, note: str | None = None) -> str:
    """Write an entry; its id."""
    id = new_id()
    values = (line.date.isoformat(), line.kind, line.days, application_id, note)
    WORKSPACE.run(_WRITE, (id, clock.stamp(), caller.current().user_id, *key, year, *values))
    return id


def grant_anew(employee_id: str, before: Sequence[Stretch]) -> None:
    """Correct what the years that are not closed have granted somebody whose employments have changed.

    Args:
        before: her employments as they were when it was granted.
    """
    types = list(LeaveType.select())
    for (year,) in WORKSPACE.rows(_YEARS, (employee_id, last_closed())):
        for key, account in accounts([employee_id], types, year).items():
            for line in accrual.corrections(account, replace(account, employments=before)):
                write(key, year, line, note="The employment was corrected.")


def settle_open(kind: LeaveType) -> None:
    """Write what a leave type, whose rules are about to change, has granted by today in the years to be closed yet."""
    ids, this_year = [id for (id,) in WORKSPACE.rows("SELECT id FROM employee")], workspace_settings.today().year
    for year in {max(this_year - 1, last_closed() + 1), this_year}:
        settle(ids, [kind], year)


def grant_ahead(kind: LeaveType, before: Rules) -> None:
    """Correct what a leave type, whose rules have changed, has granted already of the time to come.

    Args:
        before: its rules as they were when it was granted.
    """
    today = workspace_settings.today()
    ids: dict[int, list[str]] = defaultdict(list)
    for year, id in WORKSPACE.rows(_AHEAD, (kind.id, today.isoformat())):
        ids[year].append(id)
    for year in ids:
        for key, account in accounts(ids[year], [kind], year).items():
            for line in accrual.corrections(account, replace(account, rules=before)):
                if line.date > today:
                    write(key, year, line, note="The leave type was changed.")


def give_back(application_id: str, day: date) -> None:
    """Mirror what an approved application has taken."""
    for employee_id, type_id, year, days in WORKSPACE.rows(_TAKEN, (application_id,)):
        line = Line(day, "returned", -days)
        write((employee_id, type_id), year, line, application_id)


_WRITE = (
    "INSERT INTO leave_entry (id, created_at, created_by, employee_id, leave_type_id, year, date, kind, days,"
    " application_id, note) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_TAKEN = (
    "SELECT employee_id, leave_type_id, year, sum(days) FROM leave_entry WHERE application_id = ?"
    " GROUP BY employee_id, leave_type_id, year HAVING sum(days) <> 0"
)
_YEARS = "SELECT DISTINCT year FROM leave_entry WHERE employee_id = ? AND year > ? ORDER BY year"
_AHEAD = "SELECT DISTINCT year, employee_id FROM leave_entry WHERE leave_type_id = ? AND date > ? ORDER BY year"
_LINES = (
    "SELECT employee_id, leave_type_id, date, kind, sum(days) FROM leave_entry WHERE year = ?"
    " AND employee_id IN ({ids}) GROUP BY employee_id, leave_type_id, date, kind"
)
_USES = (
    "SELECT leave_day.employee_id, leave_type_id, date, leave_day.days, status = 'pending' FROM leave_day"
    " JOIN leave_application ON leave_application.id = application_id"
    " WHERE date BETWEEN ? AND ? AND leave_day.days > 0 AND application_id IS NOT ?"
    " AND leave_day.employee_id IN ({ids}) ORDER BY date"
)


def _marks(ids: Collection[str]) -> str:
    return ", ".join("?" * len(ids))


def _lines(ids: Collection[str], year: int) -> dict[Key, list[Line]]:
    found: dict[Key, list[Line]] = defaultdict(list)
    for employee_id, type_id, day, kind, days in WORKSPACE.rows(_LINES.format(ids=_marks(ids)), (year, *ids)):
        found[employee_id, type_id].append(Line(date.fromisoformat(day), kind, days))
    return found


def _uses(ids: Collection[str], year: int, besides: str | None) -> dict[Key, list[Use]]:
    found: dict[Key, list[Use]] = defaultdict(list)
    between = (f"{year}-01-01", f"{year}-12-31", besides)
    for employee_id, type_id, day, days, pending in WORKSPACE.rows(_USES.format(ids=_marks(ids)), (*between, *ids)):
        found[employee_id, type_id].append(Use(date.fromisoformat(day), days, bool(pending)))
    return found
