"""The first user of an installation: made on its own computer, or by whoever holds the one-time setup code."""

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
"""By data directory: the SHA-256 of the code, and until when it is good."""


def open_setup(settings: Config) -> str | None:
    """Make the one-time code with which the first user may register; None when there is a user."""
    with config.use(settings), control.read():
        if users.is_set_up():
            return None
    code = secrets.token_urlsafe(24)
    _open[settings.data_dir] = tokens.hashed(code), clock.now() + VALID_FOR
    return code


def is_code(code: str | None) -> bool:
    """Whether it is the setup code, and still good."""
    hashed, until = _open.get(config.current().data_dir, ("", clock.now()))
    return code is not None and compare_digest(tokens.hashed(code), hashed) and clock.now() < until


def is_local(req: falcon.Request) -> bool:
    """Whether a request was made on this very computer, by a name that means it.

    Behind a proxy every peer looks local; there none counts as local.
    """
    place = hosts.split(req.get_header("Host"))
    if place is None or config.current().public_url is not None:
        return False
    return is_loopback(place[0]) and is_loopback(_plain(req.remote_addr))


def _plain(address: str) -> str:
    """An address without the wrapping that a socket for both families adds to one of IPv4."""
    return address.lower().removeprefix("::ffff:")
