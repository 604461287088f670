"""Projects: the office's work, its customers, budgets and results."""

from erp.projects import api, summary

ROUTES: dict[str, object] = {
    "/projects": api.Collection(),
    "/projects/{id}": api.Item(),
    "/projects/{id}/archive": api.Archive(),
    "/projects/{id}/unarchive": api.Unarchive(),
    "/projects/{id}/summary": summary.Resource(),
}
