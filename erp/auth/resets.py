"""New passwords for those who forgot theirs: by a one-time link that is handed over by hand."""

import datetime
from typing import Annotated, ClassVar

from msgspec import Meta

from erp.auth import passwords, users
from erp.kernel import caller, clock, config, tokens
from erp.kernel.errors import Forbidden, Invalid, NotFound
from erp.store import control
from erp.store.control import PasswordReset, Session, User
from erp.web.endpoint import endpoint
from erp.web.hosts import link_base
from erp.web.scalars import Id, Instant
from erp.web.schema import Body, View
from erp.web.strict_json import clean

VALID_FOR = datetime.timedelta(hours=1)


class NewReset(Body):
    """Whose password is to be set anew."""

    EXAMPLE: ClassVar[dict[str, str]] = {"userId": "0199d6a2-7c00-7000-8000-000000000002"}

    user_id: Id


class ResetView(View):
    """The link, which is shown this once, and the token in it."""

    user_id: str
    link: str
    token: str
    expires_at: Instant


class Redemption(Body):
    """The token of a link, and the password to be set."""

    EXAMPLE: ClassVar[dict[str, str]] = {"token": "erp_…", "newPassword": "staple of the long stable"}

    token: Annotated[str, Meta(min_length=1, max_length=200)]
    new_password: users.NewPassword


def issue(user: User) -> ResetView:
    """Make a link in the control file, open for writing; the user's earlier ones are void."""
    token = tokens.make()
    expires_at = clock.stamp(clock.now() + VALID_FOR)
    PasswordReset.delete().where(PasswordReset.user == user.id).execute()
    PasswordReset.add(user=user.id, token_hash=tokens.hashed(token), expires_at=expires_at)
    link = f"{link_base(config.current())}/#reset={token}"
    return ResetView(user_id=user.id, link=link, token=token, expires_at=expires_at)


def issue_by_admin(user_id: str) -> ResetView:
    """Make a link for a user.

    Raises:
        Invalid: there is no such user.
        Forbidden: she is another instance admin.
    """
    user = User.get_or_none(User.id == user_id)
    if user is None:
        raise Invalid.one("userId", "unknown_reference", "There is no such user.")
    if user.is_instance_admin and user.id != caller.current().user_id:
        raise Forbidden("An instance admin's password is reset on the server: erp user reset-password.")
    return issue(user)


def redeem(given: Redemption) -> None:
    """Set the new password and end all the user's sessions, her named tokens too.

    Raises:
        NotFound: the token is no link's, or no longer.
        Invalid: the password is too weak.
    """
    with control.read():
        user = User.find(_usable(given.token).user_id)
        users.check_password("newPassword", given.new_password, user.email, user.name)
    password_hash = passwords.hash_password(given.new_password)
    with control.write():
        reset = _usable(given.token)
        reset.change(used_at=clock.stamp())
        User.find(reset.user_id).change(password_hash=password_hash)
        Session.delete().where(Session.user == reset.user_id).execute()


def _usable(token: str) -> PasswordReset:
    found: PasswordReset | None = PasswordReset.get_or_none(
        PasswordReset.token_hash == tokens.hashed(token),
        PasswordReset.used_at.is_null(),
        PasswordReset.expires_at > clock.stamp(),
    )
    if found is None:
        raise NotFound("This link does not work any more; ask for a new one.")
    return found


def issue_reset_link(email: str) -> str:
    """Make the link with which a user sets a new password, an instance admin too.

    Raises:
        NotFound: nobody has that e-mail address.
    """
    with control.write():
        user = users.find_by_email(clean(email))
        if user is None:
            raise NotFound("Nobody has that e-mail address.")
        return issue(user).link


class Collection:
    """Links to set a new password."""

    @endpoint(access="instance", status=201, shows_secret=True, session_only=True)
    def on_post(self, body: NewReset) -> ResetView:
        """Make the link with which a user sets a new password.

        For the instance admin, who hands it over. It works once, for an hour, and makes the user's earlier links
        void. Another instance admin's password is only reset on the server, by `erp user reset-password`.
        `userId` is the `user.id` of somebody in `GET /workspace/members`.
        """
        with control.write():
            return issue_by_admin(body.user_id)


class Redeem:
    """Using such a link."""

    @endpoint(access="public", shows_secret=True, refuses=(NotFound,))
    def on_post(self, body: Redemption) -> None:
        """Set a new password with the token of a link.

        `token` stands in the link, behind the `=`. All sessions of the user end, her named tokens too; she signs in
        with the new password.
        """
        redeem(body)
