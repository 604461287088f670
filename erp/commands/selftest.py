"""`erp selftest`: tests of each part of this build."""

import argparse
from typing import TYPE_CHECKING

from erp.commands.parsing import DONE, FAILED, NO_SETTINGS, add
from erp.kernel.config import Config

if TYPE_CHECKING:
    from erp.commands.parsing import Commands


def add_to(commands: "Commands") -> None:
    """Describe the command."""
    add(
        commands,
        "selftest",
        _selftest,
        "Test every part of this program on temporary data.",
        "selftest",
        failed="a part does not work; it says which",
        shown=NO_SETTINGS,
    )


def _selftest(settings: Config, arguments: argparse.Namespace) -> int:
    from erp.selftest import probes

    return DONE if probes.run() else FAILED
