"""The HTTP server: waitress with deadlines, limits of connections per address, and refusals in our envelope."""

import json
import logging
import select
import socket
import time
from collections.abc import Callable
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import msgspec
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError, TransferEncodingNotImplemented
from waitress.server import TcpWSGIServer
from waitress.task import ErrorTask, WSGITask

from erp.kernel.config import Config
from erp.kernel.options import is_loopback, usual_ip
from erp.runtime import logs
from erp.runtime.workers import Workers
from erp.store.records import new_id
from erp.web.edge import HEADERS, POLICY

HEADERS_OF_ALL = (*HEADERS.items(), ("Content-Security-Policy", POLICY), ("Cache-Control", "no-store"))
REFUSALS = {
    400: ("bad_request", "This is not a valid HTTP request."),
    413: ("too_large", "The request is too large. The limit is 25 MiB for attachments and 1 MiB for anything else."),
    431: ("headers_too_large", "The request's head is too large. Address and headers together may have 32 KiB."),
    500: ("internal_error", "Something went wrong on the server. The log has the details under this request ID."),
}
BACKLOG = 256
access_log = logging.getLogger("erp.access")


class Limits(msgspec.Struct, frozen=True):
    """The server's limits for one client; times in seconds, sizes in bytes.

    A connection is waiting before its first request has arrived whole. Once `crowd` connections are waiting, the head
    of the first request must begin within `first` seconds.
    """

    first: float = 2
    crowd: int = 100
    head: float = 10
    body: float = 60
    idle: int = 30
    per_address: int = 64
    connections: int = 450
    head_size: int = 32 << 10
    body_size: int = 26 << 20
    sweep_every: int = 2
    turn: float = 0.5


def adjustments(config: Config, sock: socket.socket, limits: Limits) -> Any:
    """Our settings in waitress's terms."""
    return Adjustments(
        sockets=[sock],
        threads=config.threads,
        connection_limit=limits.connections,
        channel_timeout=limits.idle,
        cleanup_interval=limits.sweep_every,
        backlog=BACKLOG,
        max_request_body_size=limits.body_size,
        max_request_header_size=limits.head_size,
        ident=None,
        asyncore_use_poll=hasattr(select, "poll"),
        clear_untrusted_proxy_headers=config.public_url is None,  # else `erp.web.edge` reads the one it can trust
        url_scheme=urlsplit(config.public_url).scheme if config.public_url else "http",
    )


class Envelope(ErrorTask):  # type: ignore[misc]
    """Refuses requests that never reach the application, in the same shape as the application's own refusals."""

    def execute(self) -> None:
        status = self.request.error.code if self.request.error.code in REFUSALS else 400
        request_id = new_id()
        body = _envelope(status, request_id)
        self.status = f"{status} {HTTPStatus(status).phrase}"
        self.response_headers += [("Content-Type", "application/json"), ("X-Request-Id", request_id), *HEADERS_OF_ALL]
        self.set_close_on_finish()
        self.content_length = len(body)
        access_log.info("refused before routing", extra={"status": status, "request_id": request_id})
        self.write(body)


def _envelope(status: int, request_id: str) -> bytes:
    code, message = REFUSALS[status]
    error = {"code": code, "status": status, "message": message, "requestId": request_id}
    return json.dumps({"success": False, "error": error}).encode()


class Answer(WSGITask):  # type: ignore[misc]
    """Sends the head of an answer together with a body of one piece: one packet, one system call."""

    wrote_header = False

    def write(self, data: bytes) -> None:
        if self.wrote_header or not data or self.content_length != len(data) or not self.has_body:
            super().write(data)
            return
        self.wrote_header = True
        self.content_bytes_written = len(data)
        self.channel.write_soon(self.build_response_header() + data)


class Parser(HTTPRequestParser):  # type: ignore[misc]
    """Refuses requests that break the parser, such as the address `http://[` or a length of 5,000 digits."""

    def parse_header(self, header_plus: bytes) -> None:
        try:
            super().parse_header(header_plus)
        except (ParsingError, TransferEncodingNotImplemented):
            raise
        except ValueError as problem:
            raise ParsingError("The head cannot be read") from problem
        if self.chunked and "CONTENT_LENGTH" in self.headers:  # a proxy might see the request end elsewhere
            raise ParsingError("The head names two lengths")


