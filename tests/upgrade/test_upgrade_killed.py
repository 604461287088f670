"""Wherever the program is killed while it brings data up to date, the next start finishes."""

import datetime
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from erp.kernel import clock, config
from erp.kernel.config import Config
from erp.migrations import CONTROL_SCHEMA, WORKSPACE_SCHEMA
from erp.store import router
from erp.system.backups import backups
from tests.busy_offices import (
    CONTROL_STEPS,
    NOW,
    WORKSPACE_STEPS,
    busy_office,
    differences,
    reported_figures,
    signed_in,
)
from tests.conftest import IS_THOROUGH, Installation
from tests.upgrade.upgrades import CONTROL_VERSION, WORKSPACE_VERSION, made_before_migrating, schema

ROUNDS = int(os.environ.get("TRY_ROUNDS", "1"))


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


@pytest.mark.thorough
@pytest.mark.skipif(os.name != "posix", reason="it forks")
@pytest.mark.parametrize("points", [KILLED_AT[:7], KILLED_AT[7:]], ids=["backup and control file", "workspaces"])
def test_wherever_the_program_is_killed_on_the_way_each_file_is_old_or_new_and_the_next_start_finishes(
    two_offices: tuple[Path, dict[str, Any]], newer_program: Callable[..., None], tmp_path: Path, points: list[str]
) -> None:
    """Reliability D4."""
    template, read = two_offices
    points = points * ROUNDS if IS_THOROUGH else points[::3]
    words = []
    for number, point in enumerate(points):
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
    assert schema(settings.control_path) in (CONTROL_VERSION, CONTROL_SCHEMA.version)
    assert {schema(path) for path in workspaces} <= {WORKSPACE_VERSION, WORKSPACE_SCHEMA.version}
    began = schema(settings.control_path) > CONTROL_VERSION
    began |= any(schema(path) > WORKSPACE_VERSION for path in workspaces)
    made = made_before_migrating(settings)
    assert made or not began, "no step is taken before the backup is there"
    office = signed_in(Installation(folder), read["email"], read["workspace"])
    assert schema(settings.control_path) == CONTROL_SCHEMA.version
    assert {schema(path) for path in workspaces} == {WORKSPACE_SCHEMA.version}
    assert differences(read["figures"], {path: office.ok("GET", path) for path in read["figures"]}) == []
    router.close_all()
    with config.use(settings):
        kept = backups.find_all()
        assert [backups.verify(backup.path) for backup in kept] == [[]] * len(kept)
    assert {entry.schema for entry in kept[-1].manifest.files} == {WORKSPACE_VERSION, CONTROL_VERSION}
    assert {path.name for path in settings.backups_dir.iterdir()} - {".lock"} == {backup.name for backup in kept}
