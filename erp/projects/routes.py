"""Projects: what the office works on, for whom, within which budget, and what came of it."""

from erp.projects import api, summary
from erp.tasks import duplicate_project

ROUTES: dict[str, object] = {
    "/projects": api.Collection(),
    "/projects/{id}": api.Item(),
    "/projects/{id}/archive": api.Archive(),
    "/projects/{id}/unarchive": api.Unarchive(),
    "/projects/{id}/duplicate": duplicate_project.Resource(),
    "/projects/{id}/summary": summary.Resource(),
}
