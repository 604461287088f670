"""Invites: offers to join a workspace, bound to an e-mail address and valid for one use within seven days.

They are created, listed and revoked here; `erp.members.joining` says how they are used.
"""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta

from erp.kernel import caller, clock, config, tokens
from erp.kernel.errors import InvalidTransition, NotFound, Refusal, SampleData
from erp.kernel.language import Word, says
from erp.kernel.roles import Role
from erp.members.joining import AlreadyMember, status_of
from erp.members.members import check_reach
from erp.members.revocation import event_data
from erp.store import control, events, sql
from erp.store.control import Invite, Member, User, email_key
from erp.web.endpoint import endpoint
from erp.web.hosts import link_base
from erp.web.paging import page
from erp.web.scalars import Email, Instant
from erp.web.schema import Body, Page, RecordQuery, RecordView, show

VALID = timedelta(days=7)
SEND: list[Callable[[Invite], None]] = []
CHECK_ADDRESS: list[Callable[[str], None]] = []
"""Send a new invite by e-mail, and refuse an address that takes none before it is made; `erp.app` adds them."""
Status = Literal["pending", "accepted", "revoked", "expired"]
Action = Literal["revoke"]


class NewInvite(Body):
    """An invite to create."""

    email: Email
    role: Role
    send: Annotated[
        bool, Meta(description="Send the link by e-mail; the answer then has neither `token` nor `acceptUrl`.")
    ] = False

    EXAMPLE: ClassVar[dict[str, Any]] = {"email": "anna@example.com", "role": "member"}


class InviteFilter(RecordQuery):
    """A filter of invites."""

    status: Status | None = None
    sort: Literal["createdAt", "-createdAt"] = "-createdAt"


class InviteView(RecordView):
    """An invite; `invitedByUserId` is a user's id."""

    email: str
    role: Role
    status: Status
    invited_by: str
    invited_by_name: str | None
    expires_at: Instant
    accepted_at: Instant | None
    can: Annotated[list[Action], Meta(description="Actions on the invite open to you now.")]

    @classmethod
    def of(cls, invite: Invite) -> "InviteView":
        return cls.of_many([invite])[0]

    @classmethod
    def of_many(cls, invites: Sequence[Invite]) -> "list[InviteView]":
        """Show invites; one query names those who made them."""
        users = User.select(User.id, User.name).where(sql.among(User.id, {invite.invited_by for invite in invites}))
        names = {user.id: user.name for user in users}
        return [
            show(
                cls,
                invite,
                status=status_of(invite),
                invited_by_name=names.get(invite.invited_by),
                can=_actions(invite),
            )
            for invite in invites
        ]


class CreatedInviteView(InviteView):
    """A new invite, with the secret that is not shown again."""

    token: Annotated[str | None, Meta(description="Null where the link is sent by e-mail.")]
    accept_url: str | None

    @classmethod
    def with_token(cls, invite: Invite, token: str | None) -> "CreatedInviteView":
        """Show a new invite with its token."""
        accept_url = None if token is None else f"{link_base(config.current())}/#invite={token}"
        by = caller.current().name
        shown = {"status": status_of(invite), "invited_by_name": by, "can": _actions(invite)}
        return show(cls, invite, **shown, token=token, accept_url=accept_url)


class AlreadyInvited(Refusal):
    """This e-mail address already has a pending invite. Revoke it before you create another."""


def create(new: NewInvite) -> tuple[Invite, str]:
    """Invite someone to the caller's workspace.

    Returns:
        The invite, and its token.

    Raises:
        Forbidden: the role is above the caller's own.
        AlreadyMember: a member of the workspace has this address.
        AlreadyInvited: the address has a pending invite.
    """
    who = caller.current()
    check_reach(new.role)
    key = email_key(new.email)
    _check_is_new(key)
    token = tokens.make()
    invite = Invite.add(
        workspace_id=who.workspace_id,
        email=new.email,
        email_key=key,
        role=new.role,
        token_hash=tokens.hashed(token),
        invited_by=who.user_id,
        expires_at=clock.stamp(clock.now() + VALID),
    )
    _log("invite.pending", invite)
    return invite, token


