"""Settling open items with each other, and releasing them.

An allocation posts nothing but the realised exchange difference: the value of one item's part when it was posted, less
the other's. Each part gets its share in proportion, and the last part the whole remainder, so that no cent remains on a
settled item.
"""

from collections.abc import Sequence
from datetime import date

from erp.finance.books import default_accounts, ledger, open_items, periods
from erp.finance.books.ledger import DatedTooEarly, Entry, Leg
from erp.finance.books.models import Allocation, OpenItem
from erp.finance.items import expense_claims, store
from erp.kernel import money
from erp.kernel.errors import InvalidTransition, NotFound, Refusal
from erp.kernel.language import Digits, Word, says
from erp.store import workspace_settings
from erp.store.records import new_id


class NothingLeft(Refusal):
    """{number} is fully allocated."""

    status = 422


class TooMuch(Refusal):
    """Open on {number}: {open}. Allocate at most that amount."""

    status = 422


def item_of(document_id: str) -> OpenItem:
    """The open item of a payment or an issued invoice; its reversal has another."""
    return open_items.standing(document_id)


def remaining(item: OpenItem) -> int:
    """The open amount of an item, unsigned."""
    return abs(item.open)


def earliest(source: OpenItem, target: OpenItem) -> date:
    """The first day on which one item can settle another: the later of both dates, and of their last releases.

    Before a release, the released part is still settled.
    """
    days = [day for item in (source, target) for day in (item.date, item.released_on) if day is not None]
    latest: date = max(days)
    return latest


def usual_day(source: OpenItem, target: OpenItem) -> date:
    """The day of a matching that names none: the earliest, or the first open day, but never after today for that."""
    return max(earliest(source, target), min(periods.first_open_day(), workspace_settings.today()))


def last_day(document_id: str, day: date) -> date:
    """The last day on which a part of a document was settled or released; at the earliest its own."""
    items = open_items.of_document(document_id)
    days = [last for item in items for last in (item.settled_on, item.released_on) if last is not None]
    latest: date = max([day, *days])
    return latest


def allocate(source: OpenItem, target: OpenItem, amount: int, day: date) -> tuple[Allocation, list[Entry]]:
    """Use an amount of an item against another, and post the exchange difference.

    The caller has checked that sign, contact, account and currency fit. Both items are brought up to date, and the
    invoices that they belong to.

    Raises:
        NothingLeft: one of the items is closed.
        TooMuch: less is left of one of them.
        PaidByPayroll: a payslip in a draft pays one of them.
        DatedTooEarly: the day is before the later of both dates.
        PeriodLocked: the day is in the locked period.
    """
    if day < earliest(source, target):
        message = says(
            "The date of an allocation cannot be before the documents, or before the last removed allocation."
        )
        raise DatedTooEarly(message, field="date")
    periods.check_open(day, "date")
    for item in (source, target):
        _check_open_amount(item, amount)
        expense_claims.check_free(item)
    bases = base_of(source, amount), base_of(target, amount)
    id = new_id()
    entry = _post_gain(id, source, target, bases, day)
    allocation = open_items.link(source, target, amount, bases, day, id=id, journal_entry=entry and entry.id)
    _update_invoices(source, target, amount)
    return allocation, [entry] if entry else []


def release(allocation: Allocation, day: date) -> list[Entry]:
    """Release an allocation: both items are open again, and the exchange difference is reversed.

    Raises:
        InvalidTransition: it has already been released, belongs to an offset or a payroll run, an invoice has been
            written off, or a document is void.
        DatedTooEarly: the day is before the allocation's.
        PeriodLocked: the day is in the locked period.
    """
    source, _ = store.items(allocation)
    if allocation.released_on is None and store.is_of_offset(source):
        raise InvalidTransition(
            says("This allocation is part of offset {number}. Void the offset instead.", number=source.number)
        )
    if allocation.released_on is None:
        expense_claims.check_releasable(source)
    return release_any(allocation, day)


def release_any(allocation: Allocation, day: date) -> list[Entry]:
    """Release an allocation as `release` does, or for an offset or a payroll run that is undone."""
    if allocation.released_on is not None:
        raise InvalidTransition(says("The allocation has already been removed."))
    source, target = store.items(allocation)
    if store.is_reversal(source) or store.is_reversal(target):
        raise InvalidTransition(says("{number} has already been reversed.", number=target.number))
    for item in (source, target):
        check_not_written_off(item)
    _check_no_deduction(allocation)
    return take_back(allocation, day)


