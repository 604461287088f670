"""Allocations, accruals and the expiry of carried days: the entries that the leave ledger is due.

Pure, so that a reader adds exactly what a writer would write. Days are hundredths throughout.
"""

from bisect import bisect_left
from calendar import monthrange
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal

from erp.kernel import money

Kind = Literal["allocation", "accrual", "taken", "returned", "adjustment", "carried_out", "carried_in", "expired"]
EmploymentPeriod = tuple[date, date | None]
"""First and last day of an employment; the last is None while it runs."""

_WHOLE_YEAR: tuple[Kind, ...] = ("allocation", "adjustment", "carried_in", "carried_out")
"""Kinds that count for the whole leave year, whatever their date."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What a leave type grants, up to `last_year`, in which it was archived."""

    accrual: str
    allowance: int
    expires_after_months: int | None = None
    last_year: int = 9999


@dataclass(frozen=True, slots=True)
class Line:
    """An entry of the ledger, or the sum of those of one kind and date."""

    date: date
    kind: str
    days: int


@dataclass(frozen=True, slots=True)
class Use:
    """What leave takes on a day, or reserves while it is pending."""

    date: date
    days: int
    pending: bool


@dataclass(frozen=True, slots=True)
class Account:
    """One employee's leave of one type in a year: the ledger's entries, and the days of leave in order."""

    year: int
    rules: Rules
    employments: Sequence[EmploymentPeriod]
    lines: tuple[Line, ...] = ()
    uses: tuple[Use, ...] = ()
    closed: bool = False

    @property
    def first_day(self) -> date:
        """The first day of the leave year."""
        return date(self.year, 1, 1)

    @property
    def last_day(self) -> date:
        """The last day of the leave year."""
        return date(self.year, 12, 31)

    @property
    def balance(self) -> int:
        """The sum of the entries."""
        return sum(line.days for line in self.lines)

    @property
    def pending(self) -> int:
        """What pending leave reserves."""
        return sum(use.days for use in self.uses if use.pending)

    @property
    def available(self) -> int:
        """The balance less what pending leave reserves."""
        return self.balance - self.pending

    def total(self, *kinds: Kind) -> int:
        """The sum of the entries of these kinds."""
        return sum(line.days for line in self.lines if line.kind in kinds)

    def within(self, day: date) -> date:
        """The day of the leave year that is nearest to `day`."""
        return min(max(day, self.first_day), self.last_day)

    def plus(self, *, lines: Sequence[Line] = (), uses: Sequence[Use] = ()) -> "Account":
        """The account with more entries or uses."""
        ordered = sorted((*self.uses, *uses), key=lambda use: use.date)
        return replace(self, lines=(*self.lines, *lines), uses=tuple(ordered))


def prorated(days: int, part: int, whole: int) -> int:
    """A part of an allowance, rounded half up to hundredths."""
    return money.divide(days * part, whole)


def due(account: Account, through: date, expired_by: date) -> list[Line]:
    """The entries that are not written yet.

    Args:
        through: the day up to which months accrue; a yearly allocation is due for the whole year.
        expired_by: carried days have expired if their last day is before this one.
    """
    grants = [line for line in _grants(account) if line.kind == "allocation" or line.date <= through]
    last = carried_until(account)
    if account.closed or last is None or expired_by <= last:
        return grants
    days = -_expiring(account.plus(lines=grants), last) - account.total("expired")
    return [*grants, Line(last + timedelta(days=1), "expired", days)] if days else grants


def lowest(account: Account, since: date) -> int:
    """The least that is left on `since` or any later day of leave.

    On each such day, months that have not begun grant nothing yet, and carried days may have expired.
    """
    whole = account.plus(lines=_grants(account))
    last = carried_until(whole)
    expiring = 0 if last is None else _expiring(whole, last)
    days = {since, *(use.date for use in whole.uses if use.date > since)}
    return min(_left(whole, day) - (expiring if last is not None and day > last else 0) for day in days)


def carried_until(account: Account) -> date | None:
    """The last day on which carried days can be taken; None if that is the end of the year."""
    months = account.rules.expires_after_months
    if months is None or months >= 12 or account.total("carried_in") <= 0:
        return None
    return _month_end(account.year, months)


def _left(account: Account, day: date) -> int:
    """What is left on a day, before expiry: leave takes carried days first, then the others."""
    accrued = sum(line.days for line in account.lines if line.kind == "accrual" and line.date <= day)
    return account.total(*_WHOLE_YEAR) + accrued - _used(account, day)


def _used(account: Account, day: date) -> int:
    until = bisect_left(account.uses, day + timedelta(days=1), key=lambda use: use.date)
    return sum(use.days for use in account.uses[:until])


def _expiring(account: Account, last: date) -> int:
    """The carried days not used by `last`; never more than are left."""
    unused = account.total("carried_in") - _used(account, last)
    return max(0, min(unused, _left(account, last)))


def _grants(account: Account) -> list[Line]:
    """The allocation or the accruals of the whole year that are not written; a year has only one of the two."""
    if account.year > account.rules.last_year:
        return []
    if account.rules.accrual == "yearly":
        return list(_allocation(account))
    return list(_accruals(account)) if account.rules.accrual == "monthly" else []


def corrections(account: Account, before: Account) -> list[Line]:
    """What to add to the written grants because employments or rules were those of `before` when they were computed."""
    now, then = (_grants(replace(state, lines=())) for state in (account, before))
    differences = (replace(line, days=_like(line, now) - _like(line, then)) for line in account.lines)
    return [line for line in differences if line.days]


def _like(written: Line, grants: Sequence[Line]) -> int:
    """The grants that a written line stands for: those of its kind and, for accruals, its month."""
    return sum(
        line.days
        for line in grants
        if line.kind == written.kind and (line.kind == "allocation" or line.date.month == written.date.month)
    )


def _allocation(account: Account) -> Iterator[Line]:
    """The allowance, prorated in the first year by days employed, less what accrued before the type became yearly."""
    day = _first_employed(account, account.first_day, account.last_day)
    if day is None or _is_allocated(account):
        return
    employed, whole = (account.last_day - day).days + 1, (account.last_day - account.first_day).days + 1
    days = prorated(account.rules.allowance, employed, whole) - account.total("accrual")
    if days > 0:
        yield Line(day, "allocation", days)


def _accruals(account: Account) -> Iterator[Line]:
    written = {line.date.month for line in account.lines if line.kind == "accrual"}
    if _is_allocated(account):
        return
    for month in set(range(1, 13)) - written:
        first, last = date(account.year, month, 1), _month_end(account.year, month)
        day = _first_employed(account, first, last)
        days = prorated(_share(account.rules.allowance, month), (last - day).days + 1, last.day) if day else 0
        if day and days:
            yield Line(day, "accrual", days)


def _is_allocated(account: Account) -> bool:
    return any(line.kind == "allocation" and line.days for line in account.lines)


def _share(allowance: int, month: int) -> int:
    """A month's twelfth; the twelve add up to the allowance exactly."""
    return prorated(allowance, month, 12) - prorated(allowance, month - 1, 12)


def _first_employed(account: Account, start: date, end: date) -> date | None:
    within = (max(first, start) for first, last in account.employments if first <= end and (last or end) >= start)
    return min(within, default=None)


def _month_end(year: int, month: int) -> date:
    return date(year, month, monthrange(year, month)[1])
