"""Allocations, accruals and the expiry of carried days: entries due in the leave ledger.

Pure, so that readers and writers compute the same entries. Days are hundredths throughout.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Literal

import msgspec
from msgspec.structs import replace

from erp.kernel import money
from erp.kernel.days import month_end

Kind = Literal[
    "allocation",
    "accrual",
    "taken",
    "returned",
    "adjustment",
    "carried_out",
    "carried_in",
    "carry_corrected",
    "expired",
]
EmploymentPeriod = tuple[date, date | None]
"""First and last day of an employment; the last is None while it runs."""
Week = tuple[date, int]
"""Working days a week, by the day they are valid from."""

_CARRIED: tuple[Kind, ...] = ("carried_in", "carried_out", "carry_corrected")
_WHOLE_YEAR: tuple[Kind, ...] = ("allocation", "adjustment", *_CARRIED)
"""Kinds that count for the whole leave year, whatever their date."""


class Rules(msgspec.Struct, frozen=True):
    """The rules of a leave type, up to `last_year`, in which it was archived.

    With `own_week`, `allowance` is for the full week of a site, and people who work fewer days get their share;
    without, everyone gets all of it.
    """

    accrual: str
    allowance: int
    own_week: bool = False
    expires_after_months: int | None = None
    last_year: int = 9999


class Line(msgspec.Struct, frozen=True):
    """An entry of the ledger, or the sum of all entries of one kind and date."""

    date: date
    kind: str
    days: int


class Use(msgspec.Struct, frozen=True):
    """Leave taken from a day, or reserved while it is pending."""

    date: date
    days: int
    pending: bool


class Account(msgspec.Struct, frozen=True):
    """One employee's leave of one type in a year: the ledger's entries, and the days of leave in order.

    `full_week` is the number of working days in a full week at their site.
    """

    year: int
    rules: Rules
    employments: Sequence[EmploymentPeriod]
    weeks: Sequence[Week] = ()
    full_week: int = 1
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
        """Days reserved by pending leave."""
        return sum(use.days for use in self.uses if use.pending)

    @property
    def available(self) -> int:
        """The balance less pending leave."""
        return self.balance - self.pending

    def total(self, *kinds: Kind) -> int:
        """The sum of the entries of these kinds."""
        return sum(line.days for line in self.lines if line.kind in kinds)

    @property
    def carried_in(self) -> int:
        """The days carried over from the year before, corrections included."""
        return self._carried_on(self.first_day)

    @property
    def carried_out(self) -> int:
        """The days carried over to the next year, corrections included."""
        return -self._carried_on(self.last_day)

    def _carried_on(self, day: date) -> int:
        return sum(line.days for line in self.lines if line.date == day and line.kind in _CARRIED)

    @property
    def reopened(self) -> "Account":
        """The account as it was before its year was closed."""
        closing = (*_CARRIED, "expired")
        lines = (line for line in self.lines if line.date != self.last_day or line.kind not in closing)
        return replace(self, lines=tuple(lines), closed=False)

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
    """The least that remains on `since` or any later day of leave.

    On each such day, months that have not begun grant nothing yet, and carried days may have expired.
    """
    whole = account.plus(lines=_grants(account))
    last = carried_until(whole)
    expiring = 0 if last is None else _expiring(whole, last)
    days = {since, *(use.date for use in whole.uses if use.date > since)}
    return min(_remaining(whole, day) - (expiring if last is not None and day > last else 0) for day in days)


def carried_until(account: Account) -> date | None:
    """The last day on which carried days can be taken; None if that is the end of the year."""
    months = account.rules.expires_after_months
    if months is None or months >= 12:
        return None
    return month_end(date(account.year, months, 1))


def _remaining(account: Account, day: date) -> int:
    """The remaining days, before expiry: leave takes carried days first, then the others."""
    accrued = sum(line.days for line in account.lines if line.kind == "accrual" and line.date <= day)
    return account.total(*_WHOLE_YEAR) + accrued - _used(account, day)


def _used(account: Account, day: date) -> int:
    until = bisect_left(account.uses, day + timedelta(days=1), key=lambda use: use.date)
    return sum(use.days for use in account.uses[:until])


def _expiring(account: Account, last: date) -> int:
    """The carried days not used by `last`; at most the remaining ones."""
    unused = account.carried_in - _used(account, last)
    return max(0, min(unused, _remaining(account, last)))


def _grants(account: Account) -> list[Line]:
    """The unwritten allocation or accruals of the whole year; a year has only one of the two."""
    if account.year > account.rules.last_year:
        return []
    if account.rules.accrual == "yearly":
        return list(_allocation(account))
    return list(_accruals(account)) if account.rules.accrual == "monthly" else []


def corrections(account: Account, before: Account) -> list[Line]:
    """The corrections to written grants, which followed employment, week or rules as `before` has them.

    A grant that was made by still earlier rules changes in proportion.
    """
    now, then = (_by_grant(_grants(replace(state, lines=()))) for state in (account, before))
    written = _by_grant([line for line in account.lines if line.kind in ("allocation", "accrual")])
    first = {_grant(line): line for line in reversed(account.lines)}
    accrued = account.total("accrual")  # an allocation is reduced by the accruals before the type became yearly
    grants = {grant: days + (accrued if grant[0] == "allocation" else 0) for grant, days in written.items()}
    differences = (
        replace(first[grant], days=_difference(days, now[grant], then[grant])) for grant, days in grants.items()
    )
    return [line for line in differences if line.days]


def _difference(granted: int, now: int, then: int) -> int:
    return now - then if then in (granted, 0) else prorated(granted, now, then) - granted


def _grant(line: Line) -> tuple[str, int]:
    """The key of a grant: the year's allocation, or the accrual of a month."""
    return line.kind, 0 if line.kind == "allocation" else line.date.month


