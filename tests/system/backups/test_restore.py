"""Going back to a backup: everything at the next start."""

import shutil

import pytest

from erp.kernel import config
from erp.migrations import CONTROL_SCHEMA
from erp.runtime import instance
from erp.runtime.instance import CannotStart
from erp.store import control, router
from erp.store.control import PasswordReset, Session, Workspace
from erp.system.backups import apply, staging
from erp.system.backups.archive import BadBackup
from tests.conftest import Installation
from tests.system.backups.backups import back_again, backup, figures, file_of, restarted, rewritten, trade, verdict


def stage(office, name):
    return office.ok("POST", f"/system/backups/{name}/restore")


def put_in_place(folder, path):
    """Restore a file into a data directory in which no server runs."""
    router.close_all()
    settings = config.Config(data_dir=folder)
    instance.prepare(settings)
    with config.use(settings):
        staging.stage(path)
    return restarted(folder)


def test_backup_wipe_restore_and_everything_is_there(acme, stranger, tmp_path):
    """Reliability O3: figures and chain heads are the same, and people sign in with their passwords."""
    for office in (acme, stranger):
        trade(office)
    anna = acme.colleague("accountant")
    before = [figures(office) for office in (acme, stranger, anna)]
    shutil.copy(file_of(acme, backup(acme)["name"]), tmp_path / "saved.zip")
    data_dir = acme.installation.config.data_dir
    router.close_all()
    shutil.rmtree(data_dir)
    installation = put_in_place(data_dir, tmp_path / "saved.zip")
    people = [back_again(installation, person) for person in (acme, stranger, anna)]
    assert [figures(person) for person in people] == before
    trade(people[0])
    people[2].refused("POST", "/system/backups", status=403)
    assert verdict(people[0], backup(people[0])["name"]) == []


def test_everything_goes_back_at_the_next_start_and_not_before(acme):
    trade(acme)
    then = figures(acme)
    name = backup(acme)["name"]
    trade(acme)
    now = figures(acme)
    restore = stage(acme, name)
    assert (restore["backup"], restore["workspaceId"], restore["isDone"]) == (name, None, False)
    listed = {each["name"]: each for each in acme.ok("GET", "/system/backups")}
    assert [each["name"] for each in listed.values() if each["isStaged"]] == [name]
    assert acme.ok("GET", "/system/info")["backups"]["restoredAtNextStart"] == name
    assert listed[restore["kept"]]["kind"] == "before-restore"
    assert figures(acme) == now
    installation = restarted(acme.installation.config.data_dir)
    assert figures(back_again(installation, acme)) == then


def test_a_restore_that_waits_for_the_next_start_can_be_taken_back(acme):
    name = backup(acme)["name"]
    trade(acme)
    now = figures(acme)
    stage(acme, name)
    acme.refused("DELETE", "/system/backups/another.zip/restore", status=404)
    acme.ok("DELETE", f"/system/backups/{name}/restore")
    assert not any(each["isStaged"] for each in acme.ok("GET", "/system/backups"))
    assert acme.ok("GET", "/system/info")["backups"]["restoredAtNextStart"] is None
    acme.refused("DELETE", f"/system/backups/{name}/restore", status=404, code="not_found")
    installation = restarted(acme.installation.config.data_dir)
    assert figures(back_again(installation, acme)) == now


def test_the_data_before_is_set_aside_whole_and_can_be_gone_back_to(acme):
    name = backup(acme)["name"]
    trade(acme)
    now = figures(acme)
    kept = stage(acme, name)["kept"]
    data_dir = acme.installation.config.data_dir
    restarted(data_dir)
    (aside,) = (data_dir / "replaced").iterdir()
    assert {path.name for path in aside.iterdir()} == {
        "control.db",
        "tips.db",
        "tips.db-journal",
        "workspaces",
        "restore.json",
    }
    assert [path.stem for path in (aside / "workspaces").glob("*.db")] == [acme.workspace_id]
    installation = put_in_place(data_dir, data_dir / "backups" / kept)
    assert figures(back_again(installation, acme)) == now
    assert len(list((data_dir / "replaced").iterdir())) == 2


def test_no_one_stays_signed_in_after_a_restore(acme):
    """A session that has ended since, a token that was taken back since, would be good again."""
    acme.ok("POST", "/auth/tokens", {"name": "Nightly", "workspaceId": acme.workspace_id})
    stage(acme, backup(acme)["name"])
    installation = restarted(acme.installation.config.data_dir)
    assert (
        installation.call("GET", "/auth/session", headers={"Authorization": f"Bearer {acme.token}"}).status_code == 401
    )
    with config.use(installation.config), control.read():
        assert (Session.select().count(), PasswordReset.select().count()) == (0, 0)
    assert figures(back_again(installation, acme))


