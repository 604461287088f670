"""Merging a duplicate into another contact, its head. No posted row changes: amounts are read by head."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from erp.finance.contacts import heads, numbers
from erp.finance.contacts import store as amounts
from erp.finance.contacts.models import Contact
from erp.finance.merging import moves, store
from erp.finance.merging.bodies import ContactMerge
from erp.finance.merging.moves import Moved
from erp.finance.merging.store import Count
from erp.kernel import clock
from erp.kernel.errors import Conflict, InUse, Invalid, InvalidTransition, UnknownReference
from erp.kernel.language import Listed, Noun, Word, says
from erp.kernel.wire import wire_name
from erp.store import events, sql

_TERMS = ("payment_terms", "payment_terms_days")
FILLED = (
    *("legal_name", "email", "phone", "vat_id", "tax_number", "address", "currency", *_TERMS, "default_tax_rate_id"),
    *("note", "bank_account", "buyer_reference", "language", "dimensions", "group_workspace_id"),
    *("paper_intro", "paper_closing", "time_billing", "recipients"),
)
"""Columns that the head takes from the duplicate where it has nothing itself."""
CONFLICTING = {"vat_id": Word("VAT number"), "currency": Word("Currency")}


class Difference(NamedTuple):
    """A field that both have, with different values; the head's stays."""

    column: str
    kept: Any
    dropped: Any

    @property
    def is_conflict(self) -> bool:
        return self.column in CONFLICTING


class Plan(NamedTuple):
    """The effect of a merge."""

    duplicate: Contact
    head: Contact
    counts: Count
    moved: Moved
    filled: Mapping[str, Any]
    differences: Sequence[Difference]
    balance: int


def plan(id: str, body: ContactMerge) -> Plan:
    """The effect of merging a contact into another one.

    Raises:
        UnknownReference: there is no other contact of that id.
        Invalid: the other is the contact itself, an employee's, archived, or merged into a third.
        InvalidTransition: the contact is an employee's, or merged already.
    """
    duplicate = Contact.find_to_change(id)
    _check_duplicate(duplicate)
    head = _head(body.into_contact_id, duplicate)
    balances = amounts.amounts([head.id, duplicate.id]).values()
    return Plan(
        duplicate,
        head,
        store.counts(heads.group(duplicate.id)),
        moves.found(duplicate.id),
        _filled(duplicate, head),
        _differences(duplicate, head),
        sum(each["balance"] for each in balances),
    )


def merge(planned: Plan, *, force: bool) -> Contact:
    """Do what a plan says.

    Returns:
        The head.

    Raises:
        Conflict: the VAT numbers or the currencies differ, and it is not forced.
    """
    duplicate, head = planned.duplicate, planned.head
    _check_conflicts(planned, force=force)
    group = heads.group(duplicate.id)
    head.change(**planned.filled, **_kind(duplicate, head))
    moved = moves.move(duplicate, head)
    parts = {"moved": moved, "filled": [*planned.filled], "archivedAt": duplicate.archived_at}
    for other in _under(group[1:]):
        other.change(head_id=head.id)
    duplicate.change(
        name=duplicate.name,  # recorded again, so that the search reads the records that name it
        head_id=head.id,
        merged_into_id=head.id,
        merged_parts=parts,
        archived_at=duplicate.archived_at or clock.stamp(),
    )
    heads.forget()
    events.write("contact.merged", "contact", duplicate.id, _event_data(duplicate, head) | _said(moved, planned))
    return head


def unmerge(id: str) -> Contact:
    """Let a duplicate be a contact of its own again, with what was moved and is still there.

    Raises:
        InvalidTransition: it is not merged.
        InUse: an allocation, an offset, a final invoice, the invoice of a quote or a reminder joins both.
    """
    duplicate = Contact.find_to_change(id)
    if duplicate.merged_into_id is None:
        raise InvalidTransition(says("{name} is not merged into another contact.", name=duplicate.name))
    own, group = _below(duplicate), heads.group(duplicate.id)
    head, into = Contact.find(str(duplicate.head_id)), Contact.find(duplicate.merged_into_id)
    joined = store.joined(own, group)
    if joined is not None:
        message = says(
            "{number} and {other} belong together, so {name} stays merged into {head}.",
            number=joined[0],
            other=joined[1],
            name=duplicate.name,
            head=head.name,
        )
        raise InUse(message)
    parts = duplicate.merged_parts
    duplicate.change(
        name=duplicate.name, head_id=None, merged_into_id=None, merged_parts=None, archived_at=parts["archivedAt"]
    )
    for other in _under(own[1:]):
        other.change(head_id=duplicate.id)
    into.change(**_emptied(into, duplicate, parts["filled"]))
    moved = moves.move(head, duplicate, parts["moved"])
    heads.forget()
    events.write("contact.unmerged", "contact", duplicate.id, _event_data(duplicate, head) | {"moved": _sizes(moved)})
    return duplicate


