"""The open items of an offset: found by the request, and checked together."""

from collections.abc import Iterator, Sequence

from erp.finance.books import open_items
from erp.finance.books.models import OpenItem
from erp.finance.contacts import heads
from erp.finance.contacts.models import Contact
from erp.finance.items import settlement, store
from erp.finance.items.offsets.bodies import NewOffset, OffsetPart
from erp.kernel import money
from erp.kernel.complaints import Complaints
from erp.kernel.language import Noun, Sentence, says
from erp.store.router import WORKSPACE

Part = tuple[OpenItem, int]
"""An open item, and the amount to offset in minor units."""

_NAMED = {
    "item_id": ("itemId", Noun("open item"), "SELECT id FROM open_item WHERE id = :name", "id"),
    "invoice_id": (
        "invoiceId",
        Noun("invoice"),
        "SELECT id FROM invoice WHERE id = :name OR number = :name",
        "document_id",
    ),
    "payment_id": (
        "paymentId",
        Noun("payment"),
        "SELECT id FROM payment WHERE id = :name OR number = :name",
        "document_id",
    ),
}
"""By field: its name in a request, the record that it names, the way to find it, and the column of the item."""


def read(body: NewOffset, contact: Contact | None, complaints: Complaints) -> list[Part]:
    """The items that a request names, with amounts, and complaints."""
    parts: list[Part] = []
    for i, part in enumerate(body.items):
        path = f"items[{i}]"
        named = _find(part, path, complaints)
        if named is None:
            continue
        field, item = named
        for code, message in _misfits(item, parts, contact):
            complaints.add(f"{path}.{field}", code, message)
        amount = complaints.minor(part.amount, item.currency, f"{path}.amount")
        _check_open_amount(item, amount, f"{path}.amount", complaints)
        parts.append((item, amount))
    if not complaints.items:
        _check_sides(parts, complaints)
    return parts


_NOTHING_OPEN = says("This document is a draft or has no open amount ({noun}). Choose one with an open amount.")


def _find(part: OffsetPart, path: str, complaints: Complaints) -> tuple[str, OpenItem] | None:
    """The item of a part, with the field that names it."""
    names = {column: name for column in _NAMED if (name := getattr(part, column)) is not None}
    if len(names) != 1:
        complaints.add(path, "exactly_one", says("Send one of itemId, invoiceId and paymentId."))
        return None
    ((column, name),) = names.items()
    field, noun, query, of_item = _NAMED[column]
    rows = WORKSPACE.rows(query, {"name": name})
    if not rows:
        complaints.unknown(f"{path}.{field}", noun)
        return None
    items = OpenItem.fetch(f"SELECT * FROM open_item WHERE {of_item} = ? ORDER BY date, id", rows[0][0])
    if not items:
        message = _NOTHING_OPEN.fill(noun=noun)
        complaints.add(f"{path}.{field}", "nothing_left", message)
        return None
    return field, open_items.standing_of(items)


def _misfits(item: OpenItem, others: Sequence[Part], contact: Contact | None) -> Iterator[tuple[str, Sentence]]:
    """The reasons why an item cannot be in an offset with the others: codes and messages."""
    if contact is not None and heads.of(item.contact_id) != contact.id:
        yield (
            "wrong_contact",
            says("{number} belongs to another contact than {name}.", number=item.number, name=contact.name),
        )
    if store.is_deposit(item):
        yield (
            "deposit",
            says(
                "{number} is a deposit invoice. Only payments can be allocated, since its tax is due with them.",
                number=item.number,
            ),
        )
    if any(other.id == item.id for other, _ in others):
        yield "repeated", says("{number} appears twice.", number=item.number)
    if others and others[0][0].currency != item.currency:
        first = others[0][0]
        yield (
            "wrong_currency",
            says(
                "{number} is in {currency}, but {other} is in {other_currency}.",
                number=item.number,
                currency=item.currency,
                other=first.number,
                other_currency=first.currency,
            ),
        )


def _check_open_amount(item: OpenItem, amount: int, field: str, complaints: Complaints) -> None:
    if not item.open:
        complaints.add(field, "nothing_left", says("{number} is fully allocated.", number=item.number))
    elif amount > settlement.remaining(item):
        complaints.add(
            field,
            "too_large",
            says("{number} has an open amount of {open}.", number=item.number, open=settlement.remaining_text(item)),
        )
    elif amount and not settlement.base_of(item, amount):
        message = says(
            "This part of {number} rounds to 0.00 in the base currency. Allocate it instead.", number=item.number
        )
        complaints.add(field, "worth_nothing", message)


def _check_sides(parts: Sequence[Part], complaints: Complaints) -> None:
    """Complain of unequal sides, and of items of one account, which can settle each other."""
    currency = parts[0][0].currency
    debits = sum(amount for item, amount in parts if item.amount > 0)
    credits = sum(amount for item, amount in parts if item.amount < 0)
    if debits != credits:
        message = says(
            "Receivables of {debits} and payables of {credits} must be equal to offset.",
            debits=money.shown(debits, currency),
            credits=money.shown(credits, currency),
        )
        complaints.add("items", "unbalanced", message)
    elif len({item.account_id for item, _ in parts}) == 1:
        message = says("All of these items are on one account, so no entry is needed. Allocate the items instead.")
        complaints.add("items", "same_account", message)
