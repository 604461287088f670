"""Addresses that webhooks may use: none in the networks behind the server, unless its settings allow that.

The address of the connection counts, after the name was resolved, so that a name cannot lead inside.
"""

import re
from typing import NamedTuple
from urllib.parse import urlsplit

from erp.delivery import networks
from erp.delivery.networks import Address
from erp.kernel import config
from erp.kernel.errors import Complaint, Invalid
from erp.kernel.language import Sentence, says
from erp.kernel.options import HOST_NAME, USUAL_PORTS

_PRINTED = re.compile(r"[!-~]{1,2000}")


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
        if (literal := networks.literal(target.host)) is not None and not is_allowed(literal, is_tls=target.is_tls):
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
    is_host = HOST_NAME.fullmatch(host) or ("%" not in host and networks.literal(host) is not None)
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
    return networks.is_allowed(address, is_tls=is_tls, may_be_private=config.current().webhooks_private)
