"""Backups: what is in them, what never gets into them, and who may have them."""

import errno
import json
import os
import shutil
import stat
import struct
import threading
import zipfile
from concurrent.futures import ThreadPoolExecutor

import pytest

from erp.kernel import config
from erp.kernel.errors import StorageFull
from erp.store import connections, control, disk, files, router
from erp.store.control import Workspace
from erp.system.backups import archive, backups, copying, snapshot
from erp.web import endpoint
from tests.system.backups.backups import (
    JOURNAL,
    backup,
    contents_of,
    entry_of,
    figures,
    file_of,
    latest_good,
    manifest_of,
    put_back_by_hand,
    rewritten,
    trade,
    verdict,
)


def test_a_backup_holds_the_control_file_and_every_workspace_with_its_newest_event(acme, stranger):
    trade(acme)
    made = backup(acme)
    seqs = {each["id"]: each["seq"] for each in made["workspaces"]}
    assert seqs == {acme.workspace_id: figures(acme)["seq"], stranger.workspace_id: figures(stranger)["seq"]}
    assert (made["kind"], made["skipped"], made["doubtful"], made["problem"]) == ("manual", [], [], None)
    assert verdict(acme, made["name"]) == []
    manifest = manifest_of(file_of(acme, made["name"]))
    assert manifest.files[0].name == "control.db"
    assert entry_of(manifest, acme).head_hash == figures(acme)["tip"]
    assert contents_of(acme) == {made["name"]}


def test_a_backup_can_be_downloaded_and_is_the_file_itself(acme):
    made = acme.call("POST", "/system/backups")
    path = made.headers["Location"].removeprefix("/api/v1")
    answer = acme.call("GET", path)
    assert answer.headers["Content-Type"] == "application/zip"
    assert made.json["data"]["name"] in answer.headers["Content-Disposition"]
    assert answer.content == file_of(acme, made.json["data"]["name"]).read_bytes()
    head = acme.call("HEAD", path)
    assert (head.content, head.headers["Content-Length"]) == (b"", str(len(answer.content)))


def test_the_newest_backup_stands_first_in_the_list_and_its_name_sorts_last(acme, clock_at):
    clock_at("2026-03-01T09:00:00Z")
    names = [backup(acme)["name"] for _ in range(2)]
    clock_at("2026-03-01T10:00:00Z")
    names.append(backup(acme)["name"])
    assert [each["name"] for each in acme.ok("GET", "/system/backups")] == names[::-1]
    assert sorted(names) == names
    assert all(backups.NAME.fullmatch(name) for name in names)


@pytest.mark.skipif(os.name != "posix", reason="Windows keeps others off by the folder")
def test_no_other_user_of_this_computer_can_read_a_backup(acme):
    made = file_of(acme, backup(acme)["name"])
    assert stat.S_IMODE(made.stat().st_mode) == 0o600


def test_only_the_instance_admin_has_access_to_backups(acme, stranger):
    name = backup(acme)["name"]
    for verb, path in (
        ("GET", ""), ("POST", ""), ("GET", f"/{name}"), ("POST", f"/{name}/verify"), ("POST", f"/{name}/restore"),
    ):  # fmt: skip
        stranger.refused(verb, f"/system/backups{path}", status=403, code="forbidden")


def test_a_named_token_reaches_no_backup(acme):
    name = backup(acme)["name"]
    made = acme.ok("POST", "/auth/tokens", {"name": "Nightly", "workspaceId": acme.workspace_id})
    headers = {"Authorization": f"Bearer {made['token']}"}
    for verb, path in (("GET", ""), ("GET", f"/{name}"), ("POST", f"/{name}/verify"), ("POST", f"/{name}/restore")):
        acme.refused(verb, f"/system/backups{path}", status=403, code="forbidden", headers=headers)


