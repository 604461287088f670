"""Connections of a server with a certificate: TLS or plain http on one port, told apart by their first byte.

Anything else is plain http, and `erp.web.edge` decides where it may go.
"""

import socket
import ssl
import threading
import time
from typing import Any

from erp.runtime.channel import Channel
from erp.runtime.parser import Parser

_HANDSHAKE = b"\x16"
"""The first byte of a TLS connection (RFC 8446, section 5.1); no method of http begins with it."""
_WAIT = (ssl.SSLWantReadError, ssl.SSLWantWriteError)


class SecureParser(Parser):
    """Reads requests that came by TLS."""

    def parse_header(self, header_plus: bytes) -> None:
        super().parse_header(header_plus)
        self.url_scheme = "https"


class SecureChannel(Channel):
    """A connection that speaks TLS if its client does.

    The loop reads while a worker may write, and OpenSSL allows only one of them at a time.
    """

    context: ssl.SSLContext
    socket: Any
    _is_known = False
    _is_secure = False
    _is_shaking_hands = False
    _wants_to_write = False

    @classmethod
    def with_certificate(cls, context: ssl.SSLContext) -> "type[SecureChannel]":
        """The class of connections with a certificate."""
        return type(cls.__name__, (cls,), {"context": context})

    def __init__(self, *connected: Any, **options: Any) -> None:
        self._turn = threading.Lock()
        super().__init__(*connected, **options)

    def writable(self) -> bool:
        """Whether there is something to write, handshake included."""
        return self._wants_to_write if self._is_shaking_hands else bool(super().writable())

    def handle_write(self) -> None:
        """Go on with the handshake, or with the pending bytes."""
        if self._is_shaking_hands and not self.will_close:
            self._shake_hands()
        else:
            super().handle_write()

    def handle_read(self) -> None:
        """Read the arrived bytes, including all decrypted ones: the system reports only undecrypted bytes."""
        if not self._is_known and not self._look():
            return
        if self._is_shaking_hands and not self._shake_hands():
            return
        if not self._is_secure:
            super().handle_read()
            return
        data = self._decrypted()
        while data:
            self.last_activity = time.time()
            self.received(data)
            with self._turn:
                is_more = self.connected and self.socket.pending() > 0
            data = self._decrypted() if is_more else b""

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Write as much as the connection takes now."""
        if not self._is_secure:
            return int(super().send(data, do_close))
        try:
            with self._turn:
                return int(self.socket.send(data))
        except _WAIT:
            return 0
        except OSError:
            if do_close:
                self.handle_close()
            return 0

    def _look(self) -> bool:
        """Find out by the first byte which protocol the client speaks; return whether it has arrived."""
        try:
            first = self.socket.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return False
        except OSError:
            first = b""
        if not first:
            self.handle_close()
            return False
        self._is_known = True
        return self._secure() if first == _HANDSHAKE else True

    def _secure(self) -> bool:
        """Speak TLS from now on; return whether the client is still there."""
        try:
            self.socket = self.context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
        except OSError:
            self.handle_close()
            return False
        self._is_secure = self._is_shaking_hands = True
        self.parser_class = SecureParser
        return True

    def _shake_hands(self) -> bool:
        """Go on with the handshake; return whether it is done. A failed one ends the connection."""
        self._wants_to_write = False
        try:
            with self._turn:
                self.socket.do_handshake()
        except ssl.SSLWantReadError:
            return False
        except ssl.SSLWantWriteError:
            self._wants_to_write = True
            return False
        except OSError:  # a client that does not trust the certificate, or speaks something else
            self.handle_close()
            return False
        self._is_shaking_hands = False
        return True

    def _decrypted(self) -> bytes:
        """The arrived bytes; none if the record is not whole yet, or the client has gone."""
        try:
            with self._turn:
                data: bytes = self.socket.recv(self.adj.recv_bytes)
        except _WAIT:
            return b""
        except OSError:
            data = b""
        if not data:
            self.handle_close()
        return data
