"""Workspaces, their members, invites, and the log of changes."""

from erp.members import invites, joining, members
from erp.workspace import country_list, log, workspaces

ROUTES: dict[str, object] = {
    "/workspace": workspaces.Collection(),
    "/workspace/{workspace_id}": workspaces.Item(),
    "/workspace/{workspace_id}/archive": workspaces.Archive(),
    "/workspace/{workspace_id}/unarchive": workspaces.Unarchive(),
    "/workspace/countries": country_list.Collection(),
    "/workspace/members": members.Collection(),
    "/workspace/members/{id}": members.Item(),
    "/workspace/leave": members.Leave(),
    "/workspace/invites": invites.Collection(),
    "/workspace/invites/{id}": invites.Item(),
    "/workspace/invites/preview": joining.Preview(),
    "/workspace/invites/accept": joining.Accept(),
    "/workspace/events": log.Collection(),
    "/workspace/events/verify": log.Verify(),
}
