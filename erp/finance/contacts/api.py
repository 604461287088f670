"""Contacts over HTTP, with what they owe and are owed, and their statements."""

from functools import reduce
from operator import or_
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET
from peewee import ModelSelect

from erp.finance.contacts import contacts
from erp.finance.contacts.contacts import ContactChange, Kind, NewContact
from erp.finance.contacts.models import Contact
from erp.kernel import caller, money
from erp.kernel.errors import InUse, InvalidTransition, UnknownReference
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.web.address import AddressView
from erp.web.endpoint import endpoint
from erp.web.paging import page
from erp.web.scalars import Money
from erp.web.schema import ListQuery, Page, RecordView, Unset


class ContactFilter(ListQuery):
    """Which contacts to list."""

    kind: Annotated[
        Kind | None, msgspec.Meta(description="`customer` and `supplier` list those that are both as well.")
    ] = None
    archived: Annotated[bool, msgspec.Meta(description="List those that are archived instead.")] = False
    q: (
        Annotated[
            str, msgspec.Meta(max_length=200, description="Text in the names, the e-mail address or the tax number.")
        ]
        | None
    ) = None
    sort: Literal["name", "-name", "createdAt", "-createdAt"] = "-createdAt"


class ContactView(RecordView):
    """A contact; amounts are in the base currency, and only for those who may read finance."""

    created_by: str | None
    kind: Kind
    name: str
    legal_name: str | None
    email: str | None
    phone: str | None
    tax_number: str | None
    address: AddressView | None
    currency: str | None
    payment_terms_days: int | None
    default_tax_rate_id: str | None
    notes: str | None
    archived_at: str | None
    balance: Annotated[Money | Unset, msgspec.Meta(description="What the contact owes, less what it is owed.")] = UNSET
    overdue: Annotated[Money | Unset, msgspec.Meta(description="What is due of sales invoices past their day.")] = UNSET
    unallocated_credit: Annotated[
        Money | Unset,
        msgspec.Meta(
            description="What is left of payments received and of sales credit notes, less what else was paid back."
        ),
    ] = UNSET

    @classmethod
    def of(cls, contact: Contact) -> "ContactView":
        """The view of a contact for the present caller."""
        plain = {name: getattr(contact, name) for name in cls.__struct_fields__ if name not in _DERIVED}
        return cls(**plain, **_derived(contact))


_DERIVED = ("address", "balance", "overdue", "unallocated_credit")
_AMOUNTS = """
SELECT
    (SELECT coalesce(sum(posting.amount), 0) FROM posting JOIN account ON account.id = posting.account_id
        WHERE posting.contact_id = ? AND account.subtype IN ('receivable', 'payable')),
    (SELECT coalesce(sum(base_total - (
            SELECT coalesce(sum(base_relieved), 0) FROM allocation
            WHERE invoice_id = invoice.id AND released_on IS NULL)), 0)
        FROM invoice WHERE contact_id = ? AND type = 'sales_invoice' AND status IN ('issued', 'partially_paid')
        AND due_date < ?),
    (SELECT coalesce(sum(CASE direction WHEN 'received' THEN 1 ELSE -1 END * (base_amount - (
            SELECT coalesce(sum(base_received), 0) FROM allocation
            WHERE payment_id = payment.id AND released_on IS NULL))), 0)
        FROM payment WHERE contact_id = ? AND status = 'posted' AND EXISTS (
            SELECT 1 FROM posting JOIN account ON account.id = posting.account_id
            WHERE posting.entry_id = payment.journal_entry_id AND account.subtype = 'receivable'))
    + (SELECT coalesce(sum(base_total - (
            SELECT coalesce(sum(base_received), 0) FROM allocation
            WHERE credit_note_id = invoice.id AND released_on IS NULL)), 0)
        FROM invoice WHERE contact_id = ? AND type = 'sales_credit_note' AND status IN ('issued', 'partially_paid'))
"""


def _derived(contact: Contact) -> dict[str, Any]:
    """The address; and the amounts, for those who may read finance."""
    address = {"address": AddressView.of(contact.address)}
    if not caller.may("finance.read"):
        return address
    today, currency = workspace_settings.today().isoformat(), workspace_settings.current().base_currency
    id = contact.id
    (amounts,) = WORKSPACE.rows(_AMOUNTS, (id, id, today, id, id))
    return address | {name: money.text(amount, currency) for name, amount in zip(_DERIVED[1:], amounts, strict=True)}


def _listed(query: ContactFilter) -> "ModelSelect[Contact]":
    select = Contact.select().where(Contact.archived_at.is_null(not query.archived))
    if query.kind is not None:
        select = select.where(Contact.kind.in_((query.kind, "both")))
    if query.q is not None:
        texts = (Contact.name, Contact.legal_name, Contact.email, Contact.tax_number)
        select = select.where(reduce(or_, [text.contains(query.q) for text in texts]))
    return select


class Collection:
    @endpoint(permission="contacts.read")
    def on_get(self, query: ContactFilter) -> Page[ContactView]:
        """List the contacts, the newest first.

        Those that are archived are left out; `archived=true` lists them alone. Amounts are shown to those who may
        read finance.
        """
        return page(_listed(query), query, ContactView.of, sort=query.sort, sortable={"name": Contact.name})

    @endpoint(permission="contacts.write", status=201, refuses=(UnknownReference,))
    def on_post(self, body: NewContact) -> ContactView:
        """Add a customer, a supplier, or somebody who is both."""
        return ContactView.of(contacts.add(body))


class Item:
    @endpoint(permission="contacts.read")
    def on_get(self, id: str) -> ContactView:
        """Show a contact."""
        return ContactView.of(Contact.find(id))

    @endpoint(permission="contacts.write", refuses=(UnknownReference,))
    def on_patch(self, id: str, body: ContactChange) -> ContactView:
        """Change a contact.

        Documents that were issued keep the name and address that they were issued with.
        """
        return ContactView.of(contacts.change(id, body))

    @endpoint(permission="contacts.write", refuses=(InUse,))
    def on_delete(self, id: str) -> None:
        """Delete a contact that no document, payment or posting names."""
        contacts.remove(id)


class Archive:
    @endpoint(permission="contacts.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> ContactView:
        """Archive a contact, so that no new document can name it; what is open can still be paid."""
        return ContactView.of(contacts.archive(id))


class Unarchive:
    @endpoint(permission="contacts.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> ContactView:
        """Take an archived contact back into use."""
        return ContactView.of(contacts.unarchive(id))