@pytest.mark.parametrize(
    "name", ["..%2Fcontrol.db", "%2Fetc%2Fpasswd", ".lock", "nothing.zip", "..%5Cx.zip", "x%00.zip"]
)
def test_only_backups_in_their_folder_are_found_by_name(acme, name):
    backup(acme)
    acme.installation.config.data_dir.joinpath("x.zip").write_bytes(b"not for you")
    for verb, path in (("GET", ""), ("POST", "/verify"), ("POST", "/restore")):
        answer = acme.call(verb, f"/system/backups/{name}{path}")
        assert answer.json["error"]["code"] in ("not_found", "no_such_endpoint", "bad_parameter")


def test_a_backup_of_people_at_work_is_consistent(acme, stranger):
    """Reliability 3.8: whatever is written meanwhile, each copy is one moment of its workspace."""
    ended, failures = threading.Event(), []

    def work(office):
        while not ended.is_set():
            answer = office.call("POST", "/finance/journals", JOURNAL)
            failures.extend([answer.text] if answer.status_code != 201 else [])

    writers = [threading.Thread(target=work, args=(office,)) for office in (acme, stranger, acme)]
    for writer in writers:
        writer.start()
    made = [backup(acme) for _ in range(4)]
    ended.set()
    for writer in writers:
        writer.join()
    assert failures == []
    assert [verdict(acme, each["name"]) for each in made] == [[], [], [], []]
    seqs = [[each["workspaces"][place]["seq"] for each in made] for place in range(2)]
    assert all(sorted(each) == each for each in seqs)
    assert seqs[0][-1] > seqs[0][0] or seqs[1][-1] > seqs[1][0]


def test_a_damaged_workspace_is_left_out_and_named_and_the_others_are_backed_up(acme, stranger, spoil):
    first = backup(acme)
    spoil(stranger)
    made = backup(acme)
    assert [each["id"] for each in made["workspaces"]] == [acme.workspace_id]
    (left_out,) = made["skipped"]
    assert (left_out["id"], left_out["name"]) == (stranger.workspace_id, "Sam's office")
    assert left_out["reason"]
    assert latest_good(acme) == made["name"]
    assert latest_good(acme, stranger.workspace_id) == first["name"]


def test_a_missing_workspace_is_left_out_and_named(acme, stranger):
    router.close_all()
    with stranger.acting():
        control.workspace_path(stranger.workspace_id).unlink()
    assert [each["id"] for each in backup(acme)["skipped"]] == [stranger.workspace_id]


def test_without_a_sound_control_file_there_is_no_backup(acme):
    settings = acme.installation.config
    router.close_all()
    settings.control_path.write_bytes(b"no database " * 1000)
    with config.use(settings), pytest.raises(copying.CannotBackUp, match="control file is damaged"):
        backups.make("manual")
    assert contents_of(acme) == set()


def test_a_file_that_lost_changes_is_backed_up_but_does_not_replace_the_older_copy(acme, tmp_path):
    """Reliability 3.3: a log that was cut off is found by the chain head that was noted."""
    with acme.acting():
        place = control.workspace_path(acme.workspace_id)
    router.close_all()
    shutil.copyfile(place, tmp_path / "older.db")
    trade(acme)
    whole = backup(acme)
    put_back_by_hand(tmp_path / "older.db", place)
    made = backup(acme)
    assert [each["id"] for each in made["workspaces"]] == [acme.workspace_id]
    (doubt,) = made["doubtful"]
    assert "lost changes" in doubt["reason"]
    assert latest_good(acme, acme.workspace_id) == whole["name"]
    assert backup(acme)["doubtful"], "it is reported as long as it lasts"


def test_the_newest_event_of_each_workspace_is_noted_in_the_control_file(acme):
    trade(acme)
    backup(acme)
    with acme.acting(), control.read():
        noted = Workspace.find(acme.workspace_id)
    assert (noted.tip_seq, noted.tip_hash) == (figures(acme)["seq"], figures(acme)["tip"])


@pytest.mark.parametrize("free", [0, 1 << 20])
def test_without_room_nothing_is_written(acme, monkeypatch, free):
    monkeypatch.setattr(disk, "free_space", lambda folder: free)
    error = acme.refused("POST", "/system/backups", status=507, code="storage_full")
    assert "is too full. Free " in error["message"]
    assert contents_of(acme) == set()


