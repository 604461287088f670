"""A newer version of the program on the data of an older one: all is there, or all is as it was."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from erp.kernel import config
from erp.migrations import CONTROL_SCHEMA, WORKSPACE_SCHEMA, SchemaProblem
from erp.store import router
from erp.system import upkeep
from erp.system.backups import archive, backups
from tests.busy_offices import CONTROL_STEPS, WORKSPACE_STEPS, differences, reported_figures, signed_in, steps
from tests.conftest import Installation, Office
from tests.upgrade.upgrades import CONTROL_VERSION, WORKSPACE_VERSION, contents, file_of, made_before_migrating, schema


def test_an_office_keeps_every_figure_when_its_data_is_brought_up_to_date(
    office: Office, newer_program: Callable[..., None]
) -> None:
    before = reported_figures(office)
    newer_program(WORKSPACE_STEPS, CONTROL_STEPS)
    restarted = Installation(office.installation.config.data_dir)
    assert schema(restarted.config.control_path) == CONTROL_SCHEMA.version
    assert schema(file_of(office)) == WORKSPACE_SCHEMA.version
    now = signed_in(restarted, office.email, office.workspace_id)
    assert differences(before, reported_figures(now)) == []
    with now.books():
        assert router.WORKSPACE.rows("SELECT count(*) FROM invoice WHERE delivery_note LIKE '%-D'") == [(2,)]
    (backup,) = made_before_migrating(restarted.config)
    assert {entry.schema for entry in backup.manifest.files} == {WORKSPACE_VERSION, CONTROL_VERSION}
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
    assert schema(file_of(office)) == WORKSPACE_SCHEMA.version
    mine = signed_in(restarted, office.email, office.workspace_id)
    assert mine.ok("GET", "/finance/reports/balance-sheet")["isBalanced"] is True
    answer = restarted.call("GET", "/finance/accounts", headers={"Authorization": f"Bearer {other.token}"})
    assert (answer.status_code, answer.json["error"]["code"]) == (503, "unavailable")
    assert "Sam's office is unavailable. Its file cannot be used: it could not be brought up to date" in caplog.text
    newer_program(WORKSPACE_STEPS)
    Installation(office.installation.config.data_dir)
    assert schema(file_of(other)) == WORKSPACE_SCHEMA.version, "the mended version finishes"


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
    assert schema(file_of(office)) == WORKSPACE_SCHEMA.version
    assert file_of(other).read_bytes() == before
    (backup,) = made_before_migrating(office.installation.config)
    assert [each.workspace_id for each in backup.manifest.skipped] == [other.workspace_id]
