"""Descriptions of commands for the parser."""

import argparse
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from erp.kernel import config
from erp.kernel.config import Config

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

DONE, FAILED, WRONG_USAGE = 0, 1, 2
"""The exit codes."""

SETTINGS = (
    "Each setting can also be an environment variable, named in brackets. Each but the data folder can also be a line "
    "of erp.toml in that folder, such as port = 9000. `erp config` shows what is set, and where."
)
ALL_SETTINGS = "It takes every setting of the server; `erp serve --help` lists them."
NO_SETTINGS: Collection[str] = ()
DATA_FOLDER: Collection[str] = ("data_dir",)

Command = Callable[[Config, argparse.Namespace], int]


class WrongUsage(Exception):
    """A command was used wrongly; the message has the reason."""


class Help(argparse.HelpFormatter):
    """Help that keeps the layout of examples and exit codes."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if "\n" in text else super()._fill_text(text, width, indent)


def add(
    commands: "Commands",
    name: str,
    run: Command,
    help: str,
    *examples: str,
    failed: str = "failed; one sentence says why",
    shown: Collection[str] = DATA_FOLDER,
    hidden: Collection[str] = NO_SETTINGS,
) -> argparse.ArgumentParser:
    """Add a command.

    Args:
        examples: input after `erp`.
        failed: the meaning of exit code 1.
        shown: the settings that `--help` lists.
        hidden: further settings of the command. It always has the data folder.
    """
    command = commands.add_parser(name, help=help, description=help, formatter_class=Help)
    command.epilog = _epilog(examples, failed, ALL_SETTINGS if hidden else None)
    command.set_defaults(run=run)
    if shown:
        config.add_flags(command.add_argument_group("settings", SETTINGS if len(shown) > 1 else None), shown)
    config.add_flags(command, {*DATA_FOLDER, *hidden} - {*shown}, are_shown=False)
    return command


def _epilog(examples: Collection[str], failed: str, note: str | None) -> str:
    lines = [note, ""] if note else []
    lines += ["examples:", *(f"  erp {example}" for example in examples), ""] if examples else []
    return "\n".join([*lines, "exit codes:", "  0  done", f"  1  {failed}", "  2  wrong usage or a wrong setting"])


def group(commands: "Commands", name: str, help: str) -> "Commands":
    """Add a command that has commands of its own."""
    parser = commands.add_parser(name, help=help, description=help)
    parser.epilog = f"`erp {name} COMMAND --help` explains one of them."
    return parser.add_subparsers(title="commands", required=True, metavar="COMMAND")


def typed_options(arguments: argparse.Namespace) -> dict[str, object]:
    """The settings that were typed as flags; the others are absent."""
    return {name: value for name, value in vars(arguments).items() if name in config.OPTIONS}


def plain(text: str) -> str:
    """Replace control characters, which a terminal would obey; names, reasons and paths come from people."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)
