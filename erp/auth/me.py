"""Changes of one's own user: name, language, time zone and password."""

from typing import Annotated, ClassVar

import falcon
from msgspec import UNSET, Meta

from erp.auth import named_tokens, passwords, sessions, users
from erp.auth.attempts import attempt
from erp.auth.sessions import Device
from erp.auth.users import NewPassword, UserView
from erp.kernel import caller
from erp.kernel.errors import Conflict, Invalid, RateLimited, VersionMismatch
from erp.kernel.language import says
from erp.members import memberships, revocation
from erp.store import control
from erp.store.control import PasswordReset, Session, User
from erp.web.endpoint import endpoint
from erp.web.scalars import Name, shaped
from erp.web.schema import Body, Unset
from erp.web.text_scalars import TimeZone

Locale = Annotated[
    str,
    shaped(
        "^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$",
        says("Must be a language, such as de or de-AT."),
        max_length=35,
        description="A language tag, such as de-AT.",
    ),
]


class UserChange(Body):
    """Changes to the caller; fields that are left out stay."""

    EXAMPLE: ClassVar[dict[str, str]] = {"locale": "de-AT", "timeZone": "Europe/Vienna"}

    name: Name | Unset = UNSET
    locale: Locale | Unset = UNSET
    time_zone: Annotated[TimeZone | Unset | None, Meta(description="Null: the workspace's.")] = UNSET


class PasswordChange(Body):
    """The current password, and the new one."""

    EXAMPLE: ClassVar[dict[str, str]] = {
        "currentPassword": "correct horse battery",
        "newPassword": "staple of the long stable",
    }

    current_password: Annotated[str, Meta(max_length=1000)]
    new_password: NewPassword
    keep_tokens: Annotated[
        list[Name], Meta(max_length=100, description="The names of your named tokens that stay valid. All others end.")
    ] = []


class PasswordChanged(Conflict):
    """Your password has just been changed elsewhere. Sign in again with the new one."""


def change_password(change: PasswordChange, device: Device) -> None:
    """Set a new password, and end the caller's other sessions, calendar addresses, and named tokens not to keep.

    Raises:
        Invalid: the current password is wrong, the new one is too weak, or a token to keep does not exist.
        PasswordChanged: another request has changed it in the meantime.
    """
    who = caller.current()
    with control.read():
        present_hash = User.find(who.user_id).password_hash
        workspaces = memberships.names_of(who.user_id)
        named_tokens.check_names("keepTokens", change.keep_tokens)
    users.check_password("newPassword", change.new_password, who.email, who.name, *workspaces)
    with attempt(device, control.email_key(who.email)):
        if not passwords.verify(present_hash, change.current_password):
            raise Invalid.one("currentPassword", "wrong_password", says("This is not your current password."))
    password_hash = passwords.hash_password(change.new_password)
    with control.write():
        user = User.find(who.user_id)
        if user.password_hash != present_hash:
            raise PasswordChanged
        user.change(password_hash=password_hash)
        sessions.end(who.user_id, Session.id != who.session_id)
        named_tokens.end_all_but(change.keep_tokens)
        revocation.end_calendar_addresses(user.id)
        PasswordReset.delete().where(PasswordReset.user == user.id).execute()


class Me:
    def _read(self) -> UserView:
        return UserView.of(User.find(caller.current().user_id))

    @endpoint(access="user", store="control", session_only=True, refuses=(VersionMismatch,), reads=_read)
    def on_patch(self, body: UserChange) -> UserView:
        """Change your name, language or time zone.

        Fields that are left out stay. Every workspace shows the new name; pages and messages use the language, your
        time logs the time zone.
        """
        user = User.find_to_change(caller.current().user_id)
        changes = {name: value for name, value in body.changes().items() if getattr(user, name) != value}
        if changes:
            user.change(**changes)
        return UserView.of(user)


class Password:
    @endpoint(access="user", session_only=True, refuses=(PasswordChanged, RateLimited))
    def on_post(self, body: PasswordChange, req: falcon.Request) -> None:
        """Change your password and sign out everywhere else.

        This session stays valid. Your named tokens end, except those named in `keepTokens`; so do your calendar
        addresses and links to reset the password. A wrong current password counts as a failed sign-in.
        """
        change_password(body, Device.of(req))
