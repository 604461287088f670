"""`--all FOLDER`: a command for each installation in a folder, as a provider of many offices keeps them."""

import argparse
import os
import sys
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path

from erp.commands.failures import FAILURES, sentence
from erp.commands.parsing import DONE, FAILED, WrongUsage, plain, typed_options
from erp.kernel import config
from erp.kernel.config import FILE_NAME, Config
from erp.runtime import instance

OF_THE_FILE_SYSTEM = "lost+found"


def add_to(command: argparse.ArgumentParser) -> None:
    """Let the command be run for each installation in a folder."""
    about = "do it for each installation in this folder, in the order of their names"
    command.add_argument("--all", metavar="FOLDER", type=Path, help=about)


def run_for_all(run: Callable[[Config], int], arguments: argparse.Namespace) -> int:
    """Run a command for each installation in the folder `--all`, with the settings of each.

    The others go on when it fails for one.

    Raises:
        WrongUsage: a single data folder is named too, or the folder is one.
        CannotStart: there is no installation in the folder.
    """
    folder: Path = arguments.all.absolute()
    if "data_dir" in arguments:
        raise WrongUsage("--all names all installations, and --data-dir names one: leave one of them out.")
    if _holds(folder, "control.db", FILE_NAME):
        raise WrongUsage(f"{folder} is the data folder of one installation: name it with --data-dir.")
    found = [path for path in _folders(folder) if _may_be_installation(path)]
    if not found:
        raise instance.CannotStart(f"No folder in {folder} is the data folder of an installation.")
    failed = [path.name for path in found if not _is_done(run, path, typed_options(arguments))]
    if failed:
        print(plain(f"erp: {len(failed)} of {len(found)} installations failed: {', '.join(failed)}."), file=sys.stderr)
        return FAILED
    print(f"All {len(found)} installations are done." if len(found) > 1 else "The only installation is done.")
    return DONE


def _is_done(run: Callable[[Config], int], data_dir: Path, typed: dict[str, object]) -> bool:
    print(plain(f"{data_dir.name}:"), flush=True)
    try:
        return run(config.load({**typed, "data_dir": data_dir}, os.environ)) == DONE
    except BrokenPipeError:
        raise
    except (*FAILURES, config.BadOption) as problem:
        print(f"erp: {plain(sentence(problem))}", file=sys.stderr)
    except Exception:  # noqa: BLE001 - a bug that one office meets must not leave the others without a backup
        traceback.print_exc()
    return False


def _folders(folder: Path) -> Iterable[Path]:
    """The folders in a folder by their names, links to lost ones among them."""
    return sorted(path for path in folder.iterdir() if path.is_dir() or path.is_symlink())


def _may_be_installation(folder: Path) -> bool:
    """Whether a folder holds data, or cannot be read, so that it must not be passed over."""
    if folder.name == OF_THE_FILE_SYSTEM:
        return False
    try:
        folder.stat()
        return _holds(folder, "control.db", "workspaces", "backups", FILE_NAME)
    except OSError:
        return True


def _holds(folder: Path, *names: str) -> bool:
    """Whether one of the names is in the folder.

    Raises:
        OSError: the folder cannot be read.
    """
    return not {*names}.isdisjoint(path.name for path in folder.iterdir())
