import errno
import json
import os
import signal
import stat
import subprocess
import sys

import pytest
from peewee import OperationalError

from erp.kernel.config import Config
from erp.runtime import instance
from erp.store import disk

URL = "http://127.0.0.1:8420"
HOLDER = f"""
import signal
import sys
from pathlib import Path
from erp.runtime import instance
from erp.kernel.config import Config
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
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


def test_the_address_is_published_while_the_server_is_running(config):
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
def test_a_server_that_ends_removes_its_address(config, other_server):
    other_server.send_signal(signal.SIGINT)
    other_server.wait()
    assert not (config.data_dir / "instance.json").exists()


def test_a_file_in_the_place_of_the_folder_is_refused_with_the_remedy(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(instance.CannotStart, match="cannot be created, because a file .*--data-dir"):
        instance.prepare(Config(data_dir=tmp_path / "file"))


def test_a_folder_without_the_right_to_write_is_refused(config, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(instance.CannotStart, match="permission denied"):
        instance.prepare(config)


def test_a_full_disk_is_refused_before_anything_is_written(config, monkeypatch):
    instance.prepare(config)
    monkeypatch.setattr(disk, "free_space", lambda _: 100_000)
    with pytest.raises(instance.CannotStart, match="The disk of .* is full. No data has"), instance.hold(config):
        pass
    assert [path.name for path in config.data_dir.iterdir()] == ["erp.lock"]


@pytest.mark.parametrize("problem", [OSError(errno.ENOSPC, "full"), OperationalError("database or disk is full")])
def test_a_disk_that_fills_during_the_start_has_the_same_message(config, problem):
    instance.prepare(config)
    full = pytest.raises(instance.CannotStart, match="The disk of .* is full. No data has been lost")
    with full, instance.hold(config), instance.needing_control_file(config):
        raise problem


def test_workspaces_without_their_control_file_are_not_taken_for_an_empty_server(config):
    def start():
        instance.prepare(config)
        with instance.hold(config):
            pass

    config.workspaces_dir.mkdir(parents=True)
    (config.workspaces_dir / "0192.db").touch()
    with pytest.raises(instance.CannotStart, match=r"control\.db is missing.*restore"):
        start()
    config.control_path.touch()  # SQLite would take it for a new file, without workspaces
    with pytest.raises(instance.CannotStart, match=r"control\.db is missing or empty"):
        start()
    config.control_path.write_bytes(b"SQLite format 3")
    start()


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
def test_a_damaged_control_file_is_reported_in_one_line_and_left_as_it_is(config, command):
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
