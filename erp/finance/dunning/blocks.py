"""Blocks: a contact or an invoice that is not reminded, because it is disputed or was agreed otherwise."""

from typing import Any

from erp.finance.contacts import contacts
from erp.finance.contacts.models import Contact
from erp.finance.documents.models import PURCHASES, Invoice
from erp.finance.dunning.bodies import NewReminderBlock
from erp.finance.dunning.models import ReminderBlock
from erp.kernel import caller, clock
from erp.kernel.errors import Conflict, Invalid, InvalidTransition
from erp.kernel.language import says
from erp.store import events, workspace_settings

BLOCKED, LIFTED = "reminder_blocked", "reminder_lifted"
"""The names of events of a contact or an invoice."""


class AlreadyBlocked(Conflict):
    """{name} is blocked from reminders already. Lift the block first."""


def block_contact(id: str, body: NewReminderBlock) -> Contact:
    """Block a contact: it gets no letters.

    Raises:
        AlreadyBlocked: it is blocked.
        Merged: it is a duplicate.
        Invalid: the last day is over.
    """
    contact = Contact.find_to_change(id)
    contacts.check_own(contact)
    _block(contact, contact.name, body)
    return contact


def block_invoice(id: str, body: NewReminderBlock) -> Invoice:
    """Block an invoice: no letter names it.

    Raises:
        AlreadyBlocked: it is blocked.
        InvalidTransition: it is a draft, or a supplier's.
        Invalid: the last day is over.
    """
    invoice = Invoice.find_to_change(id)
    if invoice.status == "draft" or invoice.kind in PURCHASES:
        raise InvalidTransition(says("Only an issued invoice of yours can be blocked from reminders."))
    _block(invoice, invoice.number, body)
    return invoice


def _block(record: Any, name: str | None, body: NewReminderBlock) -> None:
    today = workspace_settings.today()
    if body.until is not None and body.until < today:
        raise Invalid.one("until", "too_early", says("Must not be before today."))
    old = of(record.id)
    if old is not None:
        if is_live(old):
            raise AlreadyBlocked(name=name or "")
        old.delete_instance()
    kind = str(record.noun)
    ReminderBlock.create(
        resource_type=kind,
        resource_id=record.id,
        kind=body.kind,
        reason=body.reason,
        until=body.until,
        created_at=clock.stamp(),
        created_by=caller.current().user_id,
    )
    record.change()
    data = {"kind": body.kind, "reason": body.reason, "until": body.until and body.until.isoformat()}
    events.write(f"{kind}.{BLOCKED}", kind, record.id, {**_named(record), **data})


def lift_contact(id: str) -> Contact:
    """Lift the block of a contact.

    Raises:
        InvalidTransition: it is not blocked.
    """
    contact = Contact.find_to_change(id)
    _lift(contact, contact.name)
    return contact


def lift_invoice(id: str) -> Invoice:
    """Lift the block of an invoice; its contact's stays.

    Raises:
        InvalidTransition: it is not blocked.
    """
    invoice = Invoice.find_to_change(id)
    _lift(invoice, invoice.number)
    return invoice


def _lift(record: Any, name: str | None) -> None:
    block = of(record.id)
    if block is None:
        raise InvalidTransition(says("{name} is not blocked from reminders.", name=name or ""))
    block.delete_instance()
    record.change()
    kind = str(record.noun)
    events.write(f"{kind}.{LIFTED}", kind, record.id, {**_named(record), "kind": block.kind})


def of(id: str) -> ReminderBlock | None:
    """The block of a record, over or not."""
    return ReminderBlock.find_by(resource_id=id)


def is_live(block: ReminderBlock) -> bool:
    """Whether a block holds today: its last day is one without reminders."""
    return block.until is None or block.until >= workspace_settings.today()


def _named(record: Any) -> dict[str, Any]:
    return {"number": record.number} if isinstance(record, Invoice) else {"name": record.name}
