"""Users: how they are shown, found by e-mail address and made."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

from msgspec import Meta

from erp.auth import passwords
from erp.kernel.errors import AlreadyExists, Invalid, Refusal
from erp.store import control
from erp.store.control import User, email_key
from erp.web.scalars import Email, Name
from erp.web.schema import Body, RecordView, decode
from erp.web.strict_json import clean

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


def list_users() -> list[tuple[str, str, str, bool]]:
    """Every user's e-mail address, name, status, and whether she is an instance admin."""
    with control.read():
        users = User.select().order_by(User.email_key)
        return [(user.email, user.name, user.status, user.is_instance_admin) for user in users]


def create(email: str, name: str, password: str, is_admin: bool) -> bool:
    """Make a user; the first one is an instance admin in any case. Return whether this one is.

    Raises:
        Refusal: a value will not do, or the e-mail address is taken.
    """
    with _in_a_sentence():
        typed = {"email": clean(email), "name": clean(name), "password": clean(password, verbatim=True)}
        new = decode(typed, NewUser)
        check_password("password", new.password, new.email, new.name)
    password_hash = passwords.hash_password(new.password)
    with control.write():
        return add(new, password_hash, is_admin=is_admin or not is_set_up()).is_instance_admin


@contextmanager
def _in_a_sentence() -> Iterator[None]:
    """Say what is wrong with the fields in the message, for a terminal shows nothing else."""
    try:
        yield
    except Invalid as fault:
        raise Refusal(" ".join(f"{each.field}: {each.message}" for each in fault.details)) from None