def _by_grant(lines: Sequence[Line]) -> Counter[tuple[str, int]]:
    days: Counter[tuple[str, int]] = Counter()
    for line in lines:
        days[_grant(line)] += line.days
    return days


def _allocation(account: Account) -> Iterator[Line]:
    """The allowance, prorated by days employed, less the accruals before the type became yearly."""
    day = _first_employed(account, account.first_day, account.last_day)
    if day is None or _is_allocated(account):
        return
    rules, weeks = account.rules, _days_by_week(account, account.first_day, account.last_day)
    part = sum(working * days for working, days in weeks.items())
    whole = _full_week(account) * ((account.last_day - account.first_day).days + 1)
    days = prorated(rules.allowance, part, whole) - account.total("accrual")
    if days > 0:
        yield Line(day, "allocation", days)


def _accruals(account: Account) -> Iterator[Line]:
    written = {line.date.month for line in account.lines if line.kind == "accrual"}
    if _is_allocated(account):
        return
    for month in set(range(1, 13)) - written:
        first = date(account.year, month, 1)
        last = month_end(first)
        day = _first_employed(account, first, last)
        days = sum(
            prorated(_share(account, working, month), days, last.day)
            for working, days in _days_by_week(account, first, last).items()
        )
        if day and days:
            yield Line(day, "accrual", days)


def _is_allocated(account: Account) -> bool:
    return any(line.kind == "allocation" and line.days for line in account.lines)


def _share(account: Account, working: int, month: int) -> int:
    """A month's twelfth for a week of so many working days; the twelve add up to the whole exactly."""
    allowance, whole = account.rules.allowance * working, 12 * _full_week(account)
    return prorated(allowance, month, whole) - prorated(allowance, month - 1, whole)


def _full_week(account: Account) -> int:
    return account.full_week if account.rules.own_week else 1


def _days_by_week(account: Account, start: date, end: date) -> Counter[int]:
    """The days employed from `start` to `end`, by working days a week; by 1 if those do not count."""
    days: Counter[int] = Counter()
    weeks = account.weeks if account.rules.own_week else ((date.min, 1),)
    # the first week also holds before its day
    begins = [date.min, *(day for day, _ in weeks[1:])]
    ends = [*(day - timedelta(days=1) for day in begins[1:]), date.max]
    for first, last in account.employments:
        for (_, working), begin, until in zip(weeks, begins, ends, strict=True):
            length = (min(last or end, end, until) - max(first, start, begin)).days + 1
            if length > 0:
                days[working] += length
    return days


def _first_employed(account: Account, start: date, end: date) -> date | None:
    within = (max(first, start) for first, last in account.employments if first <= end and (last or end) >= start)
    return min(within, default=None)
