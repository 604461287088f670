"""Projects: what the office works on, for whom, within which budget, and what came of it."""

from erp.projects import duplicate, project_responders, summary

ROUTES: dict[str, object] = {
    "/projects": project_responders.Collection(),
    "/projects/{id}": project_responders.Item(),
    "/projects/{id}/archive": project_responders.Archive(),
    "/projects/{id}/unarchive": project_responders.Unarchive(),
    "/projects/{id}/duplicate": duplicate.Resource(),
    "/projects/{id}/summary": summary.Resource(),
}
