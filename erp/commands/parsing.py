"""How commands are described to the parser."""

import argparse
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from erp.kernel import config
from erp.kernel.config import Config

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

DONE, FAILED, WRONG_USAGE = 0, 1, 2
"""The exit codes."""

OPTIONS = (
    "Each setting can also be an environment variable, named in brackets. Each but the data folder can also be a line "
    "of erp.toml in that folder, such as port = 9000."
)

Command = Callable[[Config, argparse.Namespace], int]


class WrongUsage(Exception):
    """The command was used wrongly; the message says how."""


def add(commands: "Commands", name: str, run: Command, help: str) -> argparse.ArgumentParser:
    """Add a command, with the flags of all settings."""
    command = commands.add_parser(name, help=help, description=help, parents=[_settings()])
    command.set_defaults(run=run)
    return command


@cache
def _settings() -> argparse.ArgumentParser:
    """The flags of all settings, described once for all commands."""
    parser = argparse.ArgumentParser(add_help=False)
    config.add_flags(parser.add_argument_group("settings", OPTIONS))
    return parser


def group(commands: "Commands", name: str, help: str) -> "Commands":
    """Add a command that has commands of its own."""
    return commands.add_parser(name, help=help).add_subparsers(title="commands", required=True, metavar="COMMAND")


def typed_options(arguments: argparse.Namespace) -> dict[str, object]:
    """The settings that were typed as flags; the others are absent."""
    return {name: value for name, value in vars(arguments).items() if name in config.OPTIONS}


def plain(text: str) -> str:
    """Replace characters that a terminal would obey; names, reasons and paths come from people."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)
