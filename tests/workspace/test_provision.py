"""Creating a workspace, cut off at every step."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from erp.finance.books.charts.templates import GENERIC
from erp.kernel import config
from erp.kernel.countries import COUNTRIES
from erp.store import control, router
from erp.store.control import Member, Workspace
from erp.store.events import Event
from erp.system import upkeep
from erp.system.checks import files as checking
from erp.workspace import provision
from erp.workspace.provision import announce, put_in_place, tax_rates, write_file
from tests.busy_offices import signed_in
from tests.conftest import IS_THOROUGH, Installation
from tests.kill_points import ACKNOWLEDGED

ROUNDS = int(os.environ.get("TRY_ROUNDS", "1"))

CHOSEN = {"base_currency": "EUR", "time_zone": "UTC", "fiscal_year_start": "01-01"}
PLAN = ("Branch", CHOSEN, GENERIC)


def files(office) -> set[str]:
    return {path.name for path in office.installation.config.workspaces_dir.iterdir()}


def statuses(office) -> dict[str, str]:
    with config.use(office.installation.config), control.read():
        return {row.id: row.status for row in Workspace.select()}


def restart(office) -> None:
    router.close_all()
    upkeep.prepare(office.installation.config)


def half_a_file(workspace_id: str) -> None:
    control.workspace_path(workspace_id).with_suffix(".new").write_bytes(b"SQLite format 3\0")


@pytest.mark.parametrize(
    "steps",
    [[], [half_a_file], [lambda id: write_file(id, *PLAN)]],
    ids=["announced", "half written", "written"],
)
def test_a_crash_before_the_file_has_its_name_leaves_nothing(acme, steps: list[Callable[[str], None]]):
    before = statuses(acme)
    with acme.acting():
        workspace_id = announce("Branch")
        for step in steps:
            step(workspace_id)
    restart(acme)
    assert statuses(acme) == before
    assert {name.partition(".")[0] for name in files(acme)} == set(before)
    with acme.acting(), control.read():
        assert Member.select().count() == 1


def test_a_crash_before_the_last_step_leaves_a_whole_workspace(acme):
    with acme.acting():
        workspace_id = announce("Branch")
        write_file(workspace_id, *PLAN)
        put_in_place(workspace_id)
    acme.refused("GET", f"/workspace/{workspace_id}", status=403, code="not_a_member")
    restart(acme)
    assert statuses(acme)[workspace_id] == "active"
    shown = acme.ok("GET", f"/workspace/{workspace_id}")
    assert (shown["name"], shown["role"]) == ("Branch", "owner")
    headers = {"x-workspace-id": workspace_id}
    assert acme.ok("GET", "/workspace/events/verify", headers=headers)["events"] == 1


def test_a_workspace_that_lost_its_file_is_unavailable_and_the_others_serve(acme):
    made = acme.ok("POST", "/workspace", {"name": "Branch"})
    router.close_all()
    with acme.acting():
        control.workspace_path(made["id"]).rename(acme.installation.config.data_dir / "elsewhere")
    restart(acme)
    acme.refused("GET", f"/workspace/{made['id']}", status=503, code="unavailable")
    assert acme.ok("GET", f"/workspace/{acme.workspace_id}")["status"] == "active"


@pytest.mark.parametrize("step", ["write_file", "put_in_place"])
def test_a_failure_on_the_way_is_undone_at_once(acme, monkeypatch, step):
    def fail(*_: object) -> None:
        raise OSError("no space left")

    before = statuses(acme), files(acme)
    monkeypatch.setattr(provision, step, fail)
    with acme.acting(), pytest.raises(OSError, match="no space"):
        provision.make(*PLAN)
    assert (statuses(acme), files(acme)) == before


def test_the_new_file_is_a_whole_one_of_the_kind_that_the_server_keeps(acme):
    with acme.acting():
        path = control.workspace_path(acme.workspace_id)
        with control.open_workspace(acme.workspace_id, write=False):
            assert Event.select().count() == 1
            assert router.WORKSPACE.rows("PRAGMA journal_mode") == [("wal",)]
            assert router.WORKSPACE.rows("PRAGMA foreign_key_check") == []
            assert router.WORKSPACE.rows("PRAGMA integrity_check") == [("ok",)]
    assert path.exists()
    assert not any(".new" in name for name in files(acme))


def test_every_country_begins_with_no_tax_zero_exempt_and_reverse_charge():
    for country in (*COUNTRIES, None):
        rates = tax_rates(country)
        assert [rate["category"] for rate in rates[:4]] == ["O", "Z", "E", "AE"]
        assert [rate["rate"] for rate in rates[:4]] == [0, 0, 0, 0]
        assert {rate["category"] for rate in rates[4:]} <= {"S"}
        assert all(0 < rate["rate"] <= 100_000_000 for rate in rates[4:])
        assert len({rate["name"] for rate in rates}) == len(rates)


def test_an_empty_file_in_a_workspaces_place_is_unavailable_and_never_filled(acme):
    made = acme.ok("POST", "/workspace", {"name": "Branch"})
    router.close_all()
    with acme.acting():
        path = control.workspace_path(made["id"])
    path.write_bytes(b"")
    restart(acme)
    acme.refused("GET", f"/workspace/{made['id']}", status=503, code="unavailable")
    assert path.stat().st_size == 0


def test_a_file_that_is_damaged_while_the_server_runs_is_unavailable_and_the_others_serve(acme, stranger, spoil):
    spoil(stranger)
    for verb, path, body in (
        ("GET", f"/workspace/{stranger.workspace_id}", None),
        ("PATCH", f"/workspace/{stranger.workspace_id}", {"name": "New"}),
        ("GET", "/finance/accounts", None),
    ):
        stranger.refused(verb, path, body, status=503, code="unavailable")
    assert acme.ok("GET", "/finance/accounts")


BEFORE_IT_HAS_ITS_NAME = [
    "erp.workspace.provision:announce:before",
    "erp.workspace.provision:announce:after",
    "erp.store.engine:create:before",
    "erp.workspace.provision:_fill:before",
    "erp.workspace.provision:_fill:after",
    "erp.workspace.provision:write_file:after",
    "erp.store.files:sync:after",
]
AFTER = [
    "erp.store.files:replace:after",
    "erp.workspace.provision:put_in_place:after",
    "erp.workspace.provision:activate:before",
    "erp.workspace.provision:activate:after",
    "tests.documented:check_did_not_fail:before",
]


@pytest.mark.thorough
@pytest.mark.skipif(os.name != "posix", reason="it forks")
@pytest.mark.parametrize(("points", "there"), [(BEFORE_IT_HAS_ITS_NAME, 2), (AFTER, 3)], ids=["before", "after"])
def test_wherever_the_server_is_killed_a_workspace_is_there_as_a_whole_or_not_at_all(acme, tmp_path, points, there):
    """Reliability D3."""
    router.close_all()
    points = points * ROUNDS if IS_THOROUGH else points[1::3]
    words = []
    for number, point in enumerate(points):
        shutil.copytree(acme.installation.config.data_dir, tmp_path / str(number))
        words += [point, str(tmp_path / str(number))]
    killer = [sys.executable, "-m", "tests.kill_points", "provision", *words]
    ended = subprocess.run(killer, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")
    made = [len(whole_workspaces(Path(folder), acme)) for folder in words[1::2]]
    assert made == [there] * len(points)


def whole_workspaces(folder, acme):
    """The ids of the owner's workspaces after the next start; every file is sound, and there is no other file."""
    installation = Installation(folder)
    owner = signed_in(installation, acme.email, acme.workspace_id)
    ids = [workspace["id"] for workspace in owner.ok("GET", "/workspace")]
    assert {acme.workspace_id, (folder / ACKNOWLEDGED).read_text()} <= set(ids)
    for workspace_id in ids:
        headers = {"x-workspace-id": workspace_id}
        assert owner.ok("GET", f"/workspace/{workspace_id}", headers=headers)["status"] == "active"
    router.close_all()
    workspaces = sorted(path.name for path in installation.config.workspaces_dir.iterdir())
    assert workspaces == sorted(f"{id}.db" for id in ids)
    assert checking.control_file(installation.config.control_path).problems == []
    for name in workspaces:
        assert checking.workspace_file(installation.config.workspaces_dir / name).problems == []
    assert not (folder / "quarantine").exists()
    return ids
