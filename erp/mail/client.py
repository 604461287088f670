"""The conversation with a mail server, in steps: who, to whom, and then the message.

A server that does not offer encryption is told nothing, and no password goes out before it is checked who gets it.
"""

import smtplib
import socket
import ssl
import time
from base64 import b64encode
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Any

from erp.delivery import resolving, trust
from erp.delivery.resolving import Found
from erp.mail import mime, settings
from erp.mail.hosts import Failed, Server
from erp.mail.models import Problem
from erp.mail.tries import Outcome, Outcomes

SECONDS = 30.0
"""For each step before the message."""

CONNECT_SECONDS = 120.0
"""To find the addresses of a mail server and to reach one of them."""

REPLY_SECONDS = 120.0
"""For each piece of the message, and for the reply to it."""

MESSAGE_SECONDS = 600.0
"""For the whole message: 20 MiB at 0.4 Mbit/s."""

PIECE = 1 << 16
LONGEST_REPLY = 500
LONGEST_LINE, MOST_LINES = 8192, 100
MOST_ADDRESSES = 4
"""Of a mail server, to try: each takes its time."""

LOGIN_REFUSED = 535
START = 354


class _Smtp(smtplib.SMTP):
    """Connects to addresses that were checked, with TLS from the first byte where that is meant."""

    def __init__(self, server: Server) -> None:
        super().__init__(local_hostname=server.domain, timeout=SECONDS)
        self._server = server
        self._host = server.host  # the name that `starttls` checks
        self.seconds = SECONDS

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        ends = time.monotonic() + CONNECT_SECONDS
        plain = _connected(_checked(self._server, timeout), ends)
        plain.settimeout(timeout)
        if self._server.security != "tls":
            return plain
        return context(self._server).wrap_socket(plain, server_hostname=host)

    def getreply(self) -> tuple[int, bytes]:
        """Read a reply within the time of a step.

        smtplib's own reads as many lines as the server likes, and each byte has a time of its own: a server could fill
        the memory, or keep one of the few threads for ever.
        """
        ends = time.monotonic() + self.seconds
        texts: list[bytes] = []
        while len(texts) < MOST_LINES:
            line = self._line(ends)
            texts.append(line[4:].strip(b" \t\r\n"))
            if line[3:4] != b"-":
                self._connection.settimeout(self.seconds)
                return int(line[:3]) if line[:3].isdigit() else -1, b"\n".join(texts)
        raise smtplib.SMTPServerDisconnected("the reply has too many lines")

    def _line(self, ends: float) -> bytes:
        line = b""
        while not line.endswith(b"\n"):
            self._connection.settimeout(_remaining(ends))
            byte = self._connection.recv(1)  # replies are short, and nothing may be read beyond the line before TLS
            if not byte or len(line) == LONGEST_LINE:
                raise smtplib.SMTPServerDisconnected("the reply has no end")
            line += byte
        return line

    def send_content(self, content: bytes) -> None:
        """Send what follows DATA."""
        ends = time.monotonic() + MESSAGE_SECONDS
        for start in range(0, len(content), PIECE):
            self._connection.settimeout(min(REPLY_SECONDS, _remaining(ends)))
            self._connection.sendall(content[start : start + PIECE])

    @property
    def _connection(self) -> socket.socket:
        if self.sock is None:
            raise smtplib.SMTPServerDisconnected("there is no connection")
        return self.sock


def _remaining(ends: float) -> float:
    seconds = ends - time.monotonic()
    if seconds <= 0:
        raise TimeoutError
    return seconds


def context(server: Server) -> ssl.SSLContext:
    """TLS 1.2 or later, with the name and the certificate checked; the office may trust a certificate of its own."""
    if server.certificate is None:
        return trust.context()
    own = trust.context.__wrapped__()
    own.load_verify_locations(cadata=server.certificate)
    return own


def _checked(server: Server, seconds: float) -> list[Found]:
    """The addresses of the server, if mail may go to all of them."""
    found = resolving.addresses(server.host, server.port, seconds)
    for _, address in found:
        if not settings.may_connect(ip_address(str(address[0])), is_tls=server.security != "none"):
            raise Failed("address_refused", is_final=True)
    return found


def _connected(addresses: Sequence[Found], ends: float) -> socket.socket:
    problem: OSError = TimeoutError()
    for family, address in addresses[:MOST_ADDRESSES]:
        connection = socket.socket(family, socket.SOCK_STREAM)
        try:
            connection.settimeout(min(SECONDS, _remaining(ends)))
            connection.connect(address)
        except OSError as error:
            connection.close()
            problem = error
        else:
            return connection
    raise problem


