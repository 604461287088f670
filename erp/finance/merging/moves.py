"""The records that change their contact with a merge: whatever is not posted, and names the duplicate."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from erp.finance.bank.models import BankCounterparty, BankRule
from erp.finance.billing.recurring.models import RecurringDocument
from erp.finance.contacts.models import Contact
from erp.finance.documents.drafts import SNAPSHOT
from erp.finance.documents.models import Invoice
from erp.finance.dunning import blocks
from erp.finance.dunning.models import ReminderBlock
from erp.finance.quotes.models import Quote
from erp.projects.models import Project
from erp.store.records import WorkspaceRecord

Moving = WorkspaceRecord | ReminderBlock
Moved = dict[str, list[str]]
"""The ids of moved records, by table."""


class Movable(NamedTuple):
    """A kind of record that moves: how the records of a contact are found, and what names another one in its place."""

    table: str
    find: Callable[[str], Sequence[Moving]]
    columns: Callable[[Any, str, Contact], Mapping[str, Any]]


def _draft(draft: Invoice | Quote, contact_id: str, to: Contact) -> Mapping[str, Any]:
    return {
        "contact_id": to.id,
        "contact_name": to.name,
        "customer": {name: getattr(to, name) for name in SNAPSHOT},
        "terms": json.dumps(_renamed(json.loads(draft.terms), contact_id, to.id), ensure_ascii=False),
    }


def _recurring(recurring: RecurringDocument, contact_id: str, to: Contact) -> Mapping[str, Any]:
    return {"request": _renamed(recurring.request, contact_id, to.id)}


_NAMING = {"contactId", "customerId", "supplierId"}


def _renamed(value: Any, contact_id: str, to_id: str) -> Any:
    """A request with another contact wherever it names this one."""
    if isinstance(value, list):
        return [_renamed(item, contact_id, to_id) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        name: to_id if name in _NAMING and own == contact_id else _renamed(own, contact_id, to_id)
        for name, own in value.items()
    }


def _of(model: type[Moving], where: str) -> Callable[[str], Sequence[Moving]]:
    query = f"SELECT * FROM {model._meta.table_name} WHERE {where} ORDER BY id"
    return lambda contact_id: model.fetch(query, contact_id)


def _recurring_of(contact_id: str) -> list[RecurringDocument]:
    every = RecurringDocument.fetch("SELECT * FROM recurring_document ORDER BY id")
    return [each for each in every if _renamed(each.request, contact_id, "") != each.request]


def _own(_: Any, __: str, to: Contact) -> Mapping[str, Any]:
    return {"contact_id": to.id}


def _block(_: Any, __: str, to: Contact) -> Mapping[str, Any]:
    """A block of the other one that is over gives way."""
    old = blocks.of(to.id)
    if old is not None:
        old.delete_instance()
    return {"resource_id": to.id}


MOVABLE = (
    Movable("invoice", _of(Invoice, "contact_id = ? AND status = 'draft'"), _draft),
    Movable("quote", _of(Quote, "contact_id = ? AND status = 'draft'"), _draft),
    Movable("recurring_document", _recurring_of, _recurring),
    Movable("project", _of(Project, "customer_id = ?"), lambda _, __, to: {"customer_id": to.id}),
    Movable("bank_rule", _of(BankRule, "contact_id = ?"), _own),
    Movable("bank_counterparty", _of(BankCounterparty, "contact_id = ?"), _own),
    Movable("reminder_block", _of(ReminderBlock, "resource_id = ?"), _block),
)
"""All of them; a further kind is one more line here."""


def found(contact_id: str) -> Moved:
    """The ids of the records that would move with a contact."""
    return {movable.table: [record.id for record in _moving(movable, contact_id, None)] for movable in MOVABLE}


def move(contact: Contact, to: Contact, only: Mapping[str, Sequence[str]] | None = None) -> Moved:
    """Let the records of a contact name another one.

    Args:
        only: the records that may move, by table; all when absent.
    """
    return {movable.table: [*_move(movable, contact, to, only)] for movable in MOVABLE}


def _move(movable: Movable, contact: Contact, to: Contact, only: Mapping[str, Sequence[str]] | None) -> Iterator[str]:
    for record in _moving(movable, contact.id, to.id):
        if only is None or record.id in only.get(movable.table, ()):
            record.change(**movable.columns(record, contact.id, to))
            yield record.id


def _moving(movable: Movable, contact_id: str, to_id: str | None) -> Iterator[Moving]:
    """The records of a contact that move to another one; without that one, all of them."""
    for record in movable.find(contact_id):
        if to_id is None or not _has_already(record, to_id):
            yield record


def _has_already(record: Moving, contact_id: str) -> bool:
    """Whether a contact has such an IBAN or a block of its own, so that this one stays where it is."""
    if isinstance(record, BankCounterparty):
        return BankCounterparty.find_by(iban=record.iban, contact_id=contact_id) is not None
    old = blocks.of(contact_id) if isinstance(record, ReminderBlock) else None
    return old is not None and blocks.is_live(old)
