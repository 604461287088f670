import os
import subprocess
import sys
from pathlib import Path

import pytest

from erp.cli import main
from erp.commands import service as commands
from erp.kernel.config import Config
from erp.runtime import instance, server
from erp.runtime.services.launchd import Launchd
from erp.runtime.services.systemd import Systemd
from erp.runtime.services.task_scheduler import TaskScheduler
from tests.runtime.services.service_managers import Manager, systemd_words, unit
from tests.servers import running, wait_for

not_on_windows = pytest.mark.skipif(sys.platform == "win32", reason="systemd is a matter of Linux")


@pytest.fixture
def data_dir(tmp_path):
    return tmp_path / "Büro & Söhne"


@pytest.fixture
def unit_file(tmp_path):
    return tmp_path / "units" / "erp.service"


@pytest.fixture
def systemd(unit_file, monkeypatch):
    """The office manager at a Linux desk; records the commands that systemd gets."""
    manager = Manager()
    monkeypatch.setattr(commands, "of_this_system", lambda: Systemd(unit_file, manager))
    monkeypatch.setattr(os, "geteuid", lambda: 1000, raising=False)
    for name in [name for name in os.environ if name.startswith("ERP_")]:
        monkeypatch.delenv(name)
    return manager


@pytest.fixture
def erp(systemd, data_dir, capsys):
    """Run a command on the data: exit code, stdout and stderr."""

    def run(*words):
        code = main(["service", *words])
        return code, *capsys.readouterr()

    return run


def healthy(environ, start_response):
    body = b'{"success": true}'
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]


@not_on_windows
def test_installing_prints_what_is_written_and_where(erp, unit_file, data_dir):
    code, said, complaint = erp("install", "--data-dir", str(data_dir), "--lan", "--port", "8500")
    assert (code, complaint) == (0, "")
    assert f"{unit_file}:\n{unit_file.read_text()}" in said
    assert "loginctl enable-linger" in said
    words = systemd_words(unit(unit_file.read_text())["Service"]["ExecStart"])
    assert words[0] == sys.executable
    assert words[-5:] == ["serve", "--no-browser", f"--data-dir={data_dir}", "--lan", "--port=8500"]


def test_installing_again_changes_the_settings(erp, unit_file, data_dir):
    erp("install", "--data-dir", str(data_dir), "--lan")
    assert erp("install", "--data-dir", str(data_dir))[0] == 0
    assert "--lan" not in unit_file.read_text()


def test_an_invalid_setting_is_refused_before_anything_is_written(erp, systemd, unit_file):
    code, said, complaint = erp("install", "--port", "many")
    assert (code, said) == (2, "")
    assert "--port" in complaint
    assert not unit_file.exists()
    assert systemd.commands == []


@not_on_windows
def test_root_has_to_let_the_owner_of_the_data_install_it(erp, systemd, unit_file, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0, raising=False)
    code, said, complaint = erp("install")
    assert (code, said) == (1, "")
    assert "not as root" in complaint
    assert not unit_file.exists()
    assert systemd.commands == []


def test_without_a_manager_the_file_is_written_and_the_command_to_run_is_named(erp, systemd, unit_file):
    systemd.refused = [("systemctl",)]
    code, said, complaint = erp("install")
    assert code == 1
    assert unit_file.exists()
    assert str(unit_file) in said
    assert complaint.splitlines() == [
        "erp: The file has been written, but the service could not be started: it will not",
        "To start it, run: systemctl --user daemon-reload && systemctl --user enable --now erp",
    ]


def test_a_missing_service_manager_is_reported(erp, systemd, monkeypatch, unit_file):
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(commands, "of_this_system", lambda: Systemd(unit_file))
    code, _, complaint = erp("install")
    assert code == 1
    assert "there is no systemctl on this computer" in complaint