class Connection:
    """A connection to a mail server that takes messages from this office."""

    def __init__(self, server: Server) -> None:
        """Connect, encrypt and sign in.

        Raises:
            Failed: that is not possible now, or never.
        """
        self.server = server
        self._smtp = _Smtp(server)
        try:
            _certain(self._open)
        except Failed:
            self._smtp.close()
            raise

    def _open(self) -> None:
        smtp, server = self._smtp, self.server
        _check(*smtp.connect(server.host, server.port))
        self._greet()
        if server.security == "starttls":
            if not smtp.has_extn("starttls"):
                raise Failed("tls_not_offered", is_final=True)
            _check(*smtp.starttls(context=context(server)))
            self._greet()
        if server.password is not None:
            self._sign_in(server.user_name or "", server.password)

    def _greet(self) -> None:
        code, reply = self._smtp.ehlo()
        if code >= 500:
            code, reply = self._smtp.helo()
        _check(code, reply)

    def _sign_in(self, user_name: str, password: str) -> None:
        """Sign in by PLAIN, or LOGIN where the server has that alone; smtplib's own knows ASCII only."""
        offered = self._smtp.esmtp_features.get("auth", "").upper().split()
        if "PLAIN" in offered:
            code, reply = self._smtp.docmd("AUTH", f"PLAIN {_base64(chr(0) + user_name + chr(0) + password)}")
        elif "LOGIN" in offered:
            code, reply = self._smtp.docmd("AUTH", f"LOGIN {_base64(user_name)}")
            if code == 334:
                code, reply = self._smtp.docmd(_base64(password))
        else:
            raise Failed("login_not_offered", is_final=True)
        if code == LOGIN_REFUSED:
            raise Failed("login_refused", _text(code, reply), is_final=True)
        _check(code, reply)

    def address(self, sender: str, recipients: Sequence[str], size: int) -> Outcomes:
        """Name the sender and the recipients; the outcome of each.

        Raises:
            Failed: the server takes no message from this sender, or to none of them.
        """
        outcomes: Outcomes = _certain(lambda: self._address(sender, recipients, size))
        return outcomes

    def _address(self, sender: str, recipients: Sequence[str], size: int) -> Outcomes:
        options = [f"SIZE={size}"] if self._smtp.has_extn("size") else []
        _check(*self._smtp.mail(mime.encoded(sender), options), ends=False)
        replies = {address: self._smtp.rcpt(mime.encoded(address)) for address in recipients}
        outcomes: Outcomes = {
            address: ["accepted", None] if code in (250, 251) else ["refused", _text(code, reply)]
            for address, (code, reply) in replies.items()
        }
        if all(status == "refused" for status, _ in outcomes.values()):
            code, reply = max(replies.values(), key=lambda answer: answer[0])
            is_final = min(code for code, _ in replies.values()) >= 500
            raise Failed("all_refused" if is_final else "try_later", _text(code, reply), is_final=is_final, ends=False)
        return outcomes

    def hand_over(self, content: bytes) -> Outcome:
        """Send the message itself; whether the server has it is unsure where the reply does not arrive."""
        try:
            code, reply = _certain(lambda: self._smtp.docmd("DATA"))
            if code != START:
                _check(code, reply, ends=False)
                raise Failed("refused", _text(code, reply), is_final=True)
        except Failed as failed:
            return failed.outcome
        try:
            self._smtp.send_content(_dotted(content))
            self._smtp.seconds = REPLY_SECONDS
            code, reply = self._smtp.getreply()
        except TimeoutError:
            return Outcome("unsure", "no_reply")
        except (OSError, smtplib.SMTPException):
            return Outcome("unsure", "interrupted")
        finally:
            self._smtp.seconds = SECONDS
        return _judged(code, _text(code, reply))

    def reset(self) -> None:
        """Let go of a message that is not sent after all."""
        _certain(lambda: self._smtp.rset())

    def close(self) -> None:
        """Say goodbye."""
        try:
            self._smtp.quit()
        except (OSError, smtplib.SMTPException):
            self._smtp.close()


def _judged(code: int, reply: str) -> Outcome:
    """The outcome by the reply to a message; one that SMTP does not know may mean anything (RFC 5321, 4.2)."""
    if 200 <= code < 300:
        return Outcome("sent", None, reply)
    if 400 <= code < 600:
        return Outcome("failed" if code >= 500 else "waiting", _problem(code), reply)
    return Outcome("unsure", "no_reply", reply)


def _certain(step: Any) -> Any:
    """Do a step before the message: after any failure it is certain that nothing was handed over."""
    try:
        return step()
    except Failed:
        raise
    except ssl.SSLError as error:
        raise Failed("tls_failed", is_final=True) from error
    except (OSError, UnicodeError, smtplib.SMTPException) as error:
        raise Failed("no_connection", is_final=False) from error


def _check(code: int, reply: bytes, *, ends: bool = True) -> None:
    if not 200 <= code < 300:
        raise Failed(_problem(code), _text(code, reply), is_final=code >= 500, ends=ends)


def _problem(code: int) -> Problem:
    return "refused" if code >= 500 else "try_later"


def _text(code: int, reply: bytes) -> str:
    """A reply in a form that can be stored and shown."""
    text = f"{code} {reply.decode('utf-8', 'replace')}"
    return "".join(sign if sign.isprintable() else " " for sign in text)[:LONGEST_REPLY].strip()


def _base64(text: str) -> str:
    return b64encode(text.encode()).decode()


def _dotted(content: bytes) -> bytes:
    """A message as DATA takes it: a line that begins with a dot has another, and a lone dot ends it (RFC 5321)."""
    body = content.replace(b"\r\n.", b"\r\n..")
    body = b"." + body if body.startswith(b".") else body
    return body + (b"" if body.endswith(b"\r\n") else b"\r\n") + b".\r\n"
