"""Open items: every posting to a receivable or payable, with its open amount.

The open amount is stored with the item in the transaction that settles it. On every day, the open items of a contact
sum to the balance of its postings: `erp check` proves it.
"""

from collections.abc import Sequence
from datetime import date
from typing import Any, NamedTuple

from erp.finance.books.models import Allocation, DocumentType, OpenItem
from erp.kernel import caller, clock
from erp.kernel.errors import InUse
from erp.store import recorded, rows
from erp.store.records import new_id
from erp.store.router import WORKSPACE

NO_LINE = -1
"""The line of an item without a posting; its reversal has the line before it."""


class StillSettled(InUse):
    """{number} is allocated to {other}. Remove the allocation first."""


def item_id(record_id: str, line: int) -> str:
    """The id of an item: its entry's id, or its document's where nothing is posted, with the line at its end."""
    return f"{record_id[:32]}{line & 0xFFFF:04x}"


class NewItem(NamedTuple):
    """A row of `open_item` before it is settled, for writing: dates are text."""

    id: str
    entry_id: str | None
    line: int
    document_type: DocumentType
    document_id: str
    number: str
    account_id: str
    contact_id: str | None
    date: str
    document_date: str
    due_date: str
    tax_rate_id: str | None
    currency: str
    amount: int
    base_amount: int
    open: int
    open_base: int

    def as_item(self) -> OpenItem:
        """The written item."""
        return rows.as_model(OpenItem, self._fields, self)


def insert(items: Sequence[NewItem]) -> None:
    """Insert new items, all of them open."""
    WORKSPACE.run_many(_INSERT, items)
    for item in items:
        OpenItem.record_columns(item.id, {name: getattr(item, name) for name in _RECORDED})


def add_unposted(
    document: tuple[DocumentType, str, str],
    *,
    account_id: str,
    contact_id: str,
    day: date,
    due_date: date,
    currency: str,
    amount: int,
) -> OpenItem:
    """Add the item of a document that rounds to 0.00 in the base currency, so that nothing is posted.

    Args:
        document: its type, id and number.
        amount: a debit above zero, in minor units of the currency.
    """
    item = NewItem(
        id=item_id(document[1], NO_LINE),
        entry_id=None,
        line=NO_LINE,
        document_type=document[0],
        document_id=document[1],
        number=document[2],
        account_id=account_id,
        contact_id=contact_id,
        date=day.isoformat(),
        document_date=day.isoformat(),
        due_date=due_date.isoformat(),
        tax_rate_id=None,
        currency=currency,
        amount=amount,
        base_amount=0,
        open=amount,
        open_base=0,
    )
    insert([item])
    return item.as_item()


def of_document(id: str) -> list[OpenItem]:
    """The items of a document in their order; its reversal's item is last."""
    return OpenItem.fetch(f"{_SELECT} WHERE document_id = ? ORDER BY date, id", id)


def standing(document_id: str) -> OpenItem:
    """The current item of a document: the one with an open amount, such as one moved to another account."""
    return standing_of(of_document(document_id))


def standing_of(items: Sequence[OpenItem]) -> OpenItem:
    """The same, from the items of the document."""
    return next((item for item in items if item.open), items[0])


def of_entry(id: str) -> list[OpenItem]:
    """The items of a journal entry by their lines."""
    return OpenItem.fetch(_OF_ENTRY, id)


def take(item: OpenItem, amount: int, base: int, day: date) -> None:
    """Settle an unsigned amount of an item on a day."""
    item.settled_on = max(day, item.settled_on or day)
    _change(item, -amount, -base)


def give_back(item: OpenItem, amount: int, base: int, days: tuple[date, date]) -> None:
    """Open an unsigned amount again that was settled from the first of two days to the day before the second.

    If that is no day at all, the settlement leaves no trace.
    """
    settled, released = days
    if settled < released:
        item.released_on = max(released, item.released_on or released)
    _change(item, amount, base)


def _change(item: OpenItem, amount: int, base: int) -> None:
    sign = 1 if item.amount > 0 else -1
    item.open += sign * amount
    item.open_base += sign * base
    days = recorded.plain(item.settled_on), recorded.plain(item.released_on)
    WORKSPACE.run(_CHANGE, (item.open, item.open_base, *days, item.id))


def link(
    source: OpenItem, target: OpenItem, amount: int, bases: tuple[int, int], day: date, **columns: Any
) -> Allocation:
    """Use an amount of an item against another.

    Args:
        bases: the used part of each base amount.
        columns: the id of the allocation, and of its journal entry if it has one.
    """
    take(source, amount, bases[0], day)
    take(target, amount, bases[1], day)
    values: dict[str, Any] = {
        "id": new_id(),
        "created_at": clock.stamp(),
        "created_by": caller.current().user_id,
        "from_item": source.id,
        "to_item": target.id,
        "amount": amount,
        "date": day,
        "from_base": bases[0],
        "to_base": bases[1],
    }
    allocation: Allocation = Allocation.create(**(values | columns))
    return allocation


def check_unsettled(entry_id: str) -> None:
    """Check that no item of an entry is settled, so that it can be reversed.

    Raises:
        StillSettled: something is.
    """
    for number, other in WORKSPACE.rows(_SETTLED_WITH, {"entry": entry_id}):
        raise StillSettled(number=number, other=other)


def close_reversed(items: Sequence[OpenItem], mirrors: Sequence[OpenItem], day: date) -> None:
    """Close the items of an entry with its reversal's items, line by line."""
    for item, mirror in zip(items, mirrors, strict=True):
        close(item, mirror, day)