def revoke(id: str) -> None:
    """Revoke a pending invite.

    Raises:
        NotFound: there is no such invite in the workspace.
        Forbidden: it offers a role above the caller's own.
        InvalidTransition: it is no longer pending.
    """
    invite = find(id)
    invite.check_version()
    _check_revocable(invite)
    invite.change(status="revoked")
    _log("invite.revoked", invite)


def _actions(invite: Invite) -> list[Action]:
    checks: dict[Action, Callable[[], object]] = {"revoke": lambda: _check_revocable(invite)}
    return caller.allowed("invites.write", checks)


def _check_revocable(invite: Invite) -> None:
    check_reach(invite.role)
    if status_of(invite) != "pending":
        raise InvalidTransition(
            says(
                "Only open invites can be revoked. Status of this invite: {status}.", status=Word.of(status_of(invite))
            )
        )


def find(id: str) -> Invite:
    """An invite to the caller's workspace.

    Raises:
        NotFound: there is none with this id.
    """
    invite = Invite.find(id)
    if invite.workspace_id != caller.current().workspace_id:
        raise NotFound(says("There is no such invite."))
    return invite


def search(query: InviteFilter) -> Page[InviteView]:
    """The invites of the caller's workspace that fit the filter."""
    rows = Invite.select().where(Invite.workspace == caller.current().workspace_id)
    is_late = (Invite.status == "pending") & (Invite.expires_at <= clock.stamp())
    if query.status == "expired":
        rows = rows.where((Invite.status == "expired") | is_late)
    elif query.status is not None:
        rows = rows.where(Invite.status == query.status, ~is_late)
    return page(rows, query, views=InviteView.of_many, sort=query.sort)


def _check_is_new(key: str) -> None:
    here = caller.current().workspace_id
    if Member.select().join(User).where(Member.workspace == here, User.email_key == key).exists():
        raise AlreadyMember(field="email")
    pending = Invite.find_by(workspace_id=here, email_key=key, status="pending")
    if pending is None:
        return
    if status_of(pending) == "pending":
        raise AlreadyInvited(field="email")
    pending.change(status="expired")


def _log(event: str, invite: Invite) -> None:
    events.write_later(invite.workspace_id, event, "invite", invite.id, event_data(invite))


class Collection:
    """The invites of the selected workspace."""

    @endpoint(permission="invites.read", store="control")
    def on_get(self, query: InviteFilter) -> Page[InviteView]:
        """List the invites of the workspace.

        Pending, accepted, revoked and expired ones, the newest first. The tokens of invites are shown only when they
        are created.
        """
        return search(query)

    @endpoint(
        permission="invites.write",
        store=None,
        status=201,
        shows_secret=True,
        refuses=(AlreadyMember, AlreadyInvited, SampleData),
    )
    def on_post(self, body: NewInvite) -> CreatedInviteView:
        """Invite someone by e-mail address.

        You hand over the link yourself, or `send` it by e-mail. It is shown only once and is valid for seven days, and
        only a person who signs in or registers with this address can use it. You cannot grant a role above your own.
        """
        if body.send:
            for check in CHECK_ADDRESS:
                check(body.email)
        with control.write():
            invite, token = create(body)
            view = CreatedInviteView.with_token(invite, None if body.send else token)
        events.try_to_deliver(invite.workspace_id)
        if body.send:
            for send in SEND:
                send(invite)
        return view


class Item:
    @endpoint(permission="invites.read", store="control")
    def on_get(self, id: str) -> InviteView:
        """Show an invite.

        It shows the role and the state of the invite, not its token.
        """
        return InviteView.of(find(id))

    @endpoint(permission="invites.write", store="control", refuses=(InvalidTransition,))
    def on_delete(self, id: str) -> None:
        """Revoke a pending invite.

        Its link stops working at once. An invite that was accepted or revoked already is refused (409); remove the
        member instead.
        """
        revoke(id)
