"""Runs the program as a server: binds, announces its address, serves, and stops cleanly."""

import errno
import json
import logging
import os
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from typing import Any
from urllib.parse import urlsplit

from msgspec.structs import replace
from waitress import wasyncore

from erp import __version__
from erp.kernel import qr
from erp.kernel.config import Config, ignored_variables, use
from erp.kernel.intake import budget
from erp.runtime import announcing, frozen, instance, logs, memory
from erp.runtime.channel import Channel, Limits
from erp.runtime.listener import BACKLOG, Listener
from erp.runtime.stopping import stopped_from_outside
from erp.store import disk
from erp.web.hosts import lan_urls, link_base, local_url, shared_url, trust_url

DRAIN_SECONDS = 10.0
PORTS_TRIED = 20
STARTING_SECONDS = 30.0
"""Seconds that a second start waits for the first, which may be bringing its data up to date."""

log = logging.getLogger("erp.server")


class Server:
    """A listening server: `run` blocks until `stop` is called from a signal handler or another thread."""

    def __init__(
        self,
        app: Callable[..., Any],
        config: Config,
        sock: socket.socket,
        limits: Limits | None = None,
        channels: type[Channel] = Channel,
    ) -> None:
        self.url = local_url(*sock.getsockname()[:2])
        self._listener = Listener(app, config, sock, limits or Limits(), channels=channels)
        self._stopping = self._closed = self.is_to_listen_again = False
        self._closing = threading.RLock()

    def run(self) -> None:
        """Serve until stopped; then let running requests finish, for up to ten seconds."""
        while not self._stopping:
            self._turn(self._listener.limits.turn)
        self._listener.accept_waiting()  # requests that have arrived are answered
        wasyncore.dispatcher.close(self._listener)
        with budget.ended():  # large files would be read for longer
            self._drain(time.monotonic() + DRAIN_SECONDS)

    def stop(self) -> None:
        """Ask the server to stop; safe in a signal handler, which the lock lets in again."""
        self._stopping = True
        with self._closing:
            if not self._closed:
                self._listener.pull_trigger()

    def listen_again(self) -> None:
        """Ask the server to stop, and the program to listen again with its present settings."""
        self.is_to_listen_again = True
        self.stop()

    def _turn(self, timeout: float) -> None:
        can_sleep = self._listener.task_dispatcher.catch_up()
        wasyncore.loop(timeout if can_sleep else 0, self._listener.adj.asyncore_use_poll, self._listener._map, count=1)

    def _drain(self, until: float) -> None:
        """Close each connection once nothing more arrives on it, or once its last request is answered.

        A client can send its next request while the thread that wrote the last answer is still busy with it. Meanwhile
        nothing is read from the connection, so that request waits in the system's buffer and counts as arrived.
        """
        channels = self._listener.active_channels
        heard_out: set[Channel] = set()
        while channels and time.monotonic() < until:
            for channel in heard_out:
                channel.close_when_flushed = channel.close_when_flushed or channel.is_done
            listened_to = {channel: channel.parts_read for channel in channels.values() if channel.readable()}
            self._turn(0.05 if heard_out.issuperset(channels.values()) else 0.01)
            heard_out |= {read for read, parts in listened_to.items() if not read.is_done or read.parts_read == parts}
        self._listener.task_dispatcher.shutdown(timeout=max(0.1, until - time.monotonic()))
        with self._closing:
            self._closed = True
            self._listener.trigger.close()
        wasyncore.close_all(self._listener._map)


def bind(host: str, port: int) -> socket.socket:
    """Listen on the port at once, so that no other program can take it.

    Raises:
        OSError: the port is in use, or this computer does not have that address.
    """
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    sock = socket.socket(family, kind, protocol)
    try:
        exclusive = getattr(socket, "SO_EXCLUSIVEADDRUSE", None)  # Windows, where SO_REUSEADDR means sharing a port
        sock.setsockopt(socket.SOL_SOCKET, exclusive or socket.SO_REUSEADDR, 1)
        if host == "::" and socket.has_dualstack_ipv6():
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        sock.bind(address)
        sock.listen(BACKLOG)
    except OSError:
        sock.close()
        raise
    return sock


