"""The cookies of a signed-in browser: its session, and the marks by which it is known again.

Under TLS their `__Host-` prefix keeps other hosts and paths from setting them.
"""

from datetime import UTC, datetime
from typing import Any

import falcon

from erp.auth import devices
from erp.web.session import LIFETIME, cookie_name, is_secure, named_here

LONGEST_MARKS = 1000


def give(req: falcon.Request, resp: falcon.Response, token: str, marks: str) -> None:
    """Sign a browser in, and mark it."""
    resp.set_cookie(_marks_name(req), marks, max_age=int(devices.LIFETIME.total_seconds()), **_ours(req))
    resp.set_cookie(cookie_name(req), token, max_age=int(LIFETIME.total_seconds()), **_ours(req))


def clear(req: falcon.Request, resp: falcon.Response) -> None:
    """Sign a browser out; its marks stay."""
    resp.set_cookie(cookie_name(req), "", expires=datetime.fromtimestamp(0, UTC), **_ours(req))


def is_presented(req: falcon.Request) -> bool:
    """Whether a browser sends a session, which may have ended."""
    return bool(req.get_cookie_values(cookie_name(req)))


def marks(req: falcon.Request) -> str | None:
    """The marks that a browser has sent."""
    values = req.get_cookie_values(_marks_name(req))
    return values[0] if values and len(values[0]) <= LONGEST_MARKS else None


def _marks_name(req: falcon.Request) -> str:
    return named_here(req, "erp_device")


def _ours(req: falcon.Request) -> dict[str, Any]:
    """The attributes that keep a cookie from scripts and from other sites."""
    return {"path": "/", "secure": is_secure(req), "http_only": True, "same_site": "Strict"}
