"""The workspaces that a user is an active member of."""

from collections.abc import Iterable
from typing import Any, Literal

import msgspec

from erp.kernel import roles
from erp.kernel.errors import NotAMember
from erp.kernel.roles import Permission, Role
from erp.store.control import Member, Workspace
from erp.store.router import CONTROL
from erp.web.schema import View, show

_OF_USER = (
    "SELECT w.id, w.name, w.status, m.role FROM workspace AS w JOIN member AS m ON m.workspace_id = w.id"
    " WHERE m.user_id = ? AND m.status = 'active' AND w.status <> 'creating' ORDER BY w.name, w.id"
)

_PERMISSIONS = {role: sorted(names) for role, names in roles.PERMISSIONS.items()}

Status = Literal["active", "archived", "unavailable"]


class MembershipView(View):
    """A workspace of the caller, with their role in it."""

    id: str
    name: str
    status: Status
    role: Role

    @classmethod
    def of(cls, row: Any) -> "MembershipView":
        """Show a row of `select_of_user`."""
        return show(cls, row)


class ActiveWorkspaceView(MembershipView):
    """The selected workspace, with the caller's permissions there."""

    permissions: list[Permission]


def select_of_user(user_id: str) -> Any:
    """A select of the workspaces that a user can enter, as plain rows with their role there."""
    return (
        Workspace.select(Workspace, Member.role)
        .join(Member)
        .where(Member.user == user_id, Member.status == "active", Workspace.status != "creating")
        .objects()
    )


def of_user(user_id: str) -> list[MembershipView]:
    """All workspaces that a user can enter, by name."""
    return of_rows(CONTROL.rows(_OF_USER, (user_id,)))


def of_rows(rows: Iterable[tuple[Any, ...]]) -> list[MembershipView]:
    """Workspaces from their id, name and status and the user's role there; rows without an id are of none."""
    return [MembershipView(id=id, name=name, status=status, role=role) for id, name, status, role in rows if id]


def names_of(user_id: str) -> list[str]:
    """The names of all workspaces that a user can enter."""
    return [name for _, name, *_ in CONTROL.rows(_OF_USER, (user_id,))]


def find(user_id: str, workspace_id: str) -> MembershipView:
    """The membership of a user in a workspace.

    Raises:
        NotAMember: they are not an active member of it, or there is no such workspace.
    """
    for membership in of_user(user_id):
        if membership.id == workspace_id:
            return membership
    raise NotAMember


def active(workspaces: Iterable[MembershipView], workspace_id: str | None) -> ActiveWorkspaceView | None:
    """The selected one of a user's workspaces, with their permissions there; None if they can no longer enter it."""
    for membership in workspaces:
        if membership.id == workspace_id:
            permissions = _PERMISSIONS[membership.role]
            return ActiveWorkspaceView(**msgspec.structs.asdict(membership), permissions=permissions)
    return None
