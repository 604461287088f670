"""Sending due messages, from any thread: one at a time for each workspace, over one connection.

`sending` is committed between the recipients and the message, and the outcome after the reply: see `erp.mail.tries`.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from erp.attachments import stored
from erp.delivery import sender
from erp.delivery.sender import Look
from erp.kernel import clock
from erp.kernel.config import Config
from erp.kernel.errors import Conflict, NotFound, Refusal
from erp.mail import messages, mime, sealing, settings, tries
from erp.mail.following import LINKS
from erp.mail.hosts import Failed, Server
from erp.mail.messages import AttachedFile
from erp.mail.models import MailSettings, Message
from erp.mail.tries import Outcome
from erp.mail.waking import BELL
from erp.store import control

if TYPE_CHECKING:
    from erp.mail.client import Connection

SHORTEST_REST, LONGEST_REST = timedelta(seconds=5), timedelta(minutes=5)
"""The pause of a workspace whose mail server was not reached, doubled each time in a row."""


class Sender(sender.Sender[str]):
    """The due messages of an installation; a key is the id of a workspace."""

    name = "mail"
    bell = BELL

    def __init__(self, settings: Config) -> None:
        super().__init__(settings)
        self._recovered: set[str] = set()
        """The workspaces in which nothing is `sending` any more that a former run of the server has begun."""
        self._connections: dict[str, Connection] = {}
        self._unnoted: dict[str, tuple[str, Outcome]] = {}
        """By workspace, a message whose outcome could not be noted yet, such as on a full disk."""
        self._rests: dict[str, tuple[int, datetime, int]] = {}
        """By workspace, how many connections failed in a row, until when none is tried, and with which settings."""
        self._has_ended = False

    def end(self) -> None:
        super().end()
        self._has_ended = True

    def workspace_of(self, key: str) -> str:
        return key

    def look_in(self, workspace_id: str) -> Look[str]:
        self._recover(workspace_id)
        with control.open_workspace(workspace_id, write=False):
            next_at = tries.next_at()
            server = settings.find()
            full_until = None if server is None else tries.full_until(server.per_hour)
        if next_at is None and workspace_id not in self._unnoted:
            return Look([], None)
        if server is None or server.pause_reason is not None:
            return Look([], self.when_again([]))
        waits_until = [full_until, self._resting_until(workspace_id, server)]
        is_due = next_at is not None and next_at <= clock.stamp()
        is_ready = is_due and not any(until and until > clock.stamp() for until in waits_until)
        keys = [workspace_id] if is_ready or workspace_id in self._unnoted else []
        return Look(keys, self.when_again([next_at, *waits_until]))

    def _resting_until(self, workspace_id: str, server: MailSettings) -> str | None:
        rest = self._rests.get(workspace_id)
        return None if rest is None or rest[2] != server.version else clock.stamp(rest[1])

    def _recover(self, workspace_id: str) -> None:
        """Nobody knows whether messages arrived that were being handed over when the server ended."""
        if workspace_id in self._recovered:
            return
        with control.open_workspace(workspace_id, write=False):
            is_needed = tries.has_interrupted()
        if is_needed:
            with control.open_workspace(workspace_id, write=True):
                tries.give_up_interrupted()
        self._recovered.add(workspace_id)

    def work(self, key: str) -> bool:
        self._note_later(key)
        with control.open_workspace(key, write=False):
            server = settings.find()
            message = None if server is None or not self._may_send(key, server) else tries.next_due()
            files = [] if message is None else _files(message)
            password = None if server is None else sealing.opened(sealing.MAIL)
            is_safe = message is None or message.kind != "password_reset" or settings.is_trusted()
        if message is None or server is None:
            self._disconnect(key)
            return False
        if not is_safe:  # the settings may have changed since it was queued
            self._note(key, lambda: tries.note(message.id, Outcome("failed", "server_untrusted")))
            return True
        return self._send(key, message, files, _server(server, password))

    def _may_send(self, key: str, server: MailSettings) -> bool:
        until = [tries.full_until(server.per_hour), self._resting_until(key, server)]
        return server.pause_reason is None and not any(instant and instant > clock.stamp() for instant in until)

    def _send(self, key: str, message: Message, files: list[AttachedFile], server: Server) -> bool:
        """Try a message; false if no other is to be tried now."""
        try:
            with self.noting() as may_note:  # the hash of a link
                if not may_note:
                    return False
                content = _content(message, files)
            connection = self._connected(key, server)
        except Failed as failed:
            return self._not_connected(key, message, failed, server.version)
        self._rests.pop(key, None)
        try:
            outcomes = connection.address(str(message.sender["address"]), message.addresses(), len(content))
        except Failed as failed:
            outcome = failed.outcome
            self._note(key, lambda: tries.note(message.id, outcome))
            self._after_failure(key, connection, failed)
            return True
        self._hand_over(key, message, content, connection, outcomes)
        return True

    def _hand_over(
        self, key: str, message: Message, content: bytes, connection: "Connection", outcomes: tries.Outcomes
    ) -> None:
        with self.noting() as may_note:
            if not may_note:
                return
            with control.open_workspace(key, write=True):
                is_begun = tries.begin(message.id, outcomes)
            if not is_begun:
                self._disconnect(key)
                return
            outcome = Outcome("unsure", "interrupted")
            try:
                outcome = connection.hand_over(content)
            finally:
                self._unnoted[key] = message.id, outcome  # after any error: else it would be `sending` for ever
                if outcome.status != "sent":
                    self._disconnect(key)
            if not self._has_ended:  # the files are closed: the next start says that it is unsure
                self._note_outcome(key)

    def _note_later(self, key: str) -> None:
        """Note an outcome that could not be noted before."""
        with self.noting() as may_note:
            if may_note and key in self._unnoted:
                self._note_outcome(key)

    def _note_outcome(self, key: str) -> None:
        id, outcome = self._unnoted[key]
        with control.open_workspace(key, write=True):
            tries.note(id, outcome)
        del self._unnoted[key]

    def _not_connected(self, key: str, message: Message, failed: Failed, version: int) -> bool:
        """Note that a message could not be tried; false if no other is to be tried now."""
        if failed.problem == "login_refused":
            self._note(key, lambda: tries.note_login_refused(message.id, failed.reply or "", version))
            return False
        self._note(key, lambda: tries.note(message.id, failed.outcome))
        if failed.is_final:
            return True
        failures = self._rests[key][0] + 1 if key in self._rests else 1
        rest = min(SHORTEST_REST * 2 ** min(failures - 1, 10), LONGEST_REST)
        self._rests[key] = failures, clock.now() + rest, version
        return False

    def _connected(self, key: str, server: Server) -> "Connection":
        """The connection of a workspace to its mail server, as the settings are now."""
        present = self._connections.get(key)
        if present is not None and present.server == server:
            return present
        from erp.mail.client import Connection  # here, with SMTP and TLS, because few offices send mail

        self._disconnect(key)
        self._connections[key] = Connection(server)
        return self._connections[key]

    def _after_failure(self, key: str, connection: "Connection", failed: Failed) -> None:
        if failed.ends:
            self._disconnect(key)
            return
        try:
            connection.reset()
        except Failed:
            self._disconnect(key)

    def _disconnect(self, key: str) -> None:
        connection = self._connections.pop(key, None)
        if connection is not None:
            connection.close()

    def _note(self, key: str, note: Callable[[], object]) -> None:
        """Write to the workspace, unless the server is stopping."""
        with self.noting() as may_note:
            if may_note:
                with control.open_workspace(key, write=True):
                    note()


def _files(message: Message) -> list[AttachedFile]:
    return [
        AttachedFile(file.name, file.media_type, stored.whole(file.sha256)) for file in messages.files_of(message.id)
    ]


def _content(message: Message, files: list[AttachedFile]) -> bytes:
    """The bytes of a message.

    Raises:
        Failed: its record has ended the link that it brings, or it cannot be written as mail; the others go on.
    """
    try:
        return mime.of(message, files, _link(message))
    except Refusal as refusal:
        if refusal.status in (NotFound.status, Conflict.status):
            raise Failed("link_ended", is_final=True) from None
        raise
    except mime.Malformed:
        raise Failed("malformed", is_final=True) from None


def _link(message: Message) -> str | None:
    """A fresh link of a message that brings one.

    Raises:
        Refusal: its record has none any more.
    """
    return LINKS[message.kind](message) if message.has_link else None


def _server(row: MailSettings, password: str | None) -> Server:
    domain = row.from_address.rpartition("@")[2].encode("idna").decode()
    return Server(
        version=row.version,
        host=row.host,
        port=row.port,
        security=row.security,
        user_name=row.user_name,
        password=password,
        domain=domain,
        certificate=row.certificate,
    )
