"""Outgoing mail over HTTP: the mail server, and the messages."""

from erp.kernel import caller
from erp.kernel.errors import Invalid, InvalidTransition, SampleData, VersionMismatch
from erp.mail import messages, prepared, sending, settings, views
from erp.mail.bodies import MailChange, MailTest, MessageFilter, Send
from erp.mail.messages import JustSent
from erp.mail.sending import Letter
from erp.mail.settings import MailNotSetUp
from erp.mail.views import MailView, MessageView
from erp.share_links.links import SharingOff
from erp.share_links.refusals import Superseded
from erp.web.endpoint import endpoint
from erp.web.schema import File, Page


class Settings:
    @endpoint(permission="workspace.write")
    def on_get(self) -> MailView:
        """Show the mail server of the workspace, without its password.

        `host` is null while there is none; messages are then prepared for one's own mail program.
        """
        return MailView.current()

    @endpoint(permission="workspace.write", refuses=(VersionMismatch, SampleData))
    def on_patch(self, body: MailChange) -> MailView:
        """Set or change the mail server, and send what waits.

        The password is encrypted under a key of this installation: a copy of the workspace elsewhere cannot open it.
        Connections use TLS 1.2 or later, and check name and certificate; `starttls` never falls back to plain text.
        Private networks need the server's flag `--mail-private`. A pause ends.
        """
        settings.change(body)
        return MailView.current()

    @endpoint(permission="workspace.write", refuses=(MailNotSetUp, VersionMismatch))
    def on_delete(self) -> None:
        """Remove the mail server and its password.

        Messages that have not gone out wait for another one.
        """
        settings.remove()


class Test:
    @endpoint(
        permission="workspace.write",
        status=201,
        collection="/api/v1/workspace/messages",
        refuses=(MailNotSetUp, JustSent),
    )
    def on_post(self, body: MailTest) -> MessageView:
        """Queue a test message, by default to your own address.

        Its status says what the mail server answered.
        """
        server = settings.needed()
        who = caller.current()
        if body.to is not None and (complaints := [*settings.of_address(body.to, "to")]):
            raise Invalid(complaints)
        letter = Letter(
            kind="test",
            resource=("mail", server.id, None),
            text="test",
            language=who.locale,
            to=[body.to or who.email],
            values={},
        )
        return MessageView.of(messages.add(sending.draft_of(letter, Send()), force=True))


class Resume:
    @endpoint(permission="workspace.write", refuses=(MailNotSetUp, InvalidTransition, VersionMismatch))
    def on_post(self) -> MailView:
        """Send again after a pause.

        Mail pauses when the mail server refuses the user name or the password, so that no account is locked.
        """
        settings.resume()
        return MailView.current()


class Messages:
    @endpoint(permission="workspace.read")
    def on_get(self, query: MessageFilter) -> Page[MessageView]:
        """List outgoing messages, the newest first.

        Of the kinds that you may read: with documents by `finance.read`, payslips by `payroll.read`, invites by
        `invites.read`, all others by `workspace.write`.
        """
        return views.search(query)


class Item:
    @endpoint(permission="workspace.read")
    def on_get(self, id: str) -> MessageView:
        """Show a message, with what the mail server answered.

        It shows that the mail server has it, not that it arrived: bounces come to the sender's mailbox.
        """
        return MessageView.of(messages.find(id))


class Cancel:
    @endpoint(permission="workspace.read", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> MessageView:
        """Cancel a message that has not gone out.

        One that is being handed over now is refused (409).
        """
        return MessageView.of(messages.cancel(id))


class Retry:
    @endpoint(
        permission="workspace.read",
        status=201,
        collection="/api/v1/workspace/messages",
        refuses=(InvalidTransition, MailNotSetUp, SharingOff, Superseded),
    )
    def on_post(self, id: str) -> MessageView:
        """Send a message again that failed or is unsure, as a new message.

        A record that cannot be sent any more is refused, as by its `/send`: a void invoice, a superseded quote, an
        undone reminder. So is a message whose share link was revoked, or has expired.
        Look into your mailbox of sent mail before you send an unsure one again: it may have arrived.
        """
        return MessageView.of(messages.retry(id))


class ConfirmSent:
    @endpoint(permission="workspace.read", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> MessageView:
        """Say that an unsure message has gone out.

        The mailbox of sent mail, or the recipient, knows.
        """
        return MessageView.of(messages.confirm_sent(id))


class HandedOver:
    @endpoint(permission="workspace.read", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> MessageView:
        """Say that your mail program has sent a prepared message.

        It counts as sent.
        """
        return MessageView.of(messages.hand_over(id))


class Discard:
    @endpoint(permission="workspace.read", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> MessageView:
        """Discard a prepared message.

        It stays in the list.
        """
        return MessageView.of(messages.discard(id))


class Eml:
    @endpoint(permission="workspace.read", store=None, produces="message/rfc822", refuses=(InvalidTransition,))
    def on_get(self, id: str) -> File:
        """Download a prepared message, which a mail program opens as a draft.

        Where it brings a secret link, each download makes a fresh one and ends the one before. A message that the
        server sends itself is refused (409).
        """
        return prepared.file_of(id)