def close(item: OpenItem, mirror: OpenItem, day: date) -> None:
    """Close an item with its reversal's item."""
    base = abs(item.base_amount)
    link(mirror, item, abs(item.amount), (base, base), day)


def close_unposted(item: OpenItem, day: date) -> None:
    """Close the item of a void document that was never posted: no reversal does it."""
    if item.entry_id is not None:
        return
    text = day.isoformat()
    mirror = NewItem(*(recorded.plain(getattr(item, name)) for name in NewItem._fields))._replace(
        id=item_id(item.document_id, NO_LINE - 1),
        line=NO_LINE - 1,
        date=text,
        document_date=text,
        due_date=text,
        amount=-item.amount,
        open=-item.amount,
    )
    insert([mirror])
    close(item, mirror.as_item(), day)


def change_due_date(document_id: str, due_date: date) -> None:
    """Give the item of a document another due date; a document of 0.00 has no item."""
    items = of_document(document_id)
    for item in [item for item in items if item is items[0] or item.open]:
        WORKSPACE.run("UPDATE open_item SET due_date = ? WHERE id = ?", (due_date.isoformat(), item.id))
        OpenItem.record_columns(item.id, {"due_date": due_date})


def is_any_settled_after(day: str) -> bool:
    """Whether any item is settled or released after a day, so that open amounts may differ from that day's."""
    return bool(WORKSPACE.rows(_IS_ANY_AFTER, {"day": day}))


_IS_ANY_AFTER = (
    "SELECT 1 FROM (SELECT 1 FROM open_item WHERE settled_on > :day LIMIT 1) AS settled"
    " UNION ALL SELECT 1 FROM (SELECT 1 FROM open_item WHERE released_on > :day LIMIT 1) AS released LIMIT 1"
)


def _open_at(stored: str, change: str) -> str:
    """The open amount of an item at the end of :day: the stored one, without later changes."""
    return f"""({stored} + CASE WHEN open_item.settled_on > :day OR open_item.released_on > :day
        THEN CASE WHEN open_item.amount > 0 THEN 1 ELSE -1 END * coalesce((
            SELECT sum(CASE WHEN a.date > :day THEN 1 ELSE -1 END * {change}) FROM allocation AS a
            WHERE (a.from_item_id = open_item.id OR a.to_item_id = open_item.id)
            AND ((a.date > :day AND a.released_on IS NULL) OR (a.date <= :day AND a.released_on > :day))), 0)
        ELSE 0 END)"""


OPEN_AT = _open_at("open", "a.amount")
"""The open amount of an `open_item` at the end of :day, in its currency."""
OPEN_BASE_AT = _open_at("open_base", "CASE WHEN a.from_item_id = open_item.id THEN a.from_base ELSE a.to_base END")
"""The same in the base currency."""
MAY_BE_OPEN_AT = """open_item.id IN (
    SELECT id FROM open_item WHERE open <> 0 AND date <= :day
    UNION ALL SELECT id FROM open_item WHERE settled_on > :day AND date <= :day
    UNION ALL SELECT id FROM open_item WHERE released_on > :day AND date <= :day
)"""
"""The `open_item`s with an open amount: three indexes find them, which SQLite does not use for one OR."""


def overdue(remaining: str, subtype: str) -> str:
    """Whether something remains of an `open_item` after its due date, on the side that its account stands for.

    Args:
        remaining: the column with the remaining amount, a debit above zero.
        subtype: the column with the subtype of the item's account.
    """
    return f"(due_date < :today AND {remaining} <> 0 AND ({remaining} > 0) = ({subtype} = 'receivable'))"


def days_late(due_date: date, today: date) -> int:
    return max((today - due_date).days, 0)


def days_overdue(item: OpenItem, subtype: str, today: date) -> int:
    """The days since an item was due, as `overdue` says of a column; 0 where it is not overdue."""
    is_owed = item.open != 0 and (item.open > 0) == (subtype == "receivable")
    return days_late(item.due_date, today) if is_owed else 0


IS_OF_ENTRY = """item.entry_id = entry.id AND item.document_id =
    CASE WHEN entry.source_type IN ('invoice', 'payment') THEN entry.source_id ELSE entry.id END"""
"""Whether an `open_item` called item is of the journal entry called entry: an index finds it by its document."""

_RECORDED = ("number", "document_date", "due_date", "tax_rate_id")
"""Items without a posting."""
_INSERT = f"INSERT INTO open_item ({', '.join(NewItem._fields)}) VALUES ({', '.join('?' * len(NewItem._fields))})"
_SELECT = "SELECT * FROM open_item"
_OF_ENTRY = f"""
SELECT item.* FROM journal_entry AS entry JOIN open_item AS item ON {IS_OF_ENTRY} WHERE entry.id = ? ORDER BY item.line
"""
_CHANGE = "UPDATE open_item SET open = ?, open_base = ?, settled_on = ?, released_on = ? WHERE id = ?"
_SETTLED_WITH = f"""
SELECT item.number, other.number FROM journal_entry AS entry JOIN open_item AS item ON {IS_OF_ENTRY}
JOIN allocation AS a ON (a.from_item_id = item.id OR a.to_item_id = item.id) AND a.released_on IS NULL
JOIN open_item AS other ON other.id = CASE WHEN a.from_item_id = item.id THEN a.to_item_id ELSE a.from_item_id END
WHERE entry.id = :entry ORDER BY a.id LIMIT 1
"""
