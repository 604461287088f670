"""Invites and password resets by mail: each try makes a fresh link, so no secret is stored."""

from typing import Annotated, Any, ClassVar

from msgspec import Meta

from erp.kernel.errors import Invalid, InvalidTransition
from erp.mail import links, messages, sending, settings
from erp.mail.bodies import Send
from erp.mail.sending import REFUSES, Letter
from erp.mail.settings import UntrustedMailServer, of_address
from erp.mail.views import MessageDraftView, MessageView, shown_message
from erp.members import invites
from erp.store import control, workspace_settings
from erp.store.control import Invite, User
from erp.web.endpoint import endpoint
from erp.web.scalars import Id


class SendReset(Send, kw_only=True):
    """The user who gets a link to set a new password."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"userId": "0199d6a2-7c00-7000-8000-000000000002"}

    user_id: Annotated[Id, Meta(description="The `user.id` of a member.")]


def letter_of_invite(invite: Invite) -> Letter:
    """The letter with an invite."""
    language = workspace_settings.paper_language()
    return Letter("invite", ("invite", invite.id, None), "invite", language, [invite.email], {}, has_link=True)


def check_address(address: str) -> None:
    """Refuse an address of a new invite to which nothing can be sent.

    Raises:
        Invalid: it is one.
        SampleData: the workspace's data is made up, so that no invite goes out.
    """
    control.refuse_sample()
    if complaints := [*of_address(address, "email")]:
        raise Invalid(complaints)


def send_new(invite: Invite) -> None:
    """Send an invite that was just made, in a transaction of its own."""
    with control.open_workspace(invite.workspace_id, write=True):
        messages.add(sending.draft_of(letter_of_invite(invite), Send()), force=True)


class SendInvite:
    @endpoint(
        permission="invites.write",
        status=201,
        collection="/api/v1/workspace/messages",
        refuses=(InvalidTransition, *REFUSES),
    )
    def on_post(self, id: str, body: Send) -> MessageView | MessageDraftView:
        """Send a pending invite by e-mail.

        Each try makes a new link, valid for seven days, and the link before ends. The link is in the message alone, of
        which the office's hidden copy is not sent. You cannot send an invite to a role above your own.
        """
        links.check_invite(id)
        with control.read():
            invite = invites.find(id)
        invite.check_version()
        links.check_pending(id)
        return shown_message(sending.send(sending.draft_of(letter_of_invite(invite), body), body))


class SendPasswordReset:
    @endpoint(
        permission="workspace.write",
        status=201,
        collection="/api/v1/workspace/messages",
        session_only=True,
        refuses=(UntrustedMailServer, *REFUSES),
    )
    def on_post(self, body: SendReset) -> MessageView | MessageDraftView:
        """Send a user a link to set a new password, by the mail server of this workspace.

        For an instance admin alone. The link works once, for one hour after the message went out, and ends earlier
        ones. The office's hidden copy is not sent. Those who run the mail server can read the link: an instance
        admin has to set it up, which is checked again at each try (409 `mail_server_untrusted`); `via: eml` needs none.
        """
        links.check_reset(body.user_id)
        with control.read():
            user = User.find(body.user_id)
        draft = sending.draft_of(_letter_of_reset(user), body)
        if draft.via == "smtp" and not settings.is_trusted():
            raise UntrustedMailServer
        return shown_message(sending.send(draft, body))


def _letter_of_reset(user: User) -> Letter:
    values = {"customer": user.name}
    resource = ("user", user.id, None)
    return Letter("password_reset", resource, "password_reset", user.locale, [user.email], values, has_link=True)
