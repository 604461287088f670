"""Certificates (X.509, RFC 5280): a local authority, which may vouch only for names and addresses of local networks.

Phones and computers trust the authority once, and with it every certificate that is renewed later. If its key is
stolen, it is of no use for any name of the internet.
"""

import datetime
from collections.abc import Collection, Iterable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from erp.kernel.options import is_ip

AUTHORITY_DAYS = 3653
LEAF_DAYS = 90
_SKEW = datetime.timedelta(days=1)
"""Clocks of phones may be behind."""

_NETWORKS = (
    *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16", "127.0.0.0/8"),
    *("fc00::/7", "fe80::/10", "::1/128"),
)
"""The addresses of local networks (RFC 1918, 6598, 3927, 4193)."""
_ENDINGS = ("local", "localhost", "lan", "home.arpa", "internal", "fritz.box")
"""The endings of names of local networks (RFC 6762, 6761, 8375; ICANN's `internal`; usual names of routers)."""

Key = ec.EllipticCurvePrivateKey
Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network


def make_authority(name: str, names: Collection[str], now: datetime.datetime) -> tuple[x509.Certificate, Key]:
    """An authority and its key.

    Args:
        name: its name in lists of trusted authorities.
        names: further names and addresses that it may vouch for, such as this computer's.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    builder = _builder(subject, subject, key, now, AUTHORITY_DAYS)
    endings = dict.fromkeys([*_ENDINGS, *sorted(address for address in names if not is_ip(address))])
    networks = [ip_network(address) for address in _NETWORKS]
    networks += [
        ip_network(address) for address in sorted(names) if is_ip(address) and not _is_in(ip_address(address), networks)
    ]
    allowed = [*map(x509.DNSName, endings), *map(x509.IPAddress, networks)]
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    builder = builder.add_extension(_usage(key_cert_sign=True, crl_sign=True), critical=True)
    builder = builder.add_extension(x509.NameConstraints(allowed, None), critical=True)
    return builder.sign(key, hashes.SHA256()), key


def make_leaf(
    authority: x509.Certificate, authority_key: Key, names: Collection[str], now: datetime.datetime
) -> tuple[x509.Certificate, Key]:
    """A certificate for names and addresses within the authority's limits, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "erp")])
    builder = _builder(subject, authority.subject, key, now, LEAF_DAYS)
    issuer = authority.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
    for extension, is_critical in (
        (x509.BasicConstraints(ca=False, path_length=None), True),
        (_usage(digital_signature=True), True),
        (x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False),
        (x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(issuer), False),
        (x509.SubjectAlternativeName([_named(name) for name in sorted(names)]), False),
    ):
        builder = builder.add_extension(extension, critical=is_critical)
    return builder.sign(authority_key, hashes.SHA256()), key


def may_vouch_for(authority: x509.Certificate, name: str) -> bool:
    """Whether an authority may vouch for a name or an address."""
    allowed = authority.extensions.get_extension_for_class(x509.NameConstraints).value.permitted_subtrees or ()
    if is_ip(name):
        address = ip_address(name)
        return _is_in(address, _networks(allowed))
    endings = [permitted.value for permitted in allowed if isinstance(permitted, x509.DNSName)]
    return any(name == ending or name.endswith(f".{ending}") for ending in endings)


def names_of(certificate: x509.Certificate) -> frozenset[str]:
    """The names and addresses of a certificate."""
    alternatives = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return frozenset(
        map(str, [*alternatives.get_values_for_type(x509.DNSName), *alternatives.get_values_for_type(x509.IPAddress)])
    )


def pem_of(item: x509.Certificate | Key) -> bytes:
    """A certificate or a key as text."""
    if isinstance(item, x509.Certificate):
        return item.public_bytes(serialization.Encoding.PEM)
    return item.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def certificate_from(pem: bytes) -> x509.Certificate:
    """The certificate of a file.

    Raises:
        ValueError: the file has none.
    """
    return x509.load_pem_x509_certificate(pem)


def key_from(pem: bytes) -> Key:
    """The key of a file.

    Raises:
        ValueError: this program makes no such key.
    """
    key = serialization.load_pem_private_key(pem, password=None)
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise ValueError("another kind of key")
    return key


def _builder(
    subject: x509.Name, issuer: x509.Name, key: Key, now: datetime.datetime, days: int
) -> x509.CertificateBuilder:
    builder = x509.CertificateBuilder(subject_name=subject, issuer_name=issuer, public_key=key.public_key())
    builder = builder.serial_number(x509.random_serial_number())
    builder = builder.not_valid_before(now - _SKEW).not_valid_after(now + datetime.timedelta(days=days))
    return builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)


def _usage(**used: bool) -> x509.KeyUsage:
    every = (
        *("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement"),
        *("key_cert_sign", "crl_sign", "encipher_only", "decipher_only"),
    )
    return x509.KeyUsage(**{name: used.get(name, False) for name in every})


def _named(name: str) -> x509.GeneralName:
    return x509.IPAddress(ip_address(name)) if is_ip(name) else x509.DNSName(name)


def _is_in(address: Address, networks: Iterable[Network]) -> bool:
    return any(address in network for network in networks if network.version == address.version)


def _networks(allowed: Sequence[x509.GeneralName]) -> list[Network]:
    values = [name.value for name in allowed if isinstance(name, x509.IPAddress)]
    return [value for value in values if isinstance(value, (IPv4Network, IPv6Network))]
