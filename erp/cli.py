"""The command line: arguments only; what the commands do stands elsewhere."""

import argparse
import getpass
import json
import os
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace

from peewee import DatabaseError, sqlite3  # type: ignore[attr-defined]

from erp import __version__, config, db, instance, server
from erp.config import BadSetting, Config
from erp.errors import Refusal
from erp.migrations import NewerSchema

DONE, FAILED, WRONG_USAGE = 0, 1, 2
Command = Callable[[Config, argparse.Namespace], int]


class WrongUsage(Exception):
    """What was typed cannot be meant."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 failed with a sentence on stderr, 2 wrong usage."""
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    arguments = parser().parse_args(_with_command(sys.argv[1:] if argv is None else argv))
    flags = {name: value for name, value in vars(arguments).items() if name in config.SETTINGS}
    try:
        run: Command = arguments.run
        return run(config.load(flags, os.environ), arguments)
    except (BadSetting, WrongUsage) as problem:
        return _say_why(problem, WRONG_USAGE)
    except (Refusal, instance.CannotStart, NewerSchema, db.UnsafeSqlite, DatabaseError, OSError) as problem:
        return _say_why(problem, FAILED)
    except KeyboardInterrupt:
        return FAILED


def parser() -> argparse.ArgumentParser:
    """Describe every command and setting."""
    top = argparse.ArgumentParser(
        prog="erp",
        description="Business management for an office: one program, one folder of data. Without a command it serves.",
    )
    commands = top.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _add(commands, "serve", _serve, "Start the server (the default).")
    _add(commands, "openapi", _openapi, "Print the OpenAPI document.")
    _add(commands, "version", _version, "Print the versions of the program, of Python and of SQLite.")
    user = commands.add_parser("user", help="List users, create one, or let one back in.")
    users = user.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _add(users, "list", _list_users, "List every user.")
    create = _add(users, "create", _create_user, "Create a user; asks for the password, or reads a line of stdin.")
    create.add_argument("email", metavar="EMAIL")
    create.add_argument("--name", default=None, help="full name (default: the part of the e-mail address before @)")
    create.add_argument("--admin", action="store_true", help="make the user an administrator of this installation")
    reset = _add(users, "reset-password", _reset_password, "Print a link with which a user sets a new password.")
    reset.add_argument("email", metavar="EMAIL")
    return top


def _add(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, run: Command, help: str
) -> argparse.ArgumentParser:
    command = commands.add_parser(name, help=help, description=help)
    command.set_defaults(run=run)
    config.add_flags(command.add_argument_group("settings"))
    return command


def _with_command(argv: Sequence[str]) -> list[str]:
    """Serve when no command is named, as a double click does."""
    is_bare = not argv or (argv[0].startswith("-") and argv[0] not in ("-h", "--help"))
    return ["serve", *argv] if is_bare else list(argv)


def _serve(settings: Config, arguments: argparse.Namespace) -> int:
    return server.serve(settings)


def _openapi(settings: Config, arguments: argparse.Namespace) -> int:
    from erp.app import openapi_document

    print(json.dumps(openapi_document(), indent=2, ensure_ascii=False))
    return DONE


def _version(settings: Config, arguments: argparse.Namespace) -> int:
    print(f"erp {__version__} (Python {platform.python_version()}, SQLite {sqlite3.sqlite_version})")
    return DONE


def _list_users(settings: Config, arguments: argparse.Namespace) -> int:
    from erp.auth import users

    with _data(settings):
        for email, name, status, is_admin in users.list_users():
            print(_plain(email), _plain(name), status, "administrator" if is_admin else "user", sep="\t")
    return DONE


def _create_user(settings: Config, arguments: argparse.Namespace) -> int:
    from erp.auth import users

    name = arguments.name or arguments.email.partition("@")[0]
    password = _ask_password()
    with _data(settings):
        users.create(arguments.email, name, password, arguments.admin)
    print(f"{arguments.email} can sign in now.")
    return DONE


def _reset_password(settings: Config, arguments: argparse.Namespace) -> int:
    from erp.auth import users

    with _data(settings):
        print(users.issue_reset_link(arguments.email))
    return DONE


def _plain(text: str) -> str:
    """What people typed of themselves, without anything that a terminal would obey."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)


@contextmanager
def _data(settings: Config) -> Iterator[None]:
    """Open the data directory, brought up to date as a start of the server would, unless one runs on it already."""
    from erp import upkeep

    instance.prepare(settings)
    port = instance.running_on(settings.data_dir) or settings.port
    with config.use(replace(settings, port=port)) as used:
        try:
            with suppress(instance.HeldByAnother), instance.hold(used), instance.needing_control_file(used):
                upkeep.prepare(used)  # under a running server it would undo the workspace that is being made there
            yield
        finally:
            db.close_all()


def _ask_password() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    password = getpass.getpass("Password: ")
    if getpass.getpass("Once more: ") != password:
        raise WrongUsage("The two passwords differ.")
    return password


def _say_why(problem: Exception, code: int) -> int:
    print(f"erp: {problem}", file=sys.stderr)
    return code
