"""The arithmetic of attendance: punches, breaks and rounding, in instants, so that a change of clocks costs nobody.

A time clock shows minutes: punches are rounded as they read there, seconds dropped, before what lies between them
is counted. Without rounding what lies between is counted to the second, and the day's sum to the nearest minute.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from erp.kernel import clock

Kept = Mapping[str, str | None]
"""A punch as the file keeps it: `in` and `out`."""

AT_WORK = ("present", "remote", "half_day")
"""The statuses of somebody who works that day."""

LONGEST = timedelta(hours=24)
"""How long a punch may last."""

MINUTE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Punch:
    """A stretch of work from an instant on, in UTC; without an end it goes on."""

    start: datetime
    end: datetime | None = None

    @classmethod
    def of(cls, kept: Kept) -> "Punch":
        """The punch that `kept` gave."""
        start, end = kept["in"], kept["out"]
        assert start is not None
        return cls(clock.parse(start), None if end is None else clock.parse(end))

    def kept(self) -> Kept:
        """The punch as the file keeps it."""
        return {"in": clock.stamp(self.start), "out": None if self.end is None else clock.stamp(self.end)}

    @property
    def until(self) -> datetime:
        """Its end, or when it ends at the latest."""
        return self.end or self.start + LONGEST

    def overlaps(self, other: "Punch") -> bool:
        """Whether there is an instant in both."""
        return self.start < other.until and other.start < self.until


@dataclass(frozen=True, slots=True)
class Rounding:
    """How punches are rounded: to a multiple of `step` minutes from midnight on, `nearest`, `up` or `down`."""

    step: int
    mode: str = "nearest"

    def minutes(self, past: int) -> int:
        """Round minutes past midnight; the middle goes up.

        Source: 29 CFR 785.48(b): of a quarter of an hour 1 to 7 minutes go down, 8 to 14 up.
        """
        added = {"down": 0, "nearest": self.step // 2, "up": self.step - 1}[self.mode]
        return (past + added) // self.step * self.step


def rounded(instant: datetime, zone: ZoneInfo, rounding: Rounding | None) -> datetime:
    """An instant as it counts, in UTC: rounded as the clocks of the zone read then."""
    counted, local = instant.astimezone(UTC), instant.astimezone(zone)
    if rounding is None:
        return counted
    past = local.hour * 60 + local.minute
    shown = counted - timedelta(seconds=local.second, microseconds=local.microsecond)
    return shown + (rounding.minutes(past) - past) * MINUTE


def punched_minutes(punches: Iterable[Punch], zone: ZoneInfo, rounding: Rounding | None = None) -> int:
    """The minutes that really went by in the punches that have an end."""
    lengths = (
        rounded(punch.end, zone, rounding) - rounded(punch.start, zone, rounding)
        for punch in punches
        if punch.end is not None
    )
    total = sum((max(length, timedelta(0)) for length in lengths), timedelta(0))
    return (total + MINUTE / 2) // MINUTE


def less_leave(minutes: int, halves: int) -> int:
    """The minutes of a day without the halves of it, 0 to 2, that are leave."""
    return minutes * (2 - halves) // 2


def unpunched_minutes(status: str, scheduled: int, halves: int = 0) -> int:
    """What somebody without punches counts as having worked.

    Args:
        scheduled: the minutes of her week for that day.
        halves: how many halves of the day are leave.
    """
    if status not in AT_WORK:
        return 0
    return scheduled // 2 if status == "half_day" else less_leave(scheduled, halves)


def expected_minutes(status: str | None, expected: int, halves: int = 0) -> int:
    """How long somebody is to work: her roster's minutes less leave, and none when marked as on leave or on holiday."""
    return 0 if status in ("on_leave", "holiday") else less_leave(expected, halves)


def overtime_minutes(worked: int, expected: int) -> int:
    """What was worked beyond what was expected of a day."""
    return max(0, worked - expected)


def local_day(instant: datetime, zone: ZoneInfo) -> date:
    """The day that it is in a zone."""
    return instant.astimezone(zone).date()


Fault = tuple[str, str, str]
"""What is wrong with punches: the place (`[1].in`), a code, a sentence."""


def complaints(punches: Sequence[Punch], day: date, zone: ZoneInfo, now: datetime) -> list[Fault]:
    """What is wrong with the punches of a day by themselves."""
    found: list[Fault] = []
    for place, punch in enumerate(punches):
        found += [(f"[{place}].{where}", code, message) for where, code, message in _of_itself(punch, now)]
        if place and punch.start < (punches[place - 1].end or punches[place - 1].start):
            found.append((f"[{place}].in", "overlaps", "It begins before the punch before it ends."))
        if punch.end is None and place + 1 < len(punches):
            found.append((f"[{place}].out", "required", "Only the last punch may be without its end."))
        if not _belongs(punch, place, day, zone):
            found.append((f"[{place}].in", "other_day", f"It does not begin on {day}, to which the shift belongs."))
    return found


def _belongs(punch: Punch, place: int, day: date, zone: ZoneInfo) -> bool:
    """The first punch begins on the day; those after it may begin past midnight, for the shift goes on."""
    begun = local_day(punch.start, zone)
    return begun == day or (place > 0 and begun == day + timedelta(days=1))


def _of_itself(punch: Punch, now: datetime) -> Iterable[Fault]:
    if punch.start > now:
        yield "in", "future", "It lies in the future."
    if punch.end is None:
        if now - punch.start > LONGEST:
            yield "out", "required", "A punch of more than 24 hours ago needs its end."
        return
    if punch.end > now:
        yield "out", "future", "It lies in the future."
    if punch.end <= punch.start:
        yield "out", "not_after_in", "It has to be after the beginning."
    if punch.end - punch.start > LONGEST:
        yield "out", "too_long", "A punch lasts 24 hours at most."


def first_overlap(punches: Sequence[Punch], others: Iterable[Punch]) -> int | None:
    """The place of the first punch that overlaps one of the others."""
    known = list(others)
    return next((place for place, punch in enumerate(punches) if any(punch.overlaps(each) for each in known)), None)