def bind_configured(config: Config) -> socket.socket:
    """Listen on the configured port, or on the next free one if the port was not given explicitly.

    Raises:
        CannotStart: no such port is free.
    """
    last = config.port if config.port_is_explicit else min(config.port + PORTS_TRIED, 65535)
    reason = ""
    for port in range(config.port, last + 1):
        try:
            sock = bind(config.host, port)
        except OSError as problem:
            if problem.errno == errno.EADDRNOTAVAIL:
                raise instance.CannotStart(
                    f"This computer has no address {config.host}. Name one of its own with --host, or share on all its "
                    "networks with --lan."
                ) from problem
            is_taken = problem.errno == errno.EADDRINUSE
            reason = "another program uses it" if is_taken else problem.strerror or str(problem)
        else:
            if port != config.port:
                say(f"Port {config.port} is in use; using {port}.")
            return sock
    ports = f"Port {last}" if last == config.port else f"Ports {config.port} to {last}"
    raise instance.CannotStart(f"{ports} of {config.host} cannot be used ({reason}). Name a free one with --port.")


def serve(config: Config, load: Callable[[], Config] | None = None) -> int:
    """Run the server until it is stopped; return the exit code.

    Args:
        load: reads the settings again, so that the page can switch sharing with the network.
    """
    instance.prepare(config)
    try:
        with instance.hold(config) as held:
            _prepare_process(config)
            if held.set_aside is not None:
                log.warning("a backup has been restored; the previous data is in %s", held.set_aside)
            while (port := _listen(config, held, is_switch=load is not None)) and load is not None:
                config = replace(load(), port=port, no_browser=True)
    except instance.HeldByAnother as other:
        return _point_to_running(config, other)
    say("erp has stopped. Goodbye.")
    return 0


def _listen(config: Config, held: instance.Instance, *, is_switch: bool) -> int | None:
    """Serve until stopped; return the port to listen on again, for other settings."""
    with memory.starting():
        from erp.app import create_app
        from erp.auth.setup import open_setup
        from erp.desk.notices import dated, mailing
        from erp.finance.billing.recurring import due
        from erp.mail import background as mail
        from erp.system import sharing
        from erp.system.backups import daily
        from erp.webhooks import background

    with bind_configured(config) as sock, use(replace(config, port=sock.getsockname()[1])) as bound:
        with instance.needing_control_file(bound):
            app = create_app(bound, after_crash=held.needs_check)
            held.checked()
        memory.return_free_blocks()
        with _channels(bound) as channels:
            server = Server(frozen.kept_whole(app), bound, sock, channels=channels)
            with stopped_from_outside(server.stop):
                try:
                    held.publish("ready", server.url)
                    switch = sharing.switched_by(bound, server.listen_again) if is_switch else nullcontext()
                    backing_up = daily.running(bound, memory.return_free_blocks)
                    with (
                        backing_up,
                        due.Maker.running(bound),
                        dated.Watch.running(bound),
                        mailing.Post.running(bound),
                        background.running(bound),
                        mail.running(bound),
                        switch,
                    ):
                        _announce(bound, server.url, open_setup(bound))
                        with announcing.announced(bound, say):
                            server.run()
                finally:
                    _close_files()
    log.info("listening again" if server.is_to_listen_again else "stopped")
    return bound.port if server.is_to_listen_again else None


@contextmanager
def _channels(config: Config) -> Iterator[type[Channel]]:
    """The class of connections during the block: with a certificate, TLS as well."""
    if not config.tls:
        yield Channel
        return
    from erp.runtime.tls import certificates  # here, because few servers need them
    from erp.runtime.tls.channel import SecureChannel

    with certificates.kept(config) as context:
        yield SecureChannel.with_certificate(context)


