"""Waiting times after wrong passwords, held in memory.

They grow for one user as tried from one address, so that no one can lock a colleague out from elsewhere; a browser in
which the user has signed in before is counted apart from its address. No one is ever banned: after the wait they can
try again.
"""

import time
from collections import OrderedDict, deque
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from threading import Lock
from typing import TypeVar

import msgspec

from erp.kernel.options import is_ip
from erp.web import hosts

FREE_FAILURES = 5
LONGEST_WAIT = 60.0
ADDRESS_FAILURES = 30
ADDRESS_WINDOW = 600.0
CAPACITY = 10_000
NETWORKS_VALID_FOR = 60.0

Pair = tuple[str, str]
"""A browser that is known, or else the network of an address; and the user who is tried there."""

K = TypeVar("K")
V = TypeVar("V")


class Source(msgspec.Struct, frozen=True):
    """The source of an attempt; `browser` names one in which this user has signed in before."""

    address: str
    browser: str | None = None


class _Failures(msgspec.Struct, frozen=True):
    count: int
    last: float

    def wait_ends(self) -> float:
        counted = self.count - FREE_FAILURES
        if counted <= 0:
            return self.last
        return self.last + min(LONGEST_WAIT, 2.0 ** min(counted - 1, 6))


class Throttle:
    """Failed sign-ins by address and user, by address alone, and by known browser and user.

    The first five failures are free; each further one asks for 1, 2, 4 … 60 seconds. An address with thirty failures
    within ten minutes waits until the oldest of them is ten minutes ago, except for users who have signed in from
    there. Failures in a known browser count for it alone, and it waits for no others.

    An IPv6 address counts by its /64, which is what one household or office has. In a /64 of this computer's own,
    where all of the office is, it counts by itself.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        capacity: int = CAPACITY,
        own_addresses: Callable[[], list[str]] = hosts.own_addresses,
    ) -> None:
        """Remember at most `capacity` of each kind; those that failed longest ago are forgotten first."""
        self._clock = clock
        self._capacity = capacity
        self._lock = Lock()
        self._pairs: OrderedDict[Pair, _Failures] = OrderedDict()
        self._addresses: OrderedDict[str, deque[float]] = OrderedDict()
        self._at_home: OrderedDict[Pair, None] = OrderedDict()
        self._networks = _Networks(own_addresses, clock)

    def wait(self, source: Source, user: str) -> float:
        """Seconds to wait before the next attempt."""
        pair = self._pair(source, user)
        with self._lock:
            ends = self._pair_waits_until(pair)
            if source.browser is None and pair not in self._at_home:
                ends = max(ends, self._address_waits_until(pair[0]))
        return max(0.0, ends - self._clock())

    def failed(self, source: Source, user: str) -> None:
        """Count a wrong password."""
        pair = self._pair(source, user)
        with self._lock:
            now = self._clock()
            failures = self._pairs.get(pair)
            self._remember(self._pairs, pair, _Failures(failures.count + 1 if failures else 1, now))
            if source.browser is None:
                times = self._addresses.get(pair[0]) or deque(maxlen=ADDRESS_FAILURES)
                times.append(now)
                self._remember(self._addresses, pair[0], times)

    def succeeded(self, source: Source, user: str) -> None:
        """Forget the user's failures from this address or browser.

        The address's own failures stay: otherwise signing in as oneself would buy tries at other users' passwords.
        """
        with self._lock:
            self._pairs.pop(self._pair(source, user), None)
            self._remember(self._at_home, self._pair(Source(source.address), user), None)

    def _pair(self, source: Source, user: str) -> Pair:
        return source.browser or self._networks.of(source.address), user.casefold()

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


class _Networks:
    """The key that an address counts by; this computer's own networks are looked up again every minute."""

    def __init__(self, own_addresses: Callable[[], list[str]], clock: Callable[[], float]) -> None:
        self._look_up, self._clock = own_addresses, clock
        self._own: frozenset[int] = frozenset()
        self._stale_at = float("-inf")

    def of(self, address: str) -> str:
        """An IPv4 address itself, an IPv6 one or its /64, and any other peer's name unchanged."""
        try:
            ip = ip_address(address)
        except ValueError:
            return address
        if not isinstance(ip, IPv6Address):
            return str(ip)
        if ip.ipv4_mapped:
            return str(ip.ipv4_mapped)
        return str(ip) if _network(ip) in self._of_this_computer() else f"{_network(ip):x}/64"

    def _of_this_computer(self) -> frozenset[int]:
        if self._clock() >= self._stale_at:
            ips = [ip_address(address) for address in self._look_up() if is_ip(address)]
            self._own = frozenset(_network(ip) for ip in ips if isinstance(ip, IPv6Address))
            self._stale_at = self._clock() + NETWORKS_VALID_FOR
        return self._own


def _network(ip: IPv6Address) -> int:
    return int(ip) >> 64
