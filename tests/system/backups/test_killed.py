"""Backup and restore, cut off all over (reliability D5)."""

import hashlib
import os

import pytest

from erp.kernel import config
from erp.store import files, router
from erp.system.backups import apply, archive, backups, copying, exclusive, snapshot, staging, workspace_restore
from tests.conftest import IS_THOROUGH
from tests.system.backups.backups import (
    back_again,
    backup,
    figures,
    file_of,
    latest_good,
    restarted,
    trade,
    with_database,
)
from tests.system.backups.kills import killed_at_every_line, needs_fork

pytestmark = [needs_fork, pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")]


EVERY = int(os.environ.get("TRY_KILLED_EVERY", "8" if IS_THOROUGH else "16"))
"""How many lines lie between the places where the work is cut off; with 1 it is at every line."""


def leftovers(folder) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.name.startswith(".work-") or path.suffix == ".part")


def sums(folder) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob("*.zip")}


@pytest.mark.thorough
def test_a_backup_that_is_cut_off_harms_no_other_and_leaves_nothing_to_the_next(acme):
    trade(acme)
    backup(acme)
    folder = acme.installation.config.backups_dir
    good = sums(folder)
    modules = [backups, copying, archive, snapshot, exclusive, files]
    with config.use(acme.installation.config):
        for killed in killed_at_every_line(
            acme.installation.config.data_dir, modules, lambda: backups.make("daily"), 3 * EVERY
        ):
            left = sums(folder)
            assert good.items() <= left.items(), killed
            assert all(backups.is_good(folder / name) for name in left), "what has its name is whole"
            next_one = backups.make("daily")
            assert leftovers(folder.parent) == []
            assert latest_good(acme) == next_one.name


def test_what_a_killed_backup_has_left_goes_at_the_next_start(acme):
    """Copies of whole databases, which no one would miss or find."""
    backup(acme)
    data_dir = acme.installation.config.data_dir
    good = sums(data_dir / "backups")
    for folder, name in (("backups", ".work-abc"), ("restore", ".work-xyz")):
        (data_dir / folder / name / "workspaces").mkdir(parents=True)
        (data_dir / folder / name / "control.db").write_bytes(b"a copy")
    (data_dir / "backups" / "erp-2026-01-01.zip.part").write_bytes(b"half a zip")
    with files.locked(data_dir / "backups" / ".lock"):
        restarted(data_dir)
        assert len(leftovers(data_dir)) == 3, "a backup may be at work beside the server"
    restarted(data_dir)
    assert leftovers(data_dir) == []
    assert sums(data_dir / "backups") == good


@pytest.mark.thorough
def test_a_restore_that_is_cut_off_while_it_is_staged_changes_nothing(acme):
    trade(acme)
    name = backup(acme)["name"]
    trade(acme)
    now, data_dir = figures(acme), acme.installation.config.data_dir
    path = file_of(acme, name)
    with config.use(acme.installation.config):
        for killed in killed_at_every_line(data_dir, [staging, archive, exclusive], lambda: staging.stage(path), EVERY):
            assert backups.is_good(path), killed
            is_ready = staging.staged_name(data_dir) is not None
            if not is_ready:
                apply.apply_staged(data_dir)
                assert figures(acme) == now
    assert is_ready


@pytest.mark.thorough
def test_a_restore_that_is_cut_off_at_the_start_is_ended_by_the_next_start(acme):
    trade(acme)
    then = figures(acme)
    name = backup(acme)["name"]
    trade(acme)
    data_dir = acme.installation.config.data_dir
    with config.use(acme.installation.config):
        staging.stage(file_of(acme, name))
    assert figures(acme) != then
    router.close_all()
    for file in ("control.db-wal", "control.db-shm"):  # as of a server that was killed
        (data_dir / file).write_bytes(b"of the data before")
    starts = 0
    for killed in killed_at_every_line(data_dir, [apply], lambda: apply.apply_staged(data_dir), EVERY):
        installation = restarted(data_dir)
        assert figures(back_again(installation, acme)) == then, killed
        (aside,) = (data_dir / "replaced").iterdir()
        kept = {path.name for path in aside.iterdir()}
        noted = {"tips.db", "tips.db-journal"}
        assert kept == {"control.db", "control.db-wal", "control.db-shm", "workspaces", "restore.json"} | noted
        assert (aside / "control.db-wal").read_bytes() == b"of the data before"
        assert list((data_dir / "restore").iterdir()) == []
        starts += 1
    assert starts > 40 // EVERY


@pytest.mark.thorough
@pytest.mark.parametrize("page_size", [4096, 16384], ids=["overwritten", "exchanged"])
def test_a_restore_of_one_workspace_that_is_cut_off_leaves_all_of_the_old_or_all_of_the_new(acme, stranger, page_size):
    trade(acme)
    trade(stranger)
    then = figures(acme)["balances"]
    good = file_of(acme, backup(acme)["name"])
    resize = (f"PRAGMA page_size = {page_size}", "VACUUM")
    name = with_database(good, good.with_name("other.zip"), acme, *resize).name
    trade(acme)
    now, untouched = figures(acme)["balances"], figures(stranger)
    data_dir = acme.installation.config.data_dir

    def restore() -> None:
        with acme.acting():
            workspace_restore.restore(data_dir / "backups" / name, acme.workspace_id)

    seen = []
    for killed in killed_at_every_line(data_dir, [workspace_restore], restore, EVERY // 2 or 1):
        installation = restarted(data_dir)
        person = back_again(installation, acme)
        seen.append(figures(person)["balances"])
        assert seen[-1] in (then, now), killed
        assert person.ok("GET", "/system/info")["warnings"] == [], killed
        trade(person)
        assert figures(back_again(restarted(data_dir), stranger)) == untouched
        left = {path.name.split(".", 1)[1] for path in installation.config.workspaces_dir.iterdir()}
        assert left <= {"db", "db-wal", "db-shm"}, killed
    assert seen[0] == now
    assert seen[-1] == then
