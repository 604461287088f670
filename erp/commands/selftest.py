"""`erp selftest`: the parts of this very build, tried one by one."""

import argparse
from typing import TYPE_CHECKING

from erp.commands.parsing import DONE, FAILED, add
from erp.kernel.config import Config

if TYPE_CHECKING:
    from erp.commands.parsing import Commands


def add_to(commands: "Commands") -> None:
    """Describe the command."""
    add(commands, "selftest", _selftest, "Try every part of this program on data that is thrown away.")


def _selftest(settings: Config, arguments: argparse.Namespace) -> int:
    from erp.selftest import probes

    return DONE if probes.run() else FAILED
