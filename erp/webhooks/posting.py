"""One message sent to one address: resolved once, checked, and connected to the checked address.

Everything together takes at most `SECONDS`. No redirect is followed, no proxy asked, and the answer is read only as far
as it is kept.
"""

import io
import socket
import time
from collections.abc import Mapping, Sequence
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from erp import __version__
from erp.delivery import resolving
from erp.delivery.resolving import Found
from erp.webhooks import addresses
from erp.webhooks.addresses import Target

if TYPE_CHECKING:
    import ssl

SECONDS = 15.0
"""For resolving the name, connecting, sending and the answer together."""

KEPT = 1024
"""Bytes kept of an answer."""

MOST_READ = 64 << 10
"""Bytes read of an answer, its head included."""

Problem = Literal[
    "address_refused",
    "bad_answer",
    "bad_status",
    "no_connection",
    "redirected",
    "timed_out",
    "tls_failed",
    "unknown_host",
]
"""Why a try failed.

- `address_refused`: the name leads to an address to which this server sends nothing
- `bad_answer`: the response is not HTTP
- `bad_status`: the status is not from 200 to 299
- `redirected`: the answer points elsewhere, which is not followed
- `tls_failed`: this computer does not trust the certificate for that name, or the receiver does not speak TLS
"""


class Outcome(NamedTuple):
    """The outcome of a try; `problem` is None if the message was accepted."""

    problem: Problem | None
    status: int | None
    answer: str | None
    duration_ms: int


class Failed(Exception):
    """The message could not be sent, or nothing usable came back."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem


class _Clock:
    """The remaining time of a try."""

    def __init__(self) -> None:
        self._began = time.monotonic()

    def remaining(self) -> float:
        """The remaining seconds."""
        remaining = SECONDS - self.spent()
        if remaining <= 0:
            raise TimeoutError
        return remaining

    def spent(self) -> float:
        """The elapsed seconds."""
        return time.monotonic() - self._began


def post(url: str, headers: Mapping[str, str], body: bytes) -> Outcome:
    """Send a message; every failure is in the outcome."""
    clock = _Clock()
    status = answer = problem = None
    try:
        status, answer = _post(addresses.parsed(url), headers, body, clock)
        problem = _of_status(status)
    except Failed as failure:
        problem = failure.problem
    except TimeoutError:
        problem = "timed_out"
    except OSError:
        problem = "no_connection"
    return Outcome(problem, status, answer, round(clock.spent() * 1000))


def _of_status(status: int) -> Problem | None:
    if 200 <= status < 300:
        return None
    return "redirected" if 300 <= status < 400 else "bad_status"


def _post(target: Target, headers: Mapping[str, str], body: bytes, clock: _Clock) -> tuple[int, str]:
    with _connected(_checked(target, clock), clock) as plain:
        connection = _secured(plain, target.host, clock) if target.is_tls else plain
        with connection:
            _send(connection, _message(target, headers, body), clock)
            return _answer(connection, clock)


def _checked(target: Target, clock: _Clock) -> list[Found]:
    """The addresses of a host, if messages may be sent to all of them."""
    resolved = _resolved(target, clock)
    for _, address in resolved:
        if not addresses.is_allowed(ip_address(address[0]), is_tls=target.is_tls):
            raise Failed("address_refused")
    return resolved


def _resolved(target: Target, clock: _Clock) -> list[Found]:
    try:
        resolved = resolving.addresses(target.host, target.port, clock.remaining())
    except TimeoutError:
        raise
    except (OSError, UnicodeError):
        resolved = []
    if not resolved:
        raise Failed("unknown_host")
    return resolved


def _connected(resolved: Sequence[Found], clock: _Clock) -> socket.socket:
    """A connection to the first address that accepts one."""
    problem: OSError = TimeoutError()
    for family, address in resolved:
        connection = socket.socket(family, socket.SOCK_STREAM)
        try:
            connection.settimeout(clock.remaining())
            connection.connect(address)
        except OSError as error:
            connection.close()
            problem = error
        else:
            return connection
    raise problem


def _secured(plain: socket.socket, host: str, clock: _Clock) -> "ssl.SSLSocket":
    import ssl  # here, because few offices have webhooks

    from erp.delivery import trust

    plain.settimeout(clock.remaining())
    try:
        return trust.context().wrap_socket(plain, server_hostname=host)
    except ssl.SSLError as error:
        raise Failed("tls_failed") from error


def _message(target: Target, headers: Mapping[str, str], body: bytes) -> bytes:
    lines = {
        "Host": target.authority,
        "User-Agent": f"erp/{__version__}",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "Accept-Encoding": "identity",
        "Connection": "close",
        **headers,
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"POST {target.path} HTTP/1.1\r\n{head}\r\n".encode("ascii") + body


def _send(connection: socket.socket, message: bytes, clock: _Clock) -> None:
    rest = memoryview(message)
    while rest:
        connection.settimeout(clock.remaining())
        rest = rest[connection.send(rest) :]


class _Incoming(io.RawIOBase):
    """The incoming bytes of a connection, limited in time and number."""

    def __init__(self, connection: socket.socket, clock: _Clock) -> None:
        self._connection, self._clock = connection, clock
        self._room = MOST_READ

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._room <= 0:
            return 0
        self._connection.settimeout(self._clock.remaining())
        count = self._connection.recv_into(memoryview(buffer)[: self._room])
        self._room -= count
        return count

    def makefile(self, *_: object) -> io.BufferedReader:
        """The reader that `http.client` asks a socket for."""
        return io.BufferedReader(self)


def _answer(connection: socket.socket, clock: _Clock) -> tuple[int, str]:
    import http.client

    response = http.client.HTTPResponse(_Incoming(connection, clock), method="POST")  # type: ignore[arg-type]
    try:
        response.begin()
    except (http.client.HTTPException, ValueError) as error:
        raise Failed("bad_answer") from error
    return response.status, _text(_content(response, http.client.HTTPException))


def _content(response: Any, broken: type[Exception]) -> bytes:
    """The beginning of an answer; one that breaks off still has a status."""
    try:
        content: bytes = response.read(KEPT)
    except (OSError, ValueError, broken):
        return b""
    return content


def _text(content: bytes) -> str:
    """An answer in a form that can be stored and shown."""
    text = content.decode("utf-8", "replace")
    return "".join(sign for sign in text if sign.isprintable() or sign in "\n\t")
