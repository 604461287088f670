"""`erp check`: what it reports, and that it leaves every byte of the data directory as it is."""

import itertools
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

from erp import cli
from erp.kernel import config
from erp.migrations import CONTROL_SCHEMA, WORKSPACE_SCHEMA
from erp.runtime import instance
from erp.store import events, records, router
from erp.store.connections import sqlite3
from erp.store.router import WORKSPACE
from erp.system import inspection, upkeep
from erp.system.backups import archive, backups, chain_heads
from tests.conftest import Office
from tests.servers import shut_down
from tests.test_durability import ENTRY, Desk, port, post_until_killed, serving

__all__ = ["port"]


@pytest.fixture
def office(acme: Office) -> Iterator[Office]:
    """An office with a journal entry and a backup, and no server running."""
    acme.ok("POST", "/finance/journals", ENTRY)
    with acme.acting():
        backups.make("manual")
    WORKSPACE.written.clear()
    router.close_all()
    yield acme
    router.close_all()


def books_of(office: Office) -> Path:
    return office.installation.config.workspaces_dir / f"{office.workspace_id}.db"


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def check(folder: Path, *flags: str) -> int:
    """Run the command and assert that it changes nothing in the folder; its exit code."""
    before = contents(folder)
    code = cli.main(["check", "--data-dir", str(folder), *flags])
    assert contents(folder) == before
    return code


def test_a_sound_installation_is_reported_file_by_file(office: Office, capsys: pytest.CaptureFixture[str]) -> None:
    folder = office.installation.config.data_dir
    (backup,) = (folder / "backups").glob("*.zip")
    assert check(folder) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"control.db: sound (schema {CONTROL_SCHEMA.version})",
        f"Olga's office (workspaces/{office.workspace_id}.db): sound (schema {WORKSPACE_SCHEMA.version}, 2 events)",
        f"  Vouched for through event 2 by the backup of {moment(backup)} and control.db.",
        f"backups/{backup.name}: sound (manual, 2 files)",
        "All 3 files are sound.",
    ]
    assert check(folder, "--backups") == 0


def moment(backup: Path) -> str:
    """When a backup was made, in this computer's time, as a person writes it."""
    made = datetime.fromisoformat(archive.read_manifest(backup).created_at).astimezone()
    return f"{made:%H:%M} on {made.day} {made:%B %Y}"


