"""Taking up a workspace whose file is made from another one: control file first, its own file second, control last.

As with `erp.workspace.provision`, a crash before the file has its name undoes it at the next start, a crash after
that completes it.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from erp.kernel import clock
from erp.kernel.errors import AlreadyExists, Conflict, Invalid, NotFound, Refusal, Unavailable
from erp.migrations import Connection
from erp.store import control
from erp.store.connections import sqlite3
from erp.store.control import Member, Workspace
from erp.system.checks import files as checking
from erp.web.scalars import Name
from erp.web.schema import Body, decode
from erp.web.strict_json import clean
from erp.workspace import provision


@dataclass(frozen=True, slots=True)
class Seat:
    """A member that a workspace is to have: a user of this installation.

    `former_ids` are the user ids by which the workspace's records name this person so far.
    """

    user_id: str
    name: str
    email: str
    role: str
    status: str = "active"
    former_ids: tuple[str, ...] = ()


class NewName(Body):
    """What a workspace is to be called."""

    name: Name


class Unsound(Conflict):
    """The file of the workspace is damaged: {problems}."""


def find_usable(workspace_id: str) -> Workspace:
    """The workspace of that id, whose file can be read.

    Raises:
        NotFound: there is none.
        Unavailable: its file cannot be used.
    """
    with control.read():
        workspace = Workspace.find_or_none(workspace_id)
    if workspace is None or workspace.state == "creating":
        raise NotFound(f"There is no workspace {workspace_id}; `erp workspace list` names them all.")
    if workspace.fault is not None:
        raise Unavailable(f"The workspace {workspace.name} is unavailable. {workspace.fault}")
    return workspace


def checked_name(name: str) -> str:
    """A name that a workspace can have.

    Raises:
        Refusal: it cannot.
    """
    try:
        return decode({"name": clean(name)}, NewName).name
    except Invalid as fault:
        raise Refusal(f"A workspace cannot be called {name!r}: {fault.details[0].message}") from None


@contextmanager
def adopting(workspace_id: str, name: str, created_by: str, seats: Sequence[Seat]) -> Iterator[Path]:
    """Take up a workspace whose file the block makes, at the path that it is given.

    Raises:
        AlreadyExists: there is one of that id.
        Unsound: what the block made is not in order.
    """
    _announce(workspace_id, name, created_by, seats)
    try:
        new = provision.new_path(workspace_id)
        yield new
        with closing(sqlite3.connect(str(new), isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
        check(new)
        provision.put_in_place(workspace_id)
        with control.write():
            provision.activate(workspace_id)
    except BaseException:
        _undo(workspace_id)
        raise


@contextmanager
def editing(path: Path) -> Iterator[Connection]:
    """Change a workspace's file that nobody else has open, in one transaction; the answers kept in it are dropped."""
    with closing(sqlite3.connect(str(path), isolation_level=None)) as connection:
        for pragma in ("synchronous = FULL", "trusted_schema = 0", "secure_delete = 1"):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("DELETE FROM idempotency")
        yield connection
        connection.execute("COMMIT")


def check(path: Path, noted: tuple[int, str] | None = None) -> checking.Report:
    """Look through a workspace's file that nobody else has open.

    Args:
        noted: an event's place and hash, which it must have.

    Raises:
        Unsound: it is not in order.
    """
    report = checking.workspace_file(path, nobody_writes=True, noted=noted)
    if report.problems:
        raise Unsound(problems=" ".join(report.problems).removesuffix("."))
    return report


def _announce(workspace_id: str, name: str, created_by: str, seats: Sequence[Seat]) -> None:
    with control.write():
        if Workspace.find_or_none(workspace_id) is not None:
            raise AlreadyExists(f"There is a workspace {workspace_id} already.")
        Workspace.add(id=workspace_id, name=name, state="creating", created_by=created_by)
        for seat in seats:
            Member.add(
                workspace_id=workspace_id,
                user_id=seat.user_id,
                role=seat.role,
                status=seat.status,
                joined_at=clock.stamp(),
            )


def _undo(workspace_id: str) -> None:
    """Leave nothing of what was begun, unless it is done after all."""
    with control.write():
        Workspace.delete().where(Workspace.id == workspace_id, Workspace.state == "creating").execute()
        if Workspace.find_or_none(workspace_id) is None:
            for leftover in provision.new_path(workspace_id).parent.glob(f"{workspace_id}.*"):
                leftover.unlink()
