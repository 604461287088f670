"""Attempts at passwords and codes, counted by the address they come from and the user they are aimed at."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from math import ceil
from pathlib import Path

from erp.auth.throttle import Throttle
from erp.kernel import config
from erp.kernel.errors import RateLimited, Refusal


@contextmanager
def attempt(address: str, user: str) -> Iterator[None]:
    """Make one attempt in the block. A refusal counts as a failure, unless its status is 500 or above (server busy).

    Args:
        address: the network address of the request.
        user: the `email_key` that is tried.

    Raises:
        RateLimited: too many attempts have failed; the block is not run.
    """
    throttle = _throttle(config.current().data_dir)
    seconds = ceil(throttle.wait(address, user))
    if seconds > 0:
        raise RateLimited(seconds=seconds, headers={"Retry-After": str(seconds)})
    try:
        yield
    except Refusal as refusal:
        if refusal.status < 500:
            throttle.failed(address, user)
        raise
    throttle.succeeded(address, user)


@lru_cache(maxsize=8)
def _throttle(data_dir: Path) -> Throttle:
    """The one throttle of an installation."""
    return Throttle()
