"""The mark of a browser in which a user has signed in before, so that others' wrong passwords never slow it down.

A mark opens no door: it only says whose failures count for this browser. It is signed for one user with a secret of
the installation, and names no one. A browser keeps the marks of the five users who signed in there last.
"""

import base64
import datetime
import hashlib
import hmac
import secrets

from erp.kernel import clock
from erp.store import control
from erp.store.router import CONTROL

LIFETIME = datetime.timedelta(days=365)
USERS_PER_BROWSER = 5
BETWEEN = "~"

_SECRET = "SELECT value FROM installation_secret WHERE name = 'device'"


def known(marks: str | None, user: str) -> str | None:
    """The name of the browser, if one of its marks is this user's; else None.

    Args:
        marks: the cookie, as the browser sent it.
        user: the `email_key` of the user.
    """
    if not marks:
        return None
    with control.read():
        mine, _ = _sorted_out(marks, user)
    return mine[0] if mine else None


def marked(marks: str | None, user: str) -> str:
    """The marks of a browser with a new one of this user in front; the control file is open."""
    _, others = _sorted_out(marks or "", user)
    payload = f"{clock.now().date().isoformat()}.{secrets.token_urlsafe(12)}"
    return BETWEEN.join([f"{payload}.{_signature(payload, user, _secret())}", *others][:USERS_PER_BROWSER])


def _sorted_out(marks: str, user: str) -> tuple[list[str], list[str]]:
    """A browser's valid marks of a user, and all its others."""
    oldest, secret = (clock.now() - LIFETIME).date().isoformat(), _secret()
    mine: list[str] = []
    others: list[str] = []
    for mark in marks.split(BETWEEN)[:USERS_PER_BROWSER] if marks.isascii() else []:
        payload, _, signature = mark.rpartition(".")
        is_mine = hmac.compare_digest(_signature(payload, user, secret), signature) and payload >= oldest
        (mine if is_mine else others).append(mark)
    return mine, [mark for mark in others if mark]


def _signature(payload: str, user: str, secret: str) -> str:
    digest = hmac.digest(secret.encode(), f"{payload}.{user}".encode(), hashlib.sha256)
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def _secret() -> str:
    return str(CONTROL.rows(_SECRET)[0][0])
