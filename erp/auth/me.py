"""What a user changes of herself: her name, her language and time zone, her password."""

from typing import Annotated, ClassVar

import falcon
from msgspec import UNSET, Meta

from erp.auth import passwords, sessions, users
from erp.auth.attempts import attempt
from erp.auth.users import NewPassword, UserView
from erp.kernel import caller
from erp.kernel.errors import Conflict, Invalid, RateLimited, VersionMismatch
from erp.store import control
from erp.store.control import PasswordReset, Session, User
from erp.web.endpoint import endpoint
from erp.web.scalars import Name
from erp.web.schema import Body, Unset
from erp.web.text_scalars import TimeZone

Locale = Annotated[
    str, Meta(max_length=35, pattern="^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$", description="A language tag, such as de-AT.")
]


class UserChange(Body):
    """What changes of the caller."""

    EXAMPLE: ClassVar[dict[str, str]] = {"locale": "de-AT", "timeZone": "Europe/Vienna"}

    name: Name | Unset = UNSET
    locale: Locale | Unset = UNSET
    time_zone: Annotated[TimeZone | Unset | None, Meta(description="Null: that of the workspace.")] = UNSET


class PasswordChange(Body):
    """The present password, and the new one."""

    EXAMPLE: ClassVar[dict[str, str]] = {
        "currentPassword": "correct horse battery",
        "newPassword": "staple of the long stable",
    }

    current_password: Annotated[str, Meta(max_length=1000)]
    new_password: NewPassword


class PasswordChanged(Conflict):
    """Your password was changed by somebody else at this moment; nothing was changed now."""


def change_password(given: PasswordChange, address: str) -> None:
    """Set a new password and end the caller's other sign-ins.

    Raises:
        Invalid: the present password is wrong, or the new one too weak.
    """
    who = caller.current()
    users.check_password("newPassword", given.new_password, who.email, who.name)
    with control.read():
        kept = User.find(who.user_id).password_hash
    with attempt(address, control.email_key(who.email)):
        if not passwords.verify(kept, given.current_password):
            raise Invalid.one("currentPassword", "wrong_password", "This is not your present password.")
    password_hash = passwords.hash_password(given.new_password)
    with control.write():
        user = User.find(who.user_id)
        if user.password_hash != kept:
            raise PasswordChanged
        user.change(password_hash=password_hash)
        sessions.end(who.user_id, Session.id != who.session_id)
        PasswordReset.delete().where(PasswordReset.user == user.id).execute()


class Me:
    """The caller."""

    @endpoint(access="user", store="control", session_only=True, refuses=(VersionMismatch,))
    def on_patch(self, body: UserChange) -> UserView:
        """Change your name, your language or your time zone."""
        user = User.find_to_change(caller.current().user_id)
        user.change(**body.changes())
        return UserView.of(user)


class Password:
    """The caller's password."""

    @endpoint(access="user", session_only=True, refuses=(PasswordChanged, RateLimited))
    def on_post(self, body: PasswordChange, req: falcon.Request) -> None:
        """Change your password; your other sign-ins end.

        This session and your named tokens stay; a link to set the password anew is void. A wrong present password
        counts as at signing in.
        """
        change_password(body, req.remote_addr)