class Channel(HTTPChannel):  # type: ignore[misc]
    """A connection that remembers when the current part (head or body) of an unfinished request began."""

    parser_class = Parser
    task_class = Answer
    error_task_class = Envelope
    is_waiting = True
    parts_read = 0
    _part: tuple[object, bool] | None = None
    _began = 0.0

    def __init__(self, server: "Listener", *connected: Any, **options: Any) -> None:
        super().__init__(server, *connected, **options)
        self._opened = server.clock()

    def received(self, data: bytes) -> bool:
        self.parts_read += 1
        accepted = bool(super().received(data))
        request = self.request
        part = None if request is None else (request, request.headers_finished)
        if part != self._part:
            self._part, self._began = part, self.server.clock()
        return accepted

    def write_soon(self, data: Any) -> int:
        """Send the bytes that the system accepts at once; only the rest waits in the buffers.

        While bytes wait there, the loop asks again and again whether they can be sent, while this thread is sending
        them. Measured with 16 clients, the loop then kept the interpreter from the thread for tens of milliseconds.
        """
        if not isinstance(data, bytes) or not self.connected or self.total_outbufs_len:
            return int(super().write_soon(data))
        with self.outbuf_lock:
            sent, _ = self._flush_exception(lambda do_close: self.send(data, do_close), do_close=False)
        if sent < len(data):
            super().write_soon(data[sent:])
        return len(data)

    def is_overdue(self, now: float, limits: Limits) -> bool:
        """Whether the client has taken too long to send the current part."""
        if self._part is None:
            return False
        if self.requests:  # nothing is read while an answer is pending, so the clock stops
            self._began = now
            return False
        patience = limits.body if self._part[1] else limits.head
        return bool(now - self._began > patience)

    def is_silent(self, now: float, limits: Limits) -> bool:
        """Whether the client has taken too long to begin its first request, while many others are waiting."""
        return bool(self.is_waiting and self._part is None and now - self._opened > limits.first)

    def is_stuck(self, cutoff: float) -> bool:
        """Whether an answer is waiting for a client that reads nothing."""
        return bool((self.will_close or self.total_outbufs_len > 0) and self.last_activity < cutoff)


class Listener(TcpWSGIServer):  # type: ignore[misc]
    """The listening socket and its connections."""

    def __init__(
        self,
        app: Callable[..., Any],
        config: Config,
        sock: socket.socket,
        limits: Limits,
        clock: Callable[[], float] = time.monotonic,
        channels: type[Channel] = Channel,
    ) -> None:
        self.limits, self.clock, self.channel_class = limits, clock, channels
        info = (sock.family, sock.type, sock.proto, sock.getsockname())
        super().__init__(
            app,
            {},
            True,
            sock,
            dispatcher=Workers(config.threads),
            adj=adjustments(config, sock, limits),
            bind_socket=False,
            sockinfo=info,
        )

    def set_reuse_addr(self) -> None:
        """Do nothing: on Windows this option would let another program take the port."""

    def add_task(self, channel: Channel) -> None:
        """Queue a request, the first of which ends the channel's waiting."""
        channel.is_waiting = False
        super().add_task(channel)

    def accept(self) -> tuple[socket.socket, Any] | None:
        """Accept a connection, unless its address has too many that are in use."""
        self._is_asked = False
        accepted: tuple[socket.socket, Any] | None = super().accept()
        self._is_asked = accepted is not None
        if accepted is None or self._has_room(self.fix_addr(accepted[1])[0]):
            return accepted
        accepted[0].close()
        return None

    def accept_waiting(self) -> None:
        """Accept every pending connection."""
        self._is_asked = True
        while self._is_asked:
            self.handle_accept()

    def _has_room(self, address: str) -> bool:
        """Whether an address may have one more connection; its longest waiting one is closed for it.

        On this computer, where a proxy may be, only waiting connections are limited.
        """
        held = [channel for channel in self.active_channels.values() if channel.addr[0] == address]
        waiting = [channel for channel in held if channel.is_waiting]
        if len(waiting if is_loopback(address) else held) < self.limits.per_address:
            return True
        if waiting:
            waiting[0].handle_close()
        return bool(waiting)

    def fix_addr(self, addr: tuple[Any, ...]) -> tuple[str, int]:
        """Write an IPv4 peer of a dual-stack socket as an IPv4 address."""
        return usual_ip(str(addr[0])), addr[1]

    def maintenance(self, now: float) -> None:
        """Close connections that are idle, send too slowly, or read nothing."""
        super().maintenance(now)
        logs.flush()
        channels, clock = list(self.active_channels.values()), self.clock()
        is_crowded = sum(channel.is_waiting for channel in channels) >= self.limits.crowd
        for channel in channels:
            if channel.is_overdue(clock, self.limits) or (is_crowded and channel.is_silent(clock, self.limits)):
                channel.will_close = True
            if channel.is_stuck(now - self.limits.idle):
                self.trigger.pull_trigger(channel.handle_close)  # not now: the loop is walking over the sockets
