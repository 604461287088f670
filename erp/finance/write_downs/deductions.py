"""One deduction: split over the rates of its subject, posted, settled with its open item, and undone.

Its entry opens an item that settles the subject's. A deduction worth nothing in the base currency has no entry.
"""

from collections.abc import Sequence
from datetime import date
from typing import Any, NamedTuple

from msgspec.structs import replace

from erp.finance.books import ledger, open_items
from erp.finance.books.ledger import DatedTooEarly, Entry, Leg
from erp.finance.books.models import EntryKind, OpenItem
from erp.finance.documents import standing, store
from erp.finance.documents.models import Deduction, DeductionPart
from erp.finance.items import settlement
from erp.finance.write_downs import basis as bases
from erp.finance.write_downs import posting, subjects
from erp.finance.write_downs.basis import Basis
from erp.finance.write_downs.parts import Part, rest, split
from erp.finance.write_downs.posting import Amount
from erp.finance.write_downs.subjects import Subject
from erp.kernel import caller, clock, money
from erp.kernel.language import Word, says
from erp.store.records import new_id
from erp.store.router import WORKSPACE

_KINDS: dict[str, tuple[EntryKind, Word]] = {
    "cash_discount": ("cash_discount", Word("Cash discount on")),
    "uncollectable": ("write_off", Word("Write-off of")),
    "small_difference": ("small_difference", Word("Small difference on")),
}
"""The kind of a deduction's entry, and the beginning of its text."""


class Wanted(NamedTuple):
    """A deduction to make, with its payment and allocation, if any; `dimensions` are as stored."""

    kind: str
    amount: int
    day: date
    reason: str | None = None
    corrects_tax: bool = True
    is_late: bool = False
    payment_id: str | None = None
    allocation_id: str | None = None
    dimensions: str | None = None


def make(subject: Subject, wanted: Wanted) -> tuple[Deduction, list[Entry]]:
    """Deduct an amount from a document or an item; the caller has checked it, and logs the event."""
    basis = bases.of(subject)
    parts = _parts(subject, basis, wanted.amount)
    base = settlement.base_of(subject.item, wanted.amount)
    id = new_id()
    amount = Amount(wanted.amount, base)
    legs = posting.legs_of(basis, parts, amount, wanted.kind, corrects_tax=wanted.corrects_tax)
    against = ledger.completed(legs, wanted.dimensions, subjects.dimensions(subject))
    control = _control(subject, amount)
    own, entries = _post(id, subject, wanted, [control, *posting.signed(basis, against)])
    deduction = insert(id, subject, wanted, base, parts, item=own.id, entry=entries[0].id if entries else None)
    _, differences = settlement.allocate(own, subject.item, wanted.amount, wanted.day)
    return deduction, [*entries, *differences]


def undo(deduction: Deduction, day: date, reason: str | None) -> list[Entry]:
    """Undo a deduction that settled its document: the document is due again, and the entry is reversed.

    Raises:
        DatedTooEarly: the day is before the deduction's.
        PeriodLocked: the day is in the locked period.
    """
    if day < deduction.date:
        raise DatedTooEarly(says("The reversal cannot be dated before {date}.", date=deduction.date), field="date")
    mark_undone(deduction, day, reason)
    entries: list[Entry] = []
    own = OpenItem.find_by(id=deduction.item_id)
    assert own is not None
    for allocation in settlement.live_allocations(own.document_id):
        entries += settlement.take_back(allocation, day)
    if deduction.journal_entry_id is not None:
        entries.append(ledger.reverse(deduction.journal_entry_id, day, says("Reversal of {number}", number=own.number)))
        return entries
    own = OpenItem.find_by(id=deduction.item_id)
    assert own is not None
    open_items.close_unposted(own, day)
    return entries


def mark_undone(deduction: Deduction, day: date, reason: str | None) -> None:
    """Store the day on which a deduction was undone."""
    deduction.undone_on, deduction.undo_reason = day, reason
    WORKSPACE.run(
        "UPDATE deduction SET undone_on = ?, undo_reason = ? WHERE id = ?", (day.isoformat(), reason, deduction.id)
    )
    Deduction.record_columns(deduction.id, {"undone_on": day, "undo_reason": reason})


def insert(
    id: str,
    subject: Subject,
    wanted: Wanted,
    base: int,
    parts: Sequence[Part],
    *,
    item: str | None = None,
    entry: str | None = None,
) -> Deduction:
    deduction: Deduction = Deduction.create(
        id=id,
        created_at=clock.stamp(),
        created_by=caller.current().user_id,
        kind=wanted.kind,
        invoice=None if subject.invoice is None else subject.id,
        of_item=subject.id if subject.invoice is None else None,
        item=item,
        payment_id=wanted.payment_id,
        allocation=wanted.allocation_id,
        amount=wanted.amount,
        base_amount=base,
        currency=subject.item.currency,
        date=wanted.day,
        corrects_tax=wanted.corrects_tax,
        is_late=wanted.is_late,
        reason=wanted.reason,
        journal_entry=entry,
    )
    for i, part in enumerate(parts):
        DeductionPart.create(deduction=id, position=i, tax_rate=part.rate_id, amount=part.amount, tax=part.tax)
    if subject.invoice is not None:
        store.mark_adjusted(subject.id)
    return deduction


def event_data(deduction: Deduction) -> dict[str, Any]:
    return {
        "deductionId": deduction.id,
        "kind": deduction.kind,
        **({"itemId": deduction.of_item_id} if deduction.invoice_id is None else {"invoiceId": deduction.invoice_id}),
        "amount": money.text(deduction.amount, deduction.currency),
        "currency": deduction.currency,
        "date": deduction.date.isoformat(),
    }


def _parts(subject: Subject, basis: Basis, amount: int) -> list[Part]:
    """The parts of a deducted amount; the amount that closes the document takes all that is left of each rate."""
    rates = basis.rates
    if amount != subject.due:
        return split(amount, rates)
    taken = [Part(part.rate_id, part.amount, part.tax) for part in standing.deducted_parts(subject.id)]
    paid = sum(rate.amount for rate in rates) - sum(part.amount for part in taken) - amount
    return rest(amount, rates, [*taken, *(split(paid, rates) if paid else ())])


def _control(subject: Subject, amount: Amount) -> Leg:
    """The leg on the receivable or payable, which settles the item."""
    item = subject.item
    sign = 1 if subject.is_purchase else -1
    leg = Leg(item.account_id, sign * amount.base, item.contact_id)
    return replace(leg, currency=item.currency, foreign_amount=sign * amount.minor) if subject.is_foreign else leg


def _post(id: str, subject: Subject, wanted: Wanted, legs: Sequence[Leg]) -> tuple[OpenItem, list[Entry]]:
    kind, title = _KINDS[wanted.kind]
    if legs[0].amount:
        entry = ledger.post(
            wanted.day,
            says("{title} {number}, {name}", title=title, number=subject.number, name=subject.contact_name),
            legs,
            kind=kind,
            source=("deduction", id),
            reference=None if subject.invoice is None else subject.invoice.supplier_number,
        )
        return entry.items[0], [entry]
    item = subject.item
    own = open_items.add_unposted(
        ("journal_entry", id, subject.number),
        account_id=item.account_id,
        contact_id=item.contact_id,
        day=wanted.day,
        due_date=wanted.day,
        currency=item.currency,
        amount=wanted.amount if subject.is_purchase else -wanted.amount,
    )
    return own, []
