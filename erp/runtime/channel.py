"""One connection: it answers one request after the other, and no thread ever waits for its client."""

import json
import logging
from http import HTTPStatus
from io import BufferedReader
from typing import Any

import msgspec
from waitress.buffers import ReadOnlyFileBasedBuffer
from waitress.channel import ClientDisconnected, HTTPChannel
from waitress.task import ErrorTask, WSGITask

from erp.runtime.parser import Parser
from erp.store.records import new_id
from erp.web.edge import HEADERS, POLICY

HEADERS_OF_ALL = (*HEADERS.items(), ("Content-Security-Policy", POLICY), ("Cache-Control", "no-store"))
REFUSALS = {
    400: ("bad_request", "This is not a valid HTTP request."),
    413: ("too_large", "The request is too large. The limit is 25 MiB for attachments and 1 MiB for anything else."),
    431: ("headers_too_large", "The request's head is too large. Address and headers together may have 32 KiB."),
    500: ("internal_error", "Something went wrong on the server. The log has the details under this request ID."),
}
access_log = logging.getLogger("erp.access")


class Limits(msgspec.Struct, frozen=True):
    """The server's limits for one client; times in seconds, sizes in bytes.

    A connection is waiting before its first request has arrived whole. Once `crowd` connections are waiting, the head
    of the first request must begin within `first` seconds. `held` is for the unfinished bodies and the unsent answers
    of one address together, in memory and in temporary files.
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
    held: int = 256 << 20
    sweep_every: int = 2
    turn: float = 0.5


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


class Channel(HTTPChannel):  # type: ignore[misc]
    """A connection.

    A pipelined request waits, unread, until the answer before it has gone. A client that reads nothing therefore has at
    most one answer ready, which waits in memory or, above 1 MiB, in a temporary file.
    """

    parser_class = Parser
    task_class = Answer
    error_task_class = Envelope
    is_waiting = True
    parts_read = 0
    request: Parser | None
    requests: list[Parser]
    _unread = b""
    _part: tuple[object, bool] | None = None
    _began = 0.0

    def __init__(self, server: Any, *connected: Any, **options: Any) -> None:
        super().__init__(server, *connected, **options)
        self._opened = server.clock()

    @property
    def is_done(self) -> bool:
        """Whether every request that has arrived whole is answered."""
        return not (self.requests or self._unread)

    @property
    def is_spare(self) -> bool:
        """Whether the connection may be closed for a new one: it waits for its first request, or is between two."""
        return self.is_waiting or (self.is_done and self._part is None and not self.total_outbufs_len)

    @property
    def has_begun(self) -> bool:
        """Whether a part of a request has arrived, and not yet all of it."""
        return self._part is not None

    @property
    def held(self) -> int:
        """Bytes that the connection holds in memory and temporary files: bodies of requests, and unsent answers."""
        if self.will_close:
            return 0
        bodies = sum(int(request.body_bytes_received) for request in (*self.requests, self.request) if request)
        return bodies + sum(len(buffer) for buffer in self.outbufs if not _is_stored(buffer))

    def readable(self) -> bool:
        """Whether the next bytes are wanted."""
        return bool(super().readable()) and not self._unread

    def received(self, data: bytes) -> bool:
        """Take the bytes that have arrived."""
        self.parts_read += 1
        self._unread += data
        self._read_on()
        return True

    def handle_write(self) -> None:
        """Send what is unsent, and then go on with the next request."""
        super().handle_write()
        self._read_on()

    def handle_close(self) -> None:
        """Close the connection, and the temporary file of a body that has not arrived whole."""
        super().handle_close()
        if self.request is not None:
            self.request.close()

    def service(self) -> None:
        """Answer a request; then go on with the next one, if the answer has gone."""
        super().service()
        self._read_on()

    def write_soon(self, data: Any) -> int:
        """Send the bytes that the system accepts at once; only the rest waits in the buffers.

        While bytes wait there, the loop asks again and again whether they can be sent, while this thread is sending
        them. Measured with 16 clients, the loop then kept the interpreter from the thread for tens of milliseconds.
        """
        if not isinstance(data, bytes) or not self.connected or self.total_outbufs_len:
            return self._keep(data)
        with self.outbuf_lock:
            sent, _ = self._flush_exception(lambda do_close: self.send(data, do_close), do_close=False)
        if sent < len(data):
            self._keep(data[sent:])
        return len(data)

    def is_overdue(self, now: float, limits: Limits) -> bool:
        """Whether the client has taken too long to send the current part (head or body) of a request."""
        if self._part is None:
            return False
        patience = limits.body if self._part[1] else limits.head
        return bool(now - self._began > patience)

    def is_silent(self, now: float, limits: Limits) -> bool:
        """Whether the client has taken too long to begin its first request, while many others are waiting."""
        return bool(self.is_waiting and self._part is None and now - self._opened > limits.first)

    def is_stuck(self, cutoff: float) -> bool:
        """Whether an answer is waiting for a client that reads nothing."""
        return bool((self.will_close or self.total_outbufs_len > 0) and self.last_activity < cutoff)

    def _keep(self, data: Any) -> int:
        """Leave bytes to the loop, which sends them as the client reads."""
        kept = int(super().write_soon(data))
        if self.total_outbufs_len and not self.server.may_hold(self):
            self._give_up()
            raise ClientDisconnected
        return kept

    def _give_up(self) -> None:
        """Let the loop close the connection, even if its client reads nothing."""
        self.will_close = True
        self.server.trigger.pull_trigger(self.handle_close)

    def _flush_outbufs_below_high_watermark(self) -> None:
        """Do nothing: waitress would let the thread wait for the client here."""

    def _read_on(self) -> None:
        """Read the arrived bytes up to the end of the next request; the thread or the loop goes on from there."""
        if not self._unread:
            return
        with self.requests_lock:
            while self._unread and self._is_listening():
                self._parse()
            part = None if self.request is None else (self.request, self.request.headers_finished)
            if part != self._part:
                self._part, self._began = part, self.server.clock()

    def _is_listening(self) -> bool:
        is_closing = self.will_close or self.close_when_flushed or not self.connected
        return not (is_closing or self.requests or self.total_outbufs_len)

    def _parse(self) -> None:
        request = self.request = self.request or self.parser_class(self.adj)
        before = request.body_bytes_received
        taken = request.received(self._unread)
        if request.completed:
            self.request, self.sent_continue = None, False
            if not request.empty:
                self.requests.append(request)
                self.server.add_task(self)
        elif request.expect_continue and request.headers_finished and not self.sent_continue:
            self.send_continue()
        self._unread = self._unread[taken:]
        if request.body_bytes_received >> 20 > before >> 20 and not self.server.may_hold(self):
            self._give_up()


def _is_stored(buffer: Any) -> bool:
    """Whether the bytes are a stored file, which stays where it is."""
    return isinstance(buffer, ReadOnlyFileBasedBuffer) and isinstance(buffer.file, BufferedReader)
