"""The caller's session: the user, and the workspace that they act in."""

from typing import Annotated, ClassVar

import falcon
import msgspec
from msgspec import Meta

from erp.auth import cookies, preferences
from erp.auth.preferences import PreferencesView
from erp.auth.sessions import SessionView
from erp.auth.users import UserView
from erp.kernel import caller, clock
from erp.kernel.caller import Caller
from erp.kernel.errors import NotAMember, SignInRequired
from erp.members import memberships
from erp.members.memberships import ActiveWorkspaceView, MembershipView
from erp.store import control
from erp.store.control import Session
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
    """The session with its user and their preferences, the workspace it acts in, and all that it can act in."""

    user: UserView
    preferences: PreferencesView
    workspaces: list[MembershipView]


def select(workspace_id: str | None) -> Session:
    """Let the caller's session act in one of their workspaces, or in none.

    Raises:
        NotAMember: the caller is not an active member of it.
    """
    if workspace_id is not None:
        memberships.find(caller.current().user_id, workspace_id)
        preferences.note_workspace(caller.current().user_id, workspace_id)
    session = _session()
    session.change(active_workspace_id=workspace_id)
    return session


def _session() -> Session:
    """The caller's session, unless it has ended since the request came in."""
    session = Session.find_or_none(caller.current().session_id)
    if session is None:
        raise SignInRequired
    return session


_CURRENT = (
    f"SELECT {', '.join(f's.{name}' for name in SessionView.__struct_fields__)},"
    f" {', '.join(f'u.{name}' for name in UserView.__struct_fields__)},"
    f" {preferences.COLUMNS}, w.id, w.name, w.status, m.role, {control.LACKS_TWO_FACTOR}, w.is_sample"
    ' FROM session AS s JOIN "user" AS u ON u.id = s.user_id JOIN preference AS p ON p.id = u.id'
    f" LEFT JOIN member AS m ON m.user_id = u.id AND {control.MAY_ENTER}"
    " LEFT JOIN workspace AS w ON w.id = m.workspace_id AND w.status <> 'creating'"
    " WHERE s.id = ? ORDER BY w.name, w.id"
)
"""A row for each of the user's workspaces, or a single one without."""

_SESSION = len(SessionView.__struct_fields__)
_PREFERENCES = _SESSION + len(UserView.__struct_fields__)
_WORKSPACE = _PREFERENCES + len(PreferencesView.__struct_fields__)
"""The places of the user, of the preferences and of the workspace in such a row."""


class _Known(msgspec.Struct, frozen=True):
    session: SessionView
    user: UserView
    preferences: PreferencesView
    workspaces: list[MembershipView]


def _look_up(session_id: str) -> _Known:
    """The caller's rows in the control file, unless the session has ended since the request came in."""
    rows = control.look_up(_CURRENT, (clock.stamp(), session_id))
    if not rows:
        raise SignInRequired
    session = SessionView(**dict(zip(SessionView.__struct_fields__, rows[0], strict=False)))
    user = UserView(**dict(zip(UserView.__struct_fields__, rows[0][_SESSION:_PREFERENCES], strict=True)))
    user.is_instance_admin = bool(user.is_instance_admin)
    shown = PreferencesView.of_row(rows[0][_PREFERENCES:_WORKSPACE])
    return _Known(session, user, shown, memberships.of_rows(row[_WORKSPACE:] for row in rows))


def _reachable(who: Caller, workspaces: list[MembershipView]) -> list[MembershipView]:
    """The user's workspaces that the session can act in; a named token sees only its own."""
    if who.session_kind == "session":
        return workspaces
    return [workspace for workspace in workspaces if workspace.id == who.active_workspace_id]


class SelectWorkspace:
    @endpoint(access="user", session_only=True, refuses=(NotAMember,))
    def on_post(self, body: WorkspaceSelection) -> SelectedWorkspaceView:
        """Select the workspace that this session acts in; null selects none.

        Replace the example's id with the id of one of your workspaces: `GET /workspace` lists them. Requests that name
        no workspace then act in this one. An archived workspace can be selected for reading.
        """
        with control.write():
            session = select(body.workspace_id)
            workspaces = memberships.of_user(session.user_id)
        workspace = memberships.active(workspaces, body.workspace_id, session.user_id)
        return SelectedWorkspaceView(session=SessionView.of(session), workspace=workspace)


class Current:
    @endpoint(access="user")
    def on_get(self, req: falcon.Request, resp: falcon.Response) -> CurrentSessionView:
        """Show who is signed in, the selected workspace, and the others they can select.

        `workspace` is null when none is selected, or when you are no longer a member of the selected one. It has the
        settings that a screen needs, and the id of your employee record there.
        A named token sees only its own workspace.
        """
        who = caller.current()
        known = _look_up(who.session_id)
        cookies.renew(req, resp, known.session.expires_at)
        return CurrentSessionView(
            user=known.user,
            preferences=known.preferences,
            session=known.session,
            workspace=memberships.active(known.workspaces, who.active_workspace_id, who.user_id, who.scopes),
            workspaces=_reachable(who, known.workspaces),
        )
