"""The backups to keep: the newest of each day, week and month, and always the last good one."""

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from itertools import islice

import msgspec

from erp.system.backups.manifest import Kind

KEPT_BEFORE_CHANGES = 5
"""Number of backups kept from before migrations, and from before restores."""


class Candidate(msgspec.Struct, frozen=True):
    """A backup that rotation considers; `made_on` is a day of this computer, `workspaces` are the complete ones."""

    name: str
    kind: Kind
    made_on: date
    workspaces: frozenset[str] = frozenset()


IsGood = Callable[[Candidate], bool]


def superfluous(backups: Sequence[Candidate], keep: tuple[int, int, int], is_good: IsGood) -> list[Candidate]:
    """The backups that can be deleted.

    Backups that people made stay until people delete them. A damaged one does not count, and stays for people to
    examine.

    Args:
        backups: the newest first.
        keep: the numbers of days, weeks and months of which the newest daily backup is kept.
        is_good: whether a backup is as it was written.
    """
    rotated = [backup for backup in backups if backup.kind in ("daily", "before-migration", "before-restore")]
    kept_names = {backup.name for backup in _to_keep(backups, keep, is_good)}
    return [backup for backup in rotated if backup.name not in kept_names and is_good(backup)]


def _to_keep(backups: Sequence[Candidate], keep: tuple[int, int, int], is_good: IsGood) -> Iterator[Candidate]:
    daily = [backup for backup in backups if backup.kind == "daily"]
    for number, period in zip(keep, (_day, _week, _month), strict=True):
        yield from _newest_of_each(daily, number, period, is_good)
    for kind in ("before-migration", "before-restore"):
        yield from islice(
            (backup for backup in backups if backup.kind == kind and is_good(backup)), KEPT_BEFORE_CHANGES
        )
    yield from _last_good(backups, is_good)


def _newest_of_each(
    daily: Sequence[Candidate], number: int, period: Callable[[date], object], is_good: IsGood
) -> list[Candidate]:
    newest: dict[object, Candidate] = {}
    for backup in daily:
        if len(newest) == number:
            break
        if period(backup.made_on) not in newest and is_good(backup):
            newest[period(backup.made_on)] = backup
    return list(newest.values())


def _last_good(backups: Sequence[Candidate], is_good: IsGood) -> Iterator[Candidate]:
    """The newest good backup, and for each workspace that it lacks, the newest good one that has it."""
    missing = {workspace for backup in backups for workspace in backup.workspaces}
    is_first = True
    for backup in backups:
        if (is_first or missing & backup.workspaces) and is_good(backup):
            yield backup
            missing -= backup.workspaces
            is_first = False


def _day(day: date) -> object:
    return day


def _week(day: date) -> object:
    return day.isocalendar()[:2]


def _month(day: date) -> object:
    return day.year, day.month
