"""Announcing a shared server by mDNS (RFC 6762), so that people on the network can type http://erp.local:8420."""

import logging
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from typing import TYPE_CHECKING

from erp.kernel.config import Config
from erp.web import hosts

if TYPE_CHECKING:
    from zeroconf import Zeroconf

NAMES = ("erp.local", *(f"erp-{number}.local" for number in range(2, 10)))
"""The names to announce: the first that is free on the network."""

LOOK_EVERY = 60.0
"""Seconds between two looks at this computer's addresses."""

PATIENCE = 3000
"""Milliseconds in which a computer with a name answers."""

LAST_WAIT = 1
"""Seconds that a stopping server leaves to its goodbye."""

log = logging.getLogger("erp.server")


@contextmanager
def announced(config: Config, say: Callable[[str], None] = lambda line: None) -> Iterator[None]:
    """Announce a server during the block, if it is shared and the settings do not forbid it.

    Args:
        say: prints the name of the server for the person at the terminal.
    """
    if not config.lan or config.no_mdns or config.public_url:
        yield
        return
    announcer = Announcer(config, say)
    thread = threading.Thread(target=announcer.keep, name="announcing", daemon=True)
    thread.start()
    try:
        yield
    finally:
        announcer.end()
        thread.join(LAST_WAIT)


class Announcer:
    """Answers for a name while the server is shared, with this computer's present addresses."""

    def __init__(self, config: Config, say: Callable[[str], None]) -> None:
        self._config, self._say = config, say
        self._over = threading.Event()
        self._responder: Zeroconf | None = None
        self._addresses: list[str] = []

    def keep(self) -> None:
        """Announce, and again when the addresses change, until the end."""
        while not self._over.is_set():
            addresses = [address for address in hosts.listening_at(self._config) if ip_address(address).version == 4]
            if addresses != self._addresses:
                self._withdraw()
                self._addresses = addresses
                self._announce()
            self._over.wait(LOOK_EVERY)
        self._withdraw()

    def end(self) -> None:
        """Let `keep` say goodbye and return."""
        self._over.set()

    def _announce(self) -> None:
        if not self._addresses:
            return
        import zeroconf  # here, because it takes 5 MiB, and few servers need it

        try:
            self._register()
        except (OSError, zeroconf.Error) as problem:
            log.warning("the server is not announced on the network: %s", problem or type(problem).__name__)
            self._withdraw()

    def _register(self) -> None:
        from zeroconf import IPVersion, ServiceInfo, Zeroconf

        self._responder = Zeroconf(interfaces=self._addresses, ip_version=IPVersion.V4Only)
        name = next((name for name in NAMES if is_free(name, self._responder, self._addresses)), None)
        if name is None or self._over.is_set():
            return
        port, kind = self._config.port, f"_{'https' if self._config.tls else 'http'}._tcp.local."
        service = ServiceInfo(
            kind,
            f"erp on {socket.gethostname()}, port {port}.{kind}",
            port=port,
            addresses=[socket.inet_aton(address) for address in self._addresses],
            server=f"{name}.",
        )
        self._responder.register_service(service, allow_name_change=True)
        hosts.ANNOUNCED[port] = name
        log.info("announced on the network as %s", name)
        self._say(f"People on the network can also type {hosts.announced_url(self._config)}")

    def _withdraw(self) -> None:
        if self._responder is not None:
            hosts.ANNOUNCED.pop(self._config.port, None)
            with suppress(Exception):  # the network may be gone, and then no one hears a goodbye
                self._responder.unregister_all_services()
            self._responder.close()
        self._responder = None


def is_free(name: str, responder: "Zeroconf", addresses: Sequence[str]) -> bool:
    """Whether a name is free on the network."""
    from zeroconf import AddressResolverIPv4  # type: ignore[attr-defined]  # its list of names lacks it

    resolver = AddressResolverIPv4(f"{name}.")
    resolver.request(responder, PATIENCE)
    return set(resolver.parsed_addresses()) <= {*addresses, *hosts.own_addresses()}
