import datetime
import platform
from collections import namedtuple

import pytest
from peewee import sqlite3  # type: ignore[attr-defined]

from erp import __version__
from erp.kernel import clock
from erp.migrations import CONTROL_SCHEMA, WORKSPACE_SCHEMA
from erp.store import control
from erp.store.control import Workspace
from erp.system.backups import backups
from tests.conftest import Installation


def test_the_admin_sees_what_runs_where(acme):
    info = acme.ok("GET", "/system/info")
    assert info["versions"]["erp"] == __version__
    assert info["versions"]["python"] == platform.python_version()
    assert info["versions"]["sqlite"] == sqlite3.sqlite_version
    assert info["schemas"] == {"control": CONTROL_SCHEMA.version, "workspace": WORKSPACE_SCHEMA.version}
    assert info["dataDirectory"] == str(acme.installation.config.data_dir)
    assert info["addresses"] == {"local": "http://127.0.0.1:8420", "network": [], "announced": None, "public": None}
    assert info["registration"] == "open"
    assert info["startedAt"] <= acme.user["createdAt"]
    assert info["freeSpace"] > 0


def test_a_shared_server_names_the_addresses_that_others_use(tmp_path, monkeypatch):
    monkeypatch.setattr("erp.web.hosts.lan_addresses", lambda: ["192.168.7.20", "10.0.0.5"])
    olga = Installation(tmp_path / "data").office("Olga")
    shared = {"lan": True, "host": "0.0.0.0", "registration": "invite", "public_url": "https://erp.example.com"}
    olga.installation = Installation(tmp_path / "data", **shared)
    info = olga.ok("GET", "/system/info")
    assert info["addresses"] == {
        "local": "http://127.0.0.1:8420",
        "network": ["http://192.168.7.20:8420", "http://10.0.0.5:8420"],
        "announced": None,
        "public": "https://erp.example.com",
    }
    assert info["registration"] == "invite"


def test_a_disk_that_gets_full_is_reported_with_its_free_space(acme, monkeypatch):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage(10**9, 10**9, 150 * 2**20))
    info = acme.ok("GET", "/system/info")
    assert info["freeSpace"] == 150 * 2**20
    assert any("150 MB" in sentence for sentence in info["warnings"])


def test_every_workspace_is_shown_with_its_people_and_its_size(acme, stranger, clock_at):
    acme.colleague("accountant")
    clock_at("2031-03-01T09:00:00Z")
    admin = acme.installation.call("POST", "/auth/login", {"email": acme.email, "password": "correct horse battery"})
    acme.token = admin.json["data"]["session"]["token"]
    acme.select(acme.workspace_id)
    acme.ok("POST", "/finance/contacts", {"name": "Initech", "kind": "customer"})
    mine, theirs = acme.ok("GET", "/system/info")["workspaces"]
    assert (mine["id"], mine["name"], mine["status"], mine["fault"]) == (
        acme.workspace_id,
        "Olga's office",
        "active",
        None,
    )
    assert (mine["members"], theirs["members"]) == (2, 1)
    assert mine["lastActivityAt"] == "2031-03-01T09:00:00.000Z"
    assert theirs["lastActivityAt"] < mine["lastActivityAt"]
    path = acme.installation.config.workspaces_dir / f"{acme.workspace_id}.db"
    unmerged = path.with_name(f"{path.name}-wal")
    assert unmerged.stat().st_size > 0
    assert mine["size"] == path.stat().st_size + unmerged.stat().st_size


def test_a_workspace_that_cannot_be_used_is_named_with_the_reason(acme, stranger):
    with acme.acting(), control.write():
        Workspace.update(fault="Its file is missing.").where(Workspace.id == stranger.workspace_id).execute()
    by_id = {each["id"]: each for each in acme.ok("GET", "/system/info")["workspaces"]}
    assert by_id[acme.workspace_id]["status"] == "active"
    assert by_id[stranger.workspace_id]["status"] == "unavailable"
    assert by_id[stranger.workspace_id]["fault"] == "Its file is missing."
    assert by_id[stranger.workspace_id]["lastActivityAt"] is None


def test_a_file_that_was_damaged_meanwhile_does_not_hide_the_others(acme, stranger, spoil):
    spoil(stranger)
    by_id = {each["id"]: each for each in acme.ok("GET", "/system/info")["workspaces"]}
    assert by_id[acme.workspace_id]["lastActivityAt"] is not None
    assert by_id[stranger.workspace_id]["status"] == "unavailable"
    assert "not a database" in by_id[stranger.workspace_id]["fault"]


def test_a_file_that_is_gone_has_no_size(acme, stranger):
    from erp.store import router

    router.close_all()
    (acme.installation.config.workspaces_dir / f"{stranger.workspace_id}.db").unlink()
    by_id = {each["id"]: each for each in acme.ok("GET", "/system/info")["workspaces"]}
    assert (by_id[stranger.workspace_id]["size"], by_id[stranger.workspace_id]["status"]) == (None, "unavailable")


def test_a_workspace_that_is_being_made_is_not_there_yet(acme):
    with acme.acting(), control.write():
        Workspace.add(name="Half", created_by=acme.user["id"])
    assert [each["name"] for each in acme.ok("GET", "/system/info")["workspaces"]] == ["Olga's office"]


def test_the_newest_sound_backup_is_named(acme):
    before = acme.ok("GET", "/system/info")["backups"]
    assert (before["lastGoodAt"], before["lastGoodName"]) == (None, None)
    with acme.acting():
        made = backups.make("manual")
    after = acme.ok("GET", "/system/info")["backups"]
    assert (after["lastGoodAt"], after["lastGoodName"]) == (made.manifest.created_at, made.path.name)


def test_it_says_when_the_next_daily_backup_is_due(acme, clock_at):
    def due():
        return clock.parse(acme.ok("GET", "/system/info")["backups"]["nextDueAt"]).astimezone().strftime("%d %H:%M")

    clock_at(datetime.datetime(2026, 3, 10, 9).astimezone().isoformat())
    assert due() == "10 02:00"
    with acme.acting():
        backups.make("daily")
    assert due() == "11 02:00"


@pytest.mark.parametrize("who", ["accountant", "admin"])
def test_only_the_instance_admin_sees_it(acme, who):
    acme.colleague(who).refused("GET", "/system/info", status=403, code="forbidden")
