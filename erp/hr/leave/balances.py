"""Leave balances: the remaining days of each employee, leave type and year."""

from collections.abc import Collection, Sequence
from datetime import date
from typing import Annotated

import msgspec
from msgspec.structs import replace

from erp.hr.access import people
from erp.hr.calendar import work_calendar
from erp.hr.calendar.holidays import Year
from erp.hr.leave import accrual, ledger
from erp.hr.leave.accrual import Account
from erp.hr.leave.days import DaysText, shown
from erp.hr.leave.models import LeaveType
from erp.hr.leave.types import types as leave_types
from erp.kernel.errors import BadParameter, UnknownReference
from erp.kernel.language import says
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.web import several
from erp.web.endpoint import endpoint
from erp.web.scalars import Day, Id
from erp.web.schema import TableQuery, View


class LeaveBalanceFilter(TableQuery):
    """Filter for leave balances that the caller can read."""

    SEVERAL = ("employee_id", "leave_type_id")

    employee_id: Annotated[Id, msgspec.Meta(description="An employee's id or number.")] | None = None
    leave_type_id: Annotated[Id, msgspec.Meta(description="A leave type's id or code.")] | None = None
    year: Annotated[Year | None, msgspec.Meta(description="The year of `date`, or this year, by default.")] = None
    date: (
        Annotated[
            Day,
            msgspec.Meta(description="Months accrue and carried days expire up to this day; today by default."),
        ]
        | None
    ) = None


class LeaveBalanceView(View):
    """An employee's balance of a leave type in a year.

    `balance` is the sum of the leave ledger: allocated + accrued + carriedIn + adjusted − carriedOut − taken − expired;
    `available` is the balance less pending leave.
    """

    employee_id: str
    employee_name: str
    leave_type_id: str
    name: str
    year: int
    allocated: DaysText
    accrued: DaysText
    carried_in: DaysText
    taken: DaysText
    adjusted: DaysText
    carried_out: DaysText
    expired: DaysText
    balance: DaysText
    pending: DaysText
    available: DaysText

    @classmethod
    def of(cls, balance: "LeaveBalance") -> "LeaveBalanceView":
        account = balance.account
        return cls(
            employee_id=balance.employee_id,
            employee_name=balance.employee_name,
            leave_type_id=balance.leave_type.id,
            name=balance.leave_type.name,
            year=account.year,
            balance=shown(account.balance),
            pending=shown(account.pending),
            available=shown(account.available),
            carried_in=shown(account.carried_in),
            carried_out=shown(account.carried_out),
            taken=shown(-account.total("taken", "returned")),
            expired=shown(-account.total("expired")),
            allocated=shown(account.total("allocation")),
            accrued=shown(account.total("accrual")),
            adjusted=shown(account.total("adjustment")),
        )


class LeaveBalance(msgspec.Struct, frozen=True):
    """An employee's account of a leave type in a year."""

    employee_id: str
    employee_name: str
    leave_type: LeaveType
    account: Account


def find(query: LeaveBalanceFilter) -> list[LeaveBalance]:
    """The balances a filter matches, by employee and leave type; nothing is written.

    Raises:
        Forbidden: it names someone else, and the caller can read only their own leave.
        BadParameter: the date is outside the year.
    """
    year = query.year or (query.date or workspace_settings.today()).year
    if query.date is not None and query.date.year != year:
        raise BadParameter(says("date: Must be a day of the year."))
    visible, named = people.chosen(query.employee_id, "leave.read")
    names = {id: name for id, name in _employees(visible, year).items() if several.fits(named, id)}
    kinds = several.found(query.leave_type_id, "leaveTypeId", lambda name: leave_types.named(name, "leaveTypeId").id)
    types = {id: leave_type for id, leave_type in _types().items() if several.fits(kinds, id)}
    accounts = ledger.accounts(list(names), list(types.values()), year)
    balances = (
        LeaveBalance(employee_id, names[employee_id], types[type_id], as_of(account, query.date))
        for (employee_id, type_id), account in accounts.items()
    )
    return [
        balance
        for balance in balances
        if balance.leave_type.archived_at is None or kinds.among or balance.account.lines
    ]


def as_of(account: Account, day: date | None) -> Account:
    """The account with the entries due by a day; by default by today, with everything that is written."""
    by = day or workspace_settings.today()
    whole = account.plus(lines=accrual.due(account, by, by))
    if day is None:
        return whole
    until = tuple(line for line in whole.lines if line.kind not in ("accrual", "expired") or line.date <= day)
    return replace(whole, lines=until)


def left_on(employee_id: str, day: date) -> int:
    """The remaining days of paid leave of an employee on a day, all types together, in hundredths."""
    types = [kind for kind in _types().values() if kind.is_paid and kind.accrual != "none"]
    accounts = ledger.compute([employee_id], types, day.year, day)
    return sum(as_of(account, day).balance for account in accounts.values())


def on_leaving(employee_ids: Collection[str], year: int) -> list[tuple[str, str, int]]:
    """The remaining days of paid leave, below zero if overdrawn, of people who leave in a year.

    Returns:
        Employee id, name of the leave type and hundredths of a day, of the balances that are not 0.
    """
    types = [kind for kind in _types().values() if kind.is_paid and kind.accrual != "none"]
    accounts = ledger.compute(employee_ids, types, year, date(year, 12, 31))
    names = {leave_type.id: leave_type.name for leave_type in types}
    return [(id, names[type_id], account.balance) for (id, type_id), account in accounts.items() if account.balance]


_EMPLOYED = f"""
SELECT id, name FROM employee
WHERE CASE WHEN CAST(:ids AS TEXT) IS NULL THEN {work_calendar.EMPLOYED}
    ELSE id IN (SELECT value FROM json_each(:ids)) END ORDER BY name, id
"""


def _employees(visible: Collection[str] | None, year: int) -> dict[str, str]:
    """Names by id of these employees, or of everyone employed in the year."""
    ids = None if visible is None else sql.array(visible)
    return dict(WORKSPACE.rows(_EMPLOYED, {"ids": ids, "start": f"{year}-01-01", "end": f"{year}-12-31"}))


def _types() -> dict[str, LeaveType]:
    types: Sequence[LeaveType] = list(LeaveType.select().order_by(LeaveType.position, LeaveType.id))
    return {leave_type.id: leave_type for leave_type in types}


class Balances:
    @endpoint(permission="leave.read_own", refuses=(UnknownReference,))
    def on_get(self, query: LeaveBalanceFilter) -> list[LeaveBalanceView]:
        """List leave balances, by employee and leave type.

        A balance is the sum of the leave ledger of the calendar year. Allocations are for the whole year; accruals are
        made as each month begins, or earlier if leave in that month is requested. With `date` it is the balance on
        that day. Without the right to read all leave, you see your own and, as a manager, your reports' balances.
        """
        return [LeaveBalanceView.of(balance) for balance in find(query)]
