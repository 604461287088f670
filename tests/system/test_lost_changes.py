"""A workspace's file that has lost changes which were acknowledged: never served, never written to, and named."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from erp import cli
from erp.kernel import config
from erp.runtime import instance
from erp.store import connections, control, events, router
from erp.store.control import Workspace
from erp.system import upkeep
from erp.system.backups import backups, chain_heads, daily
from erp.system.transfer.duplicating import duplicate
from tests.conftest import Installation, Office
from tests.finance.documents.invoices import invoice
from tests.system.backups.backups import backup, restarted
from tests.system.transfer.exports import export, import_workspace

DAMAGE_TO_THE_LOG: dict[str, Callable[[Path], object]] = {
    "deleted": lambda log: log.unlink(),
    "cut to its header": lambda log: log.write_bytes(log.read_bytes()[:32]),
    "cut in the middle": lambda log: log.write_bytes(log.read_bytes()[: log.stat().st_size // 3]),
    "overwritten": lambda log: log.write_bytes(b"no log at all " * 4000),
    "damaged": lambda log: log.write_bytes(log.read_bytes()[:100] + b"\xa5" + log.read_bytes()[101:]),
}


def note_as_the_server_does(installation: Installation) -> None:
    """What the thread of the server does at least every minute."""
    with config.use(installation.config):
        chain_heads.note_written()


def killed(office: Office, tmp_path: Path) -> Path:
    """The data directory as it is when the server is killed now: the newest changes are in write-ahead logs alone."""
    folder = tmp_path / "killed"
    shutil.copytree(office.installation.config.data_dir, folder)
    router.close_all()
    router.WORKSPACE.written.clear()
    return folder


def books(folder: Path, office: Office) -> Path:
    return folder / "workspaces" / f"{office.workspace_id}.db"


def log_of(file: Path) -> Path:
    return file.with_name(f"{file.name}-wal")


def start(folder: Path, *people: Office) -> list[Office]:
    """Start a server on a data directory; the people, still signed in."""
    again = restarted(folder)
    return [back(again, person) for person in people]


def back(installation: Installation, person: Office) -> Office:
    office = Office(installation, person.email, {"user": person.user, "session": {"token": person.token}})
    office.workspace_id = person.workspace_id
    return office


def numbers(office: Office) -> list[str]:
    return [each["number"] for each in office.ok("GET", "/finance/invoices?sort=number&limit=200")]


def sell(office: Office, count: int) -> None:
    for _ in range(count):
        invoice(office, "100.00")


@pytest.fixture
def sold(acme: Office, stranger: Office) -> Iterator[Office]:
    """Olga has issued five invoices and the server was stopped; since then she has issued ten more."""
    sell(acme, 5)
    note_as_the_server_does(acme.installation)
    router.close_all()
    sell(acme, 10)
    yield acme
    router.close_all()
    router.WORKSPACE.written.clear()


@pytest.mark.parametrize("harm", DAMAGE_TO_THE_LOG)
def test_a_workspace_whose_log_is_lost_is_refused_with_the_reason_and_the_backup_that_helps(
    sold: Office, stranger: Office, tmp_path: Path, harm: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Reliability D10. A log that is cut keeps whole changes at most, and lacks those that were noted."""
    good = backup(sold)["name"]
    folder = killed(sold, tmp_path)
    file = books(folder, sold)
    DAMAGE_TO_THE_LOG[harm](log_of(file))
    before = {path.name: path.read_bytes() for path in file.parent.glob(f"{file.name}*") if path.suffix != ".db-shm"}
    olga, sam = start(folder, sold, stranger)
    olga.refused("GET", "/finance/invoices", status=503, code="unavailable")
    olga.refused("POST", "/finance/contacts", {"kind": "customer", "name": "X"}, status=503, code="unavailable")
    assert sam.ok("GET", "/finance/invoices") == []
    (name,) = [one for one in olga.ok("GET", "/system/info")["workspaces"] if one["id"] == olga.workspace_id]
    assert name["status"] == "unavailable"
    assert "but event 31 was there before. The newest changes were cut off" in name["fault"]
    (warning,) = [each for each in olga.ok("GET", "/system/info")["warnings"] if "Olga's office" in each]
    assert warning.startswith(f"Olga's office is unavailable. {name['fault']} Its last good backup is ")
    assert f"`erp restore {good} --workspace {olga.workspace_id}`" in warning
    (logged,) = [each.getMessage() for each in caplog.records if each.name == "erp.upkeep"]
    assert logged.startswith(f"Workspace Olga's office is unavailable. {name['fault']} Its last good backup is ")
    router.close_all()
    after = {path.name: path.read_bytes() for path in file.parent.glob(f"{file.name}*") if path.suffix != ".db-shm"}
    assert after == before, "nothing was created, nothing written"


