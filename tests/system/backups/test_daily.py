"""The daily backup: when it is due, and that the server makes it."""

import datetime
import threading
import time

import pytest

from erp.auth import users
from erp.kernel import config
from erp.kernel.errors import StorageFull
from erp.system.backups import backups, daily, exclusive
from tests.conftest import Installation
from tests.system.backups.backups import backup, contents_of


@pytest.fixture(params=["UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Auckland"])
def office_time(request, monkeypatch):
    """This computer's time zone."""
    if not hasattr(time, "tzset"):
        pytest.skip("the system's time zone cannot be set here")
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def keeper(acme):
    """Makes the daily backups of the office, at three."""
    settings = config.Config(data_dir=acme.installation.config.data_dir, backup_at=datetime.time(3))
    with config.use(settings):
        yield daily.Daily(settings)


def local(text: str) -> str:
    """An instant named as this computer's clock shows it."""
    return datetime.datetime.fromisoformat(text).astimezone().isoformat()


def kinds(office) -> list[str]:
    return [each["kind"] for each in office.ok("GET", "/system/backups")]


def test_it_is_made_once_a_day_at_its_time(acme, keeper, clock_at, office_time):
    made: set[str] = set()
    looked_at = {
        "2026-03-27T02:00": True,  # that of the day before was missed
        "2026-03-27T02:59": False,
        "2026-03-27T03:00": True,
        "2026-03-27T23:00": False,
        "2026-03-28T02:59": False,
        "2026-03-28T03:01": True,
        "2026-03-29T01:59": False,  # clocks go forward in Berlin: there is no 02:59
        "2026-03-29T03:05": True,
        "2026-03-29T12:00": False,
    }
    for instant, is_due in looked_at.items():
        clock_at(local(instant))
        keeper.look()
        assert bool(contents_of(acme) - made) == is_due, instant
        made |= contents_of(acme)


def test_one_that_was_missed_is_made_at_once_and_only_once(acme, keeper, clock_at):
    clock_at(local("2026-03-27T03:00"))
    keeper.look()
    clock_at(local("2026-04-09T11:00"))
    keeper.look()
    keeper.look()
    assert kinds(acme) == ["daily", "daily"]
    assert daily.next_due() == datetime.datetime.fromisoformat(local("2026-04-10T03:00"))


def test_one_that_was_made_by_hand_does_not_replace_it(acme, keeper, clock_at):
    clock_at(local("2026-03-27T10:00"))
    backup(acme)
    assert daily.next_due() == datetime.datetime.fromisoformat(local("2026-03-27T03:00"))
    keeper.look()
    assert kinds(acme) == ["daily", "manual"]


def test_a_clock_that_was_wrong_does_not_end_the_backups(acme, keeper, clock_at):
    clock_at(local("2036-03-27T10:00"))
    keeper.look()
    clock_at(local("2026-03-27T10:00"))
    keeper.look()
    assert len(kinds(acme)) == 2


def test_before_there_is_a_user_there_is_nothing_to_back_up(tmp_path):
    installation = Installation(tmp_path / "data")
    keeper = daily.Daily(installation.config)
    with config.use(installation.config):
        keeper.look()
        assert backups.find_all() == []
        users.create("ann@example.com", "Ann", "correct horse battery", is_admin=True)
        keeper.look()
        assert [each.manifest.kind for each in backups.find_all()] == ["daily"]


def test_a_failure_is_logged_and_tried_again_after_an_hour(acme, keeper, clock_at, monkeypatch, caplog):
    def fail(kind):
        raise StorageFull

    clock_at(local("2026-03-27T10:00"))
    with monkeypatch.context() as broken:
        broken.setattr(backups, "make", fail)
        keeper.look()
        keeper.look()
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == [
        "the daily backup failed and will be tried again in an hour: The disk is full. Nothing was changed."
    ]
    clock_at(local("2026-03-27T10:59"))
    keeper.look()
    assert kinds(acme) == []
    clock_at(local("2026-03-27T11:00"))
    keeper.look()
    assert kinds(acme) == ["daily"]


def test_while_another_backup_is_made_it_waits_a_minute(acme, keeper):
    with exclusive.exclusively():
        keeper.look()
    assert contents_of(acme) == set()
    keeper.look()
    assert kinds(acme) == ["daily"]


def test_the_thread_looks_soon_and_then_every_minute_and_ends_with_the_server(acme, monkeypatch):
    waits: list[float] = []
    looks: list[int] = []
    tidied: list[int] = []
    keeper = daily.Daily(acme.installation.config, tidy=lambda: tidied.append(len(looks)))
    monkeypatch.setattr(keeper, "look", lambda: looks.append(len(waits)))

    def wait(seconds):
        waits.append(seconds)
        return len(waits) == 4

    keeper.run(wait)
    assert waits == [daily.FIRST_LOOK, *[daily.LOOK_EVERY] * 3]
    assert looks == [1, 2, 3]
    assert tidied == [1, 2, 3]


def test_the_thread_is_gone_when_the_server_is(acme, monkeypatch):
    monkeypatch.setattr(daily, "FIRST_LOOK", 0)
    monkeypatch.setattr(daily, "LOOK_EVERY", 30)
    made = threading.Event()
    monkeypatch.setattr(backups, "rotate", made.set)
    with daily.running(acme.installation.config):
        assert made.wait(10)
    assert "daily backup" not in [thread.name for thread in threading.enumerate()]
    assert kinds(acme) == ["daily"]
