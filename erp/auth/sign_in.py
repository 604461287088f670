"""Signing in and out."""

from typing import Annotated, ClassVar

import falcon
from msgspec import Meta

from erp.auth import cookies, passwords, sessions, users
from erp.auth.attempts import attempt
from erp.auth.sessions import Device, OpenedSessionView
from erp.auth.users import UserView
from erp.kernel import tokens
from erp.kernel.errors import NotAMember, RateLimited, Refusal, SignInRequired
from erp.members import memberships
from erp.members.memberships import MembershipView
from erp.store import control
from erp.store.control import Session, User
from erp.web.endpoint import endpoint
from erp.web.scalars import Email, Id
from erp.web.schema import Body, View
from erp.web.session import token_of


class Credentials(Body):
    """Who signs in, and, if she likes, into which workspace."""

    EXAMPLE: ClassVar[dict[str, str]] = {"email": "olga@example.com", "password": "correct horse battery"}

    email: Email
    password: Annotated[str, Meta(max_length=1000, description="Taken as typed.")]
    workspace_id: Annotated[Id, Meta(description="A workspace to select at once.")] | None = None


class SignedInView(View):
    """Who has signed in, the session with its token, and the workspaces to select from."""

    user: UserView
    session: OpenedSessionView
    workspaces: list[MembershipView]


class WrongCredentials(Refusal):
    """The e-mail address or the password is wrong."""

    status = 401


def sign_in(given: Credentials, device: Device) -> SignedInView:
    """Check the password and open a session."""
    with attempt(device.address, control.email_key(given.email)):
        kept = _password_hash(given.email)
        if not passwords.verify(kept, given.password) or kept is None:
            raise WrongCredentials
    renewed = passwords.hash_password(given.password) if passwords.needs_rehash(kept) else kept
    with control.write():
        user = _still(given.email, kept)
        if renewed != kept:
            user.change(password_hash=renewed)
        if given.workspace_id is not None:
            memberships.find(user.id, given.workspace_id)
        return welcome(user, device, given.workspace_id)


def welcome(user: User, device: Device, workspace_id: str | None = None) -> SignedInView:
    """Open a session for a user in the control file, open for writing."""
    return SignedInView(
        user=UserView.of(user),
        session=sessions.start(user.id, device, workspace_id),
        workspaces=memberships.of_user(user.id),
    )


def _password_hash(email: str) -> str | None:
    """What is kept of a user's password; nothing of one who may not come in, who is then a stranger in every way."""
    with control.read():
        user = users.find_by_email(email)
        return user.password_hash if user is not None and user.status == "active" else None


def _still(email: str, kept: str) -> User:
    """The user whose password was checked, unless it was changed or she was disabled in the meantime."""
    user = users.find_by_email(email)
    if user is None or user.password_hash != kept or user.status != "active":
        raise WrongCredentials
    return user


def sign_out(token: str) -> None:
    """End the session of a token, if there is one."""
    with control.write():
        Session.delete().where(Session.token_hash == tokens.hashed(token)).execute()


class SignIn:
    """Signing in by e-mail address and password."""

    @endpoint(access="public", shows_secret=True, refuses=(WrongCredentials, NotAMember, RateLimited))
    def on_post(self, body: Credentials, req: falcon.Request, resp: falcon.Response) -> SignedInView:
        """Sign in with an e-mail address and a password.

        A browser is signed in by the cookie of the answer; a script sends `session.token` as
        `Authorization: Bearer …`. A `workspaceId` selects that workspace at once. After five wrong passwords for an
        account from one address each further one asks for a longer wait, 60 seconds at most. A user has at most
        20 sessions; beyond that her oldest ends.
        """
        signed_in = sign_in(body, Device.of(req))
        cookies.give(resp, signed_in.session.token)
        return signed_in


class SignOut:
    """Signing out."""

    @endpoint(access="public")
    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        """Sign out; the token is dead at once.

        Answers the same when the session had ended before, or when there was none.
        """
        cookies.clear(resp)
        try:
            token = token_of(req)
        except SignInRequired:
            return
        if token is not None:
            sign_out(token)
