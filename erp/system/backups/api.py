"""The installation's backups, for whoever looks after it."""

from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta

from erp.kernel import config
from erp.kernel.errors import NotFound, StorageFull
from erp.system.backups import backups, staging, workspace_restore
from erp.system.backups.archive import BadBackup
from erp.system.backups.backups import Backup
from erp.system.backups.copying import CannotBackUp
from erp.system.backups.exclusive import BackupUnderWay
from erp.system.backups.manifest import FileEntry, Skipped
from erp.web.endpoint import endpoint
from erp.web.scalars import Id, Instant
from erp.web.schema import Body, File, View

BackupKind = Literal["daily", "manual", "before-migration", "before-restore"]


class RestoreBackup(Body):
    """What is to be restored: one workspace, or everything where none is named."""

    EXAMPLE: ClassVar[dict[str, Any]] = {}

    workspace_id: Id | None = None


class BackedUpView(View):
    """A workspace's file in a backup; `seq` is the place of its newest event in its log."""

    id: str
    name: str
    seq: int
    size: int

    @classmethod
    def of(cls, entry: FileEntry) -> "BackedUpView":
        """Show an entry of a manifest."""
        return cls(id=entry.workspace_id or "", name=entry.workspace_name or "", seq=entry.seq, size=entry.size)


class LeftOutView(View):
    """A workspace that a backup does not hold, or not wholly, and why."""

    id: str
    name: str
    reason: str

    @classmethod
    def of(cls, skipped: Skipped) -> "LeftOutView":
        """Show an entry of a manifest."""
        return cls(id=skipped.workspace_id, name=skipped.workspace_name, reason=skipped.reason)


class BackupView(View):
    """A backup file; `size` is in bytes, `program` the version that made it."""

    name: str
    kind: BackupKind | None
    created_at: Instant | None
    size: int
    program: str | None
    workspaces: list[BackedUpView]
    skipped: list[LeftOutView]
    doubtful: Annotated[list[LeftOutView], Meta(description="Their file is in it, but has lost changes.")]
    problem: Annotated[str | None, Meta(description="Why the file cannot be read.")]
    is_staged: Annotated[bool, Meta(description="Whether it is put in place at the next start.")]

    @property
    def id(self) -> str:
        """The last part of its address."""
        return self.name

    @classmethod
    def of(cls, backup: Backup, staged: str | None = None) -> "BackupView":
        """Show a backup."""
        told = backup.manifest
        return cls(
            name=backup.name,
            kind=None if told.kind == "workspace" else told.kind,
            created_at=told.created_at,
            size=backup.size,
            program=told.program,
            workspaces=[BackedUpView.of(entry) for entry in told.files if entry.workspace_id],
            skipped=[LeftOutView.of(each) for each in told.skipped],
            doubtful=[LeftOutView.of(each) for each in told.doubtful],
            problem=None,
            is_staged=backup.name == staged,
        )


class CheckView(View):
    """What checking a backup found: nothing where it can be restored."""

    name: str
    is_good: bool
    problems: list[str]


class RestoreView(View):
    """What was restored, or will be."""

    backup: str
    workspace_id: str | None
    is_done: Annotated[bool, Meta(description="False: it is put in place when the server is started the next time.")]
    kept: Annotated[str | None, Meta(description="The backup of the present data, which was made first.")]


def list_all() -> list[BackupView]:
    """Every file in the folder of backups: the newest first, then those that cannot be read."""
    staged = staging.staged_name(config.current().data_dir)
    broken = [_broken(path.name, path.stat().st_size, problem) for path, problem in backups.unreadable()]
    return [*(BackupView.of(each, staged) for each in backups.find_all()), *broken]


def _broken(name: str, size: int, problem: str) -> BackupView:
    return BackupView(
        name=name,
        kind=None,
        created_at=None,
        size=size,
        program=None,
        workspaces=[],
        skipped=[],
        doubtful=[],
        problem=problem,
        is_staged=False,
    )


def restore(name: str, workspace_id: str | None) -> RestoreView:
    """Restore one workspace at once, or lay everything ready for the next start."""
    path = backups.find(name)
    if workspace_id is None:
        return RestoreView(backup=name, workspace_id=None, is_done=False, kept=staging.stage(path).kept)
    kept = workspace_restore.restore(path, workspace_id)
    return RestoreView(backup=name, workspace_id=workspace_id, is_done=True, kept=kept)


class Collection:
    """The backups in the data directory."""

    @endpoint(access="instance")
    def on_get(self) -> list[BackupView]:
        """List the backups, the newest first.

        Each was checked when it was made; `POST /system/backups/{name}/verify` checks it again. Daily backups make
        room for newer ones as `--backup-keep` says; those made here stay until somebody deletes the file.
        """
        return list_all()

    @endpoint(access="instance", status=201, refuses=(BackupUnderWay, CannotBackUp))
    def on_post(self) -> BackupView:
        """Make a backup of everything, and check it.

        The others work on meanwhile. A workspace whose file is damaged is left out and named in `skipped`.
        """
        return BackupView.of(backups.make("manual"))


class Item:
    """One backup."""

    @endpoint(access="instance", session_only=True, produces="application/zip", refuses=(NotFound,))
    def on_get(self, name: str) -> File:
        """Download a backup.

        It holds everything of every workspace, and the passwords as hashes. Named tokens cannot download it.
        """
        path = backups.find(name)
        return File(path, path.name)


class Verify:
    """Whether a backup can be restored."""

    @endpoint(access="instance", writes=False, refuses=(NotFound, BackupUnderWay, StorageFull))
    def on_post(self, name: str) -> CheckView:
        """Unpack a backup and check everything in it.

        Sizes and SHA-256 of all files, the databases themselves, the books and the log of every workspace.
        """
        found = backups.verify(backups.find(name))
        return CheckView(name=name, is_good=not found, problems=found)


class Restore:
    """Going back to a backup."""

    @endpoint(access="instance", session_only=True, refuses=(NotFound, BackupUnderWay, BadBackup, CannotBackUp))
    def on_post(self, name: str, body: RestoreBackup) -> RestoreView:
        """Restore one workspace at once, or everything when the server is started the next time.

        What is there now is backed up first. One workspace goes back to what the backup holds while the others
        work; its members and its name stay as they are, and its log tells of it. Everything is put in place at the
        next start; the data before it is set aside in the data directory, under `replaced`. Everybody has to
        sign in again then, with the password of the day of the backup; named tokens, invites and calendar addresses
        have to be made anew. Whoever was disabled or removed since is back, as the backup has her: look through
        `GET /system/users`.
        """
        return restore(name, body.workspace_id)

    @endpoint(access="instance", session_only=True, refuses=(NotFound, BackupUnderWay))
    def on_delete(self, name: str) -> None:
        """Take back that everything is restored at the next start.

        Until then the backup is only laid ready, and the data as it was.
        """
        staging.drop(name)