@pytest.mark.parametrize("step", ["_add", "check"])
def test_a_disk_that_fills_meanwhile_leaves_nothing_behind(acme, monkeypatch, step):
    def fail(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(archive, step, fail)
    acme.refused("POST", "/system/backups", status=507, code="storage_full")
    assert contents_of(acme) == set()


def test_a_full_disk_under_a_copy_refuses_the_backup_and_does_not_blame_the_workspace(acme, monkeypatch):
    def fail(source, target):
        raise connections.sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(snapshot, "take", fail)
    with config.use(acme.installation.config), pytest.raises(StorageFull):
        backups.make("daily")
    assert contents_of(acme) == set()


def test_of_two_backups_at_once_one_is_refused(acme):
    name = backup(acme)["name"]
    with files.locked(acme.installation.config.backups_dir / ".lock"):
        for path in ("", f"/{name}/verify", f"/{name}/restore"):
            acme.refused("POST", f"/system/backups{path}", status=409, code="backup_under_way")
    assert verdict(acme, name) == []


def test_a_backup_that_is_asked_for_again_under_its_key_is_made_once(acme):
    once = {"Idempotency-Key": "before-the-audit"}
    first = acme.call("POST", "/system/backups", headers=once)
    again = acme.call("POST", "/system/backups", headers=once)
    assert first.status_code == again.status_code == 201
    assert first.content == again.content
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.headers["Location"] == first.headers["Location"]
    assert [each["name"] for each in acme.ok("GET", "/system/backups")] == [first.json["data"]["name"]]
    other = acme.call("POST", "/system/backups", headers={"Idempotency-Key": "after-the-audit"})
    assert other.json["data"]["name"] != first.json["data"]["name"]


def test_a_backup_that_is_asked_for_again_while_it_is_made_is_made_once(acme):
    def ask(_):
        return acme.call("POST", "/system/backups", headers={"Idempotency-Key": "once"}).content

    with ThreadPoolExecutor(3) as pool:
        assert len(set(pool.map(ask, range(3)))) == 1
    assert len(acme.ok("GET", "/system/backups")) == 1


def test_a_backup_that_takes_long_keeps_no_other_request_for_one_waiting(acme, monkeypatch):
    monkeypatch.setattr(endpoint, "LOCK_SECONDS", 0.01)
    begun, ended = threading.Event(), threading.Event()
    make = backups.make

    def make_slowly(kind):
        begun.set()
        ended.wait(10)
        return make(kind)

    monkeypatch.setattr(backups, "make", make_slowly)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(acme.call, "POST", "/system/backups")
        begun.wait(10)
        acme.refused("POST", "/system/backups", status=503, code="busy")
        assert acme.call("POST", "/workspace", {"name": "Branch"}).status_code == 201
        ended.set()
        assert first.result().status_code == 201


def test_a_version_that_no_backup_has_is_refused_before_one_is_made(acme):
    acme.refused("POST", "/system/backups", headers={"If-Match": '"1"'}, status=400, code="bad_parameter")
    assert acme.ok("GET", "/system/backups") == []


def cut(path, target):
    target.write_bytes(path.read_bytes()[:-200])


def flip(path, target):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    target.write_bytes(content)


def other_content(path, target):
    name = next(name for name in zipfile.ZipFile(path).namelist() if name.startswith("workspaces/"))
    size = zipfile.ZipFile(path).getinfo(name).file_size
    rewritten(path, target, **{name: b"x" * size})


def larger_than_told(path, target):
    rewritten(path, target, **{"control.db": b"\0" * (64 << 20)})


def way_out(path, target):
    def change(manifest):
        manifest["files"].append({**manifest["files"][0], "name": "../../evil.db"})

    rewritten(path, target, change, **{"../../evil.db": zipfile.ZipFile(path).read("control.db")})


def stowaway(path, target):
    rewritten(path, target, **{"workspaces/extra.db": b"x"})


def newer_schema(path, target):
    rewritten(path, target, lambda manifest: manifest["files"][1].update(schema=999))


def newer_format(path, target):
    rewritten(path, target, lambda manifest: manifest.update(format=2, program="9.0", files={"shape": "unknown"}))


def no_manifest(path, target):
    with zipfile.ZipFile(target, "w") as new:
        new.writestr("control.db", b"x")


def no_zip(path, target):
    target.write_bytes(b"what is this?" * 100)


def other_compression(path, target):
    """One that may ask for any amount of memory."""
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_LZMA) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))


