"""Proration: which part of a month, of two weeks or of a week somebody is paid for.

Units are hundredths. By `working_days` a scheduled day counts 100, a public holiday on it as well; by `calendar_days`
each day does; by `fixed_30` a month has 30, so that the 31st counts nothing and the last of February fills up. A
month or week in which somebody has no scheduled day is counted in calendar days.
"""

from calendar import monthrange
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from fractions import Fraction

from erp.hr.calendar.work_days import WorkDay
from erp.hr.payroll.calculation import wording
from erp.hr.payroll.calculation.values import WHOLE_DAY, Basis, Frequency, LineRounding, MonthPart, PayInputs, Work

PERIODS_OF_YEAR: dict[Frequency, int] = {"monthly": 12, "biweekly": 26, "weekly": 52}
_FRAME_DAYS = {"weekly": 7, "biweekly": 14}
_DAYS_OF = {"working_days": "working days", "calendar_days": "calendar days", "fixed_30": "days"}
_FRAMES = {"weekly": "a week", "biweekly": "two weeks"}


@dataclass(frozen=True, slots=True)
class Share:
    """Paid units of a stretch of time that has `of` units: of the month that begins on `month`, or of weeks."""

    units: int
    of: int
    basis: Basis
    frequency: Frequency
    month: date | None = None

    @property
    def fraction(self) -> Fraction:
        """How many months, fortnights or weeks it is."""
        return Fraction(self.units, self.of)

    @property
    def words(self) -> str:
        """What an amount is multiplied by: `8 of 22 working days`."""
        paid, whole, unit = wording.days(self.units), wording.days(self.of), _DAYS_OF[self.basis]
        if self.month is not None:
            return f"{paid} of {whole} {unit}"
        return f"{paid} paid days ÷ {whole} {unit} of {_FRAMES[self.frequency]}"


@dataclass(frozen=True, slots=True)
class Portion:
    """What is paid of an amount for a share, in words too, and which part of a month that is."""

    share: Share
    amount: int
    words: str
    part: MonthPart | None


def shares(given: PayInputs, paid: Sequence[WorkDay], frequency: Frequency) -> list[Share]:
    """How much of each month or week the days come to, less their unpaid leave."""
    if frequency == "monthly":
        return [_of_month(given, first, days) for first, days in _by_month(paid)]
    return _of_weeks(given, paid, frequency)


def portions(
    given: PayInputs, work: Work, key: str, rate: int, rounding: LineRounding = "half_up"
) -> Iterator[Portion]:
    """What the days of a work come to of an amount that is for a whole month, fortnight or week."""
    for share in shares(given, work.days, work.terms.frequency):
        yield _portion(given, key, rate, share, wording.rounded(rate * share.fraction, rounding))


def _portion(given: PayInputs, key: str, rate: int, share: Share, amount: int) -> Portion:
    """The part that completes a month is what the parts before have left of it."""
    shown = f"{wording.amount(rate, given.currency)} × {share.words}"
    if share.month is None:
        return Portion(share, amount, f"{shown} = {wording.amount(amount, given.currency)}", None)
    part = MonthPart(key, share.month, rate, share.units, share.of, amount)
    others = [each for each in given.before if (each.key, each.month, each.rate) == (key, share.month, rate)]
    if others and _completes([*others, part]):
        paid = sum(other.amount for other in others)
        part = replace(part, amount=rate - paid)
        shown += f", the last of the month: {wording.amount(rate, given.currency)}"
        shown += f" − {wording.amount(paid, given.currency)} paid before"
    prefix = "" if _within_one_month(given) else f"{share.month:%B %Y}: "
    return Portion(share, part.amount, f"{prefix}{shown} = {wording.amount(part.amount, given.currency)}", part)


def _within_one_month(given: PayInputs) -> bool:
    return given.period_start.replace(day=1) == given.period_end.replace(day=1)


def _completes(parts: Sequence[MonthPart]) -> bool:
    return sum((Fraction(part.units, part.of) for part in parts), Fraction(0)) == 1


def units_of(day: WorkDay, basis: Basis) -> int:
    """What a day counts."""
    if basis == "working_days":
        return WHOLE_DAY if day.scheduled_minutes else 0
    if basis == "calendar_days":
        return WHOLE_DAY
    return WHOLE_DAY * _thirtieths(day.date)


def whole(days: Sequence[WorkDay], basis: Basis) -> tuple[Basis, int]:
    """The basis that a stretch of time is counted by, and its units; calendar days where the other gives none."""
    count = sum(units_of(day, basis) for day in days)
    return (basis, count) if count else ("calendar_days", len(days) * WHOLE_DAY)


def periods_of_year(given: PayInputs, frequency: Frequency) -> Fraction:
    """How many periods like this one a year has: 12, 26 or 52, or fewer if the period is longer than a pay period."""
    days = (given.period_end - given.period_start).days + 1
    if frequency == "monthly":
        return Fraction(12, max(1, wording.rounded(Fraction(days * 48, 1461))))
    length = _FRAME_DAYS[frequency]
    return Fraction(PERIODS_OF_YEAR[frequency] * length, max(length, days))


def paid_units(given: PayInputs, days: Iterable[WorkDay], basis: Basis) -> int:
    """What days count together, less their unpaid leave."""
    return sum(units_of(day, basis) * (WHOLE_DAY - unpaid(given, day.date)) for day in days) // WHOLE_DAY


def unpaid(given: PayInputs, day: date) -> int:
    """Hundredths of a day that are unpaid leave."""
    return min(given.unpaid_leave.get(day, 0), WHOLE_DAY)


def _thirtieths(day: date) -> int:
    if day.day == 31:
        return 0
    is_last_of_february = day.month == 2 and day.day == monthrange(day.year, 2)[1]
    return 31 - day.day if is_last_of_february else 1


def _by_month(days: Iterable[WorkDay]) -> Iterator[tuple[date, list[WorkDay]]]:
    months: dict[date, list[WorkDay]] = {}
    for day in days:
        months.setdefault(day.date.replace(day=1), []).append(day)
    return iter(months.items())


def _of_month(given: PayInputs, first: date, paid: Sequence[WorkDay]) -> Share:
    month = [day for day in given.roster if day.date.replace(day=1) == first]
    basis, of = whole(month, given.basis)
    return Share(paid_units(given, paid, basis), of, basis, "monthly", first)


def _of_weeks(given: PayInputs, paid: Sequence[WorkDay], frequency: Frequency) -> list[Share]:
    """Weeks and fortnights are counted from the first day of the period; alike ones make one share."""
    length = _FRAME_DAYS[frequency]
    frames: dict[int, list[WorkDay]] = {}
    for day in paid:
        frames.setdefault((day.date - given.period_start).days // length, []).append(day)
    units: dict[tuple[Basis, int], int] = {}
    for frame, days in frames.items():
        start = given.period_start + timedelta(days=frame * length)
        frame_days = [day for day in given.roster if 0 <= (day.date - start).days < length]
        basis, of = whole(frame_days, "working_days")
        units[basis, of] = units.get((basis, of), 0) + paid_units(given, days, basis)
    return [Share(count, of, basis, frequency) for (basis, of), count in units.items()]
