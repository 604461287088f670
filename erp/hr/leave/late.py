"""Late changes in a closed leave year: its close is worked again for one person and leave type."""

from collections.abc import Iterable
from datetime import date

from erp.hr.calendar import work_calendar
from erp.hr.leave import accrual, ledger
from erp.hr.leave.accrual import Account, Line
from erp.hr.leave.days import worded
from erp.hr.leave.ledger import Key
from erp.hr.leave.models import LeaveType
from erp.hr.leave.rules import TooLittleLeave
from erp.hr.leave.types.types import in_words
from erp.store.router import WORKSPACE

NOTE = "A closed leave year was changed."
_STAYS = f"SELECT 1 FROM employee WHERE id = :id AND {work_calendar.EMPLOYED}"


def close_again(employee_id: str, leave_type: LeaveType, years: Iterable[int]) -> None:
    """Work the close of these years again, and of the later ones that it changes; the change of each is an entry.

    Raises:
        TooLittleLeave: days that are no longer carried over have been taken in the next year.
    """
    if not is_carried(leave_type):
        return
    changed = set(years)
    for (year,) in WORKSPACE.rows("SELECT year FROM leave_year WHERE year >= ? ORDER BY year", (min(changed),)):
        if year in changed and _stays(employee_id, year):
            correction = _close_again((employee_id, leave_type.id), leave_type, year)
            if correction:
                changed.add(year + 1)
                _check_next(employee_id, leave_type, year + 1, correction)


def spare(employee_id: str, leave_type: LeaveType, year: int) -> int:
    """The days that can still be taken in a year: in a closed one, those that expired or that no later year needs."""
    account = ledger.compute([employee_id], [leave_type], year)[employee_id, leave_type.id]
    if not is_carried(leave_type) or not _is_closed(year) or not _stays(employee_id, year):
        return _lowest(account)
    balance = account.reopened.balance
    return balance - ledger.carried(leave_type, balance) + spare(employee_id, leave_type, year + 1)


def _is_closed(year: int) -> bool:
    return bool(WORKSPACE.rows("SELECT 1 FROM leave_year WHERE year = ?", (year,)))


def is_carried(leave_type: LeaveType) -> bool:
    """Whether closing a year carries over a balance of this type."""
    return leave_type.accrual != "none" or leave_type.carry_forward_max_days > 0


def _stays(employee_id: str, year: int) -> bool:
    day = f"{year + 1}-01-01"
    return bool(WORKSPACE.rows(_STAYS, {"id": employee_id, "start": day, "end": day}))


def _close_again(key: Key, leave_type: LeaveType, year: int) -> int:
    """Correct the entries of a close; return the days by which it carries over more than before."""
    closed = ledger.accounts([key[0]], [leave_type], year)[key]
    last, next_first = closed.last_day, date(year + 1, 1, 1)
    due = accrual.due(closed.reopened, last, next_first)
    for line in due:
        ledger.write(key, year, line, note=NOTE)
    balance = closed.reopened.plus(lines=due).balance
    carried = ledger.carried(leave_type, balance)
    correction = carried - closed.carried_out
    if correction:
        ledger.write(key, year, Line(last, "carry_corrected", -correction), note=NOTE)
        ledger.write(key, year + 1, Line(next_first, "carry_corrected", correction), note=NOTE)
    rest = closed.plus(lines=due).balance - correction
    if rest:
        ledger.write(key, year, Line(last, "expired", -rest), note=NOTE)
    return correction


def _check_next(employee_id: str, leave_type: LeaveType, year: int, correction: int) -> None:
    """Settle the next year, unless days that it has lost were taken."""
    account = ledger.settle([employee_id], [leave_type], year)[employee_id, leave_type.id]
    left = _lowest(account)
    if correction < 0 and left < 0 and not leave_type.allow_negative:
        remaining = worded(max(left - correction, 0))
        raise TooLittleLeave(
            field="endDate", left=remaining, leave_type=in_words(leave_type.name), year=year, days=worded(-correction)
        )


def _lowest(account: Account) -> int:
    return accrual.lowest(account.reopened if account.closed else account, account.first_day)
