"""Users: their view, finding them by e-mail address, and adding them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Self

from msgspec import Meta

from erp.auth import passwords
from erp.kernel import language
from erp.kernel.errors import AlreadyExists, Complaint, Invalid, Refusal
from erp.kernel.language import says, verbatim
from erp.store import control
from erp.store.control import Preference, User, email_key
from erp.web.scalars import Email, Name, Unfit
from erp.web.schema import Body, RecordView, decode, show
from erp.web.strict_json import clean
from erp.web.text_scalars import Text


class NewPassword(Text):
    """A new password; it must be hard to guess even without its user's own words."""

    json_schema = {
        "type": "string",
        "description": "10 to 128 characters, taken as typed. Must not be a common password, a row of keys or a "
        "repetition, nor the e-mail address, the name or a workspace with digits added.",
    }

    @classmethod
    def read(cls, value: object) -> Self:
        if not isinstance(value, str):
            raise Unfit("wrong_type", says("Must be text."))
        if weakness := passwords.weakness(value):
            raise Unfit(*weakness)
        return cls(value)


class NewUser(Body):
    """A new user."""

    email: Email
    password: NewPassword
    name: Name

    def check(self) -> Iterator[Complaint]:
        fields = self.changes()
        personal = [fields[name] for name in ("email", "name") if name in fields]
        if "password" in fields and (weakness := passwords.weakness(self.password, *personal)):
            yield Complaint("password", *weakness)


class UserView(RecordView):
    """A person who can sign in."""

    email: str
    name: str
    locale: str
    time_zone: Annotated[str | None, Meta(description="Null: the workspace's.")]
    is_instance_admin: bool

    @classmethod
    def of(cls, user: User) -> "UserView":
        return show(cls, user)


def find_by_email(email: str) -> User | None:
    """The user with this e-mail address."""
    return User.find_by(email_key=email_key(email))


def is_set_up() -> bool:
    """Whether the installation has a user."""
    return bool(User.select().exists())


def check_password(field: str, password: str, *personal: str) -> None:
    """Refuse a new password that is too weak for this user; `personal` is as in `passwords.weakness`.

    Raises:
        Invalid: it is too weak; `field` is its name.
    """
    weakness = passwords.weakness(password, *personal)
    if weakness is not None:
        raise Invalid.one(field, *weakness)


def add(new: NewUser, password_hash: str, *, is_admin: bool, locale: str = language.ENGLISH) -> User:
    """Add a user, whose language is `locale`, to the control file, open for writing.

    Raises:
        AlreadyExists: another user has the e-mail address.
    """
    _refuse_used(new.email)
    user = User.add(
        email=new.email,
        email_key=email_key(new.email),
        name=new.name,
        password_hash=password_hash,
        is_instance_admin=is_admin,
        locale=locale,
    )
    Preference.add(id=user.id)
    return user


def _refuse_used(email: str) -> None:
    if find_by_email(email) is not None:
        raise AlreadyExists(says("A user with this e-mail address already exists. Sign in instead."), field="email")


def check_unused(email: str) -> None:
    """Refuse an e-mail address from the command line that a user has.

    Raises:
        AlreadyExists: another user has it.
    """
    with control.read():
        _refuse_used(clean(email))


def list_users() -> list[tuple[str, str, str, bool]]:
    """The e-mail address, name and status of every user, and whether they are an instance admin."""
    with control.read():
        users = User.select().order_by(User.email_key)
        return [(user.email, user.name, user.status, user.is_instance_admin) for user in users]


def create(email: str, name: str, password: str, is_admin: bool) -> bool:
    """Create a user from what was typed on the command line.

    Returns:
        Whether they are an instance admin, as the first user always is.

    Raises:
        Refusal: a value is not acceptable, or another user has the e-mail address.
    """
    with _in_a_sentence():
        typed = {"email": clean(email), "name": clean(name), "password": clean(password, verbatim=True)}
        new = decode(typed, NewUser)
    password_hash = passwords.hash_password(new.password)
    with control.write():
        return add(new, password_hash, is_admin=is_admin or not is_set_up()).is_instance_admin


@contextmanager
def _in_a_sentence() -> Iterator[None]:
    """Put the complaints about fields into the message: a terminal shows nothing else."""
    try:
        yield
    except Invalid as refusal:
        complaints = (f"{complaint.field}: {complaint.message}" for complaint in refusal.details)
        raise Refusal(verbatim(" ".join(complaints))) from None
