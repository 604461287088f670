"""Attempts at passwords and codes, counted by their browser or address and by the user."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from math import ceil
from pathlib import Path

from erp.auth import devices
from erp.auth.sessions import Device
from erp.auth.throttle import Source, Throttle
from erp.kernel import config
from erp.kernel.errors import RateLimited, Refusal


class Undecided(Refusal):
    """Something more is needed. That is neither a failed attempt nor a success."""


@contextmanager
def attempt(device: Device, user: str, *, signs_in: bool = False) -> Iterator[None]:
    """Make one attempt in the block. A refusal counts as a failure, unless its status is 500 or above (server busy).

    Args:
        device: where the request comes from.
        user: the `email_key` that is tried.
        signs_in: whether success proves all that signing in asks for, and so forgets the failures. A right password
            within a session does not: it would buy tries at the code.

    Raises:
        RateLimited: too many attempts have failed; the block is not run.
    """
    throttle = _throttle(config.current().data_dir)
    source = Source(device.address, devices.known(device.marks, user))
    seconds = ceil(throttle.wait(source, user))
    if seconds > 0:
        raise RateLimited(seconds=seconds, headers={"Retry-After": str(seconds)})
    try:
        yield
    except Refusal as refusal:
        if refusal.status < 500 and not isinstance(refusal, Undecided):
            throttle.failed(source, user)
        raise
    if signs_in:
        throttle.succeeded(source, user)


@lru_cache(maxsize=8)
def _throttle(data_dir: Path) -> Throttle:
    return Throttle()
