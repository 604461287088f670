"""A workspace leaves the installation as a file: all of it, and nothing that is not its own."""

import threading
from pathlib import Path

import pytest

from erp.finance.books import ledger
from erp.kernel.errors import AlreadyExists, NotFound, Refusal, Unavailable
from erp.store import control, events, router
from erp.store.control import Workspace
from erp.system.backups import archive
from erp.system.backups.exclusive import exclusively
from erp.system.checks import files as checking
from erp.system.checks.files import Report
from erp.system.transfer import exporting
from erp.system.transfer.registration import Unsound
from tests.conftest import Installation, Office
from tests.system.transfer.exports import NOW, Busy, at_the_command_line, export, tables, unpacked

JOURNAL = {
    "date": "2026-03-02",
    "description": "Rent",
    "lines": [{"accountId": "6100", "debit": "5.00"}, {"accountId": "1010", "credit": "5.00"}],
}


def logged(office: Office, type: str) -> list[dict[str, object]]:
    return [dict(each) for each in office.ok("GET", "/workspace/events", params={"type": type})]


def test_an_export_holds_the_workspace_its_members_and_by_name_alone_whom_else_its_records_name(
    installation: Installation, tmp_path: Path, clock_at
) -> None:
    clock_at(NOW)
    busy = Busy(installation)
    installation.newcomer("Nobody")
    file = export(busy.olga, tmp_path)
    assert file.name == "olga-s-office-2026-03-11.erp.zip"
    manifest = archive.read_manifest(file)
    assert (manifest.kind, [entry.workspace_name for entry in manifest.files]) == ("workspace", ["Olga's office"])
    assert [(each.name, each.email, each.role) for each in manifest.members] == [
        ("Olga", busy.olga.email, "owner"),
        ("Manager", busy.max.email, "manager"),
        ("Admin", busy.hanna.email, "admin"),
        ("Member", busy.maria.email, "member"),
        ("Viewer", None, None),
    ]
    copy = unpacked(file, tmp_path / "unpacked")
    assert checking.workspace_file(copy).problems == []
    with busy.olga.books():
        live = router.WORKSPACE.rows("SELECT * FROM event ORDER BY seq")
    assert sorted(live, key=repr) == tables(copy)["event"]


def test_no_secret_leaves_with_an_export(acme: Office, tmp_path: Path) -> None:
    colleague = acme.colleague("member")
    acme.ok("POST", "/workspace/invites", {"email": "invited@example.com", "role": "member"})
    secret = acme.ok("POST", "/tasks/calendar-address", {})["url"].rpartition("/")[2]
    contact = {"kind": "customer", "name": "Initech"}
    acme.ok("POST", "/finance/contacts", contact, headers={"Idempotency-Key": "key-of-the-answer"})
    with acme.acting(), control.read():
        kept = [
            hash
            for (hash,) in router.CONTROL.rows('SELECT token_hash FROM session UNION SELECT password_hash FROM "user"')
        ]
        kept += [
            hash
            for (hash,) in router.CONTROL.rows(
                "SELECT token_hash FROM calendar_address UNION SELECT token_hash FROM invite"
            )
        ]
    file = export(acme, tmp_path)
    copy = unpacked(file, tmp_path / "unpacked")
    content = copy.read_bytes() + archive.read_manifest(file).__repr__().encode()
    assert len(kept) >= 5
    for each in (*kept, secret, acme.token, colleague.token, "key-of-the-answer"):
        assert each.encode() not in content
    assert tables(copy)["idempotency"] == []


def test_the_log_of_the_workspace_and_of_the_copy_tell_of_the_export(acme: Office, tmp_path: Path) -> None:
    file = export(acme, tmp_path / "acme.zip")
    (event,) = logged(acme, "workspace.exported")
    assert event["data"] == {"file": "acme.zip"}
    assert event["actor"] == {"id": "", "name": "erp command line", "sessionId": "", "requestId": ""}
    assert archive.read_manifest(file).files[0].head_hash == event["hash"]


def test_exports_made_while_the_office_works_are_each_the_state_of_one_moment(acme: Office, tmp_path: Path) -> None:
    done = threading.Event()

    def post() -> None:
        while not done.is_set():
            acme.ok("POST", "/finance/journals", JOURNAL)

    writers = [threading.Thread(target=post) for _ in range(2)]
    for writer in writers:
        writer.start()
    try:
        files = [export(acme, tmp_path / f"{n}.zip") for n in range(4)]
    finally:
        done.set()
        for writer in writers:
            writer.join()
    counts = []
    for file in files:
        copy = unpacked(file, tmp_path / file.stem)
        assert checking.workspace_file(copy).problems == []
        with router.WORKSPACE.inspect(copy):
            assert events.verify(ledger.entry_hash).reason is None
        counts.append(len(tables(copy)["journal_entry"]))
    assert counts == sorted(counts)
    page = acme.call("GET", "/finance/journals", params={"limit": 1, "total": "true"}).json["page"]
    assert page["total"] >= counts[-1]


def test_an_archived_workspace_can_be_exported(acme: Office, tmp_path: Path) -> None:
    acme.ok("POST", f"/workspace/{acme.workspace_id}/archive")
    assert export(acme, tmp_path).exists()


def test_an_export_never_takes_the_place_of_a_file(acme: Office, tmp_path: Path) -> None:
    (tmp_path / "acme.zip").write_text("precious")
    with pytest.raises(AlreadyExists, match="acme.zip already exists"):
        export(acme, tmp_path / "acme.zip")
    assert (tmp_path / "acme.zip").read_text() == "precious"
    with pytest.raises(NotFound, match="There is no folder"):
        export(acme, tmp_path / "nowhere" / "acme.zip")
    assert logged(acme, "workspace.exported") == []


def test_what_is_not_there_or_cannot_be_used_is_not_exported(acme: Office, tmp_path: Path) -> None:
    with at_the_command_line(acme.installation):
        with pytest.raises(NotFound, match="There is no workspace 1234"):
            exporting.export("1234", tmp_path)
        with control.write():
            Workspace.update(fault="Its file is missing.").execute()
    with pytest.raises(Unavailable, match=r"Olga's office is unavailable\. Its file is missing"):
        export(acme, tmp_path)


def test_an_export_waits_for_no_backup_but_says_that_one_is_being_made(acme: Office, tmp_path: Path) -> None:
    with at_the_command_line(acme.installation), exclusively(), pytest.raises(Refusal, match="under way"):
        exporting.export(acme.workspace_id, tmp_path)
    assert logged(acme, "workspace.exported") == []


@pytest.mark.parametrize(
    "step", ["snapshot.take", "registration.check", "archive.sha256", "archive.write", "archive.check"]
)
def test_an_export_that_fails_leaves_no_file(
    acme: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def fail(*arguments: object) -> None:
        raise OSError("no")

    module, name = step.split(".")
    monkeypatch.setattr(getattr(exporting, module), name, fail)
    (tmp_path / "to").mkdir()
    with pytest.raises(OSError, match="no"):
        export(acme, tmp_path / "to")
    assert list((tmp_path / "to").iterdir()) == []
    assert [path.name for path in acme.installation.config.backups_dir.iterdir()] == [".lock"]


def test_a_damaged_workspace_is_not_exported_as_if_it_were_sound(
    acme: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Report("workspace", problems=["Event 2 was altered."])
    monkeypatch.setattr(checking, "workspace_file", lambda path, **options: found)
    with pytest.raises(Unsound, match=r"cannot be used: Event 2 was altered\.$"):
        export(acme, tmp_path / "acme.zip")
    assert not (tmp_path / "acme.zip").exists()
