"""Users as the command line lists, makes and lets them back in."""

from collections.abc import Iterator
from contextlib import contextmanager

from erp.auth import accounts, passwords, resets
from erp.auth.accounts import NewUser
from erp.kernel.errors import Invalid, NotFound, Refusal
from erp.store import control
from erp.store.control import User
from erp.web.schema import decode
from erp.web.strict_json import clean


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
        accounts.check_password("password", new.password, new.email, new.name)
    password_hash = passwords.hash_password(new.password)
    with control.write():
        return accounts.add(new, password_hash, is_admin=is_admin or not accounts.is_set_up()).is_instance_admin


def issue_reset_link(email: str) -> str:
    """Make the link with which a user sets a new password, an instance admin too.

    Raises:
        NotFound: nobody has that e-mail address.
    """
    with control.write():
        user = accounts.find_by_email(clean(email))
        if user is None:
            raise NotFound("Nobody has that e-mail address.")
        return resets.issue(user).link


@contextmanager
def _in_a_sentence() -> Iterator[None]:
    """Say what is wrong with the fields in the message, for a terminal shows nothing else."""
    try:
        yield
    except Invalid as fault:
        raise Refusal(" ".join(f"{each.field}: {each.message}" for each in fault.details)) from None
