"""The workspaces of a user: those she is an active member of."""

from erp.kernel import roles
from erp.kernel.errors import NotAMember
from erp.kernel.roles import Role
from erp.store.router import CONTROL
from erp.web.schema import View

_OF_USER = (
    "SELECT w.id, w.name, w.status, m.role FROM workspace AS w JOIN member AS m ON m.workspace_id = w.id"
    " WHERE m.user_id = ? AND m.status = 'active' AND w.status <> 'creating' ORDER BY w.name, w.id"
)


class MembershipView(View):
    """A workspace of the caller, and her role in it."""

    id: str
    name: str
    status: str
    role: Role


class ActiveWorkspaceView(MembershipView):
    """The selected workspace, and what the caller may do there."""

    permissions: list[str]


def of_user(user_id: str) -> list[MembershipView]:
    """Every workspace that a user may enter, by name."""
    rows = CONTROL.rows(_OF_USER, (user_id,))
    return [MembershipView(id=id, name=name, status=status, role=role) for id, name, status, role in rows]


def find_or_none(user_id: str, workspace_id: str | None) -> ActiveWorkspaceView | None:
    """A workspace that a user may enter; None for any other."""
    for found in of_user(user_id):
        if found.id == workspace_id:
            permissions = sorted(roles.PERMISSIONS[found.role])
            return ActiveWorkspaceView(
                id=found.id, name=found.name, status=found.status, role=found.role, permissions=permissions
            )
    return None


def find(user_id: str, workspace_id: str) -> ActiveWorkspaceView:
    """A workspace that a user may enter.

    Raises:
        NotAMember: she is none of its active members, or there is no such workspace.
    """
    found = find_or_none(user_id, workspace_id)
    if found is None:
        raise NotAMember
    return found
