"""Which backups are kept: the newest of each day, week and month, and never none."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from erp.system.backups.manifest import Kind

KEPT_BEFORE_CHANGES = 5
"""How many of those are kept that were made before a migration, and before a restore."""


@dataclass(frozen=True, slots=True)
class Held:
    """A backup, as rotation sees it: the day is that of this computer, the workspaces those it holds in full."""

    name: str
    kind: Kind
    made_on: date
    workspaces: frozenset[str] = frozenset()


Test = Callable[[Held], bool]


def superfluous(backups: Sequence[Held], keep: tuple[int, int, int], is_good: Test) -> list[Held]:
    """Name the backups that may go.

    Those that people made stay until people delete them. One that is spoiled counts for nothing, and is left for
    people to look at.

    Args:
        backups: the newest first.
        keep: of how many days, weeks and months the newest daily backup is kept.
        is_good: whether a backup is as it was written.
    """
    rotated = [each for each in backups if each.kind in ("daily", "before-migration", "before-restore")]
    kept = {each.name for each in _wanted(backups, keep, is_good)}
    return [each for each in rotated if each.name not in kept and is_good(each)]


def _wanted(backups: Sequence[Held], keep: tuple[int, int, int], is_good: Test) -> Iterator[Held]:
    daily = [each for each in backups if each.kind == "daily"]
    for number, period in zip(keep, (_day, _week, _month), strict=True):
        yield from _newest_of_each(daily, number, period, is_good)
    for kind in ("before-migration", "before-restore"):
        of_kind = (each for each in backups if each.kind == kind and is_good(each))
        yield from (each for each, _ in zip(of_kind, range(KEPT_BEFORE_CHANGES), strict=False))
    yield from _last_good(backups, is_good)


def _newest_of_each(daily: Sequence[Held], number: int, period: Callable[[date], object], is_good: Test) -> list[Held]:
    found: dict[object, Held] = {}
    for each in daily:
        if len(found) == number:
            break
        if period(each.made_on) not in found and is_good(each):
            found[period(each.made_on)] = each
    return list(found.values())


def _last_good(backups: Sequence[Held], is_good: Test) -> Iterator[Held]:
    """The newest good backup, and the newest good ones of workspaces that it does not hold."""
    missing = {workspace for each in backups for workspace in each.workspaces}
    is_first = True
    for each in backups:
        if (is_first or missing & each.workspaces) and is_good(each):
            yield each
            missing -= each.workspaces
            is_first = False


def _day(day: date) -> object:
    return day


def _week(day: date) -> object:
    return day.isocalendar()[:2]


def _month(day: date) -> object:
    return day.year, day.month
