"""Users: how they are shown, found by e-mail address and made."""

import unicodedata
from typing import Annotated

from msgspec import Meta

from erp.auth import passwords
from erp.kernel.errors import AlreadyExists, Invalid
from erp.store.control import User
from erp.web.scalars import Email, Name
from erp.web.schema import Body, RecordView

NewPassword = Annotated[
    str, Meta(description="10 to 128 characters, taken as typed; neither the e-mail address nor the name.")
]


class NewUser(Body):
    """What every new user needs."""

    email: Email
    password: NewPassword
    name: Name


class UserView(RecordView):
    """A person who can sign in."""

    email: str
    name: str
    locale: str
    time_zone: Annotated[str | None, Meta(description="Null: that of the workspace.")]
    is_instance_admin: bool

    @classmethod
    def of(cls, user: User) -> "UserView":
        """Show a user."""
        return cls(**{name: getattr(user, name) for name in cls.__struct_fields__})


def email_key(email: str) -> str:
    """The form of an e-mail address by which two are the same."""
    return unicodedata.normalize("NFC", email).casefold()


def find_by_email(email: str) -> User | None:
    """The user with that e-mail address."""
    found: User | None = User.get_or_none(User.email_key == email_key(email))
    return found


def is_set_up() -> bool:
    """Whether the installation has a user."""
    return bool(User.select().exists())


def check_password(field: str, password: str, email: str, name: str) -> None:
    """Refuse a new password that is too weak for the user."""
    weakness = passwords.weakness(password, email, name)
    if weakness is not None:
        raise Invalid.one(field, *weakness)


def add(new: NewUser, password_hash: str, *, is_admin: bool) -> User:
    """Insert a user into the control file, open for writing.

    Raises:
        AlreadyExists: the e-mail address is taken.
    """
    if find_by_email(new.email) is not None:
        raise AlreadyExists("There is an account with this e-mail address already; sign in.", field="email")
    return User.add(
        email=new.email,
        email_key=email_key(new.email),
        name=new.name,
        password_hash=password_hash,
        is_instance_admin=is_admin,
    )
