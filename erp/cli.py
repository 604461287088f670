"""The command line: its commands, and how their failures are reported."""

import argparse
import errno
import logging
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from erp.commands import backups, check, demo, selftest, service, serving, settings, users, workspaces
from erp.commands.failures import FAILURES, sentence
from erp.commands.parsing import FAILED, WRONG_USAGE, Command, Help, WrongUsage, plain, typed_options
from erp.kernel import config
from erp.kernel.config import BadOption

COMMANDS = (serving, demo, settings, backups, check, users, workspaces, service, selftest)

EXAMPLES = """examples:
  erp                      start the server, as a double click does
  erp serve --lan          share it with the local network
  erp backup               make a backup; the server may be running
  erp backup --help        explain one command

exit codes:
  0  done
  1  failed; one sentence says why
  2  wrong usage or a wrong setting"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 failed with a sentence on stderr, 2 wrong usage."""
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    logging.basicConfig(format="erp: %(message)s")  # until a server sends its log elsewhere
    words = sys.argv[1:] if argv is None else argv
    code = FAILED
    with _silent_when_nobody_reads():
        code = _run(words)
    if code and not words:
        _keep_window_open()
    return code


def _run(words: Sequence[str]) -> int:
    arguments = parser().parse_args(_with_command(words))
    try:
        run: Command = arguments.run
        return run(config.load(_typed(arguments), os.environ), arguments)
    except BrokenPipeError:
        raise
    except (BadOption, WrongUsage) as problem:
        return _say_why(problem, WRONG_USAGE)
    except FAILURES as problem:
        return _say_why(problem, FAILED)
    except KeyboardInterrupt:
        print("erp: Stopped before it was done.", file=sys.stderr)
        return FAILED


def _typed(arguments: argparse.Namespace) -> dict[str, object]:
    """The typed settings; a command for all installations reads none of the usual data folder."""
    folder = vars(arguments).get("all")
    return typed_options(arguments) | ({} if folder is None else {"data_dir": folder})


def parser() -> argparse.ArgumentParser:
    """Describe every command and setting."""
    top = argparse.ArgumentParser(
        prog="erp",
        description="Business management for an office: one program, one data folder. Without a command it starts the "
        "server.",
        epilog=EXAMPLES,
        formatter_class=Help,
    )
    top.add_argument("--version", action="store_true", help="the same as `erp version`")
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


@contextmanager
def _silent_when_nobody_reads() -> Iterator[None]:
    """End quietly when the reader of the output has gone, as in `erp openapi | head -1`.

    Source: Python's notes on SIGPIPE in the documentation of `signal`.
    """
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except OSError as problem:
        if not _is_broken_pipe(problem):
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _is_broken_pipe(problem: OSError) -> bool:
    """Windows names no pipe and says that the argument is invalid."""
    on_windows = sys.platform == "win32" and problem.errno == errno.EINVAL and problem.filename is None
    return isinstance(problem, BrokenPipeError) or on_windows


def _say_why(problem: Exception, code: int) -> int:
    print(f"erp: {plain(sentence(problem))}", file=sys.stderr)
    return code


def _keep_window_open() -> None:
    """After a double click on Windows the window closes with the program: wait until the error has been read."""
    if sys.platform == "win32" and getattr(sys, "frozen", False) and sys.stdin.isatty():
        with suppress(EOFError, KeyboardInterrupt):
            input("Press Enter to close this window.")