def _prepare_process(config: Config) -> None:
    logs.configure(config)
    instance.raise_descriptor_limit()
    memory.keep_little()
    sys.setswitchinterval(0.00005)  # measured: past 64 busy connections the default interval is 5 to 30 times slower
    _make_private(config)
    for sentence in disk.warnings(config.data_dir):
        log.warning("%s", sentence)
    for name in ignored_variables(os.environ):
        log.warning("the environment sets %s, which is no setting of this program and is ignored", name)


def _make_private(config: Config) -> None:
    try:
        if instance.make_private(config.data_dir):
            log.warning("other users of this computer could read %s: they no longer can", config.data_dir)
    except OSError as problem:
        log.warning("other users of this computer may be able to read %s: %s", config.data_dir, problem.strerror)


def _close_files() -> None:
    from erp.system import upkeep

    upkeep.finish()


def _announce(config: Config, url: str, setup_code: str | None) -> None:
    say(
        f"erp is ready at {url}",
        f"On the network: {shared_url(config) or _why_not_shared(config)}",
        f"Data folder: {config.data_dir}",
        f"Documentation: {url}/docs",
        "To stop: press Ctrl-C or close this window",
        *_network_notes(config),
    )
    log.info("erp %s is ready at %s", __version__, url)
    page = f"/#setup={setup_code}" if setup_code else "/"
    if setup_code:
        say(f"To set up, open within 30 minutes: {link_base(config)}{page}")
    open_browser(config, (config.public_url or url) + page)


def _why_not_shared(config: Config) -> str:
    return (
        "no network found" if config.lan else "not shared (switch it on under Settings, Network, or start with --lan)"
    )


def _network_notes(config: Config) -> list[str]:
    """Further addresses, a warning about plain http, and a QR code, if the server is shared."""
    shared = shared_url(config)
    others = [url for url in lan_urls(config) if url != shared]
    lines = [f"Also at: {', '.join(others)}"] if others and not config.public_url else []
    if shared is None:
        return lines
    if shared.startswith("http:"):
        lines.append("Anyone on this network could read what is sent: the connection is not encrypted (see --tls)")
    trust = trust_url(config)
    if trust is not None:
        lines.append(f"How phones and computers trust its certificate: {trust}")
    drawing = qr.drawn_on(sys.stdout, trust or shared)
    return [*lines, "To open it on a phone, scan:", drawing] if drawing else lines


def _point_to_running(config: Config, other: instance.HeldByAnother) -> int:
    url = _wait_for_running(config)
    if url is None or (config.port_is_explicit and config.port not in (0, urlsplit(url).port)):
        raise other
    say(f"erp is already running at {url}")
    open_browser(config, config.public_url or url)
    return 0


def _wait_for_running(config: Config, seconds: float = STARTING_SECONDS) -> str | None:
    """Find the running server's address; it may still be starting."""
    until = time.monotonic() + seconds
    while True:
        url = instance.running_at(config.data_dir)
        if url is not None and answers(url):
            return url
        if time.monotonic() > until:
            return None
        time.sleep(0.1)


def answers(url: str) -> bool:
    """Whether an erp server answers at the address."""
    import http.client  # here, because only a second start asks

    address = urlsplit(url)
    connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=2)
    try:
        connection.request("GET", "/api/health")
        return json.loads(connection.getresponse().read(1000)).get("success") is True
    except (OSError, ValueError, AttributeError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def open_browser(config: Config, link: str) -> None:
    """Open the link in the browser, if a person has started the program from a terminal with a screen."""
    screen = sys.platform in ("win32", "darwin") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if config.no_browser or not screen or not sys.stdout.isatty():
        return
    os.environ.update(frozen.environment_of_others())
    threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()


def say(*lines: str) -> None:
    """Print lines for the person at the terminal; nothing else is written to stdout.

    A server goes on without a reader, as in `erp serve | head -1` or after the terminal was closed.
    """
    with suppress(OSError):
        sys.stdout.write("\n".join(lines) + "\n")
        sys.stdout.flush()
