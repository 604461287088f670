"""Networks to which this server sends something: none of those behind it, unless its settings allow that."""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

Address = IPv4Address | IPv6Address

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


def is_allowed(address: Address, *, is_tls: bool, may_be_private: bool) -> bool:
    """Whether something may be sent to an address; without TLS only within private networks, where that is allowed."""
    if any(part in network for part in (address, _meant(address)) for network in _NEVER):
        return False
    is_private = not is_public(address)
    return may_be_private if is_private else is_tls


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


def literal(host: str) -> Address | None:
    """The address that a host is written as, if it is none by name."""
    try:
        return ip_address(host)
    except ValueError:
        return None
