import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from erp.runtime.services.launching import CannotInstall, Launch
from erp.runtime.services.task_scheduler import TaskScheduler
from tests.runtime.services.service_managers import Manager, windows_words

SPACE = {"t": "http://schemas.microsoft.com/windows/2004/02/mit/task"}
ODD = "C:\\Users\\Ann O'Neil\\Büro & <Söhne>\\100% \\"
LAUNCH = Launch(("C:\\Program Files\\erp.exe", "serve", f"--data-dir={ODD}"), Path("C:\\Program Files"), Path(ODD))
WORD = st.text(st.characters(exclude_categories=("Cc", "Cs"), exclude_characters="%\ufffe\uffff"), max_size=30).filter(
    lambda word: "$(" not in word
)

ORDER = ["RegistrationInfo", "Triggers", "Principals", "Settings", "Actions"]
"""As Task Scheduler itself writes them."""
KNOWN_SETTINGS = {
    *("AllowStartOnDemand", "RestartOnFailure", "MultipleInstancesPolicy", "DisallowStartIfOnBatteries"),
    *("StopIfGoingOnBatteries", "AllowHardTerminate", "StartWhenAvailable", "NetworkProfileName"),
    *("RunOnlyIfNetworkAvailable", "WakeToRun", "Enabled", "Hidden", "DeleteExpiredTaskAfter", "IdleSettings"),
    *("NetworkSettings", "ExecutionTimeLimit", "Priority", "RunOnlyIfIdle"),
}
"""From the documented schema, version 1.2; each at most once, in any order."""


@pytest.fixture
def service(tmp_path, monkeypatch):
    monkeypatch.setenv("USERDOMAIN", "OFFICE")
    monkeypatch.setenv("USERNAME", "Ann Ö")
    return TaskScheduler(tmp_path / "erp" / "erp-task.xml", Manager())


def read(content):
    return ET.fromstring(content)


def local_names(element):
    return [child.tag.partition("}")[2] for child in element]


def test_the_task_follows_the_schema_of_task_scheduler(service):
    content = service.written(LAUNCH)
    assert content[:2] in (b"\xff\xfe", b"\xfe\xff")  # without such a mark it would not know the encoding
    task = read(content)
    assert (task.tag, task.get("version")) == (f"{{{SPACE['t']}}}Task", "1.2")
    assert local_names(task) == ORDER
    chosen = local_names(task.find("t:Settings", SPACE))
    assert len(chosen) == len(set(chosen))
    assert set(chosen) <= KNOWN_SETTINGS
    assert local_names(task.find(".//t:LogonTrigger", SPACE)) == ["Enabled", "UserId"]
    assert local_names(task.find(".//t:Exec", SPACE)) == ["Command", "Arguments", "WorkingDirectory"]
    assert task.find("t:Actions", SPACE).get("Context") == task.find(".//t:Principal", SPACE).get("id")


def test_the_task_has_no_time_limit_runs_on_battery_and_restarts_after_a_failure(service):
    def setting(path):
        return task.findtext(f"t:Settings/{path}", None, SPACE)

    task = read(service.written(LAUNCH))
    assert setting("t:ExecutionTimeLimit") == "PT0S"
    assert (setting("t:DisallowStartIfOnBatteries"), setting("t:StopIfGoingOnBatteries")) == ("false", "false")
    assert setting("t:RestartOnFailure/t:Interval") == "PT1M"
    assert 1 <= int(setting("t:RestartOnFailure/t:Count")) <= 255
    assert setting("t:MultipleInstancesPolicy") == "IgnoreNew"


def test_the_task_is_the_users_own(service):
    """A task for anyone's sign-in would need an administrator."""
    task = read(service.written(LAUNCH))
    assert [element.text for element in task.iterfind(".//t:UserId", SPACE)] == ["OFFICE\\Ann Ö"] * 2
    assert task.findtext(".//t:RunLevel", None, SPACE) == "LeastPrivilege"


def test_the_task_starts_the_program_with_what_was_typed(service):
    task = read(service.written(LAUNCH))
    assert task.findtext(".//t:Command", None, SPACE) == "C:\\Program Files\\erp.exe"
    assert task.findtext(".//t:WorkingDirectory", None, SPACE) == "C:\\Program Files"
    assert windows_words(task.findtext(".//t:Arguments", None, SPACE)) == ["serve", f"--data-dir={ODD}"]


@settings(deadline=None)
@given(st.lists(WORD, min_size=1, max_size=5))
def test_the_program_gets_its_arguments_unchanged(words):
    launch = Launch(("C:\\erp.exe", *words), Path("C:\\"), Path("C:\\data"))
    task = read(TaskScheduler(Path("a.xml"), Manager()).written(launch))
    assert windows_words(task.findtext(".//t:Arguments", None, SPACE)) == words


@pytest.mark.parametrize("folder", ["C:\\%TEMP%\\data", "C:\\$(Arg0)\\data"])
def test_a_folder_that_task_scheduler_would_take_for_a_variable_is_refused(service, folder):
    with pytest.raises(CannotInstall, match="Use a path without it"):
        service.install(Launch(("C:\\erp.exe", f"--data-dir={folder}"), Path("C:\\"), Path(folder)))
    assert not service.is_installed


def test_installing_replaces_the_task_and_starts_it(service):
    assert service.install(LAUNCH) is None
    assert service.run.commands == [
        ("schtasks", "/End", "/TN", "erp"),
        ("schtasks", "/Create", "/TN", "erp", "/XML", str(service.file), "/F"),
        ("schtasks", "/Run", "/TN", "erp"),
    ]
    assert service.data_dir() == Path(ODD)
    assert "<LogonTrigger>" in service.shown()


def test_installing_works_when_there_is_no_task_to_end(service):
    service.run = Manager(refused=[("schtasks", "/End")])
    assert service.install(LAUNCH) is None


def test_a_refusal_by_schtasks_is_reported_and_the_command_is_named(service):
    service.run = Manager(refused=[("schtasks", "/Create")])
    assert service.install(LAUNCH) == "it will not"
    assert str(service.file) in service.by_hand
    assert ("schtasks", "/Run", "/TN", "erp") not in service.run.commands


def test_removing_leaves_nothing(service):
    service.install(LAUNCH)
    service.run.commands.clear()
    service.remove()
    assert service.run.commands == [("schtasks", "/End", "/TN", "erp"), ("schtasks", "/Delete", "/TN", "erp", "/F")]
    assert not service.is_installed


def test_whether_a_task_is_running_is_not_known(service):
    assert service.is_running() is None
