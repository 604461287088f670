"""Limits of opening links, held in memory: requests of a link, and unknown secrets from an address."""

import time
from collections import OrderedDict, deque
from collections.abc import Callable
from functools import lru_cache
from math import ceil
from pathlib import Path
from threading import Lock

from erp.kernel import config
from erp.kernel.errors import RateLimited

CAPACITY = 10_000


class Limit:
    """At most so many times within some seconds, by key; the keys that were used longest ago are forgotten first."""

    def __init__(self, most: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._lock = Lock()
        self._times: OrderedDict[str, deque[float]] = OrderedDict()

    def check(self, key: str) -> None:
        """Refuse if it was used so many times.

        Raises:
            RateLimited: it was.
        """
        with self._lock:
            times = self._times.get(key)
            wait = times[0] + self._seconds - self._clock() if times and len(times) == self._most else 0.0
        if wait > 0:
            raise RateLimited(seconds=ceil(wait), headers={"Retry-After": str(ceil(wait))})

    def count(self, key: str) -> None:
        """Count a use."""
        with self._lock:
            self._times.setdefault(key, deque(maxlen=self._most)).append(self._clock())
            self._times.move_to_end(key)
            if len(self._times) > CAPACITY:
                self._times.popitem(last=False)


class Limits:
    def __init__(self) -> None:
        self.requests = Limit(60, 60.0)
        self.unknown = Limit(30, 600.0)


@lru_cache(maxsize=8)
def _of(data_dir: Path) -> Limits:
    return Limits()


def current() -> Limits:
    return _of(config.current().data_dir)
