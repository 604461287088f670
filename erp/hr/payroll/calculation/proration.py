"""Proration: the part of a month, of two weeks or of a week that is paid.

Units are hundredths of a day. By `working_days`, each scheduled day counts 100, even if it is a public holiday; by
`calendar_days`, every day does; by `fixed_30`, a month has 30 days, so the 31st counts 0 and the last day of February
makes up the difference. A month or week without a scheduled day is counted in calendar days.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from fractions import Fraction

import msgspec
from msgspec.structs import replace

from erp.hr.calendar.work_days import WorkDay
from erp.hr.payroll.calculation import wording
from erp.hr.payroll.calculation.values import WHOLE_DAY, Basis, Frequency, LineRounding, MonthPart, PayInputs, Work
from erp.kernel.days import is_month_end
from erp.kernel.language import Word, month, says

PERIODS_OF_YEAR: dict[Frequency, int] = {"monthly": 12, "semimonthly": 24, "biweekly": 26, "weekly": 52}
_FRAME_DAYS = {"weekly": 7, "biweekly": 14}
_DAYS_OF = {"working_days": Word("working days"), "calendar_days": Word("calendar days"), "fixed_30": Word("days")}
_FRAMES = {"weekly": Word("a week"), "biweekly": Word("two weeks")}


class Share(msgspec.Struct, frozen=True):
    """Paid units out of the `of` units of a month or its half, which begins on `month`, or of a week or fortnight."""

    units: int
    of: int
    basis: Basis
    frequency: Frequency
    month: date | None = None

    @property
    def fraction(self) -> Fraction:
        """The share as a fraction of a month, fortnight or week; above 1 for several weeks."""
        return Fraction(self.units, self.of)

    @property
    def words(self) -> str:
        """The share in words: `8 of 22 working days`."""
        paid, whole, unit = wording.days(self.units), wording.days(self.of), _DAYS_OF[self.basis]
        if self.month is not None:
            return says("{paid} of {whole} {unit}", paid=paid, whole=whole, unit=unit)
        frame = _FRAMES[self.frequency]
        return says("{paid} paid days ÷ {whole} {unit} of {frame}", paid=paid, whole=whole, unit=unit, frame=frame)


class Portion(msgspec.Struct, frozen=True):
    """A share of an amount, its arithmetic in words, and the part of a month that it pays."""

    share: Share
    amount: int
    words: str
    part: MonthPart | None


def shares(inputs: PayInputs, paid: Sequence[WorkDay], frequency: Frequency) -> list[Share]:
    """The shares of months or weeks that the days make up, less their unpaid leave."""
    if frequency in _FIRST_DAYS:
        return [_of_month(inputs, frequency, first, days) for first, days in _by_month(paid, frequency)]
    return _of_weeks(inputs, paid, frequency)


def portions(
    inputs: PayInputs, work: Work, key: str, rate: int, rounding: LineRounding = "half_up"
) -> Iterator[Portion]:
    """The portions of an amount per month, fortnight or week for the days of a work."""
    for share in shares(inputs, work.days, work.terms.frequency):
        yield _portion(inputs, key, rate, share, wording.rounded(rate * share.fraction, rounding))


def _portion(inputs: PayInputs, key: str, rate: int, share: Share, amount: int) -> Portion:
    """The portion of a share; the part that completes a month pays what remains of it."""
    shown = says("{rate} × {share}", rate=wording.amount(rate, inputs.currency), share=share.words)
    if share.month is None:
        words = says("{words} = {amount}", words=shown, amount=wording.amount(amount, inputs.currency))
        return Portion(share, amount, words, None)
    key = key if share.frequency == "monthly" else f"{key}/{share.frequency}"
    part = MonthPart(key=key, month=share.month, rate=rate, units=share.units, of=share.of, amount=amount)
    others = [other for other in inputs.before if (other.key, other.month, other.rate) == (key, share.month, rate)]
    if others and _completes([*others, part]):
        paid = sum(other.amount for other in others)
        part = replace(part, amount=rate - paid)
        figures = {"rate": wording.amount(rate, inputs.currency), "paid": wording.amount(paid, inputs.currency)}
        shown = says("{words}, the last of the month: {rate} − {paid} paid before", words=shown, **figures)
    words = says("{words} = {amount}", words=shown, amount=wording.amount(part.amount, inputs.currency))
    if not _within_one_month(inputs):
        words = says("{month} {year}: {words}", month=month(share.month), year=share.month.year, words=words)
    return Portion(share, part.amount, words, part)


def _within_one_month(inputs: PayInputs) -> bool:
    return inputs.period_start.replace(day=1) == inputs.period_end.replace(day=1)


def _completes(parts: Sequence[MonthPart]) -> bool:
    return sum((Fraction(part.units, part.of) for part in parts), Fraction(0)) == 1


def units_of(day: WorkDay, basis: Basis) -> int:
    """The units that a day counts."""
    if basis == "working_days":
        return WHOLE_DAY if day.scheduled_minutes else 0
    if basis == "calendar_days":
        return WHOLE_DAY
    return WHOLE_DAY * _thirtieths(day.date)


def whole(days: Sequence[WorkDay], basis: Basis) -> tuple[Basis, int]:
    """The basis by which these days are counted, and their units; calendar days where the basis gives none."""
    count = sum(units_of(day, basis) for day in days)
    return (basis, count) if count else ("calendar_days", len(days) * WHOLE_DAY)


def periods_of_year(inputs: PayInputs, frequency: Frequency) -> Fraction:
    """The number of such periods in a year: 12, 26 or 52, or fewer if one is longer than a pay period."""
    days = (inputs.period_end - inputs.period_start).days + 1
    if frequency in _FIRST_DAYS:
        count = PERIODS_OF_YEAR[frequency]
        return Fraction(count, max(1, wording.rounded(Fraction(days * count * 4, 1461))))
    length = _FRAME_DAYS[frequency]
    return Fraction(PERIODS_OF_YEAR[frequency] * length, max(length, days))


def paid_units(inputs: PayInputs, days: Iterable[WorkDay], basis: Basis) -> int:
    """The units of several days, less their unpaid leave."""
    return sum(units_of(day, basis) * (WHOLE_DAY - unpaid(inputs, day.date)) for day in days) // WHOLE_DAY


def unpaid(inputs: PayInputs, day: date) -> int:
    """The unpaid leave of a day, in hundredths."""
    return min(inputs.unpaid_leave.get(day, 0), WHOLE_DAY)


def _thirtieths(day: date) -> int:
    if day.day == 31:
        return 0
    is_last_of_february = day.month == 2 and is_month_end(day)
    return 31 - day.day if is_last_of_february else 1


_FIRST_DAYS: dict[Frequency, tuple[int, ...]] = {"monthly": (1,), "semimonthly": (1, 16)}
"""The days of a month on which a period begins."""


def _first(day: date, frequency: Frequency) -> date:
    """The first day of the month, or of its half."""
    return day.replace(day=max(first for first in _FIRST_DAYS[frequency] if first <= day.day))


def _by_month(days: Iterable[WorkDay], frequency: Frequency) -> Iterator[tuple[date, list[WorkDay]]]:
    months: dict[date, list[WorkDay]] = {}
    for day in days:
        months.setdefault(_first(day.date, frequency), []).append(day)
    return iter(months.items())


def _of_month(inputs: PayInputs, frequency: Frequency, first: date, paid: Sequence[WorkDay]) -> Share:
    work_days = [day for day in inputs.work_days if _first(day.date, frequency) == first]
    basis, of = whole(work_days, inputs.basis)
    return Share(units=paid_units(inputs, paid, basis), of=of, basis=basis, frequency=frequency, month=first)


def _of_weeks(inputs: PayInputs, paid: Sequence[WorkDay], frequency: Frequency) -> list[Share]:
    """Weeks and fortnights are counted from the first day of the period; equal ones make one share."""
    length = _FRAME_DAYS[frequency]
    frames: dict[int, list[WorkDay]] = {}
    for day in paid:
        frames.setdefault((day.date - inputs.period_start).days // length, []).append(day)
    units: dict[tuple[Basis, int], int] = {}
    for frame, days in frames.items():
        start = inputs.period_start + timedelta(days=frame * length)
        frame_days = [day for day in inputs.work_days if 0 <= (day.date - start).days < length]
        basis, of = whole(frame_days, "working_days")
        units[basis, of] = units.get((basis, of), 0) + paid_units(inputs, days, basis)
    return [Share(units=count, of=of, basis=basis, frequency=frequency) for (basis, of), count in units.items()]
