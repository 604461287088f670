"""`erp backup` and `erp restore`."""

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from erp.commands import installations
from erp.commands.data import opened
from erp.commands.parsing import DONE, FAILED, WrongUsage, add, plain
from erp.kernel import clock, config
from erp.kernel.config import Config
from erp.kernel.errors import NotFound
from erp.kernel.language import Moment, verbatim
from erp.runtime import instance
from erp.store import router

if TYPE_CHECKING:
    from erp.commands.parsing import Commands
    from erp.system.backups.backups import Backup

PATIENCE = 600
"""Seconds that `erp backup` waits for another backup, such as the server's daily one, to finish."""


def add_to(commands: "Commands") -> None:
    """Describe the commands."""
    backup = add(
        commands,
        "backup",
        _backup,
        "Make a verified backup of everything. The server may be running.",
        "backup",
        "backup --to /media/stick",
        "backup --all /srv/erp --to /media/stick",
        failed="failed, or a workspace is not in the backup; one sentence says why",
    )
    backup.add_argument(
        "--to",
        metavar="DIR",
        type=Path,
        help="folder for it (default: backups in the data directory); with --all, a folder in it for each installation",
    )
    installations.add_to(backup)
    restore = add(
        commands,
        "restore",
        _restore,
        "Restore a backup. The data that it replaces is set aside.",
        "restore erp-2026-03-01T020000Z-daily.zip",
        "restore /media/stick/erp-2026-03-01T020000Z-daily.zip --workspace 01jq8v…",
    )
    restore.add_argument("file", metavar="FILE", help="a backup file, or the name of a backup in the data directory")
    restore.add_argument("--workspace", metavar="ID", help="restore this workspace only; no server may be running")


def _backup(settings: Config, arguments: argparse.Namespace) -> int:
    to = arguments.to.absolute() if arguments.to else None
    if arguments.all is None:
        return _back_up(settings, to)
    if to is not None and to.is_relative_to(arguments.all.absolute()):
        raise WrongUsage(f"{to} is among the installations: choose a folder for backups elsewhere.")
    return installations.run_for_all(lambda one: _back_up(one, to / one.data_dir.name if to else None), arguments)


def _back_up(settings: Config, to: Path | None) -> int:
    if not settings.control_path.exists():
        raise instance.NoData(settings.data_dir)
    with config.use(settings):
        try:
            backup = _made(to)
        finally:
            router.close_all()
    manifest = backup.manifest
    print(f"{backup.path} ({backup.size // 1024 + 1} KB; workspaces: {len(manifest.trusted())}; verified)")
    incomplete = [*manifest.skipped, *manifest.doubtful]
    for skip in incomplete:
        print(plain(f"erp: {skip.workspace_name} ({skip.workspace_id}): {skip.reason}"), file=sys.stderr)
    return FAILED if incomplete else DONE


def _made(folder: Path | None) -> "Backup":
    """A backup, as soon as no other is under way."""
    from erp.system.backups import backups
    from erp.system.backups.exclusive import BackupUnderWay

    begun, is_told = time.monotonic(), False
    while True:
        try:
            return backups.make("manual", folder)
        except BackupUnderWay:
            if time.monotonic() - begun >= PATIENCE:
                raise
        if not is_told:
            print("erp: Another backup or restore is under way. Waiting until it has finished.", file=sys.stderr)
            is_told = True
        time.sleep(0.2)


def _restore(settings: Config, arguments: argparse.Namespace) -> int:
    from erp.system.backups import staging

    with config.use(settings):
        path = _locate(arguments.file)
        if arguments.workspace is not None:
            _restore_workspace(settings, path, arguments.workspace)
            return DONE
        instance.prepare(settings)
        try:
            staged = staging.stage(path)
        finally:
            router.close_all()
    created = Moment.of(clock.parse(staged.manifest.created_at).astimezone(), with_year=True)
    print(f"The backup of {created} is sound.")
    for skip in staged.manifest.skipped:
        print(plain(f"erp: {skip.workspace_name} is not in it: {skip.reason}"), file=sys.stderr)
    print(_apply(settings))
    return DONE


def _apply(settings: Config) -> str:
    """Put the staged backup in place, unless a server is running; return the next step."""
    try:
        with instance.hold(settings) as held:
            return (
                f"It has been restored. {_where_previous_data_is(held.set_aside)}Start the server. Everyone has to "
                "sign in again, and named tokens, invites and calendar addresses have to be created again. Users who "
                "were disabled or removed since the backup are back: check `erp user list`."
            )
    except instance.HeldByAnother:
        return "A server is running. Stop it and start it again: the backup is restored at that start."


def _where_previous_data_is(folder: Path | None) -> str:
    if folder is None or not ((folder / "control.db").exists() or (folder / "workspaces").exists()):
        return ""
    return f"The previous data is in {folder}. "


def _restore_workspace(settings: Config, path: Path, workspace_id: str) -> None:
    from erp.system.backups import workspace_restore

    with opened(settings, alone=True):
        previous = workspace_restore.restore(path, workspace_id)
    print(f"The workspace has been restored. Its previous state is in backup {previous}.")


def _locate(name: str) -> Path:
    from erp.system.backups import backups

    path = Path(name)
    if path.is_file():
        return path.absolute()
    try:
        return backups.find(name)
    except NotFound:
        folder = config.current().backups_dir
        raise NotFound(verbatim(f"There is no file {name}, and no backup of that name in {folder}.")) from None