def take_back(allocation: Allocation, day: date) -> list[Entry]:
    """Release an allocation that a deduction made itself, as `release` does; the deduction has been checked.

    Raises:
        DatedTooEarly: the day is before the allocation's.
        PeriodLocked: the day is in the locked period.
    """
    source, target = store.items(allocation)
    if day < allocation.date:
        raise DatedTooEarly(
            says("An allocation cannot be removed before its own date, {date}.", date=allocation.date), field="date"
        )
    periods.check_open(day, "date")
    store.mark_released(allocation, day)
    open_items.give_back(source, allocation.amount, allocation.from_base, (allocation.date, day))
    open_items.give_back(target, allocation.amount, allocation.to_base, (allocation.date, day))
    _update_invoices(source, target, -allocation.amount)
    if allocation.journal_entry_id is None:
        return []
    return [
        ledger.reverse(
            allocation.journal_entry_id,
            day,
            says("Removed allocation of {number} to {other}", number=source.number, other=target.number),
        )
    ]


def find(id: str) -> Allocation:
    """The allocation with that id.

    Raises:
        NotFound: there is none in this workspace.
    """
    allocation = Allocation.find_by(id=id)
    if allocation is None:
        raise NotFound(says("There is no such allocation."))
    return allocation


def other_item(allocation: Allocation, document_id: str) -> OpenItem:
    """The item that an allocation links with a document's item."""
    source, target = store.items(allocation)
    return source if target.document_id == document_id else target


def live_allocations(document_id: str) -> list[Allocation]:
    """The allocations of a document that have not been released."""
    return store.live_allocations(document_id)


def gain(target: OpenItem, from_base: int, to_base: int) -> int:
    """The exchange gain of settling an item, which its account is debited with; a loss is below zero."""
    return from_base - to_base if target.amount > 0 else to_base - from_base


def remaining_text(item: OpenItem) -> Digits:
    """The open amount of an item, with its currency."""
    return money.shown(remaining(item), item.currency)


def base_of(item: OpenItem, amount: int) -> int:
    """The base amount for an amount: in proportion, or the whole remainder with the last part."""
    if amount == remaining(item):
        return abs(item.open_base)
    return min(abs(item.open_base), money.divide(abs(item.base_amount) * amount, abs(item.amount)))


def check_not_written_off(item: OpenItem) -> None:
    """Refuse to release a settlement of an invoice or an item that was written off."""
    if store.is_written_off(item):
        raise InvalidTransition(says("{number} has been written off. Reverse the write-off first.", number=item.number))


def _check_open_amount(item: OpenItem, amount: int) -> None:
    if not item.open:
        raise NothingLeft(number=item.number)
    if amount > remaining(item):
        raise TooMuch(number=item.number, open=remaining_text(item))


def _check_no_deduction(allocation: Allocation) -> None:
    """Refuse to release an allocation that a deduction made, came with, or moved to another account."""
    for kind, invoice, payment, run in store.deductions_of(allocation):
        name = Word.of(kind)
        if kind == "doubtful":
            raise InvalidTransition(says("{invoice} is doubtful. Reverse the write-off first.", invoice=invoice))
        if payment is not None:
            raise InvalidTransition(
                says(
                    "{name} on {invoice} is part of {payment}. Remove the allocation there.",
                    name=name,
                    invoice=invoice,
                    payment=payment,
                )
            )
        if run is not None:
            raise InvalidTransition(
                says(
                    "{name} on {invoice} is part of {run}. Void that payment run instead.",
                    name=name,
                    invoice=invoice,
                    run=run,
                )
            )
        raise InvalidTransition(
            says("{invoice} has been written off ({name}). Reverse the write-off instead.", invoice=invoice, name=name)
        )


def _update_invoices(source: OpenItem, target: OpenItem, amount: int) -> None:
    """Update the paid and credited amounts on the invoices of both items; two invoices credit each other."""
    if source.document_id == target.document_id:
        return
    invoices = [item for item in (source, target) if item.document_type == "invoice"]
    is_credit = len(invoices) == 2 or store.closes_deposit(source)
    column = "amount_credited" if is_credit else "amount_paid"
    for item in invoices:
        store.settle_invoice(item.document_id, column, amount)


def _post_gain(id: str, source: OpenItem, target: OpenItem, bases: tuple[int, int], day: date) -> Entry | None:
    amount = gain(target, *bases)
    if not amount:
        return None
    legs: Sequence[Leg] = (
        Leg(target.account_id, amount, target.contact_id),
        Leg(default_accounts.of(f"realised_exchange_{'gains' if amount > 0 else 'losses'}"), -amount),
    )
    kind = Word("Exchange gain on") if amount > 0 else Word("Exchange loss on")
    text = says("{title} {number}", title=kind, number=target.number)
    return ledger.post(day, text, legs, kind="exchange_difference", source=("allocation", id))
