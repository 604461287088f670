"""Notices over HTTP: everyone reads their own."""

from erp.desk.notices import mailing, notices, views
from erp.desk.notices.bodies import NoticeFilter, NoticePreferences, NoticesToKeep, SeenNotices
from erp.desk.notices.views import NoticePreferencesView, NoticeView, UnreadView
from erp.kernel import caller
from erp.web.endpoint import endpoint
from erp.web.schema import Page


class Collection:
    @endpoint(permission="workspace.read")
    def on_get(self, query: NoticeFilter) -> Page[NoticeView]:
        """List your notices, the newest first.

        A notice tells you of an event that concerns you, never of your own acts. Further events of the same kind about
        the same record are counted by the unread notice. Where you no longer may read the record, its notices are not
        shown. Notices that you have read are deleted after 90 days. `unreadNotices` of `GET /workspace/changes` is the
        number of unread ones.
        """
        return views.search(query)


class Read:
    @endpoint(permission="workspace.read")
    def on_post(self, body: SeenNotices) -> UnreadView:
        """Mark notices as read, by their ids or up to the newest that you have seen.

        A notice that has told more since you saw it has a new id and stays unread. Idempotent.
        """
        notices.mark_read(body.ids, body.through_id or "")
        return UnreadView(unread_notices=notices.unread_count())


class Unread:
    @endpoint(permission="workspace.read")
    def on_post(self, body: NoticesToKeep) -> UnreadView:
        """Mark notices as unread again.

        A notice stays read if a newer one of its kind about the same record is unread. Idempotent.
        """
        notices.mark_unread(body.ids)
        return UnreadView(unread_notices=notices.unread_count())


class Preferences:
    @endpoint(permission="workspace.read")
    def on_get(self) -> NoticePreferencesView:
        """Show which kinds of notices you want in this workspace, of those that your role can get.

        Every kind is wanted until you say otherwise.
        """
        return views.preferences()

    @endpoint(permission="workspace.read")
    def on_put(self, body: NoticePreferences) -> NoticePreferencesView:
        """Choose the kinds of notices that you want in this workspace; a kind that you leave out is wanted.

        It counts from the next event on. Notices that are there already stay. By mail they go to your own address:
        each within a minute, or the whole day together, at `dailyAt` in your time zone, unless there are none.
        """
        notices.mute(name for name, preference in body.kinds.items() if not preference.here)
        wishes = {name: preference.mail for name, preference in body.kinds.items() if preference.here}
        notices.mail(wishes, body.daily_at, body.days)
        mailing.WANTED.add(str(caller.current().workspace_id))
        return views.preferences()
