"""Resetting forgotten passwords: an administrator creates a one-time link and hands it over."""

import datetime
from typing import Annotated, ClassVar

from msgspec import Meta

from erp.auth import passwords, users
from erp.kernel import caller, clock, config, tokens
from erp.kernel.errors import Forbidden, Invalid, NotFound
from erp.kernel.language import says
from erp.members import memberships, revocation
from erp.store import control
from erp.store.control import PasswordReset, Session, User
from erp.web.endpoint import endpoint
from erp.web.hosts import link_base
from erp.web.scalars import Id, Instant
from erp.web.schema import Body, View, show
from erp.web.strict_json import clean

VALID_FOR = datetime.timedelta(hours=1)


class NewPasswordReset(Body):
    """The user whose password is to be reset."""

    EXAMPLE: ClassVar[dict[str, str]] = {"userId": "0199d6a2-7c00-7000-8000-000000000002"}

    user_id: Id


class PasswordResetView(View):
    """The link and the token in it; both are shown only once."""

    user_id: str
    link: str
    token: str
    expires_at: Instant

    @classmethod
    def of(cls, reset: PasswordReset, token: str) -> "PasswordResetView":
        return show(cls, reset, link=link_of(token), token=token)


class PasswordResetToken(Body):
    """The secret of a link."""

    EXAMPLE: ClassVar[dict[str, str]] = {"token": "erp_…"}

    token: Annotated[str, Meta(min_length=1, max_length=200)]


class PasswordResetPreviewView(View):
    """The user of a link to set a password, and its expiry."""

    email: str
    expires_at: Instant


class PasswordResetRedemption(Body):
    """The token of a link, and the new password."""

    EXAMPLE: ClassVar[dict[str, str]] = {"token": "erp_…", "newPassword": "staple of the long stable"}

    token: Annotated[str, Meta(min_length=1, max_length=200)]
    new_password: users.NewPassword


def issue(user: User) -> tuple[PasswordReset, str]:
    """Create a reset in the control file, open for writing; the user's earlier ones become void.

    Returns:
        The reset, and its token.
    """
    token = tokens.make()
    PasswordReset.delete().where(PasswordReset.user == user.id).execute()
    expires_at = clock.stamp(clock.now() + VALID_FOR)
    return PasswordReset.add(user=user.id, token_hash=tokens.hashed(token), expires_at=expires_at), token


def issue_by_admin(user_id: str) -> tuple[PasswordReset, str]:
    """Create a reset for a user, as `issue` does.

    Raises:
        Invalid: there is no such user.
        Forbidden: the user is another instance admin.
    """
    return issue(check_may_reset(user_id))


def check_may_reset(user_id: str) -> User:
    """The user, whose password an instance admin may reset.

    Raises:
        Invalid: there is no such user.
        Forbidden: the user is another instance admin.
    """
    user = User.find_or_none(user_id)
    if user is None:
        raise Invalid.one("userId", "unknown_reference", says("There is no such user."))
    if user.is_instance_admin and user.id != caller.current().user_id:
        raise Forbidden(
            says(
                "The password of another server administrator can only be reset on the server: erp user reset-password."
            )
        )
    return user


def preview(token: str) -> PasswordResetPreviewView:
    """Look at the link with this token.

    Raises:
        NotFound: the token belongs to no valid link.
    """
    reset = _usable(token)
    return PasswordResetPreviewView(email=User.find(reset.user_id).email, expires_at=reset.expires_at)


def redeem(redemption: PasswordResetRedemption) -> None:
    """Set the new password and end all sessions of the user, their named tokens and their calendar addresses.

    Raises:
        NotFound: the token belongs to no valid link.
        Invalid: the password is too weak.
    """
    with control.read():
        user = User.find(_usable(redemption.token).user_id)
        workspaces = memberships.names_of(user.id)
        users.check_password("newPassword", redemption.new_password, user.email, user.name, *workspaces)
    password_hash = passwords.hash_password(redemption.new_password)
    with control.write():
        reset = _usable(redemption.token)
        reset.change(used_at=clock.stamp())
        User.find(reset.user_id).change(password_hash=password_hash)
        Session.delete().where(Session.user == reset.user_id).execute()
        revocation.end_calendar_addresses(reset.user_id)


def _usable(token: str) -> PasswordReset:
    reset: PasswordReset | None = PasswordReset.get_or_none(
        PasswordReset.token_hash == tokens.hashed(token),
        PasswordReset.used_at.is_null(),
        PasswordReset.expires_at > clock.stamp(),
    )
    if reset is None:
        raise NotFound(
            says("This link no longer works. It works once, for one hour. Ask the server administrator for a new one.")
        )
    return reset


def link_of(token: str) -> str:
    """The address with the token of a reset."""
    return f"{link_base(config.current())}/#reset={token}"


def issue_reset_link(email: str) -> str:
    """Create the link with which a user, administrators included, sets a new password.

    Raises:
        NotFound: no user has this e-mail address.
    """
    with control.write():
        user = users.find_by_email(clean(email))
        if user is None:
            raise NotFound(says("No user has this e-mail address."))
        _, token = issue(user)
    return link_of(token)


class Collection:
    """Links to reset a password."""

    @endpoint(access="instance", status=201, shows_secret=True, session_only=True)
    def on_post(self, body: NewPasswordReset) -> PasswordResetView:
        """Create a link with which a user sets a new password.

        Only an instance admin can create one, and hands it over. It works once, for one hour, and makes the user's
        earlier links void. Another administrator's password can only be reset on the server, with `erp user
        reset-password`. `userId` is the `user.id` of a member in `GET /workspace/members`.
        """
        with control.write():
            reset, token = issue_by_admin(body.user_id)
        return PasswordResetView.of(reset, token)


class Preview:
    @endpoint(access="public", writes=False, refuses=(NotFound,))
    def on_post(self, body: PasswordResetToken) -> PasswordResetPreviewView:
        """Show whose password a link sets; a link that was used or has expired is refused.

        `token` is the part of the link after the `=`.
        """
        with control.read():
            return preview(body.token)


class Redeem:
    @endpoint(access="public", shows_secret=True, refuses=(NotFound,))
    def on_post(self, body: PasswordResetRedemption) -> None:
        """Set a new password with the token of a link.

        `token` is the part of the link after the `=`. All sessions of the user end, with their named tokens and
        calendar addresses; they then sign in with the new password.
        """
        redeem(body)