def test_after_its_restore_the_workspace_is_served_and_no_number_is_given_twice(sold: Office, tmp_path: Path) -> None:
    good = backup(sold)["name"]
    folder = killed(sold, tmp_path)
    log_of(books(folder, sold)).unlink()
    (olga,) = start(folder, sold)
    olga.ok("POST", f"/system/backups/{good}/restore", {"workspaceId": olga.workspace_id})
    for _ in range(2):
        assert len(numbers(olga)) == 15
        assert olga.ok("GET", "/workspace/events/verify")["isValid"]
        assert olga.ok("GET", "/system/info")["warnings"] == []
        (olga,) = start(folder, olga)
    assert invoice(olga, "1.00")["number"].endswith("-00016")


def test_the_rest_can_be_kept_where_no_backup_has_more(sold: Office, tmp_path: Path) -> None:
    note_as_the_server_does(sold.installation)
    folder = killed(sold, tmp_path)
    log_of(books(folder, sold)).unlink()
    (olga,) = start(folder, sold)
    (warning,) = olga.ok("GET", "/system/info")["warnings"]
    assert "No backup contains it. If only its newest changes are missing, make a backup and restore" in warning
    rest = backup(olga)["name"]
    olga.ok("POST", f"/system/backups/{rest}/restore", {"workspaceId": olga.workspace_id})
    (olga,) = start(folder, olga)
    assert len(numbers(olga)) == 5


def test_a_file_with_another_history_is_refused(sold: Office, tmp_path: Path) -> None:
    """Another program has rewritten the log from an event on, with hashes that fit."""
    note_as_the_server_does(sold.installation)
    router.close_all()
    rewrite(books(sold.installation.config.data_dir, sold))
    (olga,) = start(sold.installation.config.data_dir, sold)
    olga.refused("GET", "/finance/invoices", status=503, code="unavailable")
    (warning,) = olga.ok("GET", "/system/info")["warnings"]
    assert "event 31 is not the one that was there before. The file was replaced, or its log was rewritten" in warning


def rewrite(file: Path) -> None:
    """Forge the newest event, and its hash."""
    with closing(connections.sqlite3.connect(file)) as outside:
        ((seq, *content, previous, _),) = outside.execute(f"{events._CHAIN} DESC LIMIT 1").fetchall()
        content[-1] = '{"forged":true}'
        outside.executescript("DROP TRIGGER event_kept; DROP TRIGGER event_content_kept")
        values = (content[-1], events.link(seq, content, previous), seq)
        outside.execute("UPDATE event SET data = ?, hash = ? WHERE seq = ?", values)
        outside.commit()


def test_an_event_for_a_workspace_that_cannot_be_used_waits(sold: Office, stranger: Office, tmp_path: Path) -> None:
    """A change of its people is recorded in the control file; the file that lost changes gets no new ones."""
    backup(sold)
    folder = killed(sold, tmp_path)
    file = books(folder, sold)
    log_of(file).unlink()
    before = file.read_bytes()
    olga, sam = start(folder, sold, stranger)
    with olga.acting(), control.write():
        events.write_later(olga.workspace_id, "member.updated", "member", "1")
    sam.ok("POST", "/workspace/invites", {"email": "new@example.com", "role": "member"})
    router.close_all()
    assert file.read_bytes() == before
    assert not log_of(file).exists()


def tips(folder: Path) -> dict[str, int]:
    with closing(connections.sqlite3.connect(folder / "control.db")) as outside:
        return dict(outside.execute("SELECT id, tip_seq FROM workspace").fetchall())


def test_a_start_notes_what_a_killed_server_has_written(sold: Office, stranger: Office, tmp_path: Path) -> None:
    folder = killed(sold, tmp_path)
    assert tips(folder)[sold.workspace_id] == 11
    start(folder)
    assert tips(folder) == {sold.workspace_id: 31, stranger.workspace_id: 1}


def test_a_start_never_notes_less_than_was_noted(sold: Office, tmp_path: Path) -> None:
    note_as_the_server_does(sold.installation)
    folder = killed(sold, tmp_path)
    log_of(books(folder, sold)).unlink()
    for _ in range(2):
        start(folder)
        assert tips(folder)[sold.workspace_id] == 31


def test_an_event_that_was_altered_is_never_noted(sold: Office, tmp_path: Path) -> None:
    folder = killed(sold, tmp_path)
    with closing(connections.sqlite3.connect(books(folder, sold))) as outside:
        outside.executescript("DROP TRIGGER event_kept; UPDATE event SET hash = 'x' WHERE seq = 31")
    start(folder)
    assert tips(folder)[sold.workspace_id] == 11


def test_the_thread_of_the_server_notes_what_was_written_and_requests_do_not(sold: Office) -> None:
    folder = sold.installation.config.data_dir
    sell(sold, 1)
    assert tips(folder)[sold.workspace_id] == 11
    rounds = iter([False, True])
    daily.Daily(sold.installation.config).run(lambda seconds: next(rounds))
    assert tips(folder)[sold.workspace_id] == 33
    assert books(folder, sold) not in router.WORKSPACE.written
    assert daily.LOOK_EVERY < 60


