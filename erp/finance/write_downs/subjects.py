"""The subject of a deduction: an issued invoice or bill, or an open item without a document, as an opening item is."""

from collections.abc import Mapping
from datetime import date
from typing import Any

import msgspec

from erp.finance.books.dimensions import assigning
from erp.finance.books.models import OpenItem
from erp.finance.contacts import heads
from erp.finance.contacts.models import Contact
from erp.finance.documents.models import Invoice
from erp.finance.items import settlement
from erp.kernel.errors import NotFound
from erp.kernel.language import Sentence, says
from erp.store import workspace_settings
from erp.store.router import WORKSPACE

OWED = ("opening", "manual", "doubtful")
"""Kinds of entries whose items can have deductions."""


class Subject(msgspec.Struct, frozen=True):
    """An open item with deductions, and the document that it belongs to, if any."""

    item: OpenItem
    invoice: Invoice | None = None

    @property
    def id(self) -> str:
        """The id of the document, or of the item."""
        return self.item.id if self.invoice is None else self.invoice.id

    @property
    def number(self) -> str:
        """Its number; an opening item has the number of the former program."""
        return self.item.number

    @property
    def due(self) -> int:
        """The amount that can still be deducted, in minor units of its currency."""
        return settlement.remaining(self.item) if self.invoice is None else self.invoice.due

    @property
    def is_purchase(self) -> bool:
        """Whether the office owes the amount."""
        return bool(self.item.amount < 0)

    @property
    def is_foreign(self) -> bool:
        """Whether it is in another currency than the books."""
        return bool(self.item.currency != workspace_settings.current().base_currency)

    @property
    def contact_name(self) -> str:
        """The name of its contact; a document keeps the name from its issue."""
        name = Contact.find(heads.of(self.item.contact_id)).name if self.invoice is None else self.invoice.contact_name
        return str(name)

    @property
    def issue_date(self) -> date:
        """The day from which its terms count."""
        day: date = self.item.document_date if self.invoice is None else self.invoice.issue_date
        return day

    @property
    def payment_terms(self) -> Mapping[str, Any] | None:
        """The stored terms of the document; an item without one has its contact's."""
        holder = Contact.find(heads.of(self.item.contact_id)) if self.invoice is None else self.invoice
        terms: Mapping[str, Any] | None = holder.payment_terms
        return terms


def dimensions(subject: Subject) -> str | None:
    """The default dimensions of its contact, as stored."""
    text: str | None = Contact.find(heads.of(subject.item.contact_id)).dimensions if assigning.known() else None
    return text


def of_invoice(invoice: Invoice) -> Subject:
    """An issued document, with the open item in which it stands."""
    return Subject(settlement.item_of(invoice.id), invoice)


def of_item(item: OpenItem) -> Subject:
    """The subject that an open item belongs to, read afresh."""
    if item.document_type == "invoice":
        return of_invoice(Invoice.find(item.document_id))
    return Subject(find(item.id))


def find(id: str) -> OpenItem:
    """The open item with that id.

    Raises:
        NotFound: there is none in this workspace.
    """
    item = OpenItem.find_by(id=id)
    if item is None:
        raise NotFound(says("There is no such open item."))
    return item


def refusal(item: OpenItem) -> Sentence | None:
    """Message if an open item without a document cannot have a deduction."""
    if item.document_type == "invoice":
        path = f"/finance/invoices/{item.document_id}/write-off"
        return says("Open {number} and write it off there.", number=item.number, path=path)
    rows = WORKSPACE.rows(_KIND, (item.id,))
    kind, subtype, is_reversed = rows[0] if rows else ("", "", False)
    if is_reversed or kind == "reversal":
        return says("{number} has been reversed and has no open amount.", number=item.number)
    if kind not in OWED:
        template = says("Only opening items and manual entries can be written off here.")
        return template.fill(number=item.number)
    if (item.amount > 0) != (subtype == "receivable"):
        return says("{number} is a credit. Only receivables and payables can be written off.", number=item.number)
    return None


_KIND = (
    "SELECT entry.kind, account.subtype,"
    " EXISTS (SELECT 1 FROM journal_entry AS mirror WHERE mirror.reverses_id = entry.id)"
    " FROM open_item AS item JOIN journal_entry AS entry ON entry.id = item.entry_id"
    " JOIN account ON account.id = item.account_id WHERE item.id = ?"
)
