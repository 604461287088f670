"""Taking up an exported workspace: everything is checked first, and nobody sees it before it is whole.

Its members are those who have a user with the same e-mail address here; their records follow them. The others stay
in its history by name.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from erp.kernel.errors import AlreadyExists, NotFound
from erp.migrations import Connection, migrate
from erp.migrations import workspace as schema
from erp.store import control, events
from erp.store.connections import sqlite3
from erp.store.control import Workspace
from erp.system.backups import archive
from erp.system.backups.archive import BadBackup
from erp.system.backups.manifest import FileEntry, Manifest, MemberEntry
from erp.system.transfer import members as seating
from erp.system.transfer import registration, user_ids
from erp.system.transfer.registration import Seat
from erp.workspace import provision


@dataclass(frozen=True, slots=True)
class Imported:
    """A workspace that was taken up: who its members are here, and which of the former ones are not."""

    id: str
    name: str
    members: list[Seat]
    left_behind: list[MemberEntry]


def bring_in(path: Path, owner_email: str | None = None) -> Imported:
    """Take up the workspace that a file holds.

    Args:
        owner_email: the user who is to own it, whoever else does.

    Raises:
        BadBackup: the file is no export, or damaged.
        AlreadyExists: the workspace is here already.
        Unsound: what it holds is not in order.
        NotFound: there is no such file, or no such owner.
        NoOwner: nobody is here to own it.
        StorageFull: the disk has no room for it.
    """
    if not path.is_file():
        raise NotFound(f"There is no file {path}.")
    manifest = archive.read_manifest(path)
    entry = _the_workspace(manifest, path)
    id, name = entry.workspace_id or "", registration.checked_name(entry.workspace_name or "Workspace")
    _refuse_present(id)
    with _extracted(path, entry) as new:
        _bring_up_to_date(new)
        registration.check(new, (entry.seq, entry.tip or ""))
        seats = seating.seats(manifest.members, owner_email)
        imported = Imported(id, name, seats, _left_behind(manifest.members, seats))
        owner = next(seat.user_id for seat in seats if seat.role == "owner")
        with registration.adopting(id, name, owner, seats), registration.editing(new) as connection:
            _settle(connection, imported, manifest.members)
    return imported


def _the_workspace(manifest: Manifest, path: Path) -> FileEntry:
    if manifest.kind != "workspace":
        raise BadBackup(f"{path.name} is a backup of a whole installation; `erp restore` puts it back.")
    for entry in manifest.files:
        if len(manifest.files) == 1 and entry.workspace_id and manifest.workspace(entry.workspace_id) is entry:
            return entry
    raise BadBackup(f"{path.name} does not hold one workspace.")


def _refuse_present(workspace_id: str) -> None:
    with control.read():
        present = Workspace.find_or_none(workspace_id)
    if present is not None:
        raise AlreadyExists(
            f"This workspace is here already, as {present.name}. For a second one, `erp workspace duplicate "
            f"{workspace_id}` copies it as it is now; to go back to an earlier state, restore it from a backup."
        )


@contextmanager
def _extracted(path: Path, entry: FileEntry) -> Iterator[Path]:
    """Unpack the workspace's file to where the next start would remove it; nothing is left when the block fails."""
    new = provision.new_path(str(entry.workspace_id))
    if new.exists():
        raise AlreadyExists("This workspace is being imported by somebody else at this moment.")
    try:
        archive.extract(path, entry.name, new)
        yield new
    except BaseException:
        for leftover in new.parent.glob(f"{new.name}*"):
            leftover.unlink()
        raise


def _bring_up_to_date(new: Path) -> None:
    """Take the schema steps that the file lacks.

    Raises:
        BadBackup: they cannot be taken.
    """
    with closing(sqlite3.connect(str(new), isolation_level=None)) as connection:
        connection.execute("PRAGMA trusted_schema = 0")
        try:
            migrate(connection, schema.STEPS)
        except sqlite3.Error as problem:
            raise BadBackup(f"The workspace's file cannot be read: {problem}.") from problem


def _left_behind(people: Sequence[MemberEntry], seats: Sequence[Seat]) -> list[MemberEntry]:
    present = {former for seat in seats for former in seat.former_ids}
    return [person for person in people if person.role is not None and person.user_id not in present]


def _settle(connection: Connection, imported: Imported, people: Sequence[MemberEntry]) -> None:
    """Name the people as they are known here, and tell the workspace's log of it."""
    others = {former: seat.user_id for seat in imported.members for former in seat.former_ids}
    user_ids.replace(connection, {old: new for old, new in others.items() if old != new})
    connection.executemany(
        "INSERT INTO person (id, name) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name",
        [(person.user_id, person.name) for person in people],
    )
    present = [seat.user_id for seat in imported.members]
    stopped = connection.execute(
        f"DELETE FROM timer WHERE user_id NOT IN ({', '.join('?' * len(present))}) RETURNING user_id", present
    ).fetchall()
    told = _told(imported) | {"discardedTimers": len(stopped)}
    events.write_into(connection, "workspace.imported", "workspace", imported.id, told)


def _told(imported: Imported) -> dict[str, Any]:
    members = [
        {"userId": seat.user_id, "name": seat.name, "role": seat.role, "formerUserIds": list(seat.former_ids)}
        for seat in imported.members
    ]
    left = [{"userId": person.user_id, "name": person.name} for person in imported.left_behind]
    return {"name": imported.name, "members": members, "leftBehind": left}
