"""Passwords that the program itself must know: encrypted in the workspace's file, under a key in the control file.

So a workspace's file, its export or a copy elsewhere does not open them.
"""

from collections.abc import Collection
from typing import TYPE_CHECKING

from erp.mail.models import SealedSecret
from erp.migrations import Connection
from erp.store import control, sql
from erp.store.router import CONTROL, WORKSPACE

if TYPE_CHECKING:
    from cryptography.fernet import Fernet

MAIL = "mail"
"""The owner of the password of the mail server; of others, it is a record's id."""

_KEY = "SELECT value FROM installation_secret WHERE name = 'mail'"
_KEEP = (
    "INSERT INTO sealed_secret (owner_id, value) VALUES (?, ?)"
    " ON CONFLICT (owner_id) DO UPDATE SET value = excluded.value"
)


def keep(owner_id: str, password: str | None) -> None:
    """Keep a password, or forget it."""
    if password is None:
        WORKSPACE.run("DELETE FROM sealed_secret WHERE owner_id = ?", (owner_id,))
    else:
        WORKSPACE.run(_KEEP, (owner_id, _fernet().encrypt(password.encode()).decode()))


def has(owner_id: str) -> bool:
    return SealedSecret.find_by(owner_id=owner_id) is not None


def owners(ids: Collection[str]) -> set[str]:
    """Those among some owners who have a password."""
    query = "SELECT owner_id FROM sealed_secret WHERE owner_id IN (SELECT value FROM json_each(?))"
    return {id for (id,) in WORKSPACE.rows(query, (sql.array(ids),))}


def opened(owner_id: str) -> str | None:
    """The password; None if there is none, or it was encrypted by another installation."""
    row = SealedSecret.find_by(owner_id=owner_id)
    return None if row is None else _opened(row.value)


def forget_foreign(connection: Connection) -> None:
    """Forget the passwords that another installation has encrypted, in a copy of a workspace's file."""
    rows = connection.execute("SELECT owner_id, value FROM sealed_secret").fetchall()
    foreign = [(owner_id,) for owner_id, value in rows if _opened(value) is None]
    connection.executemany("DELETE FROM sealed_secret WHERE owner_id = ?", foreign)


def _opened(value: str) -> str | None:
    from cryptography.fernet import InvalidToken

    try:
        return _fernet().decrypt(value.encode()).decode()
    except InvalidToken:
        return None


def _fernet() -> "Fernet":
    from cryptography.fernet import Fernet  # here, because few offices have one

    with control.read():
        ((key,),) = CONTROL.rows(_KEY)
    return Fernet(key)
