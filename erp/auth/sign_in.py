"""Signing in and out."""

from typing import Annotated, ClassVar

import falcon
import msgspec
from msgspec import UNSET, Meta

from erp.auth import cookies, devices, passwords, sessions, users
from erp.auth.attempts import attempt
from erp.auth.preferences import PreferencesView, note_workspace
from erp.auth.sessions import Device, OpenedSessionView
from erp.auth.two_factor import factors
from erp.auth.two_factor.factors import SecondFactorNeeded, WrongCode
from erp.auth.users import UserView
from erp.kernel import tokens
from erp.kernel.errors import NotAMember, RateLimited, Refusal, SignInRequired
from erp.members import memberships
from erp.members.memberships import ActiveWorkspaceView, MembershipView
from erp.store import control
from erp.store.control import Preference, Session, User
from erp.web.endpoint import endpoint
from erp.web.scalars import Email, Id
from erp.web.schema import Body, Unset, View
from erp.web.session import token_of


class Credentials(Body):
    """A user's e-mail address and password, and optionally a workspace to select."""

    EXAMPLE: ClassVar[dict[str, str]] = {"email": "olga@example.com", "password": "correct horse battery"}

    email: Email
    password: Annotated[str, Meta(max_length=1000, description="Taken as typed.")]
    code: (
        Annotated[str, Meta(max_length=40, description="The code of an app, or a recovery code, for who needs one.")]
        | None
    ) = None
    workspace_id: Annotated[
        Id | Unset | None,
        Meta(description="A workspace to select; null for none. When absent, the one last selected, or the only one."),
    ] = UNSET


class SignedIn(msgspec.Struct, frozen=True):
    """A user, the session that was opened for them, its token, and the marks of their browser."""

    user: User
    session: Session
    token: str
    marks: str


class SignedInView(View):
    """The user who has signed in, their preferences, the session with its token, and the workspaces."""

    user: UserView
    preferences: PreferencesView
    session: OpenedSessionView
    workspace: ActiveWorkspaceView | None
    workspaces: list[MembershipView]

    @classmethod
    def of(cls, signed_in: SignedIn) -> "SignedInView":
        """Show a user who has just signed in."""
        with control.read():
            workspaces = memberships.of_user(signed_in.user.id)
            preference = Preference.find(signed_in.user.id)
        session = OpenedSessionView.of(signed_in.session, token=signed_in.token)
        selected = memberships.active(workspaces, signed_in.session.active_workspace_id, signed_in.user.id)
        return cls(
            user=UserView.of(signed_in.user),
            preferences=PreferencesView.of(preference, signed_in.user),
            session=session,
            workspace=selected,
            workspaces=workspaces,
        )


class WrongCredentials(Refusal):
    """The e-mail address or the password is wrong."""

    status = 401


def sign_in(credentials: Credentials, device: Device) -> SignedIn:
    """Check the password, and the code of who needs one, and open a session.

    Raises:
        WrongCredentials: no active user has this e-mail address and password.
        SecondFactorNeeded: a code is needed as well.
        WrongCode: the code is wrong, or was used before.
        NotAMember: the user is not in the workspace that they want to select.
    """
    with attempt(device, control.email_key(credentials.email), signs_in=True):
        known = _active(credentials.email)
        if not passwords.verify(known.password_hash if known else None, credentials.password) or known is None:
            raise WrongCredentials
        _check_second_factor(known, credentials.code)
    password_hash = known.password_hash
    renewed = passwords.hash_password(credentials.password) if passwords.needs_rehash(password_hash) else password_hash
    with control.write():
        user = _find_unchanged(credentials.email, password_hash)
        if renewed != password_hash:
            user.change(password_hash=renewed)
        return open_session(user, device, _workspace_for(user, credentials))


def _workspace_for(user: User, credentials: Credentials) -> str | None:
    """The workspace to select: the one that is named, else the one last selected, else the only one."""
    named = credentials.workspace_id
    if named is None:
        return None
    if named is not UNSET:
        note_workspace(user.id, memberships.find(user.id, named).id)
        return named
    usable = [workspace.id for workspace in memberships.of_user(user.id) if workspace.status != "unavailable"]
    last = Preference.find(user.id).workspace_id
    if last in usable:
        return last
    return usable[0] if len(usable) == 1 else None


def open_session(user: User, device: Device, workspace_id: str | None = None) -> SignedIn:
    """Open a session for a user in the control file, open for writing."""
    session, token = sessions.start(user.id, device, workspace_id)
    return SignedIn(user, session, token, devices.marked(device.marks, user.email_key))


def _active(email: str) -> User | None:
    """The active user of an e-mail address; a disabled one looks like an unknown one."""
    with control.read():
        user = users.find_by_email(email)
        return user if user is not None and user.status == "active" else None


def _check_second_factor(user: User, code: str | None) -> None:
    with control.read():
        is_needed = factors.is_on(user.id)
    if is_needed:
        with control.write():
            factors.use(user.id, code)


def _find_unchanged(email: str, password_hash: str) -> User:
    """The user whose password was checked, unless it has changed or they were disabled in the meantime."""
    user = users.find_by_email(email)
    if user is None or user.password_hash != password_hash or user.status != "active":
        raise WrongCredentials
    return user


def sign_out(token: str) -> None:
    """End the session of a token, if there is one."""
    with control.write():
        Session.delete().where(Session.token_hash == tokens.hashed(token)).execute()


REFUSES = (WrongCredentials, SecondFactorNeeded, WrongCode, NotAMember, RateLimited)


class SignIn:
    """Signing in by e-mail address and password."""

    @endpoint(access="public", shows_secret=True, refuses=REFUSES)
    def on_post(self, body: Credentials, req: falcon.Request, resp: falcon.Response) -> SignedInView:
        """Sign in with an e-mail address and a password.

        The answer sets a cookie for browsers; a script sends `session.token` as `Authorization: Bearer …`. The
        workspace last selected, or the only one, is selected again, unless `workspaceId` says otherwise.

        Who has two-factor sign-in on is refused with `second_factor_needed` once the password is right, and sends
        the same again with `code`. A code counts once.

        After five wrong passwords or codes for a user from one address, each further one asks for a longer wait, of 60
        seconds at most. After thirty from one address within ten minutes, users who have never signed in there wait as
        well. A browser in which the user has signed in before sends the cookie `erp_device_…`, and waits only for its
        own wrong passwords. A user has at most 20 sessions in browsers and 20 elsewhere; one more ends the one that was
        unused for longest. A script that runs often should use a named token (`POST /auth/tokens`).
        """
        signed_in = sign_in(body, Device.of(req))
        cookies.give(req, resp, signed_in.token, signed_in.marks)
        return SignedInView.of(signed_in)


class SignOut:
    @endpoint(access="public")
    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        """Sign out. The session's token stops working at once.

        The answer is the same when the session has already ended, or when there is none.
        """
        cookies.clear(req, resp)
        try:
            token = token_of(req)
        except SignInRequired:
            return
        if token is not None:
            sign_out(token)
