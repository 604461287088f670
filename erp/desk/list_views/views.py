"""Views of views, and their list."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from erp.desk.list_views import list_views
from erp.desk.list_views.bodies import ListViewFilter
from erp.desk.list_views.list_views import Action
from erp.desk.list_views.models import ListView, PageName
from erp.store import sql
from erp.web.paging import page
from erp.web.schema import Page, RecordView, View, show


class ColumnView(View):
    """A column, with its width in pixels where that is not the usual one."""

    key: str
    width: int | None


class ListViewView(RecordView):
    """A view of a list: filters, columns and order."""

    page: PageName
    name: str
    query: Annotated[str, Meta(description="The filters, as in the address of the list.")]
    columns: list[ColumnView]
    sort: str | None
    is_shared: bool
    is_default: Annotated[bool, Meta(description="The list opens with it for you.")]
    is_default_for_all: bool
    owner_user_id: str
    owner_name: str | None
    can: Annotated[list[Action], Meta(description="Actions open to you now.")]

    @classmethod
    def of(cls, view: ListView) -> "ListViewView":
        return cls.of_many([view])[0]

    @classmethod
    def of_many(cls, views: Sequence[ListView]) -> "list[ListViewView]":
        defaults = list_views.defaults()
        return [
            show(
                cls,
                view,
                columns=[ColumnView(**column) for column in view.columns],
                is_default=view.id in defaults,
                owner_user_id=view.created_by,
                owner_name=view.created_by_name,
                can=list_views.actions(view),
            )
            for view in views
        ]


def search(query: ListViewFilter) -> Page[ListViewView]:
    """One page of the views that the caller sees, by name."""
    if query.page is not None:
        list_views.check_page(query.page)
    select = ListView.select().where(sql.positional(list_views.visible()))
    if query.page is not None:
        select = select.where(ListView.page == query.page)
    return page(select, query, views=ListViewView.of_many, sort="name", sortable={"name": ListView.name})
