import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from erp.runtime.services import systemd
from erp.runtime.services.launching import CannotInstall, Launch
from erp.runtime.services.systemd import Systemd
from tests.runtime.services.service_managers import Manager, systemd_words, unit

pytestmark = pytest.mark.skipif(os.name != "posix", reason="paths and a shell of Unix")

ODD = '/srv/Ann\'s büro & Söhne/100% "neu" \\ $HOME %h'
LAUNCH = Launch(("/opt/erp", "serve", f"--data-dir={ODD}"), Path("/opt"), Path(ODD))
WORD = st.text(st.characters(exclude_categories=("Cc", "Cs")), max_size=30)


@pytest.fixture
def service(tmp_path):
    return Systemd(tmp_path / "systemd" / "user" / "erp.service", Manager())


def written(launch):
    return unit(Systemd(Path("erp.service"), Manager()).written(launch).decode())


def test_the_unit_is_written_where_the_users_units_are(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert systemd.usual_file() == tmp_path / "systemd" / "user" / "erp.service"
    monkeypatch.delenv("XDG_CONFIG_HOME")
    assert systemd.usual_file() == Path.home() / ".config" / "systemd" / "user" / "erp.service"


def test_the_unit_starts_the_program_again_and_gives_it_time_to_end():
    sections = written(LAUNCH)
    service = sections["Service"]
    assert systemd_words(service["ExecStart"]) == list(LAUNCH.words)
    assert service["WorkingDirectory"] == "/opt"
    assert (service["Restart"], service["RestartPreventExitStatus"]) == ("on-failure", "2")
    assert int(service["TimeoutStopSec"]) > 10
    assert service["StandardOutput"] == "null"  # stdout has the set-up link
    assert sections["Install"] == {"WantedBy": "default.target"}


@settings(deadline=None)
@given(st.lists(WORD, min_size=1, max_size=5))
def test_the_program_gets_its_arguments_unchanged(words):
    launch = Launch(("/opt/erp", *words), Path("/opt"), Path("/srv"))
    assert systemd_words(written(launch)["Service"]["ExecStart"]) == ["/opt/erp", *words]


@settings(deadline=None)
@given(WORD)
def test_the_program_is_found_under_any_path(name):
    words = ("/" + name, "serve", "a$b")
    started = systemd_words(written(Launch(words, Path("/opt"), Path("/srv")))["Service"]["ExecStart"])
    if started[0] == "/bin/sh":
        assert started[:3] == ["/bin/sh", "-c", 'exec "$0" "$@"']
        started = started[3:]
    assert started == list(words)


@pytest.mark.parametrize("name", ["Ann's office", 'the "new" one', "back\\slash", "dollar$HOME"])
def test_a_program_whose_path_systemd_would_refuse_is_started_by_a_shell(tmp_path, name):
    folder = tmp_path / name
    folder.mkdir()
    (folder / "erp").write_text('#!/bin/sh\nprintf "%s|" "$0" "$@"\n')
    (folder / "erp").chmod(0o700)
    launch = Launch((str(folder / "erp"), "serve", ODD), folder, Path("/srv"))
    words = systemd_words(written(launch)["Service"]["ExecStart"])
    said = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert said == f"{folder / 'erp'}|serve|{ODD}|"


@pytest.mark.parametrize("folder", ["/srv/blank ", "/srv/backslash\\"])
def test_a_folder_that_systemd_cannot_enter_is_refused_before_anything_is_written(service, folder):
    with pytest.raises(CannotInstall, match="Move it"):
        service.install(Launch(("/opt/erp",), Path(folder), Path("/srv")))
    assert not service.is_installed
    assert service.run.commands == []


def test_installing_starts_the_service_and_installing_again_changes_it(service):
    assert service.install(LAUNCH) is None
    assert service.run.commands == [
        ("systemctl", "--user", "daemon-reload"),
        ("systemctl", "--user", "enable", "erp"),
        ("systemctl", "--user", "restart", "erp"),
    ]
    assert service.data_dir() == Path(ODD)
    service.install(Launch(("/opt/erp", "serve", "--lan"), Path("/opt"), Path("/srv")))
    assert systemd_words(unit(service.shown())["Service"]["ExecStart"]) == ["/opt/erp", "serve", "--lan"]
    assert service.data_dir() == Path("/srv")


def test_without_a_session_of_the_user_the_unit_is_written_and_the_command_is_named(service):
    service.run = Manager(refused=[("systemctl", "--user")])
    assert service.install(LAUNCH) == "it will not"
    assert service.is_installed
    assert len(service.run.commands) == 1
    assert "systemctl --user enable --now erp" in service.by_hand


def test_removing_stops_it_first_and_leaves_nothing(service):
    service.install(LAUNCH)
    service.run.commands.clear()
    service.remove()
    assert not service.is_installed
    assert service.run.commands == [
        ("systemctl", "--user", "disable", "--now", "erp"),
        ("systemctl", "--user", "daemon-reload"),
    ]


@pytest.mark.parametrize("runs", [True, False])
def test_systemd_says_whether_it_is_running(service, runs):
    service.run = Manager(refused=[] if runs else [("systemctl", "--user", "is-active")])
    assert service.is_running() is runs


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
@pytest.mark.parametrize("name", ["erp", "Büro & Söhne 100%", 'Ann\'s "new" $HOME'])
def test_systemd_itself_accepts_the_unit(tmp_path, name):
    program = tmp_path / name / "erp"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o700)
    launch = Launch((str(program), "serve", f"--data-dir={ODD}"), program.parent, Path(ODD))
    service = Systemd(tmp_path / "erp.service", Manager())
    service.install(launch)
    (tmp_path / "run").mkdir(mode=0o700)
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path / "run"), "HOME": str(tmp_path)}
    verified = subprocess.run(
        ["systemd-analyze", "--user", "verify", str(service.file)], env=environment, capture_output=True, text=True
    )
    assert (verified.returncode, verified.stdout + verified.stderr) == (0, "")
