"""Documents that are shared by a link."""

from erp.share_links import api

ROUTES: dict[str, object] = {
    "/share/view": api.SharedView(),
    "/share/file": api.SharedFile(),
    "/share/accept": api.SharedAccept(),
    "/share/decline": api.SharedDeclined(),
}
