import json
import os
import signal
import stat
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

import pytest

from erp import instance
from erp.config import Config

URL = "http://127.0.0.1:8420"
HOLDER = f"""
import sys
from pathlib import Path
from erp import instance
from erp.config import Config
config = Config(data_dir=Path(sys.argv[1]))
instance.prepare(config)
with instance.hold(config) as held:
    held.publish("ready", "{URL}")
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def config(tmp_path):
    before = os.umask(0o022)
    os.umask(before)
    yield Config(data_dir=tmp_path / "data")
    os.umask(before)


@pytest.fixture
def other_server(config):
    command = [sys.executable, "-c", HOLDER, str(config.data_dir)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stdout.readline().strip() == b"held"
        yield process
        process.kill()


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such modes")
def test_a_new_data_folder_and_its_files_are_private(config):
    instance.prepare(config)
    with instance.hold(config) as held:
        held.publish("ready", URL)
        assert mode(config.data_dir) == 0o700
        assert mode(config.data_dir / "erp.lock") == 0o600
        assert mode(config.data_dir / "instance.json") == 0o600


def test_the_address_is_published_while_the_server_runs_and_gone_after(config):
    instance.prepare(config)
    with instance.hold(config) as held:
        held.publish("ready", URL)
        assert instance.running_at(config.data_dir) == URL
        record = json.loads((config.data_dir / "instance.json").read_text())
        assert record == {"pid": os.getpid(), "url": URL, "version": record["version"], "state": "ready"}
    assert sorted(path.name for path in config.data_dir.iterdir()) == ["erp.lock"]
    assert instance.running_at(config.data_dir) is None


def test_a_folder_that_another_server_holds_is_refused_with_its_address(config, other_server):
    with pytest.raises(instance.HeldByAnother, match=URL) as caught, instance.hold(config):
        pass
    assert caught.value.url == URL
    assert instance.running_at(config.data_dir) == URL


def test_a_server_that_was_killed_frees_the_folder(config, other_server):
    other_server.kill()
    other_server.wait()
    with instance.hold(config):
        assert instance.running_at(config.data_dir) is None  # not the address of the dead one


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_server_that_ends_by_itself_takes_its_address_away(config, other_server):
    other_server.send_signal(signal.SIGINT)
    other_server.wait()
    assert not (config.data_dir / "instance.json").exists()


def test_a_folder_that_cannot_be_written_is_refused_with_the_remedy(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(instance.CannotStart, match="cannot be written .*--data-dir"):
        instance.prepare(Config(data_dir=tmp_path / "file"))


def test_a_folder_without_the_right_to_write_is_refused(config, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(instance.CannotStart, match="permission denied"):
        instance.prepare(config)


def test_workspaces_without_their_control_file_are_not_taken_for_an_empty_server(config):
    config.workspaces_dir.mkdir(parents=True)
    (config.workspaces_dir / "0192.db").touch()
    with pytest.raises(instance.CannotStart, match=r"control\.db is missing.*restore"):
        instance.prepare(config)
    config.control_path.touch()  # SQLite would take it for a new one, and every workspace for nobody's
    with pytest.raises(instance.CannotStart, match=r"control\.db is missing or empty"):
        instance.prepare(config)
    config.control_path.write_bytes(b"SQLite format 3")
    instance.prepare(config)


@pytest.mark.parametrize(
    ("path", "service"),
    [
        ("/home/ann/OneDrive - Office/erp", "OneDrive"),
        ("/home/ann/Dropbox/erp", "Dropbox"),
        ("/Users/ann/Library/Mobile Documents/com~apple~CloudDocs/erp", "iCloud Drive"),
        ("/Users/ann/iCloudDrive/erp", "iCloud Drive"),
        ("/Users/ann/Google Drive/erp", "Google Drive"),
        ("/home/ann/erp-data", None),
    ],
)
def test_folders_that_a_cloud_service_synchronises_are_known_by_name(path, service):
    assert instance.sync_folder(Path(path)) == service


MOUNTS = r"""
/dev/sda1 / ext4 rw 0 0
server:/home /home nfs4 rw 0 0
/dev/sdb1 /home/ann ext4 rw 0 0
ann@server: /mnt/our\040files fuse.sshfs rw 0 0
""".strip()


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/srv/erp", "ext4"),
        ("/home/bob/erp", "nfs4"),
        ("/home/ann/erp", "ext4"),
        ("/mnt/our files/erp", "fuse.sshfs"),
        ("/homes/erp", "ext4"),
    ],
)
def test_the_file_system_is_that_of_the_nearest_mount(path, kind):
    assert instance.file_system(Path(path), MOUNTS) == kind


def test_risky_places_are_warned_of(tmp_path, monkeypatch):
    folder = tmp_path / "Dropbox"
    folder.mkdir()
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage(10**9, 10**9, 150 * 2**20))
    monkeypatch.setattr(instance, "_network_file_system", lambda _: "nfs4")
    network, sync, space = instance.warnings(folder)
    assert "network drive (nfs4)" in network
    assert "Dropbox" in sync
    assert "150 MB" in space


def test_an_ordinary_folder_is_not_warned_of(tmp_path, monkeypatch):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage(10**12, 0, 10**12))
    assert instance.warnings(tmp_path) == []


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such limit")
def test_the_limit_of_open_files_is_raised(monkeypatch):
    import resource

    was_set = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, 4096))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: was_set.append(limits))
    instance.raise_descriptor_limit()
    monkeypatch.setattr(resource, "getrlimit", lambda _: (10_000, 20_000))
    instance.raise_descriptor_limit()
    assert was_set == [(4096, 4096)]


@pytest.mark.parametrize("command", [["serve", "--port", "0", "--no-browser"], ["user", "list"]])
def test_a_damaged_control_file_is_told_in_a_sentence_and_left_as_it_is(config, command):
    instance.prepare(config)
    config.control_path.write_bytes(b"no database at all " * 500)
    before = config.control_path.read_bytes()
    words = [sys.executable, "-m", "erp", *command, "--data-dir", str(config.data_dir)]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=30)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "control.db cannot be used (file is not a database)" in ended.stderr
    assert "restore" in ended.stderr
    assert ended.stderr.count("\n") == 1
    assert config.control_path.read_bytes() == before
