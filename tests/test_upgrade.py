"""A newer version of the program on the data of an older one: all is there, or all is as it was."""

import datetime
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from erp.kernel import clock, config
from erp.kernel.config import Config
from erp.migrations import SchemaProblem, Step, migrate, version
from erp.migrations import control as control_schema
from erp.migrations import workspace as workspace_schema
from erp.store import connections, router
from erp.system import upkeep
from erp.system.backups import archive, backups
from erp.system.checks import files as checking
from tests.busy_offices import (
    CONTROL_STEPS,
    NOW,
    WORKSPACE_STEPS,
    busy_office,
    differences,
    reported_figures,
    signed_in,
    steps,
)
from tests.conftest import Installation, Office
from tests.paths import DATA

GOLDEN = sorted((DATA / "schemas").glob("*/backup.zip"), key=lambda path: path.parent.name)
WORKSPACE_SCHEMA, CONTROL_SCHEMA = len(workspace_schema.STEPS), len(control_schema.STEPS)
"""The schemas of the files in this version, before newer steps are added."""
ROUNDS = int(os.environ.get("ERP_ROUNDS", "1"))


def schema(path: Path) -> int:
    with closing(connections.sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as file:
        return version(file)


def file_of(office: Office) -> Path:
    return office.installation.config.workspaces_dir / f"{office.workspace_id}.db"


def contents(folder: Path) -> dict[str, bytes]:
    """The databases as they are on the disk, with no one at work."""
    router.close_all()
    return {path.name: path.read_bytes() for path in sorted(folder.rglob("*.db*"))}


def made_before_migrating(settings: Config) -> list[backups.Backup]:
    with config.use(settings):
        return [each for each in backups.find_all() if each.manifest.kind == "before-migration"]


@pytest.fixture
def office(installation: Installation, clock_at: Callable[[str], None]) -> Office:
    clock_at(NOW)
    office = busy_office(installation)
    router.close_all()
    return office


@pytest.fixture
def newer_program(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Let the program know more schema steps than it does; called without any, it knows its own alone."""
    present = workspace_schema.STEPS, control_schema.STEPS

    def know(workspace: Sequence[Step] = (), control: Sequence[Step] = ()) -> None:
        router.close_all()
        monkeypatch.setattr(workspace_schema, "STEPS", [*present[0], *workspace])
        monkeypatch.setattr(control_schema, "STEPS", [*present[1], *control])

    return know


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda path: path.parent.name)
def test_the_data_of_each_released_version_is_there_in_this_one(
    tmp_path: Path, clock_at: Callable[[str], None], golden: Path
) -> None:
    clock_at(NOW)
    archive.unpack(golden, tmp_path / "data")
    recorded = json.loads((golden.parent / "figures.json").read_text("utf-8"))
    installation = Installation(tmp_path / "data")
    office = signed_in(installation, recorded["email"], recorded["workspace"], recorded["password"])
    now = {path: office.ok("GET", path) for path in recorded["figures"]}
    assert differences(recorded["figures"], now) == []
    router.close_all()
    assert checking.control_file(installation.config.control_path).problems == []
    assert checking.workspace_file(file_of(office)).problems == []
    with config.use(installation.config):
        assert backups.verify(backups.make("manual").path) == []


def test_an_office_keeps_every_figure_when_its_data_is_brought_up_to_date(
    office: Office, newer_program: Callable[..., None]
) -> None:
    before = reported_figures(office)
    newer_program(WORKSPACE_STEPS, CONTROL_STEPS)
    restarted = Installation(office.installation.config.data_dir)
    assert schema(restarted.config.control_path) == len(control_schema.STEPS)
    assert schema(file_of(office)) == len(workspace_schema.STEPS)
    now = signed_in(restarted, office.email, office.workspace_id)
    assert differences(before, reported_figures(now)) == []
    with now.books():
        assert router.WORKSPACE.rows("SELECT count(*) FROM invoice WHERE delivery_note LIKE '%-D'") == [(2,)]
    (backup,) = made_before_migrating(restarted.config)
    assert {entry.schema for entry in backup.manifest.files} == {WORKSPACE_SCHEMA, CONTROL_SCHEMA}
    with config.use(restarted.config):
        assert backups.verify(backup.path) == []
    Installation(office.installation.config.data_dir)
    assert len(made_before_migrating(restarted.config)) == 1, "there was nothing to do the second time"


def test_the_backup_made_before_still_serves_the_version_before(
    office: Office, newer_program: Callable[..., None], tmp_path: Path
) -> None:
    before = reported_figures(office)
    newer_program(WORKSPACE_STEPS, CONTROL_STEPS)
    upkeep.prepare(office.installation.config)
    (backup,) = made_before_migrating(office.installation.config)
    newer_program()
    archive.unpack(backup.path, tmp_path / "back")
    back = signed_in(Installation(tmp_path / "back"), office.email, office.workspace_id)
    assert differences(before, reported_figures(back)) == []


def test_a_workspace_that_cannot_be_brought_up_to_date_stays_as_it_was_and_the_others_run(
    office: Office, newer_program: Callable[..., None], caplog: pytest.LogCaptureFixture
) -> None:
    other = office.installation.office("Sam")
    name = file_of(other).name

    def fails_half_way(connection: Any) -> None:
        connection.execute("CREATE TABLE half_way (x)")
        ((owner,),) = connection.execute("SELECT id FROM workspace_meta").fetchall()
        if owner == other.workspace_id:
            connection.execute("ALTER TABLE nowhere ADD COLUMN x")

    before = contents(other.installation.config.workspaces_dir)[name]
    newer_program([*WORKSPACE_STEPS, fails_half_way])
    restarted = Installation(office.installation.config.data_dir)
    assert contents(restarted.config.workspaces_dir)[name] == before
    assert schema(file_of(office)) == len(workspace_schema.STEPS)
    mine = signed_in(restarted, office.email, office.workspace_id)
    assert mine.ok("GET", "/finance/reports/balance-sheet")["isBalanced"] is True
    answer = restarted.call("GET", "/finance/accounts", headers={"Authorization": f"Bearer {other.token}"})
    assert (answer.status_code, answer.json["error"]["code"]) == (503, "unavailable")
    assert "Sam's office is unavailable. Its file cannot be used: it could not be brought up to date" in caplog.text
    newer_program(WORKSPACE_STEPS)
    Installation(office.installation.config.data_dir)
    assert schema(file_of(other)) == len(workspace_schema.STEPS), "the mended version finishes"


def test_a_control_file_that_cannot_be_brought_up_to_date_stops_the_start_and_nothing_is_changed(
    office: Office, newer_program: Callable[..., None]
) -> None:
    before = contents(office.installation.config.data_dir)
    newer_program(WORKSPACE_STEPS, [*CONTROL_STEPS, *steps("CREATE TABLE user (x)")])
    with pytest.raises(SchemaProblem, match=r"control\.db cannot be used: it could not be brought up to date \(.*user"):
        upkeep.prepare(office.installation.config)
    assert contents(office.installation.config.data_dir) == before


def test_nothing_is_changed_where_the_backup_before_cannot_be_made(
    office: Office, newer_program: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError("no room")

    before = contents(office.installation.config.data_dir)
    newer_program(WORKSPACE_STEPS, CONTROL_STEPS)
    monkeypatch.setattr(backups, "make", fail)
    with pytest.raises(SchemaProblem, match=r"the backup that is made first has failed \(no room\)"):
        upkeep.prepare(office.installation.config)
    assert contents(office.installation.config.data_dir) == before


def test_a_damaged_workspace_is_not_brought_up_to_date_and_does_not_keep_the_others_from_it(
    office: Office, newer_program: Callable[..., None], spoil: Callable[[Office], None]
) -> None:
    other = office.installation.office("Sam")
    spoil(other)
    before = file_of(other).read_bytes()
    newer_program(WORKSPACE_STEPS)
    Installation(office.installation.config.data_dir)
    assert schema(file_of(office)) == len(workspace_schema.STEPS)
    assert file_of(other).read_bytes() == before
    (backup,) = made_before_migrating(office.installation.config)
    assert [each.workspace_id for each in backup.manifest.skipped] == [other.workspace_id]


def test_an_older_program_refuses_a_newer_control_file_and_changes_no_byte(
    office: Office, newer_program: Callable[..., None]
) -> None:
    newer_program(WORKSPACE_STEPS, CONTROL_STEPS)
    upkeep.prepare(office.installation.config)
    before = contents(office.installation.config.data_dir)
    words = [sys.executable, "-m", "erp", "serve", "--no-browser", "--port", "0"]
    words += ["--data-dir", str(office.installation.config.data_dir)]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=30)
    assert (ended.returncode, ended.stdout) == (1, "")
    newer = f"(schema {CONTROL_SCHEMA + len(CONTROL_STEPS)}; this is erp"
    assert f"control.db cannot be used: it was written by a newer version of erp {newer}" in ended.stderr
    assert ended.stderr.count("\n") == 1
    assert contents(office.installation.config.data_dir) == before


def test_a_single_workspace_from_a_newer_program_is_unavailable_and_keeps_every_byte(
    office: Office, newer_program: Callable[..., None], caplog: pytest.LogCaptureFixture
) -> None:
    other = office.installation.office("Sam")
    newer_program(WORKSPACE_STEPS)
    with closing(connections.connect(file_of(other))) as file:
        migrate(file, workspace_schema.STEPS)
    newer_program()
    before = contents(office.installation.config.workspaces_dir)[file_of(other).name]
    restarted = Installation(office.installation.config.data_dir)
    for verb, path in (("GET", "/finance/accounts"), ("POST", "/finance/journals")):
        answer = restarted.call(
            verb, path, {} if verb == "POST" else None, headers={"Authorization": f"Bearer {other.token}"}
        )
        assert answer.status_code == 503
    assert contents(restarted.config.workspaces_dir)[file_of(other).name] == before
    newer = WORKSPACE_SCHEMA + len(WORKSPACE_STEPS)
    assert f"written by a newer version of erp (schema {newer}" in caplog.text
    mine = signed_in(restarted, office.email, office.workspace_id)
    assert mine.ok("GET", "/finance/reports/balance-sheet")["isBalanced"] is True


@pytest.fixture(scope="module")
def two_offices(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, dict[str, Any]]]:
    """A data directory with two offices, and the figures of the first."""
    folder = tmp_path_factory.mktemp("offices") / "data"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clock, "now", lambda: datetime.datetime.fromisoformat(NOW))
        installation = Installation(folder)
        office = busy_office(installation)
        installation.office("Sam")
        read = {"email": office.email, "workspace": office.workspace_id, "figures": reported_figures(office)}
        router.close_all()
        yield folder, read


KILLED_AT = [
    "erp.system.backups.backups:make:before",
    "erp.system.backups.snapshot:take:after",
    "erp.system.backups.snapshot:take:after:3",
    "erp.system.backups.archive:write:before",
    "erp.store.files:put_in_place:before",
    "erp.system.backups.backups:make:after",
    "tests.busy_offices:pause:before",
    "erp.system.upkeep:_take_steps:after",
    "erp.system.upkeep:recover_workspaces:before",
    "tests.busy_offices:pause:before:2",
    "tests.busy_offices:pause:before:3",
    "erp.system.upkeep:_take_steps:after:2",
    "tests.busy_offices:pause:before:5",
    "erp.system.upkeep:_take_steps:after:3",
    "erp.system.upkeep:recover_workspaces:after",
]


@pytest.mark.skipif(os.name != "posix", reason="it forks")
@pytest.mark.parametrize("points", [KILLED_AT[:7], KILLED_AT[7:]], ids=["backup and control file", "workspaces"])
def test_wherever_the_program_is_killed_on_the_way_each_file_is_old_or_new_and_the_next_start_finishes(
    two_offices: tuple[Path, dict[str, Any]], newer_program: Callable[..., None], tmp_path: Path, points: list[str]
) -> None:
    """Reliability D4."""
    template, read = two_offices
    words = []
    for number, point in enumerate(points * ROUNDS):
        shutil.copytree(template, tmp_path / str(number))
        words += [point, str(tmp_path / str(number))]
    killer = [sys.executable, "-m", "tests.kill_points", "migrate", *words]
    ended = subprocess.run(killer, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")
    newer_program(WORKSPACE_STEPS, CONTROL_STEPS)
    for folder in words[1::2]:
        check_and_finish(Path(folder), read)


def check_and_finish(folder: Path, read: dict[str, Any]) -> None:
    """Look at the data directory of a program that was killed, and start it again."""
    settings = Config(data_dir=folder)
    workspaces = sorted(settings.workspaces_dir.glob("*.db"))
    assert schema(settings.control_path) in (CONTROL_SCHEMA, len(control_schema.STEPS))
    assert {schema(path) for path in workspaces} <= {WORKSPACE_SCHEMA, len(workspace_schema.STEPS)}
    began = schema(settings.control_path) > CONTROL_SCHEMA
    began |= any(schema(path) > WORKSPACE_SCHEMA for path in workspaces)
    made = made_before_migrating(settings)
    assert made or not began, "no step is taken before the backup is there"
    office = signed_in(Installation(folder), read["email"], read["workspace"])
    assert schema(settings.control_path) == len(control_schema.STEPS)
    assert {schema(path) for path in workspaces} == {len(workspace_schema.STEPS)}
    assert differences(read["figures"], {path: office.ok("GET", path) for path in read["figures"]}) == []
    router.close_all()
    with config.use(settings):
        kept = backups.find_all()
        assert [backups.verify(backup.path) for backup in kept] == [[]] * len(kept)
    assert {entry.schema for entry in kept[-1].manifest.files} == {WORKSPACE_SCHEMA, CONTROL_SCHEMA}
    assert {path.name for path in settings.backups_dir.iterdir()} - {".lock"} == {backup.name for backup in kept}
