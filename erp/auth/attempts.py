"""Attempts at passwords and codes, counted by who makes them and at whose account."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from math import ceil
from pathlib import Path

from erp.auth.throttle import Throttle
from erp.kernel import config
from erp.kernel.errors import RateLimited, Refusal


@contextmanager
def attempt(address: str, account: str) -> Iterator[None]:
    """Make one attempt in the block; a refusal that leaves it counts as a failure, but not that the server is busy.

    Raises:
        RateLimited: too many failed before; nothing of the block is run.
    """
    throttle = _throttle(config.current().data_dir)
    seconds = ceil(throttle.wait(address, account))
    if seconds > 0:
        raise RateLimited(seconds=seconds, headers={"Retry-After": str(seconds)})
    try:
        yield
    except Refusal as refusal:
        if refusal.status < 500:
            throttle.failed(address, account)
        raise
    throttle.succeeded(address, account)


@lru_cache(maxsize=8)
def _throttle(data_dir: Path) -> Throttle:
    """The one throttle of an installation."""
    return Throttle()
