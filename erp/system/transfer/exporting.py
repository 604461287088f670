"""A workspace as one file, for any installation to import: its database, and the people in its records.

Passwords, sessions, tokens, invites, calendar addresses and the e-mail addresses of non-members do not leave the
installation.
"""

import re
from pathlib import Path

from erp import __version__
from erp.kernel import clock, config
from erp.kernel.errors import AlreadyExists, NotFound
from erp.kernel.language import verbatim
from erp.migrations import Connection
from erp.store import control, events
from erp.store.control import Member, User, Workspace
from erp.system.backups import archive, snapshot
from erp.system.backups.exclusive import exclusively, work_folder
from erp.system.backups.manifest import FORMAT, FileEntry, Manifest, MemberEntry, workspace_file
from erp.system.transfer import registration, user_ids


def export(workspace_id: str, target: Path) -> Path:
    """Write a workspace, as it is now, to a file, and read the file back to check it.

    The workspace's log records the export before anything is written.

    Args:
        target: a file that does not exist yet, or a folder, in which the file is named after the workspace and day.

    Raises:
        NotFound: there is no such workspace or folder.
        AlreadyExists: the file exists.
        Unavailable, Unsound: the workspace's file is damaged.
        SampleData: it is a sample.
        StorageFull: the disk has no room for it.
        BackupUnderWay: a backup or restore is under way.
    """
    workspace = registration.find_own(workspace_id)
    file = _target_file(target, workspace.name)
    with exclusively(), work_folder(config.current().backups_dir) as folder:
        events.deliver(workspace_id)
        with control.open_workspace(workspace_id, write=True):
            events.write("workspace.exported", "workspace", workspace_id, {"file": file.name})
        archive.write(file, _copy(workspace, folder), folder)
    return file


def simple_name(name: str) -> str:
    """A file name from a workspace's name."""
    return (re.sub(r"[^\w]+", "-", name).strip("-").lower() or "workspace")[:60]


def _target_file(target: Path, name: str) -> Path:
    if target.is_dir():
        target = target / f"{simple_name(name)}-{clock.now().date()}.erp.zip"
    if target.exists():
        raise AlreadyExists(verbatim(f"{target} already exists. Name another file."))
    if not target.parent.is_dir():
        raise NotFound(verbatim(f"There is no folder {target.parent}."))
    return target


def _copy(workspace: Workspace, folder: Path) -> Manifest:
    """Copy a workspace's file to a folder; the manifest describes the copy and the people."""
    name = workspace_file(workspace.id)
    copy = folder / name
    copy.parent.mkdir()
    snapshot.take(control.workspace_path(workspace.id), copy)
    with registration.editing(copy) as connection:
        people = _people(workspace.id, connection)
    report = registration.check(copy)
    entry = FileEntry(
        name=name,
        size=copy.stat().st_size,
        sha256=archive.sha256(copy),
        schema=report.schema,
        seq=report.seq,
        head_hash=report.head_hash,
        workspace_id=workspace.id,
        workspace_name=workspace.name,
    )
    return Manifest(FORMAT, "workspace", __version__, clock.stamp(), [entry], people)


def _people(workspace_id: str, connection: Connection) -> list[MemberEntry]:
    """The members, and by name alone every other person in the file."""
    with control.read():
        members = {row.user_id: row for row in Member.select().where(Member.workspace == workspace_id)}
        users = list(User.select(User.id, User.name, User.email).order_by(User.id))
    mentioned = user_ids.mentioned(connection, [user.id for user in users])
    erased = {id for (id,) in connection.execute("SELECT id FROM person WHERE is_erased = 1")}
    named = mentioned - erased | members.keys()
    return [_member(user, members.get(user.id)) for user in users if user.id in named]


def _member(user: User, member: Member | None) -> MemberEntry:
    if member is None:
        return MemberEntry(user.id, user.name)
    has_ended = member.access_ends_at is not None and member.access_ends_at <= clock.stamp()
    return MemberEntry(user.id, user.name, user.email, member.role, "suspended" if has_ended else member.status)
