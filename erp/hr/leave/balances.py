"""Leave balances: what each employee has left of each type in a year."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Annotated

import msgspec

from erp.hr.access import people
from erp.hr.calendar.holidays import Year
from erp.hr.leave import accrual, ledger
from erp.hr.leave.accrual import Account, Kind
from erp.hr.leave.days import shown
from erp.hr.leave.models import LeaveType
from erp.hr.leave.types_api import DaysText
from erp.kernel.errors import BadParameter
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.scalars import Day, Id
from erp.web.schema import Query, View


class LeaveBalanceFilter(Query):
    """Whose balances to show; without the right to see all leave one's own alone."""

    employee_id: Id | None = None
    leave_type_id: Id | None = None
    year: Annotated[Year | None, msgspec.Meta(description="That of the date, or the present one.")] = None
    date: (
        Annotated[Day, msgspec.Meta(description="The day up to which months accrue and carried days expire; today.")]
        | None
    ) = None


class LeaveBalanceView(View):
    """What somebody has of a leave type in a year.

    `balance` is the sum of the leave ledger: allocated + accrued + carriedIn + adjusted − carriedOut − taken − expired;
    `available` is that less what pending leave reserves.
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


_SUMS: dict[str, tuple[Kind, ...]] = {
    "allocated": ("allocation",),
    "accrued": ("accrual",),
    "carried_in": ("carried_in",),
    "taken": ("taken", "returned"),
    "adjusted": ("adjustment",),
    "carried_out": ("carried_out",),
    "expired": ("expired",),
}
_TAKEN_AWAY = ("taken", "carried_out", "expired")
"""Shown above zero, though the ledger has them below."""


def balances(query: LeaveBalanceFilter) -> list[LeaveBalanceView]:
    """The balances that a query asks for, by employee and leave type; nothing is written.

    Raises:
        Forbidden: it names somebody else, and the caller does not see all leave.
        BadParameter: the date is not of the year.
    """
    year = query.year or (query.date or workspace_settings.today()).year
    if query.date is not None and query.date.year != year:
        raise BadParameter("date: Must be a day of the year.")
    names = _employees(people.visible(query.employee_id, "leave.read"), year)
    types = _types(query.leave_type_id)
    accounts = ledger.accounts(list(names), list(types.values()), year)
    found = ((key, as_of(account, query.date)) for key, account in accounts.items())
    return [
        _view(names[employee_id], types[type_id], employee_id, account)
        for (employee_id, type_id), account in found
        if types[type_id].archived_at is None or query.leave_type_id or account.lines
    ]


def as_of(account: Account, day: date | None) -> Account:
    """The account with what is due by a day; without one by today, and with all that is written."""
    by = day or workspace_settings.today()
    whole = account.plus(lines=accrual.due(account, by, by))
    if day is None:
        return whole
    kept = tuple(line for line in whole.lines if line.kind not in ("accrual", "expired") or line.date <= day)
    return replace(whole, lines=kept)


def _view(name: str, kind: LeaveType, employee_id: str, account: Account) -> LeaveBalanceView:
    sums = {field: shown(account.total(*kinds) * (-1 if field in _TAKEN_AWAY else 1)) for field, kinds in _SUMS.items()}
    return LeaveBalanceView(
        employee_id=employee_id,
        employee_name=name,
        leave_type_id=kind.id,
        name=kind.name,
        year=account.year,
        balance=shown(account.balance),
        pending=shown(account.pending),
        available=shown(account.available),
        **sums,
    )


_EMPLOYED = """
SELECT id, name FROM employee WHERE CASE WHEN ?1 IS NULL THEN id IN (
    SELECT employee_id FROM employment WHERE starts_on <= ?3 AND (ends_on IS NULL OR ends_on >= ?2)
) ELSE id = ?1 END ORDER BY name, id
"""


def _employees(id: str | None, year: int) -> dict[str, str]:
    """The names by id: of one employee, or of all that are employed in the year."""
    return dict(WORKSPACE.rows(_EMPLOYED, (id, f"{year}-01-01", f"{year}-12-31")))


def _types(id: str | None) -> dict[str, LeaveType]:
    found: Sequence[LeaveType] = list(LeaveType.select().order_by(LeaveType.position, LeaveType.id))
    return {kind.id: kind for kind in found if id in (None, kind.id)}


class Balances:
    @endpoint(permission="leave.read_own")
    def on_get(self, query: LeaveBalanceFilter) -> list[LeaveBalanceView]:
        """List leave balances, by employee and leave type.

        A balance is the sum of the leave ledger of the calendar year. Allocations are made for the year, accruals as
        each month begins, or earlier when leave of that month is asked for. With `date` it is the balance of that
        day. Without the right to see all leave one's own alone are shown.
        """
        return balances(query)
