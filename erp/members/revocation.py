"""Revoking the ways back for a person who leaves: invites that they created, and their tokens."""

from typing import Any, cast

from erp.kernel import roles
from erp.kernel.roles import Role
from erp.store import events
from erp.store.control import CalendarAddress, Invite, Session


def withdraw(user_id: str, workspace_id: str | None = None, *, reach: str | None = None) -> None:
    """Revoke the pending invites that a user created; within the control file's transaction.

    Args:
        workspace_id: only those to this workspace.
        reach: the role that the user still has; invites to roles that it can grant stay.
    """
    pending = Invite.select().where(Invite.invited_by == user_id, Invite.status == "pending")
    if workspace_id is not None:
        pending = pending.where(Invite.workspace == workspace_id)
    for invite in list(pending):
        if reach is None or not roles.may_grant(cast(Role, reach), cast(Role, invite.role)):
            invite.change(status="revoked")
            events.write_later(invite.workspace_id, "invite.revoked", "invite", invite.id, event_data(invite))


def event_data(invite: Invite) -> dict[str, str]:
    """The event data of an invite."""
    return {"email": invite.email, "role": invite.role}


def end_tokens(user_id: str, workspace_id: str) -> None:
    """End a user's named tokens and calendar addresses of a workspace; they stay ended if the user comes back."""
    Session.delete().where(
        Session.user == user_id, Session.kind == "token", Session.active_workspace_id == workspace_id
    ).execute()
    end_calendar_addresses(user_id, CalendarAddress.workspace == workspace_id)


def end_calendar_addresses(user_id: str, *which: Any) -> None:
    """End a user's secret calendar addresses that meet the conditions; within the control file's transaction."""
    CalendarAddress.delete().where(CalendarAddress.user == user_id, *which).execute()
