"""Waiting times after wrong passwords, held in memory.

They grow for one user as tried from one address, so that no one can lock a colleague out from elsewhere. No one is
ever banned: after the wait they can try again.
"""

import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from threading import Lock
from typing import TypeVar

FREE_FAILURES = 5
LONGEST_WAIT = 60.0
ADDRESS_FAILURES = 30
ADDRESS_WINDOW = 600.0
CAPACITY = 10_000

Pair = tuple[str, str]
"""The network of an address, and the user who is tried there."""

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True)
class _Failures:
    count: int
    last: float

    def wait_ends(self) -> float:
        counted = self.count - FREE_FAILURES
        if counted <= 0:
            return self.last
        return self.last + min(LONGEST_WAIT, 2.0 ** min(counted - 1, 6))


class Throttle:
    """Failed sign-ins by address and user, and by address alone.

    The first five failures are free; each further one asks for 1, 2, 4 … 60 seconds. An address with thirty failures
    within ten minutes waits until the oldest of them is ten minutes ago. An IPv6 address counts by its /64, which
    is what one household or office has.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, capacity: int = CAPACITY) -> None:
        """Remember at most `capacity` of each kind; those that failed longest ago are forgotten first."""
        self._clock = clock
        self._capacity = capacity
        self._lock = Lock()
        self._pairs: OrderedDict[Pair, _Failures] = OrderedDict()
        self._addresses: OrderedDict[str, deque[float]] = OrderedDict()

    def wait(self, address: str, user: str) -> float:
        """How many seconds are left to wait before the next attempt; 0 means none."""
        pair = _pair(address, user)
        with self._lock:
            ends = max(self._pair_waits_until(pair), self._address_waits_until(pair[0]))
        return max(0.0, ends - self._clock())

    def failed(self, address: str, user: str) -> None:
        """Count a wrong password."""
        pair = _pair(address, user)
        with self._lock:
            now = self._clock()
            failures = self._pairs.get(pair)
            self._remember(self._pairs, pair, _Failures(failures.count + 1 if failures else 1, now))
            times = self._addresses.get(pair[0]) or deque(maxlen=ADDRESS_FAILURES)
            times.append(now)
            self._remember(self._addresses, pair[0], times)

    def succeeded(self, address: str, user: str) -> None:
        """Forget the user's failures from this address.

        Those of the address stay: otherwise signing in as oneself would buy tries at other users' passwords.
        """
        with self._lock:
            self._pairs.pop(_pair(address, user), None)

    def _pair_waits_until(self, pair: Pair) -> float:
        failures = self._pairs.get(pair)
        return failures.wait_ends() if failures else 0.0

    def _address_waits_until(self, network: str) -> float:
        times = self._addresses.get(network)
        return times[0] + ADDRESS_WINDOW if times and len(times) == ADDRESS_FAILURES else 0.0

    def _remember(self, table: OrderedDict[K, V], key: K, value: V) -> None:
        table[key] = value
        table.move_to_end(key)
        if len(table) > self._capacity:
            table.popitem(last=False)


def _pair(address: str, user: str) -> Pair:
    return _network(address), user.casefold()


def _network(address: str) -> str:
    """An IPv4 address itself, the /64 of an IPv6 one, and any other peer's name unchanged."""
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    if not isinstance(ip, IPv6Address):
        return str(ip)
    return str(ip.ipv4_mapped) if ip.ipv4_mapped else f"{int(ip) >> 64:x}/64"
