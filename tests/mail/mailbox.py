"""A real mail server on this computer, which a test lets fail at any step, and a sender that a test drives by hand."""

import asyncio
import email
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from email.policy import default
from functools import cache
from typing import Any, Literal, NamedTuple

import trustme
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from erp.mail.sender import Sender
from tests.conftest import Office

MAIL = "/workspace/mail"
MESSAGES = "/workspace/messages"
USER, PASSWORD = "office@acme.example", "geheim: Straße 7"

Step = Literal["EHLO", "MAIL", "RCPT", "DATA"]


class Received(NamedTuple):
    """A message that arrived: the envelope, and the bytes."""

    sender: str
    recipients: list[str]
    content: bytes

    @property
    def mail(self) -> EmailMessage:
        return email.message_from_bytes(self.content, policy=default)

    @property
    def text(self) -> str:
        body = self.mail.get_body(("plain",))
        assert body is not None
        return str(body.get_content())


class Mailbox:
    """A mail server that keeps what arrives. `replies` replaces its answer at a step, by address for RCPT."""

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.replies: dict[str, str] = {}
        self.at: dict[str, Callable[[], object]] = {}
        """Called at a step before it is answered; at `ACCEPTED` once a message is kept."""
        self.greeted: list[str] = []
        self.connections = 0
        self.host, self.port = "127.0.0.1", 0

    async def handle_EHLO(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        self.greeted.append(hostname)
        session.host_name = hostname
        await self._reach("EHLO", server)
        return [self.replies["EHLO"]] if "EHLO" in self.replies else responses

    async def handle_MAIL(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        await self._reach("MAIL", server)
        envelope.mail_from = address
        return self.replies.get("MAIL", "250 OK")

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        await self._reach("RCPT", server)
        reply = self.replies.get(address, "250 OK")
        if reply.startswith("2"):
            envelope.rcpt_tos.append(address)
        return reply

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        if await self._reach("DATA", server):
            return "421 gone"
        reply = self.replies.get("DATA", "250 OK: queued as 4711")
        if reply.startswith("2"):
            content = envelope.original_content or b""
            self.received.append(Received(str(envelope.mail_from), list(envelope.rcpt_tos), content))
            await self._reach("ACCEPTED", server)
        return reply

    async def _reach(self, step: str, server: SMTP) -> bool:
        """Do what a test wants at a step; whether the connection has ended."""
        act = self.at.get(step)
        is_over = act is not None and await asyncio.to_thread(act) == "hang up"
        if is_over:
            assert server.transport is not None
            server.transport.abort()  # type: ignore[attr-defined]
        return is_over

    def authenticate(self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any) -> AuthResult:
        assert isinstance(data, LoginPassword)
        is_right = (data.login.decode(), data.password.decode()) == (USER, PASSWORD)
        return AuthResult(success=is_right, handled=False)


@cache
def authority() -> trustme.CA:
    """A certificate authority of the test's own; to make one takes as long as ten tests."""
    return trustme.CA()


@cache
def context(name: str) -> ssl.SSLContext:
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority().issue_cert(name).configure_cert(made)
    return made


def certificate() -> str:
    return authority().cert_pem.bytes().decode()


@contextmanager
def mailbox(security: str = "none", name: str = "127.0.0.1", **options: Any) -> Iterator[Mailbox]:
    """A running mail server, with a certificate for a name unless `security` is `none`."""
    box = Mailbox()
    over = context(name) if security == "tls" else None
    if security == "starttls":
        options["tls_context"] = context(name)
    if security != "none":
        options |= {"authenticator": box.authenticate, "auth_require_tls": security == "starttls"}
    loop = _loop()
    made = loop.create_server(lambda: SMTP(box, hostname="mail.example", loop=loop, **options), box.host, 0, ssl=over)
    server = asyncio.run_coroutine_threadsafe(made, loop).result(10)
    box.port = server.sockets[0].getsockname()[1]
    try:
        yield box
    finally:
        loop.call_soon_threadsafe(server.close)


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, daemon=True).start()
    return loop


def set_up(office: Office, box: Mailbox, security: str = "none", **more: Any) -> Any:
    """Let the office send through a mail server."""
    body = {"host": box.host, "port": box.port, "security": security, "fromAddress": "office@acme.example", **more}
    if security != "none":
        body = {"userName": USER, "password": PASSWORD, "certificate": certificate(), **body}
    return office.ok("PATCH", MAIL, body)


def queued(office: Office, to: str = "anna@example.com") -> Any:
    """Queue a test message."""
    return office.ok("POST", f"{MAIL}/test", {"to": to})


def deliver(office: Office, sender: Sender | None = None) -> Sender:
    """Send what is due now, in this thread."""
    sender = sender or Sender(office.installation.config)
    for key in sender.ready():
        sender.serve(key)
    return sender


def shown(office: Office, message: Any) -> Any:
    return office.ok("GET", f"{MESSAGES}/{message['id']}")


def hanging() -> tuple[threading.Event, threading.Event, Callable[[], object]]:
    """A step that is reached and goes on only when told."""
    reached, go_on = threading.Event(), threading.Event()

    def wait() -> None:
        reached.set()
        go_on.wait(20)

    return reached, go_on, wait


def queued_through(office, box):
    """A message that waits for a mailbox, which the office uses from now on."""
    set_up(office, box)
    return queued(office)
