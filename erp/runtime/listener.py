"""The listening socket: waitress with deadlines, and with limits of what one address may hold."""

import logging
import select
import socket
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import urlsplit

from waitress.adjustments import Adjustments
from waitress.server import TcpWSGIServer

from erp.kernel.config import Config
from erp.kernel.options import is_loopback, usual_ip
from erp.runtime import logs
from erp.runtime.channel import Channel, Limits
from erp.runtime.workers import Workers

BACKLOG = 256
log = logging.getLogger("erp.server")


def adjustments(config: Config, sock: socket.socket, limits: Limits) -> Any:
    """Our settings in waitress's terms."""
    return Adjustments(
        sockets=[sock],
        threads=config.threads,
        connection_limit=sys.maxsize,  # `Listener` closes the idlest connection for a new one
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

    def readable(self) -> bool:
        """Whether a new connection can be accepted; else it waits in the system's queue."""
        is_accepting = bool(super().readable())
        return is_accepting and (self._has_places() or _idlest(self.active_channels.values()) is not None)

    def accept(self) -> tuple[socket.socket, Any] | None:
        """Accept a connection, unless its address has too many that are in use."""
        self._is_asked = False
        accepted: tuple[socket.socket, Any] | None = super().accept()
        self._is_asked = accepted is not None
        if accepted is None or self._make_room(self.fix_addr(accepted[1])[0]):
            return accepted
        accepted[0].close()
        return None

    def accept_waiting(self) -> None:
        """Accept every pending connection."""
        self._is_asked = True
        while self._is_asked:
            self.handle_accept()

    def may_hold(self, channel: Channel) -> bool:
        """Whether the connections of a channel's address hold no more than they may, all together."""
        channels = [other for other in list(self.active_channels.values()) if other.addr[0] == channel.addr[0]]
        if sum(other.held for other in channels) <= self.limits.held:
            return True
        log.warning("closed a connection of %s: too much of it waits to be sent or received", channel.addr[0])
        return False

    def _has_places(self) -> bool:
        return len(self.active_channels) < self.limits.connections

    def _make_room(self, address: str) -> bool:
        """Close the idlest connection for a new one, if its address or the server has no other place for it.

        On this computer, where a proxy may be, only waiting connections are limited.
        """
        channels = list(self.active_channels.values())
        held = [channel for channel in channels if channel.addr[0] == address]
        counted = [channel for channel in held if channel.is_waiting] if is_loopback(address) else held
        has_too_many = len(counted) >= self.limits.per_address
        if self._has_places() and not has_too_many:
            return True
        idlest = _idlest(counted if has_too_many else channels)
        if idlest is not None:
            idlest.handle_close()
        return idlest is not None

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


def _idlest(channels: Iterable[Channel]) -> Channel | None:
    """The connection to close for a new one: one that waits for its first request, else one unused for longest."""
    spare = (channel for channel in channels if channel.is_spare)
    return min(
        spare, key=lambda channel: (not channel.is_waiting, channel.has_begun, channel.last_activity), default=None
    )
