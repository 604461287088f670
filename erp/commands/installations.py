"""`--all FOLDER`: a command for each installation in a folder, as a provider of many offices keeps them."""

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path

from erp.commands.parsing import DONE, FAILED, FAILURES, WrongUsage, plain, sentence, typed_options
from erp.kernel import config
from erp.kernel.config import FILE_NAME, Config
from erp.runtime import instance

MARKS = ("control.db", "workspaces", "backups", FILE_NAME)
"""A folder with one of these is a data folder, even if others are lost."""


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
    folder: Path = arguments.all
    if "data_dir" in arguments:
        raise WrongUsage("--all names all installations, and --data-dir names one: leave one of them out.")
    if _is_installation(folder):
        raise WrongUsage(f"{folder} is the data folder of one installation: name it with --data-dir.")
    found = sorted(path for path in folder.iterdir() if _is_installation(path))
    if not found:
        raise instance.CannotStart(f"No folder in {folder} is the data folder of an installation.")
    failed = []
    for data_dir in found:
        print(plain(f"{data_dir.name}:"), flush=True)
        try:
            code = run(config.load({**typed_options(arguments), "data_dir": data_dir.absolute()}, os.environ))
        except (*FAILURES, config.BadOption) as problem:
            code = FAILED
            print(f"erp: {plain(sentence(problem))}", file=sys.stderr)
        if code != DONE:
            failed.append(data_dir.name)
    if failed:
        print(plain(f"erp: {len(failed)} of {len(found)} installations failed: {', '.join(failed)}."), file=sys.stderr)
        return FAILED
    print(f"All {len(found)} installations are done." if len(found) > 1 else "The only installation is done.")
    return DONE


def _is_installation(folder: Path) -> bool:
    return any((folder / mark).exists() for mark in MARKS)
