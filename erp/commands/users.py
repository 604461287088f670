"""`erp user`: the way back in for an office that has locked itself out, without e-mail."""

import argparse
import getpass
import sys
from typing import TYPE_CHECKING

from erp.commands.data import opened
from erp.commands.parsing import DONE, WrongUsage, add, group, plain
from erp.kernel.config import OPTIONS, Config

if TYPE_CHECKING:
    from erp.commands.parsing import Commands


def add_to(commands: "Commands") -> None:
    """Describe the commands."""
    users = group(commands, "user", "List users, create one, or reset a password or second factor.")
    add(users, "list", _list, "List every user.", "user list")
    about = "Create a user. Asks for the password, or reads it from stdin."
    example = 'user create ann@example.com --name "Ann Archer" --admin'
    create = add(users, "create", _create, about, example)
    create.add_argument("email", metavar="EMAIL")
    create.add_argument("--name", default=None, help="full name (default: the part of the e-mail address before @)")
    create.add_argument("--admin", action="store_true", help="make the user an administrator of this installation")
    about = "Print a link for setting a new password."
    example = "user reset-password ann@example.com"
    reset = add(
        users, "reset-password", _reset_password, about, example, shown=("data_dir", "public_url"), hidden=OPTIONS
    )
    reset.add_argument("email", metavar="EMAIL")
    about = "Let a user who has lost their phone sign in with the password alone."
    second = add(users, "reset-two-factor", _reset_two_factor, about, "user reset-two-factor ann@example.com")
    second.add_argument("email", metavar="EMAIL")


def _list(settings: Config, arguments: argparse.Namespace) -> int:
    from erp.auth import users

    with opened(settings):
        for email, name, status, is_admin in users.list_users():
            print(plain(email), plain(name), status, "administrator" if is_admin else "user", sep="\t")
    return DONE


def _create(settings: Config, arguments: argparse.Namespace) -> int:
    from erp.auth import users

    name = arguments.name or arguments.email.partition("@")[0]
    if sys.stdin.isatty():
        with opened(settings):
            users.check_unused(arguments.email)
    password = _ask_password()
    with opened(settings):
        is_admin = users.create(arguments.email, name, password, arguments.admin)
    print(f"{arguments.email} can now sign in{' and is an administrator of this installation' if is_admin else ''}.")
    return DONE


def _reset_password(settings: Config, arguments: argparse.Namespace) -> int:
    from erp.auth import resets

    with opened(settings):
        print(resets.issue_reset_link(arguments.email))
    return DONE


def _reset_two_factor(settings: Config, arguments: argparse.Namespace) -> int:
    from erp.auth.two_factor import factors

    with opened(settings):
        factors.reset_by_email(arguments.email)
    print(f"{arguments.email} now signs in with the password alone, and is signed out everywhere.")
    return DONE


def _ask_password() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    password = getpass.getpass("Password: ")
    if getpass.getpass("Password again: ") != password:
        raise WrongUsage("The passwords do not match.")
    return password
