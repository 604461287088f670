"""Who the caller is, and in which workspace she acts."""

from typing import ClassVar

from erp.auth.sessions import SessionView
from erp.auth.users import UserView
from erp.kernel import caller
from erp.kernel.caller import Caller
from erp.kernel.errors import NotAMember, SignInRequired
from erp.members import memberships
from erp.members.memberships import ActiveWorkspaceView, MembershipView
from erp.store import control
from erp.store.control import Session, User
from erp.web.endpoint import endpoint
from erp.web.scalars import Id
from erp.web.schema import Body, View


class Selection(Body):
    """The workspace to act in; null for none."""

    EXAMPLE: ClassVar[dict[str, str]] = {"workspaceId": "0199d6a2-7c00-7000-8000-000000000001"}

    workspace_id: Id | None


class SelectedView(View):
    """The session, and the workspace that it acts in."""

    session: SessionView
    workspace: ActiveWorkspaceView | None


class CurrentView(SelectedView):
    """Who is signed in, how, where, and where else she could be."""

    user: UserView
    workspaces: list[MembershipView]


def select(workspace_id: str | None) -> SelectedView:
    """Let the caller's session act in a workspace of hers, or in none."""
    who = caller.current()
    workspace = memberships.active(who.user_id, workspace_id)
    if workspace is None and workspace_id is not None:
        raise NotAMember
    session = _session()
    session.change(active_workspace_id=workspace_id)
    return SelectedView(session=SessionView.of(session), workspace=workspace)


def _session() -> Session:
    """The caller's session, unless it was ended since the request came in."""
    found: Session | None = Session.get_or_none(Session.id == caller.current().session_id)
    if found is None:
        raise SignInRequired
    return found


def _reachable(who: Caller) -> list[MembershipView]:
    """The workspaces that the session can act in; a named token learns of no other than its own."""
    mine = memberships.of_user(who.user_id)
    return mine if who.session_kind == "session" else [each for each in mine if each.id == who.active_workspace_id]


class SelectWorkspace:
    """Selecting a workspace."""

    @endpoint(access="user", session_only=True, refuses=(NotAMember,))
    def on_post(self, body: Selection) -> SelectedView:
        """Select the workspace that this session acts in; null selects none.

        Put the workspace's own `id` in place of the example's: the answer that made it has it, and `GET /workspace`.
        Requests that name no workspace themselves then act in this one. Archived workspaces can be selected, to read.
        """
        with control.write():
            return select(body.workspace_id)


class Current:
    """The session of the request."""

    @endpoint(access="user", store="control")
    def on_get(self) -> CurrentView:
        """Say who is signed in, in which workspace, and in which others she could be.

        `workspace` is null when none is selected, or when you are no longer a member of the one that was.
        A named token is told of its own workspace alone.
        """
        who = caller.current()
        return CurrentView(
            user=UserView.of(User.find(who.user_id)),
            session=SessionView.of(_session()),
            workspace=memberships.active(who.user_id, who.active_workspace_id),
            workspaces=_reachable(who),
        )
