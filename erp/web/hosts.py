"""The Host allow-list: the names that this server answers to, so that no other name can be rebound to it."""

import re
import socket
import time
from collections.abc import Callable, Collection, Iterable
from functools import lru_cache
from ipaddress import ip_address
from urllib.parse import urlsplit

from erp.kernel.config import Config
from erp.kernel.options import HOST_NAME, USUAL_PORTS, is_ip

REFRESH_AFTER = 60.0
EVERYWHERE = ("0.0.0.0", "::")
LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
ANNOUNCED: dict[int, str] = {}
"""The names under which servers of this process are announced to the network, by port."""
TRUST = "/trust"
"""The path of the page about the certificate, with what is below it."""
HOST = re.compile(r"(?:\[(?P<v6>[0-9a-f:.]{2,45})\]|(?P<name>[a-z0-9.-]{1,253}))(?::(?P<port>[0-9]{1,5}))?", re.ASCII)


@lru_cache(maxsize=128)
def split(header: str | None, usual_port: int = 80) -> tuple[str, int] | None:
    """The name (an address in its shortest form) and the port of a Host header; None if it is not exactly one."""
    match = HOST.fullmatch(header.lower()) if header else None
    if match is None:
        return None
    name, port = match["v6"] or match["name"], int(match["port"] or usual_port)
    if is_ip(name):
        return str(ip_address(name)), port
    return (name, port) if HOST_NAME.fullmatch(name) else None


def allowed(
    header: str | None, port: int, names: Collection[str], public_url: str | None = None, usual_port: int = 80
) -> bool:
    """Whether a Host header names this server: by a known name with the bound port, or by the public address."""
    if public_url is not None and split(header, USUAL_PORTS[urlsplit(public_url).scheme]) == _name_and_port(public_url):
        return True
    host = split(header, usual_port)
    return host is not None and host[1] == port and host[0] in names


def _name_and_port(url: str) -> tuple[str, int] | None:
    parts = urlsplit(url)
    return split(parts.netloc, USUAL_PORTS[parts.scheme])


def own_addresses() -> list[str]:
    """The addresses of this computer's network interfaces."""
    import ifaddr  # here, because a server that is not shared may never ask

    ips = [ip.ip for adapter in ifaddr.get_adapters() for ip in adapter.ips]
    return [ip if isinstance(ip, str) else ip[0] for ip in ips]


def computer_name() -> str:
    """The name of this computer."""
    return socket.gethostname().lower()


def own_names() -> frozenset[str]:
    """Every name and address of this computer."""
    name = computer_name()
    return LOCAL_NAMES | {name, name.partition(".")[0] + ".local"} | _shortest(own_addresses())


def lan_addresses() -> list[str]:
    """This computer's addresses in local networks, the most likely one first."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing; it only asks the system for the route
            address = str(probe.getsockname()[0])
        except OSError:
            address = "127.0.0.1"
    candidates = dict.fromkeys([address, *own_addresses()])
    return [candidate for candidate in candidates if is_ip(candidate) and _is_in_the_lan(candidate)]


def _is_in_the_lan(address: str) -> bool:
    ip = ip_address(address)
    return ip.version == 4 and not (ip.is_loopback or ip.is_link_local or ip.is_unspecified)


def _shortest(addresses: Iterable[str]) -> set[str]:
    return {str(ip_address(a)) for a in addresses if is_ip(a)}


def local_url(host: str, port: int) -> str:
    """The address at which this computer reaches the server: plain http, since no one can listen on the way."""
    return _url("http", "127.0.0.1" if host in EVERYWHERE else host, port)


def _url(scheme: str, name: str, port: int) -> str:
    return f"{scheme}://[{name}]:{port}" if ":" in name else f"{scheme}://{name}:{port}"


def _network_url(config: Config, name: str) -> str:
    return _url("https" if config.tls else "http", name, config.port)


def listening_at(config: Config) -> list[str]:
    """The addresses at which local networks reach the server, the most likely one first."""
    if not config.lan:
        return []
    return lan_addresses() if config.host in EVERYWHERE else [config.host]


def lan_urls(config: Config) -> list[str]:
    """The URLs at which local networks reach the server, the most likely one first."""
    return [_network_url(config, address) for address in listening_at(config)]


def announced_url(config: Config) -> str | None:
    """The URL with the name that is announced to the network, if one is; not every phone finds it."""
    name = ANNOUNCED.get(config.port)
    return None if name is None else _network_url(config, name)


def shared_url(config: Config) -> str | None:
    """The address for other computers: the public one, else the network's; None if the server is not shared."""
    return config.public_url or next(iter(lan_urls(config)), None)


def trust_url(config: Config) -> str | None:
    """The address of the page about trusting the certificate, over plain http; None without a certificate."""
    addresses = listening_at(config) if config.tls else []
    return f"{_url('http', addresses[0], config.port)}{TRUST}" if addresses else None


def link_base(config: Config) -> str:
    """The beginning of links to this server: the shared address, if there is one."""
    return shared_url(config) or local_url(config.host, config.port)


class HostPolicy:
    """The allow-list of one server; this computer's own names are looked up again every minute."""

    def __init__(
        self,
        config: Config,
        names: Callable[[], Collection[str]] = own_names,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._public_url = config.public_url
        self._set_by_owner = _shortest(config.allowed_hosts) | set(config.allowed_hosts)
        self._look_up, self._clock = names, clock
        self._names: frozenset[str] = frozenset()
        self._stale_at = float("-inf")

    def allows(self, header: str | None, port: int, scheme: str = "http") -> bool:
        """Whether a Host header names this server, which is bound to `port`."""
        if self._clock() >= self._stale_at:
            self._names = frozenset(self._look_up()) | self._set_by_owner
            self._stale_at = self._clock() + REFRESH_AFTER
        usual = USUAL_PORTS[scheme]
        return allowed(header, port, self._names, self._public_url, usual) or _is_announced(header, port, usual)


def _is_announced(header: str | None, port: int, usual_port: int) -> bool:
    return port in ANNOUNCED and split(header, usual_port) == (ANNOUNCED[port], port)
