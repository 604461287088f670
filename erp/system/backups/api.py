"""The installation's backups, for the instance admin."""

from typing import Any, ClassVar

from erp.kernel import config
from erp.kernel.errors import NotFound, StorageFull
from erp.system.backups import backups, staging, workspace_restore
from erp.system.backups.archive import BadBackup
from erp.system.backups.copying import CannotBackUp
from erp.system.backups.exclusive import BackupUnderWay
from erp.system.backups.views import BackupCheckView, BackupView, RestoreView
from erp.web.endpoint import endpoint
from erp.web.scalars import Id
from erp.web.schema import Body, File


class NewRestore(Body):
    """The workspace to restore, or everything."""

    EXAMPLE: ClassVar[dict[str, Any]] = {}

    workspace_id: Id | None = None


def make_by_hand(_: Body) -> BackupView:
    """Make a backup that stays until a person deletes it."""
    return BackupView.of(backups.make("manual"))


class Collection:
    @endpoint(access="instance")
    def on_get(self) -> list[BackupView]:
        """List the backups, the newest first, then the files that cannot be read.

        Each was checked when it was made; `POST /system/backups/{name}/verify` checks it again. Daily backups are
        rotated by `--backup-keep`. Backups made here stay until a person deletes the file.
        """
        staged_name = staging.staged_name(config.current().data_dir)
        readable = [BackupView.of(backup, staged_name) for backup in backups.find_all()]
        unreadable = backups.unreadable()
        return readable + [BackupView.of_unreadable(file.name, file.stat().st_size, why) for file, why in unreadable]

    @endpoint(
        access="instance", store="control", status=201, refuses=(BackupUnderWay, CannotBackUp), prepare=make_by_hand
    )
    def on_post(self, prepared: BackupView) -> BackupView:
        """Make a backup of everything, and check it.

        Work can go on meanwhile. A workspace whose file is damaged is left out and listed in `skipped`.
        """
        return prepared


class Item:
    @endpoint(access="instance", session_only=True, produces="application/zip", refuses=(NotFound,))
    def on_get(self, name: str) -> File:
        """Download a backup.

        It contains everything of every workspace, and the password hashes. Named tokens cannot download it. A download
        counts as a copy in another place, of which the home page of administrators has the deadline.
        """
        path = backups.find(name)
        backups.note_download(path)
        return File(path, path.name)


class Verify:
    @endpoint(access="instance", writes=False, refuses=(NotFound, BackupUnderWay, StorageFull))
    def on_post(self, name: str) -> BackupCheckView:
        """Unpack a backup and check everything in it.

        This covers the size and SHA-256 of every file, the databases themselves, and the books and log of every
        workspace.
        """
        problems = backups.verify(backups.find(name))
        return BackupCheckView(name=name, is_good=not problems, problems=problems)


class Restore:
    @endpoint(access="instance", session_only=True, refuses=(NotFound, BackupUnderWay, BadBackup, CannotBackUp))
    def on_post(self, name: str, body: NewRestore) -> RestoreView:
        """Restore one workspace at once, or everything at the next start of the server.

        The present data is backed up first. One workspace is restored while the others work; its members and its name
        stay as they are, and its log records the restore. Everything is restored at the next start; the previous data
        is set aside under `replaced` in the data directory. Then everyone has to sign in again, with the password of
        the backup, and create named tokens, invites and calendar addresses again. Users who have been disabled or
        removed since then are as they were in the backup: review `GET /system/users`.
        """
        path, id = backups.find(name), body.workspace_id
        present_data_in = workspace_restore.restore(path, id) if id else staging.stage(path).present_data_in
        return RestoreView(backup=name, workspace_id=id, is_done=id is not None, kept=present_data_in)

    @endpoint(access="instance", session_only=True, refuses=(NotFound, BackupUnderWay))
    def on_delete(self, name: str) -> None:
        """Cancel the restore of everything at the next start.

        Before that start the backup is only staged, and the data unchanged.
        """
        staging.drop(name)
