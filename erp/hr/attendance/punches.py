"""The arithmetic of attendance: punches, breaks and rounding, in instants, so that changes of the clocks cost no time.

A time clock shows minutes: with rounding, each punch is rounded as the clock shows it, without seconds, and then the
time between is measured. Without rounding it is measured to the second, and the day's sum to the nearest minute.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec

from erp.kernel import clock
from erp.kernel.errors import Complaint
from erp.kernel.language import says

StoredPunch = Mapping[str, str | None]
"""A stored punch: `in` and `out`."""

AT_WORK = ("present", "remote", "half_day")
"""The statuses of a day at work."""

LONGEST = timedelta(hours=24)
"""The longest punch."""

MINUTE = timedelta(minutes=1)


class Punch(msgspec.Struct, frozen=True):
    """A period of work, in UTC; without an end it is open."""

    start: datetime
    end: datetime | None = None

    @classmethod
    def of(cls, stored: StoredPunch) -> "Punch":
        """Decode a stored punch."""
        start, end = stored["in"], stored["out"]
        assert start is not None
        return cls(clock.parse(start), None if end is None else clock.parse(end))

    def stored(self) -> StoredPunch:
        """Encode the punch for the file."""
        return {"in": clock.stamp(self.start), "out": None if self.end is None else clock.stamp(self.end)}

    @property
    def until(self) -> datetime:
        """The end; for an open punch, the latest possible one."""
        return self.end or self.start + LONGEST

    def overlaps(self, other: "Punch") -> bool:
        """Whether both have an instant in common."""
        return self.start < other.until and other.start < self.until


class Rounding(msgspec.Struct, frozen=True):
    """The rounding of punches to a multiple of `step` minutes past midnight: `nearest`, `up` or `down`."""

    step: int
    mode: str = "nearest"

    def minutes(self, past: int) -> int:
        """Round minutes past midnight; a half goes up.

        Source: 29 CFR 785.48(b): in a quarter of an hour, 1 to 7 minutes go down and 8 to 14 go up.
        """
        added = {"down": 0, "nearest": self.step // 2, "up": self.step - 1}[self.mode]
        return (past + added) // self.step * self.step


def rounded(instant: datetime, zone: ZoneInfo, rounding: Rounding | None) -> datetime:
    """An instant in UTC, rounded by the time that clocks in the zone show."""
    exact, local = instant.astimezone(UTC), instant.astimezone(zone)
    if rounding is None:
        return exact
    past = local.hour * 60 + local.minute
    shown = exact - timedelta(seconds=local.second, microseconds=local.microsecond)
    return shown + (rounding.minutes(past) - past) * MINUTE


def punched_minutes(punches: Iterable[Punch], zone: ZoneInfo, rounding: Rounding | None = None) -> int:
    """The minutes that really passed during the punches, open ones left out."""
    lengths = (
        rounded(punch.end, zone, rounding) - rounded(punch.start, zone, rounding)
        for punch in punches
        if punch.end is not None
    )
    total = sum((max(length, timedelta(0)) for length in lengths), timedelta(0))
    return (total + MINUTE / 2) // MINUTE


def less_leave(minutes: int, halves: int) -> int:
    """The minutes of a day less its halves, 0 to 2, that are leave."""
    return minutes * (2 - halves) // 2


def unpunched_minutes(status: str, usual: int, halves: int = 0) -> int:
    """The minutes that a day without punches counts as worked.

    Args:
        usual: the minutes of the work calendar for that day.
        halves: how many halves of the day, 0 to 2, are leave.
    """
    if status not in AT_WORK:
        return 0
    return usual // 2 if status == "half_day" else less_leave(usual, halves)


def expected_minutes(status: str | None, expected: int, halves: int = 0) -> int:
    """The minutes of the work calendar less leave; 0 on a day marked as leave or holiday."""
    return 0 if status in ("on_leave", "holiday") else less_leave(expected, halves)


def overtime_minutes(worked: int, expected: int) -> int:
    """Worked minutes above the expected ones."""
    return max(0, worked - expected)


def local_day(instant: datetime, zone: ZoneInfo) -> date:
    return instant.astimezone(zone).date()


def punch_complaints(punches: Sequence[Punch], day: date, zone: ZoneInfo, now: datetime) -> list[Complaint]:
    """The complaints about a day's punches; fields are relative to the list, as `[1].in`."""
    complaints: list[Complaint] = []
    for index, punch in enumerate(punches):
        path = f"[{index}]"
        complaints += _of_itself(punch, path, now)
        if index and punch.start < (punches[index - 1].end or punches[index - 1].start):
            complaints.append(
                Complaint(f"{path}.in", "overlaps", says("This punch begins before the previous one ends."))
            )
        if punch.end is None and index + 1 < len(punches):
            complaints.append(
                Complaint(f"{path}.out", "required", says("Only the last punch can be open. Add an end."))
            )
        if not _belongs(punch, index, day, zone):
            message = says("The shift belongs to {day}, but this punch begins on another day.", day=day)
            complaints.append(Complaint(f"{path}.in", "other_day", message))
    return complaints


def _belongs(punch: Punch, index: int, day: date, zone: ZoneInfo) -> bool:
    """Whether a punch belongs to the day: the first begins on it; later ones can begin after midnight."""
    begins = local_day(punch.start, zone)
    return begins == day or (index > 0 and begins == day + timedelta(days=1))


def _of_itself(punch: Punch, path: str, now: datetime) -> Iterator[Complaint]:
    if punch.start > now:
        yield Complaint(f"{path}.in", "future", says("This time is in the future."))
    if punch.end is None:
        if now - punch.start > LONGEST:
            yield Complaint(f"{path}.out", "required", says("This punch began more than 24 hours ago. Add its end."))
        return
    if punch.end > now:
        yield Complaint(f"{path}.out", "future", says("This time is in the future."))
    if punch.end <= punch.start:
        yield Complaint(f"{path}.out", "not_after_in", says("The end must be after the start."))
    if punch.end - punch.start > LONGEST:
        yield Complaint(f"{path}.out", "too_long", says("A punch can last 24 hours at most."))


def first_overlap(punches: Sequence[Punch], others: Iterable[Punch]) -> int | None:
    """The index of the first punch that overlaps another list."""
    other_punches = list(others)
    overlapping = (
        index for index, punch in enumerate(punches) if any(punch.overlaps(other) for other in other_punches)
    )
    return next(overlapping, None)
