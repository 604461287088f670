"""Which certificates of other servers are trusted: those that this computer trusts."""

import ssl
from functools import cache
from pathlib import Path

BUNDLES = (
    "/etc/ssl/certs/ca-certificates.crt",  # Debian, Arch
    "/etc/pki/tls/certs/ca-bundle.crt",  # Fedora
    "/etc/ssl/ca-bundle.pem",  # openSUSE
    "/etc/ssl/cert.pem",  # macOS, Alpine
)
"""The systems' stores of trusted certificates.

The executable is built on one system and runs on others, and OpenSSL looks for certificates in the first one's place.
"""


@cache
def context() -> ssl.SSLContext:
    """The protection of connections to other servers: TLS 1.2 or later, with the name and the certificate checked."""
    context = ssl.create_default_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_2  # Debian's Python leaves it to OpenSSL's settings
    paths = ssl.get_default_verify_paths()
    if not context.cert_store_stats()["x509_ca"] and paths.capath is None:
        for bundle in BUNDLES:
            if Path(bundle).is_file():
                context.load_verify_locations(bundle)
                break
    return context
