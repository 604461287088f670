"""Registering a workspace whose file is made from another one: control file, its own file, control file.

As with `erp.workspace.provision`, the next start undoes it after a crash before the file has its name, and completes it
after a later crash.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec

from erp.kernel import clock
from erp.kernel.errors import AlreadyExists, Conflict, Invalid, NotFound, Refusal, SampleData, Unavailable
from erp.kernel.language import verbatim
from erp.migrations import Connection
from erp.store import connections, control, engine
from erp.store.control import Member, Workspace
from erp.store.records import new_id
from erp.system.checks import files as checking
from erp.system.checks.chain import NotedHead
from erp.web.scalars import Name
from erp.web.schema import Body, decode
from erp.web.strict_json import clean
from erp.workspace import provision


class LocalMember(msgspec.Struct, frozen=True):
    """A member of the new workspace: a user of this installation.

    `former_ids` are the person's user ids in the workspace's records so far.
    """

    user_id: str
    name: str
    email: str
    role: str
    status: str = "active"
    former_ids: tuple[str, ...] = ()


class NewName(Body):
    """The name of a workspace."""

    name: Name


class Unsound(Conflict):
    """The file of the workspace cannot be used: {problems}."""


def find_usable(workspace_id: str) -> Workspace:
    """A workspace with a usable file.

    Raises:
        NotFound: there is none with that id.
        Unavailable: its file cannot be used.
    """
    with control.read():
        workspace = Workspace.find_or_none(workspace_id)
    if workspace is None or workspace.state == "creating":
        raise NotFound(verbatim(f"There is no workspace {workspace_id}. List them all with `erp workspace list`."))
    if workspace.fault is not None:
        raise Unavailable(verbatim(f"The workspace {workspace.name} is unavailable. {workspace.fault}"))
    return workspace


def find_own(workspace_id: str) -> Workspace:
    """A workspace with a usable file, of which copies may be made.

    Raises:
        NotFound, Unavailable: as for `find_usable`.
        SampleData: it is a sample, and a copy could not be deleted.
    """
    workspace = find_usable(workspace_id)
    if workspace.is_sample:
        raise SampleData
    return workspace


def valid_name(name: str) -> str:
    """The name, cleaned.

    Raises:
        Refusal: a workspace cannot have it.
    """
    try:
        return decode({"name": clean(name)}, NewName).name
    except Invalid as refusal:
        raise Refusal(verbatim(f"A workspace cannot be called {name!r}: {refusal.details[0].message}")) from None


@contextmanager
def registering(workspace_id: str, name: str, created_by: str, members: Sequence[LocalMember]) -> Iterator[Path]:
    """Register a workspace; the block makes its file at the given path.

    Raises:
        AlreadyExists: there is a workspace with that id.
        Unsound: the block made a damaged file.
    """
    _announce(workspace_id, name, created_by, members)
    try:
        new = provision.new_path(workspace_id)
        yield new
        engine.use_write_ahead_log(new)
        check(new)
        provision.put_in_place(workspace_id)
        with control.write():
            provision.activate(workspace_id)
    except BaseException:
        _undo(workspace_id)
        raise


@contextmanager
def editing(path: Path) -> Iterator[Connection]:
    """Change a closed workspace file in one transaction; stored answers are deleted."""
    with closing(connections.connect_alone(path)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("DELETE FROM idempotency")
        yield connection
        connection.execute("COMMIT")


def check(path: Path, *noted_heads: NotedHead) -> checking.Report:
    """Check a closed workspace file.

    Args:
        noted_heads: events that it must have.

    Raises:
        Unsound: it has problems.
    """
    report = checking.workspace_file(path, nobody_writes=True, noted_heads=noted_heads)
    if report.findings:
        raise Unsound(problems=" ".join(report.findings).removesuffix("."))
    return report


def _announce(workspace_id: str, name: str, created_by: str, members: Sequence[LocalMember]) -> None:
    with control.write():
        if Workspace.find_or_none(workspace_id) is not None:
            raise AlreadyExists(verbatim(f"Workspace {workspace_id} already exists."))
        begun = {"created_by": created_by, "history": new_id()}  # older backups may hold it with more events
        Workspace.add(id=workspace_id, name=name, state="creating", **begun)
        for member in members:
            columns = {"user_id": member.user_id, "role": member.role, "status": member.status}
            Member.add(workspace_id=workspace_id, joined_at=clock.stamp(), **columns)


def _undo(workspace_id: str) -> None:
    """Undo the registration, unless the workspace is already active."""
    with control.write():
        Workspace.delete().where(Workspace.id == workspace_id, Workspace.state == "creating").execute()
        if Workspace.find_or_none(workspace_id) is None:
            for leftover in provision.new_path(workspace_id).parent.glob(f"{workspace_id}.*"):
                leftover.unlink()
