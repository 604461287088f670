"""Addresses that webhooks may use: none in the networks behind the server, unless its settings allow that.

The address of the connection counts, after the name was resolved, so that a name cannot lead inside.
"""

import re
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import NamedTuple
from urllib.parse import urlsplit

from erp.kernel import config
from erp.kernel.errors import Complaint, Invalid
from erp.kernel.language import Sentence, says
from erp.kernel.options import HOST_NAME, USUAL_PORTS

Address = IPv4Address | IPv6Address

_PRINTED = re.compile(r"[!-~]{1,2000}")

_NAT64 = IPv6Network("64:ff9b::/96")
"""IPv4 addresses as a network of IPv6 alone reaches them (RFC 6052)."""

_UNICAST = IPv6Network("2000::/3")
_NOT_PUBLIC = [
    ip_network(network)
    for network in (
        *("192.0.0.0/24", "192.88.99.0/24"),  # protocol assignments, relays of 6to4
        *("2001::/23", "2002::/16", "3fff::/20"),  # protocol assignments and Teredo, 6to4, documentation
    )
]
_NEVER = [
    ip_network(network)
    for network in ("0.0.0.0/8", "169.254.0.0/16", "224.0.0.0/3", "::/128", "fe80::/10", "fec0::/10", "ff00::/8")
]
"""This network, link-local, multicast and reserved: no setting allows them. Clouds serve secrets at 169.254.169.254."""


class Target(NamedTuple):
    """The parts of a webhook's URL; `path` begins with a slash and has the query."""

    is_tls: bool
    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        """The header Host."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        usual = USUAL_PORTS["https" if self.is_tls else "http"]
        return host if self.port == usual else f"{host}:{self.port}"


class Unfit(ValueError):
    """A URL that no webhook can have: a code for programs, a sentence for people."""

    def __init__(self, code: str, message: Sentence) -> None:
        super().__init__(message)
        self.code, self.message = code, message


def check(url: str) -> Target:
    """The parts of a webhook's URL, for a request.

    Raises:
        Invalid: no webhook can have it.
    """
    try:
        target = parsed(url)
        _check_scheme(target)
        if (literal := _literal(target.host)) is not None and not is_allowed(literal, is_tls=target.is_tls):
            raise Unfit("private_address", PRIVATE)
    except Unfit as problem:
        raise Invalid([Complaint("url", problem.code, problem.message)]) from None
    return target


PRIVATE = says(
    "This address is on a private network, to which this server sends nothing. Its administrator can allow it with "
    "--webhooks-private."
)


def parsed(url: str) -> Target:
    """The parts of a URL.

    Raises:
        Unfit: no webhook can have it.
    """
    if not _PRINTED.fullmatch(url):
        raise Unfit("bad_url", says("Must be a URL of at most 2000 characters, without spaces or letters such as ü."))
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise Unfit("bad_url", WRONG) from None
    is_host = HOST_NAME.fullmatch(host) or ("%" not in host and _literal(host) is not None)
    if parts.scheme not in USUAL_PORTS or port == 0 or not is_host:
        raise Unfit("bad_url", WRONG)
    if "@" in parts.netloc:
        raise Unfit("bad_url", says("Must not contain a user name or a password: everyone could read them here."))
    if "#" in url:
        raise Unfit("bad_url", says("Must not contain a #: the part after it is never sent."))
    query = f"?{parts.query}" if parts.query else ""
    return Target(parts.scheme == "https", host, port or USUAL_PORTS[parts.scheme], (parts.path or "/") + query)


WRONG = says("Must be a URL such as https://example.com/hooks/erp.")


def _check_scheme(target: Target) -> None:
    if not target.is_tls and not config.current().webhooks_private:
        raise Unfit(
            "not_encrypted", says("Must begin with https://. Over http anyone on the way could read the events.")
        )


def is_allowed(address: Address, *, is_tls: bool) -> bool:
    """Whether webhooks may be sent to an address; without TLS only within private networks, where that is allowed."""
    if any(part in network for part in (address, _meant(address)) for network in _NEVER):
        return False
    is_private = not is_public(address)
    return config.current().webhooks_private if is_private else is_tls


def is_public(address: Address) -> bool:
    """Whether anyone on the internet can have this address."""
    meant = _meant(address)
    if isinstance(meant, IPv6Address) and meant not in _UNICAST:
        return False
    return meant.is_global and not any(meant in network for network in _NOT_PUBLIC)


def _meant(address: Address) -> Address:
    """The IPv4 address inside an IPv6 address, else the address itself."""
    if isinstance(address, IPv6Address):
        if address in _NAT64:
            return IPv4Address(int(address) & 0xFFFF_FFFF)
        return address.ipv4_mapped or address
    return address


def _literal(host: str) -> Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None
