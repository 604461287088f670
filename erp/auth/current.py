"""Who the caller is, and which workspace they act in."""

from typing import Annotated, ClassVar

from msgspec import Meta

from erp.auth.sessions import SessionView
from erp.auth.users import UserView
from erp.kernel import caller
from erp.kernel.caller import Caller
from erp.kernel.errors import NotAMember, SignInRequired
from erp.members import memberships
from erp.members.memberships import ActiveWorkspaceView, MembershipView
from erp.store import control
from erp.store.control import Session
from erp.store.router import CONTROL
from erp.web.endpoint import endpoint
from erp.web.scalars import Id
from erp.web.schema import Body, View


class WorkspaceSelection(Body):
    """The workspace to act in; null for none."""

    EXAMPLE: ClassVar[dict[str, str]] = {"workspaceId": "0199d6a2-7c00-7000-8000-000000000001"}

    workspace_id: Annotated[
        Id | None, Meta(description="Paste the `id` of one of your workspaces here: `GET /workspace` lists them.")
    ]


class SelectedWorkspaceView(View):
    """The session, and the workspace that it acts in."""

    session: SessionView
    workspace: ActiveWorkspaceView | None


class CurrentSessionView(SelectedWorkspaceView):
    """The session with its user, the workspace it acts in, and all workspaces it can act in."""

    user: UserView
    workspaces: list[MembershipView]


def select(workspace_id: str | None) -> Session:
    """Let the caller's session act in one of their workspaces, or in none.

    Raises:
        NotAMember: the caller is not an active member of it.
    """
    if workspace_id is not None:
        memberships.find(caller.current().user_id, workspace_id)
    session = _session()
    session.change(active_workspace_id=workspace_id)
    return session


def _session() -> Session:
    """The caller's session, unless it has ended since the request came in."""
    session = Session.find_or_none(caller.current().session_id)
    if session is None:
        raise SignInRequired
    return session


_SESSION_AND_USER = (
    f"SELECT {', '.join(f's.{name}' for name in SessionView.__struct_fields__)},"
    f" {', '.join(f'u.{name}' for name in UserView.__struct_fields__)}"
    ' FROM session AS s JOIN "user" AS u ON u.id = s.user_id WHERE s.id = ?'
)


def _session_and_user(session_id: str) -> tuple[SessionView, UserView]:
    """The caller's session and user, unless the session has ended since the request came in."""
    for row in CONTROL.rows(_SESSION_AND_USER, (session_id,)):
        of_user = row[len(SessionView.__struct_fields__) :]
        user = UserView(**dict(zip(UserView.__struct_fields__, of_user, strict=True)))
        user.is_instance_admin = bool(user.is_instance_admin)
        return SessionView(**dict(zip(SessionView.__struct_fields__, row, strict=False))), user
    raise SignInRequired


def _reachable(who: Caller, workspaces: list[MembershipView]) -> list[MembershipView]:
    """Those of the user's workspaces that the session can act in; a named token sees only its own."""
    if who.session_kind == "session":
        return workspaces
    return [workspace for workspace in workspaces if workspace.id == who.active_workspace_id]


class SelectWorkspace:
    """Selecting a workspace."""

    @endpoint(access="user", session_only=True, refuses=(NotAMember,))
    def on_post(self, body: WorkspaceSelection) -> SelectedWorkspaceView:
        """Select the workspace that this session acts in; null selects none.

        Replace the example's id with that of one of your workspaces: `GET /workspace` lists them. Requests that do
        not name a workspace themselves then act in this one. An archived workspace can be selected for reading.
        """
        with control.write():
            session = select(body.workspace_id)
            workspace = memberships.active(memberships.of_user(session.user_id), body.workspace_id)
            return SelectedWorkspaceView(session=SessionView.of(session), workspace=workspace)


class Current:
    """The session of the request."""

    @endpoint(access="user", store="control")
    def on_get(self) -> CurrentSessionView:
        """Show who is signed in, the selected workspace, and the others they can select.

        `workspace` is null when none is selected, or when you are no longer a member of the selected one.
        A named token sees only its own workspace.
        """
        who = caller.current()
        workspaces = memberships.of_user(who.user_id)
        session, user = _session_and_user(who.session_id)
        return CurrentSessionView(
            user=user,
            session=session,
            workspace=memberships.active(workspaces, who.active_workspace_id),
            workspaces=_reachable(who, workspaces),
        )
