"""Views of offsets."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta

from erp.finance.books.models import DocumentType
from erp.finance.books.voids import check_voidable
from erp.finance.contacts import contacts, heads
from erp.finance.items.documents import Side
from erp.finance.items.offsets.bodies import OffsetFilter
from erp.finance.items.offsets.models import Offset, Status
from erp.kernel import caller, money
from erp.store import names, sql
from erp.store.router import WORKSPACE
from erp.web.paging import page, within
from erp.web.scalars import Money
from erp.web.schema import Page, RecordView, View, show


class OffsetItemView(View):
    """The settled part of an open item, also after the offset was voided."""

    item_id: str
    side: Side
    document_type: DocumentType
    document_id: Annotated[str, Meta(description="The invoice, payment or journal entry.")]
    number: str
    amount: Annotated[Money, Meta(description="A debit that was settled above zero, a credit below.")]


class OffsetView(RecordView):
    """A contact's receivables against its payables; `amount` is the sum of either side."""

    created_by: str | None
    created_by_name: str | None
    number: str
    status: Status
    date: str
    contact_id: str
    contact_name: str
    currency: str
    amount: Money
    note: str | None
    items: list[OffsetItemView]
    journal_entry_id: str
    journal_entry_number: str
    voided_at: str | None
    void_reason: str | None
    can: Annotated[list[Literal["void"]], Meta(description="Actions on the offset open to you now.")]

    @classmethod
    def of(cls, offset: Offset) -> "OffsetView":
        """The view of an offset with its items."""
        return cls.of_many([offset])[0]

    @classmethod
    def of_many(cls, offsets: Sequence[Offset]) -> "list[OffsetView]":
        """Show offsets; two queries, however many they are."""
        named = names.of(
            contact=[offset.contact_id for offset in offsets],
            journal_entry=[offset.journal_entry_id for offset in offsets],
        )
        items = _items(offsets)
        return [
            show(
                cls,
                offset,
                contact_id=heads.of(offset.contact_id),
                date=offset.date.isoformat(),
                contact_name=named.name(offset.contact_id),
                journal_entry_number=named.code(offset.journal_entry_id),
                amount=money.text(offset.amount, offset.currency),
                items=items[offset.journal_entry_id],
                can=_can(offset),
            )
            for offset in offsets
        ]


def search(query: OffsetFilter) -> Page[OffsetView]:
    select = Offset.select()
    if query.status is not None:
        select = select.where(Offset.status == query.status)
    if query.contact_id is not None:
        contact = contacts.refer(query.contact_id, "contactId", archived=True)
        select = select.where(sql.among(Offset.contact_id, heads.group(contact.id)))
    select = within(select, query, Offset.date)
    return page(select, query, views=OffsetView.of_many, sort=query.sort, sortable={"date": Offset.date})


_ITEMS = """
SELECT own.document_id, item.currency, CASE WHEN item.amount > 0 THEN a.amount ELSE -a.amount END,
    item.id, account.subtype, item.document_type, item.document_id, item.number
FROM open_item AS own JOIN allocation AS a ON a.from_item_id = own.id
JOIN open_item AS item ON item.id = a.to_item_id JOIN account ON account.id = item.account_id
WHERE own.document_id IN (SELECT value FROM json_each(?)) ORDER BY own.document_id, own.line, a.id
"""


def _items(offsets: Sequence[Offset]) -> dict[str, list[OffsetItemView]]:
    views: dict[str, list[OffsetItemView]] = {offset.journal_entry_id: [] for offset in offsets}
    fields = ("item_id", "side", "document_type", "document_id", "number")
    for entry_id, currency, amount, *columns in WORKSPACE.rows(_ITEMS, (sql.array(views),)):
        values: dict[str, Any] = dict(zip(fields, columns, strict=True))
        views[entry_id].append(OffsetItemView(**values, amount=money.text(amount, currency)))
    return views


def _can(offset: Offset) -> list[Literal["void"]]:
    return caller.allowed("finance.write", {"void": lambda: check_voidable(offset)})