def test_what_was_taken_back_since_the_backup_stays_taken_back(acme):
    """It is not known which of them were, so all have to be made again."""
    calendar = acme.ok("POST", "/tasks/calendar-address")["url"].partition("/api/v1")[2]
    invite = acme.ok("POST", "/workspace/invites", {"email": "ann@example.com", "role": "admin"})
    name = backup(acme)["name"]
    acme.ok("DELETE", "/tasks/calendar-address")
    acme.ok("DELETE", f"/workspace/invites/{invite['id']}")
    stage(acme, name)
    installation = restarted(acme.installation.config.data_dir)
    assert installation.call("GET", calendar).status_code == 404
    answer = installation.call("POST", "/workspace/invites/preview", {"token": invite["token"]})
    assert answer.json["error"]["code"] == "invite_revoked"
    again = back_again(installation, acme)
    assert again.ok("POST", "/workspace/invites", {"email": "ann@example.com", "role": "admin"})


def test_of_two_backups_that_were_staged_the_later_counts(acme):
    first = backup(acme)["name"]
    trade(acme)
    then = figures(acme)
    second = backup(acme)["name"]
    stage(acme, first)
    stage(acme, second)
    installation = restarted(acme.installation.config.data_dir)
    assert figures(back_again(installation, acme)) == then
    assert not apply.apply_staged(installation.config.data_dir)


def test_a_workspace_that_was_made_since_is_gone_and_set_aside(acme):
    name = backup(acme)["name"]
    branch = acme.ok("POST", "/workspace", {"name": "Branch"})["id"]
    stage(acme, name)
    data_dir = acme.installation.config.data_dir
    back = back_again(restarted(data_dir), acme)
    assert [each["id"] for each in back.ok("GET", "/workspace")] == [acme.workspace_id]
    assert list(data_dir.glob(f"replaced/*/workspaces/{branch}.db"))
    assert not (data_dir / "quarantine").exists()


def test_a_lost_control_file_comes_back_from_a_backup(acme):
    trade(acme)
    then = figures(acme)
    name = backup(acme)["name"]
    settings = acme.installation.config
    router.close_all()
    settings.control_path.unlink()
    with pytest.raises(CannotStart, match="erp restore"):
        restarted(settings.data_dir)
    assert figures(back_again(put_in_place(settings.data_dir, settings.backups_dir / name), acme)) == then


def test_damaged_data_is_set_aside_though_it_cannot_be_backed_up(acme, spoil):
    then = figures(acme)
    name = backup(acme)["name"]
    settings = acme.installation.config
    spoil(acme)
    settings.control_path.write_bytes(b"no database " * 1000)
    installation = put_in_place(settings.data_dir, settings.backups_dir / name)
    assert figures(back_again(installation, acme)) == then
    (aside,) = (settings.data_dir / "replaced").iterdir()
    assert (aside / "control.db").read_bytes().startswith(b"no database")


def test_a_workspace_that_the_backup_could_not_hold_is_unavailable_and_the_others_serve(acme, stranger, spoil):
    spoil(stranger)
    name = backup(acme)["name"]
    stage(acme, name)
    installation = restarted(acme.installation.config.data_dir)
    assert figures(back_again(installation, acme))
    with config.use(installation.config), control.read():
        assert Workspace.find(stranger.workspace_id).status == "unavailable"


def test_a_backup_of_a_newer_program_is_refused_and_nothing_is_staged(acme):
    good = file_of(acme, backup(acme)["name"])
    rewritten(good, good.with_name("newer.zip"), lambda manifest: manifest["files"][0].update(schema=999))
    error = acme.refused("POST", "/system/backups/newer.zip/restore", status=409, code="bad_backup")
    assert f"this program knows {CONTROL_SCHEMA.version}" in error["message"]
    assert staging.staged_name(acme.installation.config.data_dir) is None


def test_a_backup_made_for_one_workspace_is_not_taken_for_the_installation(acme, tmp_path):
    def only_one(manifest):
        manifest["files"] = [each for each in manifest["files"] if each["name"] != "control.db"]

    good = file_of(acme, backup(acme)["name"])
    rewritten(good, tmp_path / "one.zip", only_one)
    with config.use(acme.installation.config), pytest.raises(BadBackup):
        staging.stage(tmp_path / "one.zip")


def test_a_start_without_a_restore_touches_nothing(tmp_path):
    installation = Installation(tmp_path / "data")
    before = sorted(path.name for path in installation.config.data_dir.rglob("*"))
    assert apply.apply_staged(installation.config.data_dir) is None
    assert sorted(path.name for path in installation.config.data_dir.rglob("*")) == before
