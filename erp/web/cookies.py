"""The cookies of a signed-in browser: its session, and the marks by which `erp.auth.devices` knows it again.

Browsers give a cookie of one port to all ports of its host (RFC 6265, 8.5). Two servers on one computer would sign each
other's users out if their cookies had the same name, so it ends in the installation's mark. Under TLS, the prefix
`__Host-` keeps other hosts and paths from setting it.
"""

import hashlib
from datetime import UTC, datetime, timedelta
from typing import Any

import falcon

from erp.kernel import config
from erp.kernel.config import Config
from erp.store.router import CONTROL

SESSION, DEVICE = "erp_session", "erp_device"
DIGITS = 8
_ID = "SELECT id FROM installation"
_LONG_AGO = datetime.fromtimestamp(0, UTC)


def mark_of(active: Config) -> str:
    """The end of the cookies' names, of the installation's id and its folder: a copied folder has the same id."""
    ((id,),) = CONTROL.look_up(active.control_path, _ID)
    return hashlib.sha256(f"{id} {active.data_dir.resolve()}".encode()).hexdigest()[:DIGITS]


def sent(req: falcon.Request, name: str) -> str | None:
    """The value of the cookie that a browser sends, by its name or else by an earlier one."""
    values = req.get_cookie_values(_sent_name(req, name))
    return values[0] if values else None


def has_session(req: falcon.Request) -> bool:
    """Whether a browser sends a session, which may have ended."""
    return sent(req, SESSION) is not None


def give(req: falcon.Request, resp: falcon.Response, name: str, value: str, lifetime: timedelta) -> None:
    """Have a browser keep a cookie."""
    resp.set_cookie(_name(req, name), value, max_age=int(lifetime.total_seconds()), **_ours(req))


def replace(req: falcon.Request, resp: falcon.Response, name: str, value: str, lifetime: timedelta) -> None:
    """Have a browser keep a cookie, and drop it under the earlier name by which it was sent."""
    if is_earlier(req, name):
        clear(req, resp, name)
    give(req, resp, name, value, lifetime)


def clear(req: falcon.Request, resp: falcon.Response, name: str) -> None:
    """Have a browser drop a cookie, by the name by which it was sent."""
    # an age of 0 is left out by falcon
    resp.set_cookie(_sent_name(req, name), "", expires=_LONG_AGO, max_age=-1, **_ours(req))


def is_earlier(req: falcon.Request, name: str) -> bool:
    """Whether a browser sends a cookie by an earlier name."""
    return _sent_name(req, name) != _name(req, name)


def is_secure(req: falcon.Request) -> bool:
    """Whether a request came through TLS, to this server or to the proxy in front of it."""
    return req.scheme == "https" or (config.current().public_url or "").startswith("https:")


def _name(req: falcon.Request, name: str) -> str:
    return f"{_prefix(req)}{name}_{req.context.mark}"


def _sent_name(req: falcon.Request, name: str) -> str:
    """The name by which a browser sends a cookie: ours, or one that tells servers apart by their port or not at all."""
    ours, plain = _name(req, name), f"{_prefix(req)}{name}"
    return next((each for each in (ours, f"{plain}_{req.port}", plain) if req.get_cookie_values(each)), ours)


def _prefix(req: falcon.Request) -> str:
    return "__Host-" if is_secure(req) else ""


def _ours(req: falcon.Request) -> dict[str, Any]:
    """The attributes that keep a cookie from scripts and from other sites."""
    return {"path": "/", "secure": is_secure(req), "http_only": True, "same_site": "Strict"}