def before_its_beginning(path, target):
    """Its directory says that it begins later than it does, which moves its members to before the file."""
    content = bytearray(path.read_bytes())
    end = content.rindex(b"PK\x05\x06")
    (start,) = struct.unpack_from("<L", content, end + 16)
    struct.pack_into("<L", content, end + 16, start + 5000)
    target.write_bytes(content)


def without_zone(path, target):
    rewritten(path, target, lambda manifest: manifest.update(kind="daily", createdAt="2026-01-01"))


def other_schema_inside(path, target):
    rewritten(path, target, lambda manifest: [each.update(schema=0) for each in manifest["files"]])


SPOILED = [
    before_its_beginning,
    other_compression,
    other_schema_inside,
    without_zone,
    cut,
    flip,
    other_content,
    larger_than_told,
    way_out,
    stowaway,
    newer_schema,
    newer_format,
    no_manifest,
    no_zip,
]


@pytest.mark.parametrize("spoil_it", SPOILED, ids=lambda function: function.__name__)
def test_a_spoiled_backup_is_found_out_never_restored_and_never_relied_on(acme, spoil_it):
    """Reliability O8, and what someone else may have made of a file."""
    good = backup(acme)["name"]
    bad = "erp-2099-01-01T00-00-00-000Z-daily.zip"
    spoil_it(file_of(acme, good), file_of(acme, bad))
    (problem, *_) = verdict(acme, bad)
    assert problem.endswith(".")
    before = figures(acme)
    for body in ({}, {"workspaceId": acme.workspace_id}):
        answer = acme.call("POST", f"/system/backups/{bad}/restore", body)
        assert answer.json["error"]["code"] in ("bad_backup", "not_found"), answer.text
    assert figures(acme) == before
    assert latest_good(acme) == good
    assert {each["name"] for each in acme.ok("GET", "/system/backups")} == {good, bad}
    assert not list(acme.installation.config.data_dir.rglob("evil*"))


def test_a_newer_backup_says_which_program_reads_it(acme):
    good = file_of(acme, backup(acme)["name"])
    newer_format(good, good.with_name("new.zip"))
    assert "version 9.0" in verdict(acme, "new.zip")[0]


def test_a_backup_whose_books_do_not_add_up_is_no_good_though_its_hashes_agree(acme, tmp_path):
    path = file_of(acme, backup(acme)["name"])
    with config.use(acme.installation.config):
        manifest = archive.unpack(path, tmp_path / "open")
        entry = entry_of(manifest, acme)
        copy = tmp_path / "open" / entry.name
        connection = connections.sqlite3.connect(copy)
        connection.execute("DROP TRIGGER event_stays")
        connection.execute("DELETE FROM event")
        connection.commit()
        connection.close()
    forged = {"size": copy.stat().st_size, "sha256": archive.sha256(copy)}
    place = [each.name for each in manifest.files].index(entry.name)
    content = {entry.name: copy.read_bytes()}
    rewritten(path, path.with_name("forged.zip"), lambda manifest: manifest["files"][place].update(forged), **content)
    assert verdict(acme, "forged.zip")
    acme.refused("POST", "/system/backups/forged.zip/restore", status=409, code="bad_backup")


def test_nothing_of_a_backup_is_said_in_the_log(acme, caplog):
    caplog.set_level("INFO")
    name = backup(acme)["name"]
    acme.call("GET", f"/system/backups/{name}")
    records = [record for record in caplog.records if record.name == "erp.access"]
    assert records
    assert not any(name in json.dumps(vars(record), default=str) for record in records)