def _under(ids: Sequence[str]) -> list[Contact]:
    query = "SELECT * FROM contact WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id"
    return Contact.fetch(query, sql.array(ids))


def _below(contact: Contact) -> list[str]:
    """The ids of a contact and of all that were merged into it, directly or by way of another."""
    parents = {other.id: other.merged_into_id for other in _under(heads.group(contact.id))}
    below = [contact.id]
    for id in below:
        below += [other for other, parent in parents.items() if parent == id]
    return below


def _check_duplicate(duplicate: Contact) -> None:
    if duplicate.merged_into_id is not None:
        raise InvalidTransition(says("{name} is merged into another contact already.", name=duplicate.name))
    if duplicate.kind == "employee":
        raise InvalidTransition(says("The contact of an employee cannot be merged."))


def _head(id: str, duplicate: Contact) -> Contact:
    """The contact that stays."""
    field, head = "intoContactId", Contact.find_or_none(id)
    if head is None:
        raise UnknownReference(field, Noun("contact"))
    if head.id == duplicate.id:
        raise Invalid.one(field, "same_contact", says("A contact cannot be merged into itself. Choose another one."))
    if head.kind == "employee":
        raise Invalid.one(field, "employee", says("The contact of an employee cannot be merged."))
    if head.merged_into_id is not None:
        message = says("{name} is merged into another contact itself. Choose that one.", name=head.name)
        raise Invalid.one(field, "merged", message)
    if head.archived_at is not None:
        message = says("{name} is archived. Unarchive the contact first.", name=head.name)
        raise Invalid.one(field, "archived", message)
    return head


def _check_conflicts(planned: Plan, *, force: bool) -> None:
    fields = [CONFLICTING[each.column] for each in planned.differences if each.is_conflict]
    if fields and not force:
        message = says(
            "{name} and {head} differ in: {fields}. Check that they are the same contact, or confirm it.",
            name=planned.duplicate.name,
            head=planned.head.name,
            fields=Listed.of(fields),
        )
        raise Conflict(message)


def _filled(duplicate: Contact, head: Contact) -> dict[str, Any]:
    """The columns that the head takes from the duplicate; payment terms only as a whole."""
    has_terms = any(getattr(head, column) is not None for column in _TERMS)
    return {
        column: value
        for column in FILLED
        if getattr(head, column) is None
        and (value := getattr(duplicate, column)) is not None
        and not (column in _TERMS and has_terms)
    }


def _emptied(head: Contact, duplicate: Contact, filled: Sequence[str]) -> dict[str, Any]:
    """The columns that the head had from the duplicate, and still has."""
    return {column: None for column in filled if getattr(head, column) == getattr(duplicate, column)}


def _kind(duplicate: Contact, head: Contact) -> dict[str, Any]:
    """The kind and the numbers of a head that becomes both."""
    if duplicate.kind == head.kind or head.kind == "both":
        return {}
    return {"kind": "both", **numbers.take("both", head)}


def _differences(duplicate: Contact, head: Contact) -> list[Difference]:
    pairs = ((column, getattr(head, column), getattr(duplicate, column)) for column in ("kind", "name", *FILLED))
    return [Difference(*pair) for pair in pairs if None not in pair and pair[1] != pair[2]]


def _event_data(duplicate: Contact, head: Contact) -> dict[str, Any]:
    return {"name": duplicate.name, "intoContactId": head.id, "intoName": head.name}


def _said(moved: Moved, planned: Plan) -> dict[str, Any]:
    return {"moved": _sizes(moved), "filled": [wire_name(column) for column in planned.filled]}


def _sizes(moved: Moved) -> dict[str, int]:
    return {wire_name(table): len(ids) for table, ids in moved.items() if ids}
