"""Contacts: finding customers and suppliers, and the rules of changing them."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from erp.attachments import attachments
from erp.finance.books.dimensions import assigning
from erp.finance.contacts import heads, numbers, payment_terms, store, tax_rates
from erp.finance.contacts.bodies import ContactChange, ContactKind, NewContact
from erp.finance.contacts.models import Contact
from erp.finance.contacts.payment_terms import PaymentTerms
from erp.finance.contacts.store import Side
from erp.kernel import caller, money
from erp.kernel.complaints import Complaints, refuse_any, unknown_currency
from erp.kernel.currencies import DIGITS
from erp.kernel.errors import Complaint, Invalid, InvalidTransition, Refusal, UnknownReference
from erp.kernel.language import Listed, Noun, Sentence, Word, counted, says
from erp.kernel.wire import wire_name
from erp.members import memberships
from erp.store import changes, control, events, workspace_settings


class OpenItems(Refusal):
    """{name} still has as {side}: {items}. Allocate them, or set the contact type to customer and supplier."""


class Merged(InvalidTransition):
    """{name} is merged into {head}. Change that contact, or undo the merge first."""

    code = InvalidTransition.code


def refer(
    id: str, field: str, kind: Literal["customer", "supplier"] | None = None, *, archived: bool = False
) -> Contact:
    """Find the contact that a field of a document names by id; the id of a duplicate finds its head.

    Args:
        kind: the required kind of the contact; without it, either.
        archived: whether it may be archived: debts of an archived contact can still be paid.

    Raises:
        UnknownReference: there is no such contact in this workspace.
        Invalid: it is archived, or of the other kind.
    """
    contact = Contact.find_or_none(heads.of(id))
    if contact is None:
        raise UnknownReference(field, Noun("contact"))
    if contact.archived_at is not None and not archived:
        raise Invalid.one(
            field, "archived", says("{name} is archived. Unarchive the contact first.", name=contact.name)
        )
    if kind is not None and contact.kind not in (kind, "both"):
        raise Invalid.one(
            field,
            "wrong_kind",
            says(
                "{name} has another contact type than {kind}. Set the contact type to customer and supplier first.",
                name=contact.name,
                kind=Word.of(kind),
            ),
        )
    return contact


class ContactCommand(msgspec.Struct, frozen=True, kw_only=True):
    """A contact to add; its address and bank account as they are stored."""

    kind: ContactKind
    name: str
    legal_name: str | None = None
    email: str | None = None
    phone: str | None = None
    vat_id: str | None = None
    tax_number: str | None = None
    address: Mapping[str, str] | None = None
    currency: str | None = None
    payment_terms: PaymentTerms | None = None
    default_tax_rate_id: str | None = None
    bank_account: Mapping[str, str] | None = None
    buyer_reference: str | None = None
    language: str | None = None
    note: str | None = None
    dimensions: str | None = None
    group_workspace_id: str | None = None
    buyer_kind: str = "business"
    recipients: Sequence[Mapping[str, Any]] = ()
    paper_intro: str | None = None
    paper_closing: str | None = None
    time_billing: Mapping[str, Any] | None = None


def read(new: NewContact) -> ContactCommand:
    """The contact that a request asks to add."""
    values = assigning.as_columns(new.changes())
    _check_group(new.group_workspace_id)
    days = values.pop("payment_terms_days")
    if days is not None:
        values["payment_terms"] = PaymentTerms(days=days)
    return ContactCommand(**values | _stored(values))


def add(new: ContactCommand) -> Contact:
    """Add a contact.

    Raises:
        UnknownReference: there is no such tax rate in this workspace.
        Invalid: the currency does not exist, the tax rate is archived, or no one could take the discounts.
    """
    values = msgspec.structs.asdict(new)
    values |= payment_terms.columns(values)
    _check(values, _terms_complaints(new.payment_terms))
    contact = Contact.add(**values, **numbers.take(new.kind))
    events.write("contact.created", "contact", contact.id, _event_data(contact) | {"kind": contact.kind})
    return contact


def change(id: str, body: ContactChange) -> Contact:
    """Change a contact; issued documents keep the name and address they were issued with.

    A contact that becomes a customer or a supplier gets a number as such, and keeps the one that it has.

    Raises:
        UnknownReference: there is no such tax rate in this workspace.
        Invalid: the currency does not exist, or the tax rate is archived.
        Merged: it is a duplicate.
        OpenItems: it stops being a customer or a supplier, with open items on that side.
    """
    contact = Contact.find_to_change(id)
    check_own(contact)
    if body.payment_terms_days == contact.payment_terms_days:  # sent back as shown, beside the terms
        body = replace(body, payment_terms_days=UNSET)
    values = changes.differing(contact, _columns(body))
    _check(values, _terms_complaints(body.payment_terms, body.payment_terms_days))
    _check_group(values.get("group_workspace_id"))
    if "kind" in values and contact.kind == "employee":
        raise Invalid.one("kind", "employee", says("The contact of an employee keeps its type."))
    if "bank_account" in values and contact.kind == "employee":
        message = says("The bank account of {name} is in the employee record. Change it there.", name=contact.name)
        raise Invalid.one("bankAccount", "employee", message)
    _check_kind(contact, values.get("kind", "both"))
    if "kind" in values:
        values |= numbers.take(values["kind"], contact)
    if values:
        _write(contact, values)
    return contact


def of_employee(employee_id: str, name: str, bank_account: Mapping[str, str] | None) -> Contact:
    """The contact to which an employee's expenses are owed, made when first needed."""
    contact = Contact.find_by(employee_id=employee_id)
    if contact is None:
        contact = Contact.add(kind="employee", name=name, bank_account=_payable(bank_account), employee_id=employee_id)
        events.write("contact.created", "contact", contact.id, _event_data(contact) | {"kind": contact.kind})
    return contact


