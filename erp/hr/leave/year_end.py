"""Closing a leave year: what of each balance is carried over, and what expires.

Up to the type's `carryForwardMaxDays` of what is left go to the next year of those who are employed on its first
day; the rest expires. Days taken in advance are carried over in full. Types that grant nothing are left alone.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, ClassVar

from erp.hr.leave import ledger
from erp.hr.leave.accrual import Line
from erp.hr.leave.days import shown
from erp.hr.leave.ledger import Key, LeaveYearClosed
from erp.hr.leave.models import LeaveType, LeaveYear
from erp.hr.leave.types_api import DaysText
from erp.kernel import caller
from erp.kernel.errors import NotFound, Refusal
from erp.store import events, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.schema import Body, View


class LeaveYearClosing(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"dryRun": True}

    dry_run: bool = False


class CarriedLeaveView(View):
    """What closing a year does to one balance."""

    employee_id: str
    employee_name: str
    leave_type_id: str
    leave_type_name: str
    balance: DaysText
    carried: DaysText
    expired: DaysText


class ClosedLeaveYearView(View):
    """A leave year that was closed, or, as a dry run, what closing it would do."""

    year: int
    dry_run: bool
    rows: list[CarriedLeaveView]


class LeaveYearNotOver(Refusal):
    """The leave year {year} is not over."""


class LeavePending(Refusal):
    """{count} up to the end of {year} {wait} for a decision; approve or reject first."""


@dataclass(frozen=True, slots=True)
class Carried:
    """What becomes of one balance; hundredths of a day."""

    key: Key
    balance: int
    carried: int

    @property
    def expired(self) -> int:
        """What is not carried over."""
        return self.balance - self.carried


def close(year: int, dry_run: bool) -> ClosedLeaveYearView:
    """Close a leave year; the years before it are closed as well.

    Raises:
        LeaveYearNotOver: it is not.
        LeaveYearClosed: it is closed already, or a later one is.
        LeavePending: leave of it, or of an earlier year, is pending.
    """
    _check_may_be_closed(year)
    names, types = _staying(year), _granting()
    balances = _balances(list(names), list(types.values()), year, dry_run)
    found = [
        Carried(key, balance, min(balance, types[key[1]].carry_forward_max_days))
        for key, balance in balances.items()
        if balance
    ]
    if not dry_run:
        _carry_over(year, found)
    rows = [_view(each, names, types) for each in found]
    return ClosedLeaveYearView(year=year, dry_run=dry_run, rows=rows)


def _check_may_be_closed(year: int) -> None:
    if year >= workspace_settings.today().year:
        raise LeaveYearNotOver(year=year)
    if year <= ledger.last_closed():
        raise LeaveYearClosed(f"The leave year {year} is closed already.")
    pending = "SELECT count(*) FROM leave_application WHERE status = 'pending' AND start_date <= ?"
    ((count,),) = WORKSPACE.rows(pending, (f"{year}-12-31",))
    if count:
        said = f"{count} application{'s' if count > 1 else ''}"
        raise LeavePending(count=said, year=year, wait="wait" if count > 1 else "waits")


def _balances(ids: list[str], types: list[LeaveType], year: int, dry_run: bool) -> dict[Key, int]:
    """What each balance is when everything is written; a dry run does not write it."""
    find = ledger.reckon if dry_run else ledger.settle
    return {key: account.balance for key, account in find(ids, types, year).items()}


def _carry_over(year: int, found: Sequence[Carried]) -> None:
    last, next_first = date(year, 12, 31), date(year + 1, 1, 1)
    for each in found:
        if each.carried:
            ledger.write(each.key, year, Line(last, "carried_out", -each.carried))
            ledger.write(each.key, year + 1, Line(next_first, "carried_in", each.carried))
        if each.expired:
            ledger.write(each.key, year, Line(last, "expired", -each.expired))
    LeaveYear.insert(year=year, closed_by=caller.current().user_id).execute()
    facts = {"balances": len(found), "carried": shown(sum(each.carried for each in found))}
    events.write("leave_year.closed", "leave_year", str(year), facts)


def _staying(year: int) -> dict[str, str]:
    """The names of those who are employed on the first day of the next year, by id."""
    rows = WORKSPACE.rows(
        "SELECT id, name FROM employee WHERE id IN (SELECT employee_id FROM employment"
        " WHERE starts_on <= ?1 AND (ends_on IS NULL OR ends_on >= ?1)) ORDER BY name, id",
        (f"{year + 1}-01-01",),
    )
    return dict(rows)


def _granting() -> dict[str, LeaveType]:
    found = LeaveType.raw(
        "SELECT * FROM leave_type WHERE accrual <> 'none' OR carry_forward_max_days > 0 ORDER BY position, id"
    )
    return {kind.id: kind for kind in found}


def _view(each: Carried, names: Mapping[str, str], types: Mapping[str, LeaveType]) -> CarriedLeaveView:
    employee_id, type_id = each.key
    return CarriedLeaveView(
        employee_id=employee_id,
        employee_name=names[employee_id],
        leave_type_id=type_id,
        leave_type_name=types[type_id].name,
        balance=shown(each.balance),
        carried=shown(each.carried),
        expired=shown(each.expired),
    )


def _year(text: str) -> int:
    if not re.fullmatch("(19|20|21)[0-9]{2}", text):
        raise NotFound("There is no such leave year.")
    return int(text)


class Close:
    @endpoint(permission="leave.write", refuses=(NotFound, LeaveYearNotOver, LeaveYearClosed, LeavePending))
    def on_post(self, year: str, body: LeaveYearClosing) -> ClosedLeaveYearView:
        """Close a leave year: carry over what each leave type allows, and let the rest expire.

        It is for those who are employed on the first day of the next year. Days taken in advance are carried over in
        full, below zero. A closed year takes no more leave or adjustments; `dryRun` tells what would happen and
        stores nothing.
        """
        return close(_year(year), body.dry_run)
