"""`erp workspace`: move a workspace to another computer as a file, or copy it to try things out."""

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
    workspaces = group(commands, "workspace", "List, export, import or copy workspaces.")
    about = "List every workspace: id, name, status, members, size, date of the last change."
    add(workspaces, "list", _list, about, "workspace list")
    about = "Export a workspace to a file that another installation can import."
    export = add(workspaces, "export", _export, about, "workspace export ID", "workspace export ID --to acme.zip")
    export.add_argument("id", metavar="ID")
    export.add_argument(
        "--to", type=Path, default=Path(), metavar="FILE", help="a file or folder (default: the current folder)"
    )
    about = "Import an exported workspace. Members are matched by e-mail address."
    example = "workspace import acme.zip --owner ann@example.com"
    import_ = add(workspaces, "import", _import, about, example)
    import_.add_argument("file", type=Path, metavar="FILE")
    import_.add_argument(
        "--owner",
        metavar="EMAIL",
        help="a user who becomes its owner (default: its owners, or else this installation's administrator)",
    )
    example = 'workspace duplicate ID --name "Acme, to try things out"'
    duplicate = add(workspaces, "duplicate", _duplicate, "Copy a workspace to try things out.", example)
    duplicate.add_argument("id", metavar="ID")
    duplicate.add_argument("--name", help="name of the copy (default: the workspace's name followed by `(sandbox)`)")


def _list(settings: Config, arguments: argparse.Namespace) -> int:
    from erp.system import info

    with opened(settings):
        for workspace in info.workspaces():
            status = f"{workspace.status}: {workspace.fault}" if workspace.fault else workspace.status
            members = f"{workspace.members} member{'' if workspace.members == 1 else 's'}"
            size = "-" if workspace.size is None else f"{workspace.size / 2**20:.1f} MB"
            active_at = workspace.last_activity_at
            active_on = clock.parse(active_at).astimezone().date() if active_at else "-"
            print(workspace.id, plain(workspace.name), plain(status), members, size, active_on, sep="\t")
    return DONE


def _export(settings: Config, arguments: argparse.Namespace) -> int:
    from erp.system.transfer import exporting

    with opened(settings):
        file = exporting.export(arguments.id, arguments.to.absolute())
    print(f"The workspace has been exported to {file}. Anyone with this file can read everything in it.")
    return DONE


def _import(settings: Config, arguments: argparse.Namespace) -> int:
    from erp.system.transfer import importing

    with opened(settings):
        imported = importing.import_workspace(arguments.file.absolute(), arguments.owner)
    print(f"{plain(imported.name)} has been imported as {imported.id}. Its members are:")
    for member in imported.members:
        print(plain(member.email), plain(member.name), member.role, member.status, sep="\t")
    if imported.left_behind:
        print("These people are not members, because no user here has their e-mail address; its history names them:")
    for person in imported.left_behind:
        print(plain(person.email or ""), plain(person.name), sep="\t")
    return DONE


def _duplicate(settings: Config, arguments: argparse.Namespace) -> int:
    from erp.system.transfer import duplicating

    with opened(settings):
        copy_id, name = duplicating.duplicate(arguments.id, arguments.name)
    print(f"{plain(name)} has been created as {copy_id} with the same members.")
    return DONE
