"""Contacts: the customers and suppliers of the office, how they are found, and the rules of changing them."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import UNSET

from erp.finance.contacts import tax_rates
from erp.finance.contacts.models import Contact
from erp.kernel.complaints import refuse_any, unknown_currency
from erp.kernel.currencies import DIGITS
from erp.kernel.errors import Complaint, Invalid, UnknownReference
from erp.store import changes, events
from erp.web.address import Address
from erp.web.scalars import Currency, Email, Id, Line, Name, Note
from erp.web.schema import Body, Unset

Kind = Literal["customer", "supplier", "both"]
TermsDays = Annotated[int, msgspec.Meta(ge=0, le=3650, description="Days from an invoice's date to its due date.")]


class NewContact(Body):
    """A customer, a supplier, or both."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "kind": "customer",
        "name": "Blue Heron Bakery",
        "email": "accounts@blueheron.example",
        "address": {"line1": "4 Mill Lane", "city": "Hamburg", "postalCode": "20095", "country": "DE"},
        "paymentTermsDays": 14,
    }

    kind: Kind
    name: Name
    legal_name: Line | None = None
    email: Email | None = None
    phone: Line | None = None
    tax_number: Line | None = None
    address: Address | None = None
    currency: Currency | None = None
    payment_terms_days: TermsDays | None = None
    default_tax_rate_id: Id | None = None
    notes: Note | None = None


class ContactChange(Body):
    """Fields of a contact to change; those left out stay, null clears. An address is replaced as a whole."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"phone": "+49 40 123456", "notes": "Closed on Mondays."}

    kind: Kind | Unset = UNSET
    name: Name | Unset = UNSET
    legal_name: Line | Unset | None = UNSET
    email: Email | Unset | None = UNSET
    phone: Line | Unset | None = UNSET
    tax_number: Line | Unset | None = UNSET
    address: Address | Unset | None = UNSET
    currency: Currency | Unset | None = UNSET
    payment_terms_days: TermsDays | Unset | None = UNSET
    default_tax_rate_id: Id | Unset | None = UNSET
    notes: Note | Unset | None = UNSET


def find_reference(
    value: str, field: str, kind: Literal["customer", "supplier"] | None = None, *, archived: bool = False
) -> Contact:
    """Find the contact that a field of a new document names by id.

    Args:
        kind: what the contact has to be; anything will do when absent.
        archived: whether it may be archived, for what is open can still be paid.

    Raises:
        UnknownReference: there is none in this workspace.
        Invalid: it is archived, or of the other kind.
    """
    contact = Contact.find_or_none(value)
    if contact is None:
        raise UnknownReference(field, "contact")
    if contact.archived_at is not None and not archived:
        raise Invalid.one(field, "archived", f"{contact.name} is archived.")
    if kind is not None and contact.kind not in (kind, "both"):
        raise Invalid.one(field, "wrong_kind", f"{contact.name} is no {kind}.")
    return contact


def add(new: NewContact) -> Contact:
    """Add a contact.

    Raises:
        UnknownReference: there is no such tax rate in this workspace.
        Invalid: the currency is not in use, or the tax rate is archived.
    """
    values = _columns(new.changes())
    _check(values)
    contact = Contact.add(**values)
    events.write("contact.created", "contact", contact.id, {"name": contact.name, "kind": contact.kind})
    return contact


def change(id: str, wanted: ContactChange) -> Contact:
    """Change a contact; documents that were issued keep what they say of it.

    Raises:
        UnknownReference: there is no such tax rate in this workspace.
        Invalid: the currency is not in use, or the tax rate is archived.
    """
    contact = Contact.find_to_change(id)
    values = changes.differing(contact, _columns(wanted.changes()))
    _check(values)
    if values:
        contact.change(**values)
        changed = [changes.wire_name(name) for name in values]
        events.write("contact.updated", "contact", id, {"name": contact.name, "changed": changed})
    return contact


def remove(id: str) -> None:
    """Delete a contact that nothing names.

    Raises:
        InUse: a document or a posting names it.
    """
    contact = Contact.find_to_change(id)
    changes.delete(contact, f"{contact.name} stands in documents and has to stay; archive the contact instead.")
    events.write("contact.deleted", "contact", id, {"name": contact.name})


def archive(id: str) -> Contact:
    """Archive a contact, so that no new document can name it.

    Raises:
        InvalidTransition: it is archived already.
    """
    contact = Contact.find_to_change(id)
    changes.archive(contact, "The contact", {"name": contact.name})
    return contact


def unarchive(id: str) -> Contact:
    """Take an archived contact back into use.

    Raises:
        InvalidTransition: it is not archived.
    """
    contact = Contact.find_to_change(id)
    changes.unarchive(contact, "The contact", {"name": contact.name})
    return contact


def _columns(values: dict[str, Any]) -> dict[str, Any]:
    """The fields of a body as the table keeps them."""
    address = values.get("address")
    return values | ({"address": address.kept() or None} if address is not None else {})


def _check(values: Mapping[str, Any]) -> None:
    complaints: list[Complaint] = []
    currency, tax_rate_id = values.get("currency"), values.get("default_tax_rate_id")
    if currency is not None and currency not in DIGITS:
        complaints.append(unknown_currency("currency"))
    if tax_rate_id is not None:
        complaints += tax_rates.look_up({"defaultTaxRateId": tax_rate_id})[1]
    refuse_any(complaints, "tax rate")
