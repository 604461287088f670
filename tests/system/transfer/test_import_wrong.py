"""What is refused, fails or is killed while a workspace is imported: nothing of it is left behind."""

import contextlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from erp.kernel import clock
from erp.kernel.errors import AlreadyExists
from erp.migrations import WORKSPACE_SCHEMA
from erp.store import connections, control, router
from erp.store.control import Member, Workspace
from erp.system import upkeep
from erp.system.backups import archive
from erp.system.backups.archive import BadBackup
from erp.system.checks import files as checking
from erp.system.transfer import importing, user_ids
from erp.system.transfer.members import NoOwner
from erp.system.transfer.registration import Unsound
from tests.conftest import Installation, Office
from tests.paths import ROOT
from tests.system.transfer.exports import at_the_command_line, export, import_workspace, rewritten, unpacked


def state(installation: Installation) -> tuple[list[str], int, int]:
    """What there is of workspaces: files, rows, members."""
    with at_the_command_line(installation), control.read():
        rows = Workspace.select().count(), Member.select().count()
    folder = installation.config.workspaces_dir
    return sorted(path.name for path in folder.iterdir() if not path.name.endswith(("-wal", "-shm"))), *rows


def test_an_installation_without_users_takes_no_workspace(acme: Office, tmp_path: Path) -> None:
    empty = Installation(tmp_path / "empty")
    with pytest.raises(NoOwner, match="Create one with `erp user create`"):
        import_workspace(export(acme, tmp_path), empty)
    assert state(empty) == ([], 0, 0)


def test_a_workspace_that_is_here_is_not_imported_once_more(acme: Office, tmp_path: Path) -> None:
    before = state(acme.installation)
    with pytest.raises(AlreadyExists, match=r"here already, as Olga's office.*erp workspace duplicate .*restore it"):
        import_workspace(export(acme, tmp_path), acme.installation)
    assert state(acme.installation) == before


def test_a_backup_of_everything_is_not_taken_for_an_export(
    acme: Office, elsewhere: Installation, tmp_path: Path
) -> None:
    file = rewritten(export(acme, tmp_path), lambda manifest: manifest.update(kind="manual"))
    with pytest.raises(BadBackup, match="backup of a whole installation. Use `erp restore`"):
        import_workspace(file, elsewhere)


