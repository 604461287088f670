"""Importing an exported workspace: everything is checked first, and no one sees it before it is complete.

Its members are the former members who have a user with the same e-mail address here; their records follow them. The
others stay in its history by name. Its webhooks are off, because the installation it comes from may still be sending.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import msgspec

from erp.kernel.errors import AlreadyExists, NotFound
from erp.kernel.language import verbatim
from erp.mail import sealing, settings, tries
from erp.migrations import WORKSPACE_SCHEMA, Connection, SchemaProblem
from erp.share_links import links
from erp.store import connections, control, engine, events, sql
from erp.store.connections import STORAGE_ERRORS
from erp.store.control import Workspace
from erp.system.backups import archive
from erp.system.backups.archive import BadBackup
from erp.system.backups.manifest import FileEntry, Manifest, MemberEntry
from erp.system.checks.chain import NotedHead
from erp.system.transfer import members, registration, user_ids
from erp.system.transfer.registration import LocalMember
from erp.webhooks import webhooks
from erp.workspace import provision


class Imported(msgspec.Struct, frozen=True):
    """An imported workspace, with its members here and the former members without a user here."""

    id: str
    name: str
    members: list[LocalMember]
    left_behind: list[MemberEntry]


def import_workspace(path: Path, owner_email: str | None = None) -> Imported:
    """Import the workspace in a file.

    Args:
        owner_email: a user to make an owner, in addition to those it has.

    Raises:
        BadBackup: the file is not an export, or is damaged.
        AlreadyExists: the workspace is in this installation already.
        Unsound: the workspace's database has problems.
        NotFound: there is no such file, or no such owner.
        NoOwner: no user here can own it.
        StorageFull: the disk has no room for it.
    """
    if not path.is_file():
        raise NotFound(verbatim(f"There is no file {path}."))
    manifest = archive.read_manifest(path)
    entry = _single_entry(manifest, path)
    id, name = entry.workspace_id or "", registration.valid_name(entry.workspace_name or "Workspace")
    _refuse_present(id)
    with _extracted(path, entry) as new:
        _bring_up_to_date(new)
        registration.check(new, NotedHead(entry.seq, entry.head_hash or "", "its manifest"))
        local = members.match(manifest.members, owner_email)
        imported = Imported(id, name, local, _left_behind(manifest.members, local))
        owner_user_id = next(member.user_id for member in local if member.role == "owner")
        with registration.registering(id, name, owner_user_id, local), registration.editing(new) as connection:
            rename_people(connection, imported, manifest.members)
    return imported


def _single_entry(manifest: Manifest, path: Path) -> FileEntry:
    if manifest.kind != "workspace":
        raise BadBackup(verbatim(f"{path.name} is a backup of a whole installation. Use `erp restore` for it."))
    for entry in manifest.files:
        if len(manifest.files) == 1 and entry.workspace_id and manifest.workspace(entry.workspace_id) is entry:
            return entry
    raise BadBackup(verbatim(f"{path.name} does not contain exactly one workspace."))


def _refuse_present(workspace_id: str) -> None:
    with control.read():
        present = Workspace.find_or_none(workspace_id)
    if present is not None:
        raise AlreadyExists(
            verbatim(
                f"This workspace is here already, as {present.name}. For a second one, copy it with `erp workspace "
                f"duplicate {workspace_id}`. For an earlier state, restore it from a backup."
            )
        )


@contextmanager
def _extracted(path: Path, entry: FileEntry) -> Iterator[Path]:
    """Unpack the workspace's file to a place that the next start cleans up; if the block fails, it is removed now."""
    new = provision.new_path(str(entry.workspace_id))
    if new.exists():
        raise AlreadyExists(verbatim("Someone else is importing this workspace now."))
    try:
        archive.extract(path, entry.name, new)
        yield new
    except BaseException:
        for leftover in new.parent.glob(f"{new.name}*"):
            leftover.unlink()
        raise


def _bring_up_to_date(new: Path) -> None:
    """Take the missing schema steps.

    Raises:
        BadBackup: the file cannot be read.
    """
    try:
        with closing(connections.connect_alone(new)) as connection:
            engine.bring_up_to_date(connection, WORKSPACE_SCHEMA)
    except SchemaProblem as problem:
        raise BadBackup(verbatim(f"The workspace's file cannot be used: {problem}.")) from problem
    except STORAGE_ERRORS as problem:
        raise BadBackup(verbatim(f"The workspace's file cannot be read: {problem}.")) from problem


def _left_behind(people: Sequence[MemberEntry], local: Sequence[LocalMember]) -> list[MemberEntry]:
    present = {former for member in local for former in member.former_ids}
    return [person for person in people if person.role is not None and person.user_id not in present]


def rename_people(connection: Connection, imported: Imported, people: Sequence[MemberEntry]) -> None:
    """Replace the ids of former members by their users' ids here, and record that in the workspace's log."""
    new_ids = {former: member.user_id for member in imported.members for former in member.former_ids}
    user_ids.replace(connection, {old: new for old, new in new_ids.items() if old != new})
    connection.executemany(
        "INSERT INTO person (id, name) VALUES (?, ?)"
        " ON CONFLICT (id) DO UPDATE SET name = excluded.name WHERE NOT is_erased",
        [(person.user_id, person.name) for person in people],
    )
    webhooks.switch_off_copies(connection)
    tries.doubt_copies(connection)
    settings.forget_password(connection)
    sealing.forget_foreign(connection)
    links.switch_off_copies(connection)
    present = sql.array(member.user_id for member in imported.members)
    query = "DELETE FROM timer WHERE user_id NOT IN (SELECT value FROM json_each(?)) RETURNING user_id"
    discarded = connection.execute(query, (present,)).fetchall()
    data = _event_data(imported) | {"discardedTimers": len(discarded)}
    events.write_into(connection, "workspace.imported", "workspace", imported.id, data)


def _event_data(imported: Imported) -> dict[str, Any]:
    local = [
        {"userId": member.user_id, "name": member.name, "role": member.role, "formerUserIds": list(member.former_ids)}
        for member in imported.members
    ]
    left_behind = [{"userId": person.user_id, "name": person.name} for person in imported.left_behind]
    return {"name": imported.name, "members": local, "leftBehind": left_behind}
