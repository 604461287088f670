"""What the tests of backups have in common: an office with something to lose, and what it would miss."""

import shutil
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from erp.kernel import config
from erp.runtime import instance
from erp.store import connections, router
from erp.system.backups import archive, backups
from erp.system.backups.manifest import FileEntry, Manifest
from tests.conftest import PASSWORD, Installation, Office
from tests.finance.documents.invoices import invoice
from tests.finance.payments.payments import payment
from tests.finance.reports.trees import unproven

JOURNAL = {
    "date": "2026-03-02",
    "description": "Rent",
    "lines": [{"accountId": "6100", "debit": "9.50"}, {"accountId": "1010", "credit": "9.50"}],
}


def trade(office: Office, amount: str = "100.00") -> None:
    """Issue an invoice and take half of it."""
    sold = invoice(office, amount)
    payment(office, "50.00", invoiceId=sold["id"])


def figures(office: Office) -> dict[str, Any]:
    """What must be the same after a restore, whatever the day: the trial balance, and the end of the log."""
    chain = office.ok("GET", "/workspace/events/verify")
    assert chain["isValid"], chain
    balances = unproven(office.ok("GET", "/finance/reports/trial-balance?date=2099-12-31"))
    return {"balances": balances, "tip": chain["tip"], "seq": chain["events"]}


def backup(office: Office) -> dict[str, Any]:
    """Make a backup as the instance admin does."""
    made: dict[str, Any] = office.ok("POST", "/system/backups")
    return made


def file_of(office: Office, name: str) -> Path:
    """Where a backup lies."""
    return office.installation.config.backups_dir / name


def contents_of(office: Office) -> set[str]:
    """What lies in the folder of backups."""
    return {path.name for path in office.installation.config.backups_dir.iterdir()} - {".lock"}


def restarted(folder: Path) -> Installation:
    """A server that is started on a data directory, after another has ended."""
    router.close_all()
    settings = config.Config(data_dir=folder)
    instance.prepare(settings)
    with instance.hold(settings) as held:
        installation = Installation(folder)
        held.checked()
    return installation


def back_again(installation: Installation, person: Office) -> Office:
    """A person who signs in again."""
    answer = installation.call("POST", "/auth/sign-in/email", {"email": person.email, "password": PASSWORD})
    assert answer.status_code == 200, answer.text
    office = Office(installation, person.email, answer.json["data"])
    office.select(person.workspace_id)
    return office


def verdict(office: Office, name: str) -> list[str]:
    """What is wrong with a backup."""
    found: list[str] = office.ok("POST", f"/system/backups/{name}/verify")["problems"]
    return found


def rewritten(source: Path, target: Path, change: Any = None, **members: bytes) -> Path:
    """A zip with the members of another, some of them replaced or added, and the manifest changed."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        content = {name: old.read(name) for name in old.namelist()} | members
        if change is not None:
            manifest = msgspec.json.decode(content[archive.MANIFEST])
            change(manifest)
            content[archive.MANIFEST] = msgspec.json.encode(manifest)
        for name, data in content.items():
            new.writestr(name, data)
    return target


def with_database(good: Path, bad: Path, office: Office, *changes: str) -> Path:
    """A backup in which someone changed a workspace's database, and the manifest to match."""
    entry = f"workspaces/{office.workspace_id}.db"
    folder = good.parent.parent / "unpacked"
    archive.unpack(good, folder)
    with closing(connections.sqlite3.connect(folder / entry, isolation_level=None)) as connection:
        for sql in changes:
            connection.execute(sql)
    content = (folder / entry).read_bytes()

    def fit(manifest: Any) -> None:
        facts = {"size": len(content), "sha256": archive.sha256(folder / entry)}
        next(each for each in manifest["files"] if each["name"] == entry).update(facts)

    return rewritten(good, bad, fit, **{entry: content})


def put_back_by_hand(saved: Path, place: Path) -> None:
    """Copy an older file over a database that no one has open, as no one should."""
    router.close_all()
    for ending in ("-wal", "-shm"):
        place.with_name(place.name + ending).unlink(missing_ok=True)
    shutil.copyfile(saved, place)


def manifest_of(path: Path) -> Manifest:
    """The manifest of a backup."""
    return archive.read_manifest(path)


def entry_of(manifest: Manifest, office: Office) -> FileEntry:
    """The workspace's file in a backup."""
    entry = manifest.workspace(office.workspace_id)
    assert entry is not None
    return entry


def latest_good(office: Office, workspace_id: str | None = None) -> str | None:
    """The name of the newest good backup."""
    with config.use(office.installation.config):
        found = backups.latest_good(workspace_id)
    return found.name if found else None