def test_what_is_no_export_is_refused_in_a_sentence(acme: Office, elsewhere: Installation, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Sir or Madam")
    with pytest.raises(BadBackup, match="letter.txt is damaged or not a backup"):
        import_workspace(tmp_path / "letter.txt", elsewhere)
    file = export(acme, tmp_path)
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    with pytest.raises(BadBackup):
        import_workspace(file, elsewhere)
    assert state(elsewhere) == ([], 0, 0)


ALTERED = ("DROP TRIGGER event_content_kept", "UPDATE event SET data = '{}' WHERE seq = 1")
KEPT = """CREATE TRIGGER event_content_kept BEFORE UPDATE OF actor, data, recorded ON event
WHEN NOT EXISTS (SELECT 1 FROM erasure_event WHERE seq = OLD.seq)
BEGIN SELECT RAISE(ABORT, 'an event is never changed'); END"""

LIKE_ITS_OWN = "CREATE TRIGGER sqliteX AFTER INSERT ON event BEGIN DELETE FROM timer; END"
AS_ITS_OWN = (
    "PRAGMA writable_schema = 1",
    "UPDATE sqlite_schema SET name = 'sqlite_X', sql = replace(sql, 'sqliteX', 'sqlite_X') WHERE name = 'sqliteX'",
)


BAD_ZONE = "UPDATE settings SET time_zone = '../../etc/passwd'"
BAD_FORMAT = "UPDATE settings SET number_formats = json_set(number_formats, '$.journal', '{')"


def repacked(file: Path, folder: Path, *changes: str) -> Path:
    """An export whose database was changed by someone who can write a manifest."""
    copy = unpacked(file, folder)
    with contextlib.closing(connections.sqlite3.connect(str(copy))) as connection:
        for sql in changes:
            connection.execute(sql)
        connection.commit()
    manifest = archive.read_manifest(file)
    replace = msgspec.structs.replace
    entry = replace(manifest.files[0], size=copy.stat().st_size, sha256=archive.sha256(copy))
    changed = replace(manifest, files=[entry])
    archive.write(folder / "changed.zip", changed, folder)
    return folder / "changed.zip"


@pytest.mark.parametrize(
    ("changes", "refusal", "words"),
    [
        ([*ALTERED], Unsound, "removed its trigger"),
        (["CREATE TRIGGER t AFTER INSERT ON event BEGIN DELETE FROM timer; END"], Unsound, "added its trigger t"),
        ([LIKE_ITS_OWN], Unsound, "added its trigger sqliteX"),
        ([LIKE_ITS_OWN, *AS_ITS_OWN], Unsound, "added its trigger sqlite_X"),
        ([BAD_ZONE], Unsound, r"Its setting timeZone is '\.\./\.\./etc/passwd'\. There is no such time zone"),
        (["UPDATE settings SET base_currency = 'ZZZ'"], Unsound, "Its setting baseCurrency is 'ZZZ'. There is no such"),
        ([BAD_FORMAT], Unsound, "Its setting numberFormats.journal is '{'. Must contain"),
        (
            ["UPDATE account SET name = 'Bribes' WHERE code = '6300'"],
            Unsound,
            "account 6300: its name is Bribes",
        ),
        (["PRAGMA user_version = 37"], BadBackup, "an unreleased version of erp wrote it"),
        (["UPDATE workspace_meta SET id = 'other'"], Unsound, "the file of workspace other"),
        (["PRAGMA user_version = 999"], Exception, "newer version"),
        (
            [*ALTERED, KEPT],
            Unsound,
            "Event 1 was altered",
        ),
    ],
)
def test_a_file_that_was_tampered_with_is_refused(
    acme: Office, elsewhere: Installation, tmp_path: Path, changes: list[str], refusal: type[Exception], words: str
) -> None:
    file = repacked(export(acme, tmp_path), tmp_path / "unpacked", *changes)
    with pytest.raises(refusal, match=words):
        import_workspace(file, elsewhere)
    assert state(elsewhere) == ([], 0, 0)


def test_a_workspace_of_an_older_schema_is_brought_up_to_date(
    acme: Office, elsewhere: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = export(acme, tmp_path)
    later = lambda connection: connection.execute("CREATE TABLE more (a TEXT) STRICT")  # noqa: E731
    monkeypatch.setattr(WORKSPACE_SCHEMA, "steps", [later])
    import_workspace(file, elsewhere)
    with at_the_command_line(elsewhere), control.open_workspace(acme.workspace_id, write=False):
        assert router.WORKSPACE.rows("PRAGMA user_version") == [(WORKSPACE_SCHEMA.version,)]
        assert router.WORKSPACE.rows("SELECT * FROM more") == []


STEPS = [
    "archive.extract",
    "engine.bring_up_to_date",
    "checking.workspace_file",
    "members.match",
    "clock.stamp",
    "user_ids.replace",
    "events.write_into",
    "provision.put_in_place",
    "provision.activate",
]


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("moment", ["before", "after"])
def test_an_import_that_fails_leaves_nothing_behind(
    acme: Office, elsewhere: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, moment: str
) -> None:
    file = export(acme, tmp_path)
    module, name = step.split(".")
    place = {"importing": importing, "checking": checking, "clock": clock}.get(module) or getattr(importing, module)
    usual = getattr(place, name)

    def fail(*arguments: Any, **options: Any) -> None:
        if moment == "after":
            usual(*arguments, **options)
        raise OSError("no")

    with monkeypatch.context() as patch:
        patch.setattr(place, name, fail)
        with pytest.raises(OSError, match="no"):
            import_workspace(file, elsewhere)
    assert state(elsewhere) == ([], 0, 0)
    assert import_workspace(file, elsewhere).id == acme.workspace_id


KILLED = """
import importlib, os, sys
from erp.cli import main
module, name, file, data = sys.argv[1:]
place = importlib.import_module(module)
usual = getattr(place, name)
def die(*arguments, **options):
    usual(*arguments, **options)
    os._exit(9)
setattr(place, name, die)
main(["workspace", "import", file, "--data-dir", data])
"""


@pytest.mark.parametrize(
    ("module", "name", "there"),
    [
        ("erp.system.backups.archive", "extract", 0),
        ("erp.system.transfer.registration", "_announce", 0),
        ("erp.system.transfer.user_ids", "replace", 0),
        ("erp.workspace.provision", "put_in_place", 1),
    ],
)
def test_an_import_that_is_killed_is_undone_or_ended_by_the_next_start(
    acme: Office, elsewhere: Installation, tmp_path: Path, module: str, name: str, there: int
) -> None:
    file, data = export(acme, tmp_path), elsewhere.config.data_dir
    router.close_all()
    asked = [sys.executable, "-c", KILLED, module, name, str(file), str(data)]
    assert subprocess.run(asked, check=False, env=os.environ, cwd=ROOT).returncode == 9
    upkeep.prepare(elsewhere.config)
    files, rows, members = state(elsewhere)
    assert (len(files), rows, members) == (there, there, there)
    if there:
        with at_the_command_line(elsewhere), control.read():
            assert Workspace.get().status == "active"
        assert checking.workspace_file(elsewhere.config.workspaces_dir / files[0]).problems == []
    else:
        assert import_workspace(file, elsewhere).id == acme.workspace_id


def test_two_imports_of_one_file_do_not_disturb_each_other(
    acme: Office, elsewhere: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = export(acme, tmp_path)
    usual = user_ids.replace

    def meanwhile(*arguments: Any) -> None:
        with pytest.raises(AlreadyExists):
            import_workspace(file, elsewhere)
        usual(*arguments)

    monkeypatch.setattr(user_ids, "replace", meanwhile)
    import_workspace(file, elsewhere)
    assert state(elsewhere) == ([f"{acme.workspace_id}.db"], 1, 1)
