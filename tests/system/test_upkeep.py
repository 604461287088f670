"""What a start does about a server that ended badly, and about files that cannot be used."""

import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from erp.kernel import config
from erp.kernel.config import Config
from erp.runtime import instance
from erp.store import connections, control, router
from erp.store.control import Workspace
from erp.system import upkeep
from erp.system.backups import backups
from erp.system.checks import files as checking
from tests.conftest import Office
from tests.finance.reports.trees import unproven
from tests.servers import OWN_CONSOLE, interrupt, shut_down
from tests.test_durability import ENTRY, Desk, port, serving

__all__ = ["port"]


def damage(path: Path) -> None:
    """Overwrite the first page of a table that no start reads, as a failing disk does; no one has the file open."""
    router.close_all()
    with closing(connections.connect(path)) as connection:
        query = "SELECT rootpage FROM sqlite_schema WHERE name IN ('compensation', 'password_reset')"
        (page,) = connection.execute(query).fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\xa5" * 4096)


def reasons(settings: Config) -> dict[str, str | None]:
    with config.use(settings), control.read():
        return {row.name: row.fault for row in Workspace.select()}


def file_of(office: Office) -> Path:
    return office.installation.config.workspaces_dir / f"{office.workspace_id}.db"


def test_after_a_crash_a_damaged_workspace_is_found_before_anyone_works_in_it(
    acme: Office, stranger: Office, caplog: pytest.LogCaptureFixture
) -> None:
    settings = acme.installation.config
    with config.use(settings):
        good = backups.make("manual")
    damage(file_of(stranger))
    before = file_of(stranger).read_bytes()
    upkeep.prepare(settings, after_crash=True)
    reason = reasons(settings)["Sam's office"]
    assert reason is not None
    assert reason.startswith("Its file cannot be used: it ")
    assert "Workspace Sam's office is unavailable. Its file cannot be used: it " in caplog.text
    assert (
        f"Its last good backup is {good.path}. To restore this workspace alone, stop the server and run `erp restore "
        in caplog.text
    )
    stranger.refused("GET", "/finance/accounts", status=503, code="unavailable")
    assert acme.ok("GET", "/finance/accounts")
    router.close_all()
    assert file_of(stranger).read_bytes() == before


def test_a_damaged_workspace_is_brought_back_from_the_backup_that_the_log_names(acme: Office, stranger: Office) -> None:
    settings = acme.installation.config
    before = unproven(stranger.ok("GET", "/finance/reports/balance-sheet"))
    with config.use(settings):
        good = backups.make("manual")
    damage(file_of(stranger))
    upkeep.prepare(settings, after_crash=True)
    acme.ok("POST", f"/system/backups/{good.name}/restore", {"workspaceId": stranger.workspace_id})
    assert unproven(stranger.ok("GET", "/finance/reports/balance-sheet")) == before


def test_the_log_says_when_no_backup_contains_a_workspace(acme: Office, caplog: pytest.LogCaptureFixture) -> None:
    damage(file_of(acme))
    upkeep.prepare(acme.installation.config, after_crash=True)
    assert "No backup contains it." in caplog.text


def test_a_workspace_whose_file_is_mended_is_available_again(acme: Office) -> None:
    settings = acme.installation.config
    aside = settings.data_dir / "aside"
    router.close_all()
    file_of(acme).rename(aside)
    upkeep.prepare(settings)
    assert reasons(settings) == {"Olga's office": "Its file cannot be used: it is missing."}
    aside.rename(file_of(acme))
    upkeep.prepare(settings)
    assert reasons(settings) == {"Olga's office": None}
    assert acme.ok("GET", "/finance/accounts")


def test_after_a_crash_a_damaged_control_file_stops_the_start_and_stays_as_it_is(acme: Office) -> None:
    settings = acme.installation.config
    with config.use(settings):
        good = backups.make("manual")
    damage(settings.control_path)
    before = settings.control_path.read_bytes()
    message = rf"control\.db cannot be used \(.*If it is damaged, restore a backup with `erp restore {good.name}`"
    with pytest.raises(instance.CannotStart, match=message), instance.needing_control_file(settings):
        upkeep.prepare(settings, after_crash=True)
    assert settings.control_path.read_bytes() == before


def test_the_file_of_another_program_in_a_workspaces_place_is_never_filled(acme: Office) -> None:
    router.close_all()
    place = file_of(acme)
    place.unlink()
    other = connections.sqlite3.connect(place)
    other.execute("CREATE TABLE photo (x)")
    other.commit()
    other.close()
    before = place.read_bytes()
    upkeep.prepare(acme.installation.config)
    assert "is not a workspace file of this program" in str(reasons(acme.installation.config)["Olga's office"])
    assert place.read_bytes() == before


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are checked."""
    found: list[str] = []
    for name in ("control_file", "workspace_file"):
        check = getattr(checking, name)

        def noting(path: Path, check: Callable[..., checking.Report] = check, **options: bool) -> checking.Report:
            found.append(path.name)
            return check(path, **options)

        monkeypatch.setattr(checking, name, noting)
    return found


def test_files_are_looked_through_after_a_crash_alone(acme: Office, looked_at: list[str]) -> None:
    router.close_all()
    upkeep.prepare(acme.installation.config)
    assert looked_at == []
    upkeep.prepare(acme.installation.config, after_crash=True)
    assert looked_at == ["control.db", file_of(acme).name]


def test_a_server_that_was_killed_is_known_by_its_address_file_until_its_files_were_checked(tmp_path: Path) -> None:
    settings = Config(data_dir=tmp_path)
    instance.prepare(settings)
    with instance.hold(settings) as held:
        assert not held.needs_check
        left = held.address_file.read_text("utf-8")
    assert not held.address_file.exists()
    held.address_file.write_text(left, "utf-8")
    with pytest.raises(OSError, match="no luck"), instance.hold(settings) as held:
        raise OSError("no luck")
    with instance.hold(settings) as held:
        assert held.needs_check
        held.checked()
    with instance.hold(settings) as held:
        assert not held.needs_check


def test_a_killed_server_starts_again_names_what_is_damaged_and_serves_the_rest(tmp_path: Path, port: int) -> None:
    desk = Desk(port)
    with serving(tmp_path, port) as process:
        desk.sign_in()
        desk.call("POST", "/finance/journals", ENTRY)
        made = desk.call("POST", "/workspace", {"name": "Branch"})[1]["data"]["id"]
        shut_down(process)
    with serving(tmp_path, port) as process:
        process.kill()
        process.wait()
    assert json.loads((tmp_path / "instance.json").read_text())["state"] == "ready"
    damage(tmp_path / "workspaces" / f"{made}.db")
    command = [sys.executable, "-m", "erp", "serve", "--no-browser", "--data-dir", str(tmp_path), "--port", str(port)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, creationflags=OWN_CONSOLE
    ) as server:
        assert server.stdout
        assert "is ready" in server.stdout.readline()
        assert len(desk.call("GET", "/finance/journals")[1]["data"]) == 1
        assert desk.call("GET", "/finance/accounts", **{"x-workspace-id": made})[0] == 503
        interrupt(server)
        _, log = server.communicate(timeout=20)
        assert server.returncode == 0
    assert "Workspace Branch is unavailable. Its file cannot be used: it " in log
    assert "Traceback" not in log
    assert not (tmp_path / "instance.json").exists()
