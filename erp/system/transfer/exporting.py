"""A workspace as one file: its database, and the people whom its records name, to be taken up by any installation.

No passwords, sessions, tokens, invites or calendar addresses leave the installation, nor e-mail addresses of those
who are no members.
"""

import re
from pathlib import Path

from erp import __version__
from erp.kernel import clock, config
from erp.kernel.errors import AlreadyExists, NotFound
from erp.migrations import Connection
from erp.store import control, events
from erp.store.control import Member, User, Workspace
from erp.system.backups import archive, snapshot
from erp.system.backups.exclusive import exclusively, work_folder
from erp.system.backups.manifest import FORMAT, FileEntry, Manifest, MemberEntry, workspace_file
from erp.system.transfer import registration, user_ids


def export(workspace_id: str, target: Path) -> Path:
    """Write a workspace, as it is at this moment, to a file, which is then read again and checked.

    Its log tells of it before anything leaves.

    Args:
        target: the file, which does not exist yet, or the folder in which it gets a name of its own.

    Raises:
        NotFound: there is no such workspace, or no such folder.
        AlreadyExists: there is such a file.
        Unavailable, Unsound: the workspace's file is damaged.
        StorageFull: the disk has no room for it.
        BackupUnderWay: a backup or restore is being made.
    """
    workspace = registration.find_usable(workspace_id)
    file = _place(target, workspace.name)
    with exclusively(), work_folder(config.current().backups_dir) as folder:
        events.deliver(workspace_id)
        with control.open_workspace(workspace_id, write=True):
            events.write("workspace.exported", "workspace", workspace_id, {"file": file.name})
        archive.write(file, _copy(workspace, folder), folder)
    return file


def _place(target: Path, name: str) -> Path:
    if target.is_dir():
        simple = re.sub(r"[^\w]+", "-", name).strip("-").lower() or "workspace"
        target = target / f"{simple[:60]}-{clock.now().date()}.erp.zip"
    if target.exists():
        raise AlreadyExists(f"{target} exists already; name another file.")
    if not target.parent.is_dir():
        raise NotFound(f"There is no folder {target.parent}.")
    return target


def _copy(workspace: Workspace, folder: Path) -> Manifest:
    """Copy a workspace's file to a folder; what is to be told of the copy, and of the people."""
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
        tip=report.tip,
        workspace_id=workspace.id,
        workspace_name=workspace.name,
    )
    return Manifest(FORMAT, "workspace", __version__, clock.stamp(), [entry], people)


def _people(workspace_id: str, connection: Connection) -> list[MemberEntry]:
    """The members, and everybody else whom the file names, by name alone."""
    with control.read():
        members = {row.user_id: row for row in Member.select().where(Member.workspace == workspace_id)}
        users = list(User.select(User.id, User.name, User.email).order_by(User.id))
    named = user_ids.named(connection, [user.id for user in users])
    return [_member(user, members.get(user.id)) for user in users if user.id in named | members.keys()]


def _member(user: User, member: Member | None) -> MemberEntry:
    if member is None:
        return MemberEntry(user.id, user.name)
    return MemberEntry(user.id, user.name, user.email, member.role, member.status)
