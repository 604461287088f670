import os
import plistlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from erp.runtime.services import launchd
from erp.runtime.services.launchd import Launchd
from erp.runtime.services.launching import Launch
from tests.runtime.services.service_managers import Manager

ODD = '/Users/ann/Ann\'s büro & <Söhne>/100% "neu" \\ $HOME'
LAUNCH = Launch(("/opt/erp", "serve", f"--data-dir={ODD}"), Path("/opt"), Path(ODD))
WORD = st.text(st.characters(exclude_categories=("Cc", "Cs"), exclude_characters="\ufffe\uffff"), max_size=30)

pytestmark = pytest.mark.skipif(os.name != "posix", reason="launchd names users by their number")
TARGET = f"gui/{os.getuid() if os.name == 'posix' else 0}"


@pytest.fixture
def service(tmp_path):
    """An agent that is gone as soon as it is removed."""
    return Launchd(tmp_path / "LaunchAgents" / "local.erp.plist", Manager(refused=[("launchctl", "print")]))


def test_the_agent_is_written_where_the_users_agents_are():
    assert launchd.usual_file() == Path.home() / "Library" / "LaunchAgents" / "local.erp.plist"


def test_the_agent_starts_at_sign_in_and_again_after_a_failure(service):
    agent = plistlib.loads(service.written(LAUNCH))
    assert agent["Label"] == "local.erp"
    assert agent["ProgramArguments"] == list(LAUNCH.words)
    assert agent["WorkingDirectory"] == "/opt"
    assert agent["RunAtLoad"] is True
    assert agent["KeepAlive"] == {"SuccessfulExit": False}
    assert agent["ExitTimeOut"] > 10
    assert agent["Umask"] == 0o077
    assert "StandardOutPath" not in agent  # stdout has the set-up link


@settings(deadline=None)
@given(st.lists(WORD, min_size=1, max_size=5))
def test_the_program_gets_its_arguments_unchanged(words):
    launch = Launch(("/opt/erp", *words), Path("/opt"), Path("/srv"))
    agent = plistlib.loads(Launchd(Path("a.plist"), Manager()).written(launch))
    assert agent["ProgramArguments"] == ["/opt/erp", *words]


def test_installing_removes_the_old_agent_before_it_adds_the_new_one(service):
    assert service.install(LAUNCH) is None
    assert service.run.commands == [
        ("launchctl", "bootout", f"{TARGET}/local.erp"),
        ("launchctl", "print", f"{TARGET}/local.erp"),
        ("launchctl", "bootstrap", TARGET, str(service.file)),
    ]
    assert service.data_dir() == Path(ODD)
    assert plistlib.loads(service.shown().encode())["ProgramArguments"] == list(LAUNCH.words)


def test_installing_waits_until_the_old_agent_is_gone(service, monkeypatch):
    """Launchd refuses a second agent of the name until the first has ended."""
    asked = iter([0, 0, 1])
    waited: list[float] = []
    monkeypatch.setattr("time.sleep", waited.append)

    def run(words):
        ended = Manager()(words)
        ended.returncode = next(asked) if words[1] == "print" else 0
        return ended

    service.run = run
    assert service.install(LAUNCH) is None
    assert len(waited) == 2


def test_over_ssh_the_file_is_written_and_the_command_is_named(service):
    service.run = Manager(refused=[("launchctl",)])
    assert service.install(LAUNCH) == "it will not"
    assert service.is_installed
    assert str(service.file) in service.by_hand


def test_removing_leaves_nothing(service):
    service.install(LAUNCH)
    service.run.commands.clear()
    service.remove()
    assert not service.is_installed
    assert service.run.commands[0] == ("launchctl", "bootout", f"{TARGET}/local.erp")


@pytest.mark.parametrize(
    ("said", "runs"), [("\tstate = running\n", True), ("\tstate = not running\n", False), ("", False)]
)
def test_launchd_says_whether_it_is_running(service, said, runs):
    service.run = Manager(said=said)
    assert service.is_running() is runs


def test_a_missing_agent_is_not_running(service):
    assert service.is_running() is False
