"""Views over HTTP."""

from erp.desk.list_views import list_views, views
from erp.desk.list_views.bodies import ListViewChange, ListViewFilter, NewListView
from erp.desk.list_views.list_views import TooMany
from erp.desk.list_views.views import ListViewView
from erp.kernel.errors import AlreadyExists
from erp.web.endpoint import endpoint
from erp.web.schema import Page


class Collection:
    @endpoint(permission="workspace.read")
    def on_get(self, query: ListViewFilter) -> Page[ListViewView]:
        """List the views of lists and reports, by name: your own and the shared ones.

        A view has the filters, columns and order in which someone wants to see a list again, or the days, comparison
        and other choices of a report. The views of a list that your role cannot see are left out.
        """
        return views.search(query)

    @endpoint(permission="workspace.read", status=201, refuses=(AlreadyExists, TooMany))
    def on_post(self, body: NewListView) -> ListViewView:
        """Keep a view of a list.

        Every role may keep views of its own, and every role but viewer may share one. A list has at most 50 views of
        your own and 50 shared ones. Filters and columns are kept as they are: a list leaves out what it does not know.
        """
        return ListViewView.of(list_views.add(body))


class Item:
    @endpoint(permission="workspace.read")
    def on_get(self, id: str) -> ListViewView:
        """Show a view of a list.

        Your own, or a shared one of a list that your role can see.
        """
        return ListViewView.of(list_views.find(id))

    @endpoint(permission="workspace.read", refuses=(AlreadyExists, TooMany))
    def on_patch(self, id: str, body: ListViewChange) -> ListViewView:
        """Change a view of a list.

        Its owner can, and for a shared one owners and admins too. Everyone can make a view that they see their own
        default with `isDefault`, which changes nothing for others. Owners and admins can make a shared one the default
        for all, of which a list has at most one.
        """
        return ListViewView.of(list_views.change(id, body))

    @endpoint(permission="workspace.read")
    def on_delete(self, id: str) -> None:
        """Delete a view of a list.

        Its owner can, and for a shared one owners and admins too. The records in the list stay.
        """
        list_views.remove(id)
