"""The list of files."""

from collections.abc import Iterator

from erp.attachments.models import Attachment
from erp.desk.files import records
from erp.desk.files.bodies import AttachmentFilter
from erp.desk.files.views import AttachmentView
from erp.kernel.errors import BadParameter
from erp.kernel.language import says
from erp.store import sql
from erp.store.sql import Condition
from erp.web.paging import page
from erp.web.schema import Page


def search(query: AttachmentFilter) -> Page[AttachmentView]:
    """One page of the files whose records the caller may read.

    Raises:
        Forbidden: the query names a record that the caller may not read.
        UnknownReference: there is no such record in this workspace.
    """
    select = Attachment.select().where(sql.positional(sql.all_of([*_conditions(query)])))
    return page(select, query, views=AttachmentView.of_many)


def _conditions(query: AttachmentFilter) -> Iterator[Condition]:
    yield records.readable()
    if query.resource_id is not None:
        if query.resource_type is None:
            raise BadParameter(says("resourceType: Say what kind of record resourceId names."))
        id = records.refer(query.resource_type, query.resource_id)
        records.check_read(query.resource_type, id)
        yield Condition("resource_id = :resource_id", {"resource_id": id})
    yield from sql.given(("resource_type = :resource_type", query.resource_type))
    if query.is_filed is not None:
        yield Condition(f"resource_type IS {'NOT ' if query.is_filed else ''}NULL")
    if query.q is not None:
        yield sql.contains(("name",), query.q)