def notes_of(office: Office, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What a check says below the line about the office's file, which is sound."""
    assert check(office.installation.config.data_dir) == 0
    lines = capsys.readouterr().out.splitlines()
    (at,) = (number for number, line in enumerate(lines) if line.startswith("Olga's office"))
    return list(itertools.takewhile(lambda line: line.startswith("  "), lines[at + 1 :]))


def test_it_says_through_which_event_something_outside_of_the_file_vouches_for_it(
    acme: Office, capsys: pytest.CaptureFixture[str]
) -> None:
    router.close_all()
    assert notes_of(acme, capsys) == ["  Nothing outside of the file vouches for it yet: make a backup."]
    with acme.acting():
        backup = backups.make("manual")
    acme.ok("POST", "/finance/journals", ENTRY)
    with acme.acting():
        chain_heads.note_written()
    acme.ok("POST", "/finance/journals", ENTRY)
    router.close_all()
    by_backup = f"through event 1 by the backup of {moment(backup.path)}"
    assert notes_of(acme, capsys) == [f"  Vouched for through event 2 by control.db, and {by_backup}."]


def test_a_log_that_was_rewritten_together_with_the_control_file_is_found_by_the_last_backup(
    office: Office, capsys: pytest.CaptureFixture[str]
) -> None:
    """Reliability L7: every hash in the workspace's file fits, and the control file notes the forged event."""
    with closing(sqlite3.connect(books_of(office))) as outside:
        ((*content, previous),) = outside.execute(
            "SELECT id, type, occurred_at, actor, resource_type, resource_id, data, previous_hash FROM event"
            " WHERE seq = 2"
        ).fetchall()
        content[3] = content[3].replace("Olga", "Eve")
        forged = events.link(2, content, previous)
        outside.executescript("DROP TRIGGER event_kept; DROP TRIGGER event_content_kept")
        outside.execute("UPDATE event SET actor = ?, hash = ? WHERE seq = 2", (content[3], forged))
        outside.execute("CREATE TRIGGER event_kept BEFORE UPDATE ON event\nBEGIN SELECT RAISE(ABORT, 'x'); END")
        outside.commit()
    with closing(sqlite3.connect(office.installation.config.control_path)) as outside:
        outside.execute("UPDATE workspace SET tip_hash = ?", (forged,))
        outside.commit()
    (backup,) = office.installation.config.backups_dir.glob("*.zip")
    assert check(office.installation.config.data_dir) == 1
    said = capsys.readouterr().out
    assert f"Event 2 is not the one that was there before, as the backup of {moment(backup)} notes." in said
    assert "Vouched" not in said


def test_backups_made_before_a_restore_do_not_speak_against_what_was_restored(
    office: Office, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither after the restore of one workspace nor after one of everything."""
    settings = office.installation.config
    (first,) = settings.backups_dir.glob("*.zip")
    for _ in range(2):
        office.ok("POST", "/finance/journals", ENTRY)
    office.ok("POST", "/system/backups")
    office.ok("POST", f"/system/backups/{first.name}/restore", {"workspaceId": office.workspace_id})
    router.close_all()
    assert notes_of(office, capsys) == ["  Vouched for through event 3 by control.db."]
    office.ok("POST", f"/system/backups/{first.name}/restore")
    router.close_all()
    instance.prepare(settings)
    with instance.hold(settings):
        pass
    assert notes_of(office, capsys) == ["  Vouched for through event 2 by control.db."]
    with office.acting():
        again = backups.make("manual")
    router.close_all()
    expected = f"  Vouched for through event 2 by the backup of {moment(again.path)} and control.db."
    assert notes_of(office, capsys) == [expected]


def test_files_that_no_row_of_the_control_file_knew_are_named_where_they_lie(
    office: Office, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(office.installation.config.control_path)) as outside:
        outside.execute("DELETE FROM workspace")
        outside.commit()
    upkeep.prepare(office.installation.config)
    router.close_all()
    assert check(office.installation.config.data_dir) == 1
    said = capsys.readouterr().out
    assert f"quarantine/{office.workspace_id}.db: NOT SOUND (schema {WORKSPACE_SCHEMA.version}, 2 events)\n" in said
    assert "  The control file lists no such workspace, so a start has moved its file here. If it is needed" in said


def test_a_former_file_that_a_restore_has_set_aside_is_named(
    office: Office, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = office.installation.config
    (backup,) = settings.backups_dir.glob("*.zip")
    books_of(office).write_bytes(b"no database " * 1000)
    upkeep.prepare(settings)
    office.ok("POST", f"/system/backups/{backup.name}/restore", {"workspaceId": office.workspace_id})
    router.close_all()
    (former,) = (settings.data_dir / "quarantine").glob("*.db")
    assert notes_of(office, capsys)[1:] == [f"  A former file of it is quarantine/{former.name}."]


def test_events_missing_at_the_end_are_found_by_the_tip_in_the_last_backup(
    office: Office, capsys: pytest.CaptureFixture[str]
) -> None:
    cut_off(books_of(office))
    assert check(office.installation.config.data_dir) == 1
    said = capsys.readouterr().out
    assert "Its log ends with event 1, but event 2 was there before" in said
    assert "No event records journal entry JE-2026-00001." in said
    assert "Its last good backup is " in said
    assert said.endswith("1 of 3 files is not sound.\n")


def test_events_missing_at_the_end_are_found_by_the_tip_noted_at_the_last_stop(tmp_path: Path, port: int) -> None:
    desk = Desk(port)
    with serving(tmp_path, port) as process:
        desk.sign_in()
        desk.call("POST", "/finance/journals", ENTRY)
        shut_down(process)
    assert check(tmp_path) == 0
    cut_off(*(tmp_path / "workspaces").glob("*.db"))
    assert check(tmp_path) == 1


def cut_off(books: Path) -> None:
    with closing(sqlite3.connect(books)) as outside:
        outside.executescript("DROP TRIGGER event_stays; DELETE FROM event WHERE seq = (SELECT max(seq) FROM event)")
        outside.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def test_the_chain_heads_of_other_workspaces_are_noted_if_one_cannot_be_opened(
    acme: Office, stranger: Office, caplog: pytest.LogCaptureFixture
) -> None:
    for office in (acme, stranger):
        office.ok("POST", "/finance/journals", ENTRY)
    router.close_all()
    books_of(acme).write_bytes(b"no database " * 1000)
    with acme.acting():
        chain_heads.note_written()
    assert f"workspace {acme.workspace_id} could not be noted" in caplog.text
    with closing(sqlite3.connect(acme.installation.config.control_path)) as outside:
        noted = dict(outside.execute("SELECT id, tip_seq FROM workspace").fetchall())
    assert noted == {acme.workspace_id: 0, stranger.workspace_id: 2}


@pytest.mark.parametrize("spoiled", ["missing", "empty", "damaged"])
def test_without_a_sound_control_file_the_rest_is_still_checked(
    office: Office, spoiled: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = office.installation.config.control_path
    path.unlink() if spoiled == "missing" else path.write_bytes(b"" if spoiled == "empty" else b"no database " * 1000)
    assert check(path.parent) == 1
    said = capsys.readouterr().out
    assert said.startswith("control.db: NOT SOUND\n")
    assert f"workspaces/{office.workspace_id}.db: sound (schema {WORKSPACE_SCHEMA.version}, 2 events)\n" in said


def test_files_that_do_not_match_the_control_file_are_named(office: Office, capsys: pytest.CaptureFixture[str]) -> None:
    other = records.new_id()
    books_of(office).rename(books_of(office).with_name(f"{other}.db"))
    assert check(office.installation.config.data_dir) == 1
    said = capsys.readouterr().out
    assert f"Olga's office (workspaces/{office.workspace_id}.db): NOT SOUND\n  It is missing.\n" in said
    assert f"workspaces/{other}.db: NOT SOUND" in said
    assert f"It is the file of workspace {office.workspace_id}, not of {other}." in said
    assert "The control file lists no such workspace." in said


def test_a_damaged_backup_is_named(office: Office, capsys: pytest.CaptureFixture[str]) -> None:
    folder = office.installation.config.data_dir
    (backup,) = (folder / "backups").glob("*.zip")
    content = bytearray(backup.read_bytes())
    content[len(content) // 2] ^= 1
    backup.write_bytes(content)
    for flags in ([], ["--backups"]):
        assert check(folder, *flags) == 1
        assert f"backups/{backup.name}: NOT SOUND" in capsys.readouterr().out


def test_a_backup_made_while_a_workspace_was_damaged_is_sound_and_says_so(
    office: Office, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = office.installation.config.data_dir
    books = books_of(office)
    sound = books.read_bytes()
    books.write_bytes(b"no database " * 1000)
    with office.acting():
        backups.make("manual")
    router.close_all()
    books.write_bytes(sound)
    assert check(folder) == 0
    assert "Olga's office is not in it: " in capsys.readouterr().out


def test_a_folder_without_data_cannot_be_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(tmp_path) == 1
    assert capsys.readouterr() == ("", f"erp: {tmp_path} holds no data. Name the right folder with --data-dir.\n")


def test_the_files_of_a_killed_server_are_checked_as_they_are(tmp_path: Path, port: int) -> None:
    """The newest changes are only in the write-ahead log, which the check reads and does not move."""
    desk = Desk(port)
    acknowledged: dict[str, str] = {}
    with serving(tmp_path, port) as process:
        desk.sign_in()
        post_until_killed(desk, process, set(), acknowledged)
    (log,) = (tmp_path / "workspaces").glob("*.db-wal")
    assert log.stat().st_size > 0
    assert check(tmp_path) == 0
    log.with_name(log.name.replace("-wal", "-shm")).unlink()
    assert check(tmp_path) == 0


def test_a_check_can_run_beside_a_running_server(tmp_path: Path, port: int) -> None:
    desk = Desk(port)
    with serving(tmp_path, port) as process:
        desk.sign_in()
        desk.call("POST", "/finance/journals", ENTRY)
        command = [sys.executable, "-m", "erp", "check", "--data-dir", str(tmp_path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        # On a slow machine the backup of the day is made meanwhile, and is the third.
        assert done.stdout.endswith(("All 2 files are sound.\n", "All 3 files are sound.\n"))
        assert desk.call("POST", "/finance/journals", ENTRY)[0] == 201
        shut_down(process)
    assert not list(tmp_path.rglob("*-wal"))


def test_no_server_can_start_during_a_check(office: Office) -> None:
    settings = office.installation.config
    instance.prepare(settings)
    with config.use(settings):
        checking = inspection.check_all(settings)
        next(checking)
        with pytest.raises(instance.HeldByAnother), instance.hold(settings):
            pass
        assert all(not checked.problems for checked in checking)
    with instance.hold(settings):
        pass
