"""Workspaces, their members, invites, and the log of changes."""

from erp.members import invites, joining, members, role_list
from erp.texts import texts
from erp.workspace import api, choices, log, logo, workspaces

ROUTES: dict[str, object] = {
    "/workspace": workspaces.Collection(),
    "/workspace/{workspace_id}": api.Item(),
    "/workspace/{workspace_id}/archive": api.Archive(),
    "/workspace/{workspace_id}/unarchive": api.Unarchive(),
    "/workspace/chart-templates": choices.Charts(),
    "/workspace/countries": choices.Countries(),
    "/workspace/next-numbers": api.NextNumbers(),
    "/workspace/logo": logo.Resource(),
    "/workspace/texts": texts.Collection(),
    "/workspace/texts/{kind}/{language}": texts.Item(),
    "/workspace/roles": role_list.Collection(),
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
