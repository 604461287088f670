"""Allocations that no document makes: one open item used against another, and released."""

from collections.abc import Iterator
from datetime import date
from typing import Any, NamedTuple

from erp.finance.books import periods
from erp.finance.books.models import Allocation, OpenItem
from erp.finance.books.voids import Correction
from erp.finance.contacts import heads
from erp.finance.items import expense_claims, settlement, store
from erp.finance.items.bodies import NewItemAllocation
from erp.kernel import money
from erp.kernel.complaints import Complaints
from erp.kernel.errors import InvalidTransition
from erp.kernel.language import Noun, Sentence, says
from erp.store import events, workspace_settings


class ItemAllocationCommand(NamedTuple):
    """The use of an open item against another; the amount in minor units of their currency."""

    source: OpenItem
    target: OpenItem
    amount: int
    day: date | None = None


def read(body: NewItemAllocation) -> ItemAllocationCommand:
    """The command for a request to use an open item against another.

    Raises:
        Invalid: with a complaint for every unknown item, or an amount that the currency cannot express.
    """
    complaints = Complaints()
    with complaints.gathered():
        periods.check_not_ahead(body.date, "date", allow_future=body.allow_future)
    source = _find(body.from_item_id, "fromItemId", complaints)
    target = _find(body.to_item_id, "toItemId", complaints)
    amount = 0 if source is None else complaints.minor(body.amount, source.currency, "amount")
    complaints.refuse()
    assert source is not None
    assert target is not None
    return ItemAllocationCommand(source, target, amount, body.date)


def make(command: ItemAllocationCommand) -> Allocation:
    """Use an open item against another.

    Raises:
        Invalid: with a complaint for every field that is wrong.
        DatedTooEarly: the day is before one of the items.
        PeriodLocked: the day is in the locked period.
    """
    complaints = Complaints()
    source, target, amount, _ = command
    for item in (source, target):
        if store.is_deposit(item):
            complaints.add("toItemId", "deposit", _BY_PAYMENT.fill(number=item.number))
    for code, message in _mismatches(source, target):
        complaints.add("toItemId", code, message)
    _check_open_amount(amount, (source, target), complaints)
    complaints.refuse()
    day = command.day or settlement.usual_day(source, target)
    allocation, entries = settlement.allocate(source, target, amount, day)
    _write("allocation.created", allocation, (source, target), {"date": day.isoformat()}, entries)
    expense_claims.write_paid((source, target))
    return allocation


def release(id: str, correction: Correction) -> Allocation:
    """Release an allocation: both items are open again.

    Raises:
        NotFound: there is none in this workspace.
        InvalidTransition: it has already been released, or one of its documents has been reversed or written off.
        DatedTooEarly: the day is before the allocation's.
        PeriodLocked: the day is in the locked period.
    """
    allocation = settlement.find(id)
    _check_releasable(*store.items(allocation))
    day = correction.day or max(workspace_settings.today(), allocation.date)
    entries = settlement.release(allocation, day)
    _write("allocation.released", allocation, store.items(allocation), {"date": day.isoformat()}, entries)
    return allocation


_BY_PAYMENT = says(
    "{number} is a deposit invoice. Only payments can be allocated. Open the payment and allocate it there."
)


def _check_releasable(source: OpenItem, target: OpenItem) -> None:
    """Refuse to release an allocation that belongs to another document."""
    if store.closes_deposit(source):
        raise InvalidTransition(
            says(
                "{number} closes the unpaid rest of {deposit}. Void {number} instead.",
                number=source.number,
                deposit=target.number,
            )
        )
    for item in (source, target):
        if store.is_deposit(item) and source.document_id != target.document_id:
            raise InvalidTransition(_BY_PAYMENT.fill(number=item.number))


def _find(id: str, field: str, complaints: Complaints) -> OpenItem | None:
    item = OpenItem.find_by(id=id)
    if item is None:
        complaints.unknown(field, Noun("open item"))
    return item


_BOTH_DEBITS = says("{number} and {other} are both debits. Only a debit and a credit can be allocated.")
_BOTH_CREDITS = says("{number} and {other} are both credits. Only a debit and a credit can be allocated.")


def _mismatches(source: OpenItem, target: OpenItem) -> Iterator[tuple[str, Sentence]]:
    """The reasons why an item cannot settle another: codes and messages."""
    names = {"number": source.number, "other": target.number}
    if (source.amount > 0) == (target.amount > 0):
        yield "same_side", (_BOTH_DEBITS if source.amount > 0 else _BOTH_CREDITS).fill(**names)
    if heads.of(source.contact_id) != heads.of(target.contact_id):
        yield "wrong_contact", says("{number} and {other} belong to different contacts.", **names)
    elif source.account_id != target.account_id:
        yield "wrong_account", says("{number} and {other} are posted to different accounts.", **names)
    if source.currency != target.currency:
        yield (
            "wrong_currency",
            says(
                "{number} is in {currency}, but {other} is in {other_currency}.",
                **names,
                currency=source.currency,
                other_currency=target.currency,
            ),
        )


def _check_open_amount(amount: int, items: tuple[OpenItem, OpenItem], complaints: Complaints) -> None:
    for item in items:
        if not item.open:
            complaints.add("amount", "nothing_left", says("{number} is fully allocated.", number=item.number))
        elif amount > settlement.remaining(item):
            complaints.add(
                "amount",
                "too_large",
                says(
                    "{number} has an open amount of {open}.", number=item.number, open=settlement.remaining_text(item)
                ),
            )


def _write(
    type: str, allocation: Allocation, items: tuple[OpenItem, OpenItem], more: dict[str, Any], entries: Any
) -> None:
    """Log an allocation or its release, and give the payments among both documents another version."""
    source, target = items
    for item in items:
        if item.document_type == "payment":
            store.renew_payment(item.document_id)
    data = {
        "from": source.number,
        "to": target.number,
        "amount": money.text(allocation.amount, target.currency),
        "currency": target.currency,
    }
    events.write(type, "allocation", allocation.id, data | more, entries=entries)
