"""Which backups are kept (reliability O8)."""

import datetime
from datetime import date, timedelta
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from erp.kernel import config
from erp.system.backups import backups
from erp.system.backups.rotation import KEPT_BEFORE_CHANGES, Candidate, superfluous
from tests.system.backups.backups import backup, contents_of, file_of

TODAY = date(2026, 11, 21)
KEEP = (7, 4, 12)


def all_good(held):
    return True


def daily(days: int, **facts) -> list[Candidate]:
    """A daily backup for each of the last days, the newest first."""
    return [Candidate(f"d{day}", "daily", TODAY - timedelta(days=day), **facts) for day in range(days)]


def kept(held, keep=KEEP, is_good=all_good) -> list[Candidate]:
    gone = superfluous(held, keep, is_good)
    return [each for each in held if each not in gone]


def test_of_two_years_seven_days_four_weeks_and_twelve_months_are_kept():
    left = kept(daily(730))
    days = [each.made_on for each in left]
    assert days[:7] == [TODAY - timedelta(days=day) for day in range(7)]
    assert date(2026, 11, 8) in days  # the Sunday of the third week
    assert {(day.year, day.month) for day in days} == {(2025, 12), *((2026, month) for month in range(1, 12))}
    assert date(2026, 2, 28) in days, "the last of its month"
    assert len(left) == 7 + 2 + 11


def test_a_backup_a_day_leaves_the_same_ones_as_if_all_had_been_made_first():
    """What is deleted day by day is never missed later."""
    held: list[Candidate] = []
    for day in range(800):
        held = kept([Candidate(f"d{day}", "daily", TODAY + timedelta(days=day)), *held])
    last = TODAY + timedelta(days=799)
    expected = kept([Candidate(f"d{799 - day}", "daily", last - timedelta(days=day)) for day in range(800)])
    assert held == expected


def test_those_that_people_made_stay():
    manual = [Candidate(f"m{day}", "manual", TODAY - timedelta(days=day)) for day in range(100)]
    assert kept(manual) == manual


def test_the_last_five_before_a_migration_and_before_a_restore_are_kept():
    for kind in ("before-migration", "before-restore"):
        held = [Candidate(f"{kind}{number}", kind, TODAY) for number in range(9)]
        assert kept(held) == held[:KEPT_BEFORE_CHANGES]


def test_a_damaged_one_replaces_none_and_stays_to_be_examined():
    held = daily(9)
    spoiled = held[:4]
    left = kept(held, (3, 1, 1), lambda each: each not in spoiled)
    assert left == [*spoiled, *held[4:7]]


def test_the_last_good_copy_of_a_workspace_stays_however_old_it_is():
    old = Candidate("old", "daily", TODAY - timedelta(days=900), frozenset({"acme", "branch"}))
    left = kept([*daily(30, workspaces=frozenset({"acme"})), old], (2, 0, 0))
    assert [each.name for each in left] == ["d0", "d1", "old"]


KINDS = ("daily", "daily", "manual", "before-migration", "before-restore")
ONE = st.tuples(
    st.sampled_from(KINDS), st.integers(0, 40), st.booleans(), st.frozensets(st.sampled_from(["a", "b", "c"]))
)
KEEPS = st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 4))


@given(st.lists(ONE, max_size=30), KEEPS)
def test_the_last_good_one_is_never_deleted_nor_that_of_any_workspace(made, keep):
    day, held, good = TODAY, [], {}
    for number, (kind, days, is_good, workspaces) in enumerate(made):
        day -= timedelta(days=days)
        held.append(Candidate(f"{number}", kind, day, workspaces))
        good[f"{number}"] = is_good
    left = kept(held, keep, lambda each: good[each.name])
    gone = [each for each in held if each not in left]

    def newest(of, holding=None):
        return next((each for each in of if good[each.name] and (holding is None or holding in each.workspaces)), None)

    assert newest(left) == newest(held)
    for workspace in "abc":
        assert newest(left, workspace) == newest(held, workspace)
    assert all(good[each.name] and each.kind != "manual" for each in gone)
    assert kept(left, keep, lambda each: good[each.name]) == left, "it ends"


@given(st.lists(ONE, max_size=30), KEEPS, st.integers(0, 29))
def test_that_one_is_spoiled_never_costs_another_its_place(made, keep, which):
    held = [Candidate(f"{number}", kind, TODAY - timedelta(days=number)) for number, (kind, *_) in enumerate(made)]
    with_it = kept(held, keep)
    without = kept(held, keep, lambda each: each.name != f"{which}")
    assert set(with_it) <= set(without)


def at_noon(clock_at, day: int) -> None:
    """Set the clock to noon of a day counted from 1 March 2027."""
    clock_at((datetime.datetime(2027, 3, 1, 12, tzinfo=datetime.UTC) + timedelta(days=day)).isoformat())


def daily_backups(clock_at, days: int) -> list[str]:
    """Make a daily backup on each of the first days; their names."""
    names = []
    for day in range(days):
        at_noon(clock_at, day)
        names.append(backups.make("daily").name)
    return names


def test_backups_are_deleted_as_the_setting_says_and_those_of_people_are_not(acme, clock_at):
    settings = config.Config(data_dir=acme.installation.config.data_dir, backup_keep=(2, 0, 0))
    mine = backup(acme)["name"]
    made = []
    with config.use(settings):
        for day in range(4):
            at_noon(clock_at, day)
            made.append(backups.make("daily").name)
            backups.rotate()
    assert contents_of(acme) == {mine, *made[2:]}


def test_a_spoiled_backup_on_disk_costs_no_good_one(acme, clock_at):
    """The newest are spoiled after they were made: the older ones stay."""
    settings = config.Config(data_dir=acme.installation.config.data_dir, backup_keep=(2, 0, 0))
    with config.use(settings):
        made = daily_backups(clock_at, 4)
        for name in made[2:]:
            path = file_of(acme, name)
            content = bytearray(path.read_bytes())
            content[len(content) // 2] ^= 1
            path.write_bytes(content)
        backups.rotate()
        assert contents_of(acme) == set(made)
        at_noon(clock_at, 4)
        made.append(backups.make("daily").name)
        backups.rotate()
    assert contents_of(acme) == set(made) - {made[0]}


def test_one_that_is_being_downloaded_stays_for_a_day_and_stops_nothing(acme, clock_at, monkeypatch):
    """Windows deletes no file that is open."""
    settings = config.Config(data_dir=acme.installation.config.data_dir, backup_keep=(1, 0, 0))
    with config.use(settings):
        made = daily_backups(clock_at, 3)
        unlink = Path.unlink

        def refuse(path, **options):
            if path.name == made[1]:
                raise PermissionError(13, "in use")
            unlink(path, **options)

        monkeypatch.setattr(Path, "unlink", refuse)
        backups.rotate()
    assert contents_of(acme) == {made[1], made[2]}
