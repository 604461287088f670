"""The command line: its commands, and how their failures are reported."""

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from peewee import DatabaseError

from erp.commands import backups, check, demo, selftest, service, serving, users, workspaces
from erp.commands.parsing import FAILED, WRONG_USAGE, Command, WrongUsage, plain, typed_options
from erp.kernel import config
from erp.kernel.config import BadOption
from erp.kernel.errors import Refusal
from erp.migrations import SchemaProblem
from erp.runtime import instance
from erp.store import connections

COMMANDS = (serving, demo, backups, check, users, workspaces, service, selftest)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 failed with a sentence on stderr, 2 wrong usage."""
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    logging.basicConfig(format="erp: %(message)s")  # until a server sends its log elsewhere
    words = sys.argv[1:] if argv is None else argv
    code = _run(words)
    if code and not words:
        _keep_window_open()
    return code


def _run(words: Sequence[str]) -> int:
    arguments = parser().parse_args(_with_command(words))
    try:
        run: Command = arguments.run
        return run(config.load(typed_options(arguments), os.environ), arguments)
    except (BadOption, WrongUsage) as problem:
        return _say_why(problem, WRONG_USAGE)
    except (Refusal, instance.CannotStart, SchemaProblem, connections.UnsafeSqlite, DatabaseError, OSError) as problem:
        return _say_why(problem, FAILED)
    except KeyboardInterrupt:
        return FAILED


def parser() -> argparse.ArgumentParser:
    """Describe every command and setting."""
    top = argparse.ArgumentParser(
        prog="erp",
        description="Business management for an office: one program, one data folder. Without a command it starts the "
        "server.",
    )
    commands = top.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add_to(commands)
    return top


def _with_command(argv: Sequence[str]) -> list[str]:
    """Serve when no command is given, as after a double click."""
    if list(argv) == ["--version"]:
        return ["version"]
    is_bare = not argv or (argv[0].startswith("-") and argv[0] not in ("-h", "--help"))
    return ["serve", *argv] if is_bare else list(argv)


def _say_why(problem: Exception, code: int) -> int:
    print(f"erp: {plain(_sentence(problem))}", file=sys.stderr)
    return code


def _sentence(problem: Exception) -> str:
    if isinstance(problem, OSError) and problem.filename and problem.strerror:
        return f"{os.fsdecode(problem.filename)} cannot be used ({problem.strerror.lower()})."
    return str(problem)


def _keep_window_open() -> None:
    """After a double click on Windows the window closes with the program: wait until the error has been read."""
    if sys.platform == "win32" and getattr(sys, "frozen", False) and sys.stdin.isatty():
        with suppress(EOFError, KeyboardInterrupt):
            input("Press Enter to close this window.")