def test_settings_of_the_environment_that_the_service_lacks_are_named(erp, monkeypatch, data_dir, unit_file):
    monkeypatch.setenv("ERP_DATA_DIR", str(data_dir))
    monkeypatch.setenv("ERP_PORT", "8500")
    monkeypatch.setenv("ERP_THREADS", "3")
    _, said, _ = erp("install", "--threads", "2")
    assert "The service does not see ERP_PORT of your environment." in said
    assert f"--data-dir={data_dir}" in systemd_words(unit(unit_file.read_text())["Service"]["ExecStart"])


def test_a_server_that_was_started_by_hand_is_named(erp, data_dir):
    config = Config(data_dir=data_dir)
    instance.prepare(config)
    with running(config, healthy) as by_hand, instance.hold(config) as held:
        held.publish("ready", by_hand.url)
        _, said, _ = erp("install", "--data-dir", str(data_dir))
        assert f"A server is already running on this data at {by_hand.url}." in said
        assert "already" not in erp("install", "--data-dir", str(data_dir))[1]  # by now it is the service itself


def test_the_status_shows_the_address_of_the_server_on_the_services_data(erp, data_dir, unit_file):
    erp("install", "--data-dir", str(data_dir))
    config = Config(data_dir=data_dir)
    instance.prepare(config)
    with running(config, healthy) as service, instance.hold(config) as held:
        held.publish("ready", service.url)
        code, said, _ = erp("status")
    assert code == 0
    assert said.splitlines() == [
        f"The service is installed ({unit_file}) and running.",
        f"A server answers at {service.url}",
        f"Data folder: {data_dir}",
    ]


def test_the_status_shows_that_a_service_is_not_running(erp, systemd, data_dir):
    erp("install", "--data-dir", str(data_dir))
    systemd.refused = [("systemctl", "--user", "is-active")]
    _, said, _ = erp("status")
    assert "but not running." in said
    assert "No server answers." in said


def test_without_a_service_there_is_no_status_and_nothing_to_remove(erp, systemd):
    assert erp("status") == (0, "The service is not installed.\n", "")
    assert erp("remove") == (0, "There is nothing to remove: the service is not installed.\n", "")
    assert systemd.commands == []


def test_removing_the_service_leaves_the_data(erp, data_dir, unit_file):
    data_dir.mkdir()
    erp("install", "--data-dir", str(data_dir))
    code, said, _ = erp("remove")
    assert code == 0
    assert str(unit_file) in said
    assert str(data_dir) in said
    assert not unit_file.exists()
    assert data_dir.exists()
    assert erp("status")[1] == "The service is not installed.\n"


@pytest.mark.parametrize(("platform", "kind"), [("linux", Systemd), ("darwin", Launchd), ("win32", TaskScheduler)])
def test_each_system_has_its_own_service(monkeypatch, platform, kind):
    monkeypatch.setattr(sys, "platform", platform)
    assert type(commands.of_this_system()) is kind


@not_on_windows
def test_the_service_works_without_a_terminal_and_without_a_locale(erp, unit_file, data_dir, tmp_path):
    """As systemd starts it: no screen for a browser, hardly any environment; SIGTERM ends it with 0."""
    erp("install", "--data-dir", str(data_dir), "--port", "0")
    service = unit(unit_file.read_text())["Service"]
    words, folder = systemd_words(service["ExecStart"]), Path(service["WorkingDirectory"])
    bare = {"PATH": os.defpath, "HOME": str(tmp_path), "SYSTEMROOT": os.environ.get("SYSTEMROOT", "")}
    null = subprocess.DEVNULL
    with subprocess.Popen(words, cwd=folder, env=bare, stdin=null, stdout=null, stderr=subprocess.PIPE) as process:
        url = wait_for(lambda: instance.running_at(data_dir), seconds=20)
        assert server.answers(url)
        process.terminate()
        assert process.wait(15) == 0
        assert process.stderr
        assert process.stderr.read() == b""
    assert "is ready at" in (data_dir / "logs" / "erp.log").read_text("utf-8")
