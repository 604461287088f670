"""The first user of an installation registers on its own computer, or with the one-time setup code."""

import datetime
import secrets
from hmac import compare_digest
from pathlib import Path

import falcon

from erp.auth import users
from erp.kernel import clock, config, tokens
from erp.kernel.config import Config
from erp.kernel.options import is_loopback
from erp.store import control
from erp.web import hosts

VALID_FOR = datetime.timedelta(minutes=30)

_open: dict[Path, tuple[str, datetime.datetime]] = {}
"""By data directory: the SHA-256 of the code, and when it expires."""


def open_setup(settings: Config) -> str | None:
    """Create the one-time code with which the first user can register; None when there is a user already."""
    with config.use(settings), control.read():
        if users.is_set_up():
            return None
    code = secrets.token_urlsafe(24)
    _open[settings.data_dir] = tokens.hashed(code), clock.now() + VALID_FOR
    return code


def is_code(code: str | None) -> bool:
    """Whether this is the setup code, and still valid."""
    hashed, until = _open.get(config.current().data_dir, ("", clock.now()))
    return code is not None and compare_digest(tokens.hashed(code), hashed) and clock.now() < until


def expires_at() -> str:
    """The instant at which the present code expires."""
    return clock.stamp(_open[config.current().data_dir][1])


def is_local(req: falcon.Request) -> bool:
    """Whether a request comes from this computer, and names it by a loopback name.

    Behind a proxy every peer looks local, so none counts as local there.
    """
    host = hosts.split(req.get_header("Host"))
    if host is None or config.current().public_url is not None:
        return False
    return is_loopback(host[0]) and is_loopback(_plain(req.remote_addr))


def _plain(address: str) -> str:
    """An IPv4 address without the prefix that a dual-stack socket adds."""
    return address.lower().removeprefix("::ffff:")
