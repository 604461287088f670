"""Posting and voiding offsets.

The entry has a leg against each item, and the open item of that leg settles it at once, so that nothing stays open. In
a foreign currency the sides may have different values: the entry holds the realised exchange difference.
"""

from collections.abc import Sequence
from datetime import date
from typing import Any

from msgspec.structs import replace

from erp.finance.books import default_accounts, ledger, periods, voids
from erp.finance.books.ledger import DatedTooEarly, Entry, Leg
from erp.finance.books.models import Allocation
from erp.finance.books.voids import Correction
from erp.finance.contacts import contacts
from erp.finance.contacts.models import Contact
from erp.finance.items import expense_claims, settlement, store
from erp.finance.items.offsets import parts as offset_parts
from erp.finance.items.offsets.bodies import NewOffset
from erp.finance.items.offsets.models import Offset
from erp.finance.items.offsets.parts import Part
from erp.kernel import clock, money
from erp.kernel.complaints import Complaints
from erp.kernel.language import says
from erp.store import events, workspace_settings
from erp.store.records import new_id


def make(body: NewOffset) -> Offset:
    """Offset a contact's receivables against its payables.

    Raises:
        Invalid: with a complaint for every field that is wrong.
        DatedTooEarly: the day is before one of the items.
        PeriodLocked: the day is in the locked period.
    """
    complaints = Complaints()
    contact = None
    with complaints.gathered():
        periods.check_not_ahead(body.date, "date", allow_future=body.allow_future)
    with complaints.gathered():
        contact = contacts.refer(body.contact_id, "contactId", archived=True)
    parts = offset_parts.read(body, contact, complaints)
    complaints.refuse()
    assert contact is not None
    earliest = max(settlement.earliest(item, item) for item, _ in parts)
    day = body.date or max(workspace_settings.today(), earliest)
    if day < earliest:
        message = says(
            "The date of an offset cannot be before {earliest}, the date of its items or of their "
            "last removed allocation.",
            earliest=earliest,
        )
        raise DatedTooEarly(message, field="date")
    periods.check_open(day, "date")
    offset, entry = _post(contact, parts, day, body.note)
    for (item, amount), own in zip(parts, entry.items, strict=True):
        settlement.allocate(own, item, amount, day)
        _renew(item.document_type, item.document_id)
    items = [{"number": item.number, "amount": money.text(amount, item.currency)} for item, amount in parts]
    data = _event_data(offset) | {"items": items}
    events.write("offset.posted", "offset", offset.id, data, entries=[entry])
    expense_claims.write_paid(item for item, _ in parts)
    return offset


def void(id: str, correction: Correction) -> Offset:
    """Void an offset: its items are open again, and its entry is reversed.

    Raises:
        InvalidTransition: it is already void.
        DatedTooEarly: the day is before the offset.
        PeriodLocked: the day is in the locked period.
    """
    offset = Offset.find_to_change(id)
    voids.check_voidable(offset)
    day = voids.day_of(correction, offset)
    for allocation in _allocations(offset):
        settlement.release_any(allocation, day)
        _, item = store.items(allocation)
        _renew(item.document_type, item.document_id)
    entry = ledger.reverse(offset.journal_entry_id, day, says("Void of {number}", number=offset.number))
    offset.change(status="void", voided_at=clock.stamp(), void_reason=correction.reason)
    data = _event_data(offset) | {"date": day.isoformat(), "reason": correction.reason}
    events.write("offset.void", "offset", id, data, entries=[entry])
    return offset


_ALLOCATIONS = (
    "SELECT a.* FROM open_item AS own JOIN allocation AS a ON a.from_item_id = own.id"
    " WHERE own.document_id = ? AND a.released_on IS NULL ORDER BY a.id"
)


def _allocations(offset: Offset) -> list[Allocation]:
    return Allocation.fetch(_ALLOCATIONS, offset.journal_entry_id)


def _post(contact: Contact, parts: Sequence[Part], day: date, note: str | None) -> tuple[Offset, Entry]:
    """Number the offset, post it, and insert it."""
    id, currency = new_id(), parts[0][0].currency
    number, fiscal_year, seq = workspace_settings.next_number("offset", day)
    entry = ledger.post(
        day,
        says("Offset {number} with {name}", number=number, name=contact.name),
        _legs(parts),
        kind="offset",
        source=("offset", id),
        document_number=number,
    )
    offset = Offset.add(
        id=id,
        number=number,
        fiscal_year=fiscal_year,
        seq=seq,
        date=day,
        contact_id=contact.id,
        currency=currency,
        amount=sum(amount for item, amount in parts if item.amount > 0),
        note=note,
        journal_entry=entry.id,
    )
    return offset, entry


def _legs(parts: Sequence[Part]) -> list[Leg]:
    """A leg against each item, with the value of that part of the item, and the exchange difference."""
    base_currency = workspace_settings.current().base_currency
    legs = []
    for item, amount in parts:
        sign = -1 if item.amount > 0 else 1
        leg = Leg(item.account_id, sign * settlement.base_of(item, amount), item.contact_id, description=item.number)
        if item.currency != base_currency:
            leg = replace(leg, currency=item.currency, foreign_amount=sign * amount)
        legs.append(leg)
    difference = -sum(leg.amount for leg in legs)
    if difference:
        key = f"realised_exchange_{'gains' if difference < 0 else 'losses'}"
        legs.append(Leg(default_accounts.of(key), difference))
    return legs


def _renew(document_type: str, document_id: str) -> None:
    if document_type == "payment":
        store.renew_payment(document_id)


def _event_data(offset: Offset) -> dict[str, Any]:
    return {
        "number": offset.number,
        "date": offset.date.isoformat(),
        "contactId": offset.contact_id,
        "amount": money.text(offset.amount, offset.currency),
        "currency": offset.currency,
    }
