"""`erp check`."""

import argparse
from typing import TYPE_CHECKING

from erp.commands import installations
from erp.commands.parsing import DONE, FAILED, add, plain
from erp.kernel import config
from erp.kernel.config import Config
from erp.runtime import instance

if TYPE_CHECKING:
    from erp.commands.parsing import Commands
    from erp.system.inspection import CheckedFile


def add_to(commands: "Commands") -> None:
    """Describe the command."""
    check = add(
        commands,
        "check",
        _check,
        "Check every file in the data directory. Changes nothing.",
        "check",
        "check --backups",
        "check --all /srv/erp",
        failed="something is wrong; it says what",
    )
    check.add_argument(
        "--backups",
        action="store_true",
        help="also check the databases inside the backups, not only that the backups are unchanged",
    )
    installations.add_to(check)


def _check(settings: Config, arguments: argparse.Namespace) -> int:
    def run(one: Config) -> int:
        return _check_one(one, unpack_backups=arguments.backups)

    return run(settings) if arguments.all is None else installations.run_for_all(run, arguments)


def _check_one(settings: Config, *, unpack_backups: bool) -> int:
    from erp.system import inspection

    if not settings.control_path.exists() and not any(settings.workspaces_dir.glob("*.db")):
        raise instance.NoData(settings.data_dir)
    unsound = count = 0
    with config.use(settings):
        for checked in inspection.check_all(settings, unpack_backups=unpack_backups):
            _print(checked)
            count, unsound = count + 1, unsound + bool(checked.problems)
    if unsound:
        print(f"{unsound} of {count} files {'is' if unsound == 1 else 'are'} not sound.")
        return FAILED
    print(f"All {count} files are sound." if count > 1 else "The file is sound.")
    return DONE


def _print(checked: "CheckedFile") -> None:
    facts = f" ({checked.facts})" if checked.facts else ""
    print(plain(f"{checked.name}: {'NOT SOUND' if checked.problems else 'sound'}{facts}"))
    for line in (*checked.problems, *checked.notes):
        print(plain(f"  {line}"))
