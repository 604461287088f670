"""Projects: the office's work, its customers, budgets and results."""

from erp.projects import api, rate_history, summary

ROUTES: dict[str, object] = {
    "/projects": api.Collection(),
    "/projects/{id}": api.Item(),
    "/projects/{id}/archive": api.Archive(),
    "/projects/{id}/unarchive": api.Unarchive(),
    "/projects/{id}/rates": rate_history.OfProject(),
    "/projects/{id}/rates/{rate_id}": rate_history.OfProjectItem(),
    "/projects/{id}/summary": summary.Resource(),
}
