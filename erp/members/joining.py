"""Joining a workspace with the token of an invite: what it offers, and accepting it once."""

from typing import Annotated, Any, ClassVar, cast

import msgspec

from erp.kernel import caller, clock, roles, tokens
from erp.kernel.errors import NotFound, Refusal, Unavailable, WorkspaceArchived
from erp.kernel.language import Sentence, says
from erp.kernel.roles import Role
from erp.members import memberships
from erp.members.memberships import MembershipView
from erp.store import control, events
from erp.store.control import Invite, Member, User, Workspace, email_key
from erp.web.endpoint import endpoint
from erp.web.scalars import Instant
from erp.web.schema import Body, View


class InviteToken(Body):
    """The secret of an invite."""

    token: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]

    EXAMPLE: ClassVar[dict[str, Any]] = {"token": "erp_…"}


class InvitePreviewView(View):
    """An invite before it is accepted, with the rights of its role in words."""

    workspace_name: str
    role: Role
    sees: list[Sentence]
    changes: list[Sentence]
    email: str
    invited_by_name: str
    expires_at: Instant


class AlreadyMember(Refusal):
    """This person is already a member of the workspace."""


class InviteUsed(Refusal):
    """This invite has already been used."""


class InviteRevoked(Refusal):
    """This invite has been revoked. Ask for a new one."""


class InviteExpired(Refusal):
    """This invite has expired. Ask for a new one."""


class InviteForAnother(Refusal):
    """This invite is for another e-mail address. Sign in with that address."""

    status = 403


SPENT: dict[str, type[Refusal]] = {"accepted": InviteUsed, "revoked": InviteRevoked, "expired": InviteExpired}


def preview(token: str) -> InvitePreviewView:
    """Look at the invite with this token.

    Raises:
        NotFound: no invite has this token.
        Refusal: one of `SPENT`; it can no longer be used.
    """
    invite = _usable(token)
    inviter = User.find_or_none(invite.invited_by)
    role = cast(Role, invite.role)
    rights = roles.in_words(role)
    return InvitePreviewView(
        workspace_name=Workspace.find(invite.workspace_id).name,
        role=role,
        sees=rights.sees,
        changes=rights.changes,
        email=invite.email,
        invited_by_name=inviter.name if inviter else "",
        expires_at=invite.expires_at,
    )


def find_for(token: str, email: str) -> Invite:
    """The invite with this token, if a user with this e-mail address can use it.

    Raises:
        NotFound: no invite has this token.
        Refusal: one of `SPENT`; it can no longer be used.
        InviteForAnother: it is for another e-mail address.
    """
    invite = _usable(token)
    if email_key(email) != invite.email_key:
        raise InviteForAnother
    return invite


def workspace_names(token: str) -> list[str]:
    """The name of the workspace that an invite is for; none if no invite has this token."""
    rows = Workspace.select(Workspace.name).join(Invite).where(Invite.token_hash == tokens.hashed(token))
    return [workspace.name for workspace in rows]


def accept(token: str, user_id: str, email: str) -> Member:
    """Add a user to the workspace that they are invited to; within the control file's transaction.

    After the commit, the caller of this function delivers the outbox (`events.deliver`).

    Raises:
        NotFound: no invite has this token.
        Refusal: one of `SPENT`; it can no longer be used.
        InviteForAnother: it is for another e-mail address.
        WorkspaceArchived: the workspace cannot be changed.
        Unavailable: its file cannot be used.
        AlreadyMember: the user is already in the workspace.
    """
    invite = find_for(token, email)
    _check_is_open(invite.workspace_id)
    if Member.select().where(Member.workspace == invite.workspace_id, Member.user == user_id).exists():
        raise AlreadyMember
    now = clock.stamp()
    member = Member.add(workspace_id=invite.workspace_id, user_id=user_id, role=invite.role, joined_at=now)
    invite.change(status="accepted", accepted_at=now)
    data = {"userId": user_id, "role": invite.role, "inviteId": invite.id}
    events.write_later(invite.workspace_id, "member.joined", "member", member.id, data)
    return member


def status_of(invite: Invite) -> str:
    """An invite's status now: a pending one expires without being changed."""
    return "expired" if invite.status == "pending" and invite.expires_at <= clock.stamp() else invite.status


def _check_is_open(workspace_id: str) -> None:
    status = Workspace.find(workspace_id).status
    if status == "archived":
        raise WorkspaceArchived
    if status == "unavailable":
        raise Unavailable


def _usable(token: str) -> Invite:
    invite = Invite.find_by(token_hash=tokens.hashed(token))
    if invite is None:
        raise NotFound(says("There is no such invite."))
    if status_of(invite) in SPENT:
        raise SPENT[status_of(invite)]
    return invite


class Preview:
    @endpoint(access="public", writes=False, refuses=(NotFound, *SPENT.values()))
    def on_post(self, body: InviteToken) -> InvitePreviewView:
        """Show what an invite offers.

        `token` is the part of the invite's link after the `=`.
        """
        with control.read():
            return preview(body.token)


class Accept:
    @endpoint(
        access="user",
        store="control",
        session_only=True,
        shows_secret=True,  # a token is used once, so there is no answer to replay
        refuses=(NotFound, InviteForAnother, AlreadyMember, WorkspaceArchived, Unavailable, *SPENT.values()),
    )
    def on_post(self, body: InviteToken) -> MembershipView:
        """Join the workspace that an invite is for.

        `token` is the part of its link after the `=`. The invite must be for your e-mail address. Joining does not
        select the workspace. An employee record there with this address becomes yours, if it has no user yet.
        """
        who = caller.current()
        member = accept(body.token, who.user_id, who.email)
        return memberships.find(who.user_id, member.workspace_id)