def test_what_cannot_be_noted_now_is_noted_the_next_time(
    sold: Office, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*head: object) -> None:
        raise connections.sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as full:
        full.setattr(chain_heads, "note", fail)
        note_as_the_server_does(sold.installation)
    assert "could not be noted: database or disk is full" in caplog.text
    note_as_the_server_does(sold.installation)
    assert tips(sold.installation.config.data_dir)[sold.workspace_id] == 31


def test_a_new_workspace_and_a_copy_are_noted_as_well(acme: Office) -> None:
    with acme.acting():
        copy, _ = duplicate(acme.workspace_id)
    note_as_the_server_does(acme.installation)
    noted = tips(acme.installation.config.data_dir)
    assert noted == {acme.workspace_id: 1, copy: 2}


def test_a_restore_of_everything_is_served_even_if_the_backup_lacked_changes(sold: Office, tmp_path: Path) -> None:
    """A person who restores a backup gets what it holds; later backups do not count against it."""
    earlier = backup(sold)["name"]
    sell(sold, 2)
    backup(sold)
    sold.ok("POST", f"/system/backups/{earlier}/restore")
    folder = sold.installation.config.data_dir
    again = restarted(folder)
    with config.use(again.config), control.read():
        workspace = Workspace.find(sold.workspace_id)
    assert (workspace.status, workspace.tip_seq) == ("active", 31)


def test_after_a_crash_no_backup_of_another_life_speaks_against_a_workspace_that_was_imported_again(
    acme: Office, stranger: Office, tmp_path: Path
) -> None:
    sell(stranger, 1)
    file = export(stranger, tmp_path / "export.zip")
    sell(stranger, 3)
    backup(acme)
    folder = acme.installation.config.data_dir
    router.close_all()
    with config.use(acme.installation.config), control.write():
        Workspace.delete().where(Workspace.id == stranger.workspace_id).execute()
    books(folder, stranger).unlink()
    import_workspace(file, acme.installation)
    router.close_all()
    upkeep.prepare(acme.installation.config, after_crash=True)
    (sam,) = start(folder, stranger)
    assert len(numbers(sam)) == 1


def test_each_file_is_whole_by_itself_after_a_start_and_after_a_stop(
    sold: Office, stranger: Office, tmp_path: Path
) -> None:
    folder = killed(sold, tmp_path)
    start(folder)  # no one opens a workspace
    copied = tmp_path / "copied"
    shutil.copytree(folder, copied, ignore=shutil.ignore_patterns("*-wal", "*-shm", "control.db*"))
    shutil.copy(folder / "control.db", copied)
    assert not list((folder / "workspaces").glob("*-wal"))
    (olga,) = start(copied, sold)
    assert len(numbers(olga)) == 15


def refused_start(folder: Path) -> str:
    """Why a server does not start on a data directory."""
    settings = config.Config(data_dir=folder)
    instance.prepare(settings)
    with pytest.raises(instance.CannotStart) as refusal, instance.hold(settings):
        pass
    return str(refusal.value)


@pytest.fixture
def first_session(installation: Installation) -> Office:
    """Olga, in the first session of a server: everything stands in the logs of its files."""
    installation.past = None  # nothing is copied, so that nothing is moved out of the logs
    return installation.office("Olga")


def test_a_control_file_without_users_beside_workspaces_is_refused_and_nothing_is_moved(
    first_session: Office, tmp_path: Path
) -> None:
    folder = killed(first_session, tmp_path)
    log_of(folder / "control.db").unlink()
    reason = (
        "holds workspaces, but control.db lists no users, so the server would look new. Put the file back, together"
    )
    assert f"{folder} {reason} with the -wal file that was beside it, restore a backup with" in refused_start(folder)
    assert books(folder, first_session).exists()
    assert not (folder / "quarantine").exists()


def test_the_refusal_names_the_newest_good_backup_and_it_can_be_restored(first_session: Office, tmp_path: Path) -> None:
    good = backup(first_session)["name"]
    folder = killed(first_session, tmp_path)
    log_of(folder / "control.db").unlink()
    assert f"restore a backup with `erp restore {good}`, or name another folder" in refused_start(folder)
    assert cli.main(["restore", good, "--data-dir", str(folder)]) == 0
    assert restarted(folder).call("GET", "/auth/register").json["data"]["mode"] != "setup"


@pytest.mark.parametrize("made", ["by hand", "at night"])
def test_a_backup_notes_the_newest_event(sold: Office, made: str) -> None:
    with sold.acting():
        backups.make("daily" if made == "at night" else "manual")
    assert tips(sold.installation.config.data_dir)[sold.workspace_id] == 31