def follow_employee(employee_id: str, name: str, bank_account: Mapping[str, str] | None) -> None:
    """Bring the contact of an employee up to date, if there is one."""
    contact = Contact.find_by(employee_id=employee_id)
    columns = {"name": name, "bank_account": _payable(bank_account)}
    if contact is not None and (values := changes.differing(contact, columns)):
        _write(contact, values)


def _payable(bank_account: Mapping[str, str] | None) -> Mapping[str, str] | None:
    """A bank account to which a payment run can transfer money: one with an IBAN."""
    if not bank_account or not bank_account.get("iban"):
        return None
    return {name: bank_account[name] for name in ("holder", "iban", "bic") if name in bank_account}


def give_number(id: str, side: Side) -> None:
    """Number a contact on the other side as well, because it has a posting there."""
    contact = Contact.find(id)
    _write(contact, numbers.take(side, contact))


def _write(contact: Contact, values: Mapping[str, Any]) -> None:
    contact.change(**values)
    changed = [wire_name(name) for name in values]
    events.write("contact.updated", "contact", contact.id, _event_data(contact) | {"changed": changed})


def remove(id: str) -> None:
    """Delete an unused contact.

    Files that came from the inbox go back there, other files are deleted.

    Raises:
        InUse: a document or a posting names it.
    """
    contact = Contact.find_to_change(id)
    attachments.give_back("contact", id)
    changes.delete(
        contact,
        says("{name} is in use and cannot be deleted. Archive the contact instead.", name=contact.name),
        _event_data,
    )


def archive(id: str) -> Contact:
    """Archive a contact, so that no new document can name it."""
    return changes.archive(Contact.find_to_change(id), _event_data)


def unarchive(id: str) -> Contact:
    """Unarchive a contact, so that new documents can name it again."""
    contact = Contact.find_to_change(id)
    check_own(contact)
    return changes.unarchive(contact, _event_data)


def check_own(contact: Contact) -> None:
    """Refuse to change a duplicate."""
    if contact.head_id is not None:
        head = Contact.find(contact.head_id)
        raise Merged(name=contact.name, head=head.name)


def _columns(body: ContactChange) -> dict[str, Any]:
    """The sent fields, as columns."""
    values = assigning.as_columns(body.changes())
    return values | payment_terms.columns(values) | _stored(values)


_PARTS = ("address", "bank_account", "time_billing")


