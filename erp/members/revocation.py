"""Taking back what somebody who goes could come in again by: invites to other addresses of hers, tokens."""

from typing import cast

from erp.kernel import roles
from erp.kernel.roles import Role
from erp.store import events
from erp.store.control import CalendarAddress, Invite, Session


def withdraw(user_id: str, workspace_id: str | None = None, *, reach: str | None = None) -> None:
    """Revoke the pending invites that a user made; within the control file's transaction.

    Args:
        workspace_id: those to this workspace alone.
        reach: the role that she still has; what it may grant stays.
    """
    made = Invite.select().where(Invite.invited_by == user_id, Invite.status == "pending")
    if workspace_id is not None:
        made = made.where(Invite.workspace == workspace_id)
    for invite in list(made):
        if reach is None or not roles.may_grant(cast(Role, reach), cast(Role, invite.role)):
            invite.change(status="revoked")
            told = {"email": invite.email, "role": invite.role}
            events.write_later(invite.workspace_id, "invite.revoked", "invite", invite.id, told)


def end_tokens(user_id: str, workspace_id: str) -> None:
    """End the named tokens and calendar addresses that a user has for a workspace, also for when she comes back."""
    Session.delete().where(
        Session.user == user_id, Session.kind == "token", Session.active_workspace_id == workspace_id
    ).execute()
    CalendarAddress.delete().where(CalendarAddress.user == user_id, CalendarAddress.workspace == workspace_id).execute()
