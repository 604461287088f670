"""The disk fills up at a step of an upgrade: each file is old or new, the reason is said, and room is all it needs."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from erp.kernel import config
from erp.kernel.config import Config
from erp.migrations import CONTROL_SCHEMA, WORKSPACE_SCHEMA, SchemaProblem
from erp.runtime import instance
from erp.store import router
from erp.system import upkeep
from erp.system.backups import backups
from tests import kill_points
from tests.busy_offices import CONTROL_STEPS, WORKSPACE_STEPS, differences, reported_figures, signed_in
from tests.conftest import IS_THOROUGH, Installation, Office
from tests.test_disk_full import fill, small_disk
from tests.upgrade.test_upgrade_killed import KILLED_AT
from tests.upgrade.upgrades import CONTROL_VERSION, WORKSPACE_VERSION, made_before_migrating, schema

__all__ = ["small_disk"]

POINTS = KILLED_AT if IS_THOROUGH else KILLED_AT[::3]


def start(folder: Path) -> str | None:
    """Start as a server does; why it was refused."""
    settings = Config(data_dir=folder)
    instance.prepare(settings)
    try:
        with instance.hold(settings) as held, instance.needing_control_file(settings):
            upkeep.prepare(settings, after_crash=held.needs_check)
            held.checked()
    except (instance.CannotStart, SchemaProblem) as refusal:
        return str(refusal)
    finally:
        router.close_all()
    return None


@pytest.mark.thorough
def test_wherever_the_disk_gets_full_each_file_is_old_or_new_and_with_room_the_next_start_finishes(
    office: Office, newer_program: Callable[..., None], small_disk: Path, caplog: pytest.LogCaptureFixture
) -> None:
    office.installation.office("Sam")
    before = reported_figures(office)
    newer_program(WORKSPACE_STEPS, CONTROL_STEPS)
    folder, ballast, complaints = small_disk / "data", small_disk / "ballast", 0
    for point in POINTS:
        shutil.copytree(office.installation.config.data_dir, folder)
        caplog.clear()
        with pytest.MonkeyPatch.context() as patch:
            kill_points.at(point, lambda: fill(ballast), patch.setattr)
            reason = start(folder)
        ballast.unlink()  # it would be missing if the point had not been reached
        settings = Config(data_dir=folder)
        workspaces = sorted(settings.workspaces_dir.glob("*.db"))
        assert schema(settings.control_path) in (CONTROL_VERSION, CONTROL_SCHEMA.version), point
        assert {schema(path) for path in workspaces} <= {WORKSPACE_VERSION, WORKSPACE_SCHEMA.version}, point
        if reason is not None or "unavailable" in caplog.text:
            complaints += 1
            assert "full" in (reason or caplog.text), (point, reason)
        assert start(folder) is None, point
        assert {schema(path) for path in workspaces} == {WORKSPACE_SCHEMA.version}, point
        again = signed_in(Installation(folder), office.email, office.workspace_id)
        assert differences(before, reported_figures(again)) == [], point
        router.close_all()
        with config.use(settings):
            made = made_before_migrating(settings)
            assert [backups.verify(each.path) for each in made] == [[]] * len(made), point
        assert made
        shutil.rmtree(folder)
    assert complaints > len(POINTS) // 2