def _stored(values: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a request that are stored as JSON, as they are stored."""
    stored: dict[str, Any] = {name: values[name].kept() or None for name in _PARTS if values.get(name) is not None}
    if (recipients := values.get("recipients")) is not None:
        stored["recipients"] = [{"email": each.email, "kinds": each.kinds} for each in recipients]
    return stored


def addresses_for(contact: Contact, kind: str) -> list[str]:
    """The e-mail addresses to which messages of a kind go by default."""
    named = [each["email"] for each in contact.recipients or () if kind in each["kinds"]]
    return named or ([contact.email] if contact.email else [])


def _event_data(contact: Contact) -> dict[str, Any]:
    """The event's data: the name alone, since personal data is not written to the log."""
    return {"name": contact.name}


def terms_of(contact: Contact | ContactCommand) -> PaymentTerms | None:
    """The payment terms of a contact, possibly a new one."""
    if isinstance(contact, ContactCommand):
        return contact.payment_terms
    own, days = payment_terms.read(contact.payment_terms), contact.payment_terms_days
    return own if own is not None or days is None else PaymentTerms(days=days)


def _terms_complaints(terms: object, days: object = None) -> list[Complaint]:
    """Complaints about the terms of a contact, from either field of a request."""
    complaints = Complaints()
    if isinstance(terms, PaymentTerms):
        payment_terms.check(terms, "paymentTerms", complaints)
        complaints.items += payment_terms.twice(terms, days)
    return complaints.items


def _check(values: Mapping[str, Any], complaints: list[Complaint]) -> None:
    currency, tax_rate_id = values.get("currency"), values.get("default_tax_rate_id")
    if currency is not None and currency not in DIGITS:
        complaints.append(unknown_currency("currency"))
    if tax_rate_id is not None:
        complaints += tax_rates.look_up({"defaultTaxRateId": tax_rate_id})[1]
    refuse_any(complaints, Noun("tax rate"))


def _check_group(workspace_id: str | None) -> None:
    """Refuse a workspace that is not another one of the caller."""
    if workspace_id is None:
        return
    who = caller.current()
    with control.read():
        others = {each.id for each in memberships.of_user(who.user_id)} - {who.workspace_id}
    if workspace_id not in others:
        raise UnknownReference("groupWorkspaceId", Noun("workspace"))


_LEFT_BY: Mapping[str, Side] = {"supplier": "customer", "customer": "supplier"}
"""The side that a contact leaves when it becomes the other."""
_SHOWN = 3
"""Number of documents that a refusal names; the rest are only counted."""


def _check_kind(contact: Contact, kind: str) -> None:
    side = _LEFT_BY.get(kind)
    if side is None:
        return
    invoices, credit_notes, payments, balance = store.open_items_of(contact.id, side)
    is_customer = side == "customer"
    items = [
        *_counted(invoices, _UNPAID_INVOICES if is_customer else _UNPAID_BILLS),
        *_counted(credit_notes, _OPEN_CREDIT_NOTES),
        *_counted(payments, _UNALLOCATED_PAYMENTS),
    ]
    if balance and not items:
        currency = workspace_settings.current().base_currency
        items = [says("a balance of {amount}", amount=money.shown(balance, currency))]
    if items:
        raise OpenItems(name=contact.name, items=Listed.of(items, "and"), side=Word.of(side))


_UNPAID_INVOICES = says("{count} unpaid invoice ({numbers})"), says("{count} unpaid invoices ({numbers})")
_UNPAID_BILLS = says("{count} unpaid bill ({numbers})"), says("{count} unpaid bills ({numbers})")
_OPEN_CREDIT_NOTES = says("{count} open credit note ({numbers})"), says("{count} open credit notes ({numbers})")
_UNALLOCATED_PAYMENTS = (
    says("{count} payment on account ({numbers})"),
    says("{count} payments on account ({numbers})"),
)


def _counted(numbers: Sequence[str], wording: tuple[Sentence, Sentence]) -> list[Sentence]:
    """A count of documents with the first of their numbers; nothing without documents."""
    if not numbers:
        return []
    more = ", …" if len(numbers) > _SHOWN else ""
    return [counted(len(numbers), *wording, numbers=f"{', '.join(numbers[:_SHOWN])}{more}")]
