"""The desk: the feed of changes, data protection, files, the home page, notices, the search."""

from erp.desk import changes, month, search
from erp.desk.files import api as files
from erp.desk.home import first_steps, home
from erp.desk.notices import api as notices
from erp.desk.privacy import api as privacy

ROUTES: dict[str, object] = {
    "/finance/periods/month": month.MonthToClose(),
    "/hr/me/export": privacy.OwnExport(),
    "/workspace/attachments": files.Collection(),
    "/workspace/attachments/{id}": files.Item(),
    "/workspace/attachments/{id}/content": files.Content(),
    "/workspace/attachments/{id}/file": files.Record(),
    "/workspace/attachments/{id}/bill": files.Bill(),
    "/workspace/changes": changes.Changes(),
    "/workspace/first-steps": first_steps.FirstSteps(),
    "/workspace/home": home.Home(),
    "/workspace/notice-preferences": notices.Preferences(),
    "/workspace/notices": notices.Collection(),
    "/workspace/notices/read": notices.Read(),
    "/workspace/notices/unread": notices.Unread(),
    "/workspace/people/{kind}/{id}/erase": privacy.Erase(),
    "/workspace/people/{kind}/{id}/export": privacy.Export(),
    "/workspace/retention": privacy.Retention(),
    "/workspace/retention/due": privacy.Due(),
    "/workspace/search": search.Search(),
}
