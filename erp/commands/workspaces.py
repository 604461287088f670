"""`erp workspace`: a workspace as a file of its own, to be moved to another computer or tried out as a copy."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from erp.commands.data import opened
from erp.commands.parsing import DONE, add, group, plain
from erp.kernel import clock
from erp.kernel.config import Config

if TYPE_CHECKING:
    from erp.commands.parsing import Commands


def add_to(commands: "Commands") -> None:
    """Describe the commands."""
    workspaces = group(commands, "workspace", "List workspaces, write one to a file, take one in, or copy one.")
    add(workspaces, "list", _list, "List every workspace: id, name, status, members, size, day of the last change.")
    export = add(workspaces, "export", _export, "Write a workspace to a file, which another installation can import.")
    export.add_argument("id", metavar="ID")
    export.add_argument(
        "--to", type=Path, default=Path(), metavar="FILE", help="a file or folder (default: the present folder)"
    )
    bring_in = add(workspaces, "import", _import, "Take in an exported workspace; its members are found by e-mail.")
    bring_in.add_argument("file", type=Path, metavar="FILE")
    bring_in.add_argument(
        "--owner",
        metavar="EMAIL",
        help="a user who is to own it (default: its owners, else this installation's administrator)",
    )
    duplicate = add(workspaces, "duplicate", _duplicate, "Copy a workspace, for trying things out.")
    duplicate.add_argument("id", metavar="ID")
    duplicate.add_argument("--name", help="what the copy is called (default: the name, and that it is a sandbox)")


def _list(settings: Config, arguments: argparse.Namespace) -> int:
    from erp.system import info

    with opened(settings):
        for each in info.workspaces():
            status = f"{each.status}: {each.fault}" if each.fault else each.status
            members = f"{each.members} member{'' if each.members == 1 else 's'}"
            size = "-" if each.size is None else f"{each.size / 2**20:.1f} MB"
            last = clock.parse(each.last_activity_at).astimezone().date() if each.last_activity_at else "-"
            print(each.id, plain(each.name), plain(status), members, size, last, sep="\t")
    return DONE


def _export(settings: Config, arguments: argparse.Namespace) -> int:
    from erp.system.transfer import exporting

    with opened(settings):
        file = exporting.export(arguments.id, arguments.to.absolute())
    print(f"The workspace was written to {file}. Whoever has this file can read everything in it.")
    return DONE


def _import(settings: Config, arguments: argparse.Namespace) -> int:
    from erp.system.transfer import importing

    with opened(settings):
        done = importing.import_workspace(arguments.file.absolute(), arguments.owner)
    print(f"{plain(done.name)} was imported as {done.id}. Its members are:")
    for seat in done.members:
        print(plain(seat.email), plain(seat.name), seat.role, seat.status, sep="\t")
    if done.left_behind:
        print("These have no user with their e-mail address here; they are no members, and stay in its history:")
    for person in done.left_behind:
        print(plain(person.email or ""), plain(person.name), sep="\t")
    return DONE


def _duplicate(settings: Config, arguments: argparse.Namespace) -> int:
    from erp.system.transfer import duplicating

    with opened(settings):
        copy_id, name = duplicating.duplicate(arguments.id, arguments.name)
    print(f"{plain(name)} was made as {copy_id}, with the same members.")
    return DONE
