"""Request bodies of views."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, ClassVar

from msgspec import UNSET, Meta

from erp.desk.list_views.models import PageName
from erp.kernel.errors import Complaint
from erp.kernel.language import says
from erp.web.schema import Body, RecordQuery, Unset

Key = Annotated[str, Meta(min_length=1, max_length=60)]
ViewName = Annotated[str, Meta(min_length=1, max_length=60)]
Conditions = Annotated[
    str, Meta(max_length=1000, description="The filters, as in the address of the list; a `period` stays a word.")
]
Sort = Annotated[Key, Meta(description="A column; with `-` before it, descending.")]
Page = Annotated[PageName, Meta(description="The list or report.")]
Default = Annotated[bool, Meta(description="The list opens with it for you. No other view of the list does then.")]
DefaultForAll = Annotated[
    bool, Meta(description="The list opens with it for everyone who has not chosen otherwise. Owners and admins only.")
]


class Column(Body, kw_only=True):
    """A column, with its width in pixels where that is not the usual one."""

    key: Key
    width: Annotated[int, Meta(ge=20, le=2000)] | None = None


Columns = Annotated[list[Column], Meta(max_length=30, description="The columns in order; the usual ones if empty.")]


class NewListView(Body, kw_only=True):
    """A view of a list."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "page": "projects",
        "name": "Under way",
        "query": "status=active",
        "columns": [{"key": "code"}, {"key": "name", "width": 240}],
        "sort": "-dueDate",
        "isShared": True,
    }

    page: Page
    name: ViewName
    query: Conditions = ""
    columns: Columns = []
    sort: Sort | None = None
    is_shared: Annotated[bool, Meta(description="Everyone who may see the list sees it.")] = False
    is_default: Default = False
    is_default_for_all: DefaultForAll = False

    def check(self) -> Iterator[Complaint]:
        yield from _repeated(self.columns)


class ListViewChange(Body):
    """The fields of a view to change; `isDefault` is your own, the others are for its owner, owners and admins."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"name": "Active", "isDefault": True}

    name: ViewName | Unset = UNSET
    query: Conditions | Unset = UNSET
    columns: Columns | Unset = UNSET
    sort: Sort | Unset | None = UNSET
    is_shared: bool | Unset = UNSET
    is_default: Default | Unset = UNSET
    is_default_for_all: DefaultForAll | Unset = UNSET

    def check(self) -> Iterator[Complaint]:
        yield from _repeated(self.columns)


class ListViewFilter(RecordQuery):
    """Filter for views."""

    page: Annotated[PageName, Meta(description="Only the views of this list.")] | None = None


def _repeated(columns: Sequence[Column] | Unset) -> Iterator[Complaint]:
    keys: list[str] = []
    for number, column in enumerate([] if columns is UNSET else columns):
        if column.key in keys:
            yield Complaint(f"columns[{number}].key", "duplicate", says("Must name each column only once."))
        keys.append(column.key)
