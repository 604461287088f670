"""`erp demo` at the terminal."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import urllib.request
from itertools import takewhile

import pytest

from erp.cli import main
from erp.demo import filling, scenario
from erp.runtime import server
from tests.demo.company import PASSWORD
from tests.servers import OWN_CONSOLE, interrupt

SOMETHING = "something.txt"


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """Where temporary folders are created."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def served(monkeypatch):
    """The settings with which the server would have run; filling only writes a file."""
    servings = []

    def fill(settings, create_app):
        (settings.data_dir / "workspaces").mkdir()
        (settings.data_dir / SOMETHING).write_text("made up")
        return [person for person in scenario.read().people if not person.leaves]

    def serve(settings):
        servings.append(settings)
        return 0

    monkeypatch.setattr(filling, "fill", fill)
    monkeypatch.setattr(server, "serve", serve)
    return servings


def test_a_person_can_sign_in_and_nothing_is_left_behind(tmp_path):
    command = [sys.executable, "-m", "erp", "demo", "--port", "0", "--no-browser"]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    running = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True, creationflags=OWN_CONSOLE)
    assert running.stdout is not None
    try:
        said = list(takewhile(lambda line: "To stop" not in line, running.stdout))
        url = next(line.split()[-1] for line in said if line.startswith("erp is ready at"))
        (email,) = [word for line in said if "accountant" in line for word in line.split() if "@" in word]
        request = urllib.request.Request(
            f"{url}/api/v1/auth/sign-in/email",
            json.dumps({"email": email, "password": PASSWORD}).encode(),
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request) as answer:
            assert json.load(answer)["data"]["workspaces"][0]["name"] == "Alder & Finch"
        assert "takes a few seconds" in said[0]
        assert not any("To set up" in line for line in said)
    finally:
        interrupt(running)
        running.communicate(timeout=30)
    assert running.returncode == 0
    assert list(tmp_path.iterdir()) == []


def test_the_terminal_shows_a_user_for_each_role(temporary, served, capsys):
    assert main(["demo"]) == 0
    said = capsys.readouterr().out
    for role in ("owner", "admin", "accountant", "hr", "manager", "member", "viewer"):
        assert sum(line.split()[0] == role for line in said.splitlines()) >= 1
    assert PASSWORD in said
    assert "deleted when the server stops" in said
    assert "oskar" not in said


def test_the_temporary_folder_is_deleted(temporary, served):
    assert main(["demo"]) == 0
    (settings,) = served
    assert settings.data_dir.parent == temporary
    assert list(temporary.iterdir()) == []


def test_a_named_folder_is_kept(tmp_path, temporary, served, capsys):
    assert main(["demo", "--data-dir", str(tmp_path / "kept")]) == 0
    assert (tmp_path / "kept" / SOMETHING).exists()
    assert "is kept when the server stops" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["control.db", "letter.txt"])
def test_a_folder_that_is_not_empty_is_refused_and_left_alone(tmp_path, served, capsys, name):
    (tmp_path / name).write_text("ours")
    assert main(["demo", "--data-dir", str(tmp_path)]) == 1
    assert "is not empty" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert served == []


def test_the_offices_own_settings_do_not_apply_to_it(tmp_path, temporary, served, monkeypatch):
    (tmp_path / "erp.toml").write_text("lan = true\nport = 9111\n")
    monkeypatch.setenv("ERP_DATA_DIR", str(tmp_path))
    assert main(["demo", "--threads", "2"]) == 0
    (settings,) = served
    assert (settings.lan, settings.port, settings.port_is_explicit, settings.threads) == (False, 8420, False, 2)
    assert settings.data_dir != tmp_path
    assert [path.name for path in tmp_path.iterdir() if path != temporary] == ["erp.toml"]


@pytest.fixture
def interruptible():
    """A program that is started in the background may ignore Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def endings():
    yield "Ctrl-C", lambda: signal.raise_signal(signal.SIGINT)
    if hasattr(signal, "SIGHUP"):
        yield "a closed terminal", lambda: os.kill(os.getpid(), signal.SIGHUP)
    yield "the end of the session", lambda: signal.raise_signal(signal.SIGTERM)


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("named", [True, False], ids=["named folder", "temporary folder"])
@pytest.mark.parametrize("end", [end for _, end in endings()], ids=[name for name, _ in endings()])
def test_an_interrupted_filling_leaves_nothing_behind(tmp_path, temporary, served, monkeypatch, named, end):
    fill = filling.fill

    def ended(*given):
        fill(*given)
        end()

    monkeypatch.setattr(filling, "fill", ended)
    folder = tmp_path / "named"
    assert main(["demo", *(["--data-dir", str(folder)] if named else [])]) == 1
    assert list(temporary.iterdir()) == []
    assert not named or {path.name for path in folder.iterdir()} <= {"erp.lock"}
    assert served == []
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_its_help_explains_it(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["demo", "--help"])
    assert ended.value.code == 0
    assert "made-up company" in capsys.readouterr().out
