"""`erp backup` and `erp restore`."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from erp.commands.data import opened
from erp.commands.parsing import DONE, FAILED, add, plain
from erp.kernel import config
from erp.kernel.config import Config
from erp.kernel.errors import NotFound
from erp.runtime import instance
from erp.store import router

if TYPE_CHECKING:
    from erp.commands.parsing import Commands


def add_to(commands: "Commands") -> None:
    """Describe the commands."""
    backup = add(commands, "backup", _backup, "Make a verified backup of everything, also while the server runs.")
    backup.add_argument("--to", metavar="DIR", type=Path, help="where to (default: backups in the data directory)")
    restore = add(commands, "restore", _restore, "Put a backup in the place of the data, which is set aside.")
    restore.add_argument("file", metavar="FILE", help="a backup file, or the name of one in the data directory")
    restore.add_argument("--workspace", metavar="ID", help="put this workspace alone back, with no server running")


def _backup(settings: Config, arguments: argparse.Namespace) -> int:
    from erp.system.backups import backups

    if not settings.control_path.exists():
        raise instance.CannotStart(f"{settings.data_dir} holds no data. Name the right folder with --data-dir.")
    with config.use(settings):
        try:
            made = backups.make("manual", arguments.to.absolute() if arguments.to else None)
        finally:
            router.close_all()
    print(f"{made.path} ({made.size // 1024 + 1} KB; workspaces: {len(made.manifest.trusted())}; verified)")
    troubled = [*made.manifest.skipped, *made.manifest.doubtful]
    for each in troubled:
        print(plain(f"erp: {each.workspace_name} ({each.workspace_id}): {each.reason}"), file=sys.stderr)
    return FAILED if troubled else DONE


def _restore(settings: Config, arguments: argparse.Namespace) -> int:
    from erp.system.backups import staging

    with config.use(settings):
        path = _located(arguments.file)
        if arguments.workspace is not None:
            _restore_workspace(settings, path, arguments.workspace)
            return DONE
        instance.prepare(settings)
        try:
            staged = staging.stage(path)
        finally:
            router.close_all()
    print(f"The backup of {staged.manifest.created_at} is sound.")
    for each in staged.manifest.skipped:
        print(plain(f"erp: it does not hold {each.workspace_name}: {each.reason}"), file=sys.stderr)
    print(_put_in_place(settings))
    return DONE


def _put_in_place(settings: Config) -> str:
    try:
        with instance.hold(settings) as held:
            return (
                f"It is in place. {_where_the_former_is(held.set_aside)}Start the server; everybody has to sign in "
                "again, and named tokens, invites and calendar addresses have to be made anew. Whoever was disabled or "
                "removed since then is back: see `erp user list`."
            )
    except instance.HeldByAnother:
        return "A server is running: stop it and start it again. The backup is put in place then."


def _where_the_former_is(folder: Path | None) -> str:
    if folder is None or not ((folder / "control.db").exists() or (folder / "workspaces").exists()):
        return ""
    return f"The data before it is in {folder}. "


def _restore_workspace(settings: Config, path: Path, workspace_id: str) -> None:
    from erp.system.backups import workspace_restore

    with opened(settings, alone=True):
        kept = workspace_restore.restore(path, workspace_id)
    print(f"The workspace is as the backup holds it. What it was before is in backup {kept}.")


def _located(named: str) -> Path:
    from erp.system.backups import backups

    path = Path(named)
    if path.is_file():
        return path.absolute()
    try:
        return backups.find(named)
    except NotFound:
        folder = config.current().backups_dir
        raise NotFound(f"There is no file {named}, and no backup of that name in {folder}.") from None
