"""Fixed SQL of reminders: what is overdue, what was paid when, which letters there were, and what they charged."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple

from erp.finance.contacts import heads
from erp.finance.contacts.reminded import IS_CHARGE
from erp.store import sql
from erp.store.router import WORKSPACE


class OverdueItem(NamedTuple):
    """An open item after its due date, with what decides on a letter; days are text."""

    id: str
    contact_id: str
    contact_name: str
    buyer_kind: str
    invoice_id: str | None
    number: str
    document_date: str
    due_date: str
    currency: str
    amount: int
    open: int
    open_base: int
    is_charge: bool
    is_doubtful: bool
    blocked_contact: bool
    contact_until: str | None
    blocked_document: bool
    document_until: str | None

    @property
    def due(self) -> date:
        return date.fromisoformat(self.due_date)


class Credit(NamedTuple):
    """A payment or credit note that is not allocated, above zero."""

    contact_id: str
    currency: str
    date: str
    open: int
    open_base: int


class LastLetter(NamedTuple):
    """The newest letter of an item, and the day of its first."""

    level: int
    day: date
    first: date


class WrittenOff(NamedTuple):
    """An invoice that was written off."""

    contact_id: str
    contact_name: str
    item_id: str
    number: str


class Held(NamedTuple):
    """Held by charges: interest and lump sum by item, and the fee by item of the letter that asked for it."""

    interest: dict[str, int]
    lump_sum: dict[str, int]
    fee: dict[str, int]


_DOUBTFUL = "EXISTS (SELECT 1 FROM journal_entry WHERE journal_entry.id = item.entry_id AND kind = 'doubtful')"
_OF_CONTACT = f"(CAST(:contact_id AS TEXT) IS NULL OR item.contact_id IN {heads.owned('contact_id')})"
_IN_CURRENCY = "(CAST(:currency AS TEXT) IS NULL OR item.currency = :currency)"
_OVERDUE = f"""
SELECT item.id, contact.id, contact.name, contact.buyer_kind, invoice.id, item.number, item.document_date,
    item.due_date, item.currency, item.amount, item.open, item.open_base, {IS_CHARGE}, {_DOUBTFUL},
    of_contact.id IS NOT NULL, of_contact.until, of_document.id IS NOT NULL, of_document.until
FROM open_item AS item
JOIN account ON account.id = item.account_id AND account.subtype = 'receivable'
{heads.join("item.contact_id")}
LEFT JOIN invoice ON item.document_type = 'invoice' AND invoice.id = item.document_id
LEFT JOIN reminder_block AS of_contact ON of_contact.resource_id = contact.id
    AND (of_contact.until IS NULL OR of_contact.until >= :date)
LEFT JOIN reminder_block AS of_document ON of_document.resource_id = invoice.id
    AND (of_document.until IS NULL OR of_document.until >= :date)
WHERE item.open <> 0 AND item.open > 0 AND item.due_date < :date AND item.document_type <> 'payment'
    AND contact.kind <> 'employee'
    AND {_OF_CONTACT} AND {_IN_CURRENCY}
ORDER BY contact.name, contact.id, item.currency, item.due_date, item.number, item.id
"""
_CREDITS = f"""
SELECT {heads.sql("item.contact_id")}, item.currency, item.date, -item.open, -item.open_base FROM open_item AS item
JOIN account ON account.id = item.account_id AND account.subtype = 'receivable'
WHERE item.open <> 0 AND item.open < 0 AND item.date <= :date AND {_OF_CONTACT} AND {_IN_CURRENCY}
ORDER BY item.date, item.id
"""
_LETTERS = """
SELECT item_id, level, date FROM reminder_item
WHERE is_live AND item_id IN (SELECT value FROM json_each(?)) ORDER BY item_id, date
"""
_SETTLED = """
SELECT a.to_item_id, a.date, a.released_on, a.amount FROM allocation AS a
WHERE a.to_item_id IN (SELECT value FROM json_each(:ids))
UNION ALL SELECT a.from_item_id, a.date, a.released_on, a.amount FROM allocation AS a
WHERE a.from_item_id IN (SELECT value FROM json_each(:ids))
"""
CHARGED = "invoice.status NOT IN ('void', 'credited')"
"""Whether the invoice of a charge stands."""
_IS_CHARGED = (
    "EXISTS (SELECT 1 FROM reminder_charge JOIN invoice ON invoice.id = reminder_charge.invoice_id"
    f" WHERE reminder_charge.reminder_id = reminder.id AND {CHARGED})"
)
_IS_REPLACED = (
    "NOT EXISTS (SELECT 1 FROM reminder_item AS mine WHERE mine.reminder_id = reminder.id AND NOT EXISTS ("
    "SELECT 1 FROM reminder_item AS later WHERE later.item_id = mine.item_id AND later.is_live"
    " AND later.date > mine.date))"
)
CHARGES_STATUS = (
    f"CASE WHEN status = 'undone' THEN 'none' WHEN {_IS_CHARGED} THEN 'charged'"
    " WHEN waived_at IS NOT NULL THEN 'waived'"
    " WHEN fee + interest + lump_sum - charged_fee - charged_interest - charged_lump_sum = 0 THEN 'none'"
    f" WHEN {_IS_REPLACED} THEN 'none' ELSE 'open' END"
)
"""The state of the charges of a `reminder`; a letter that later ones replace altogether asks for none."""
_HELD = f"""
SELECT other.item_id, charge.id IS NULL,
    CASE WHEN charge.id IS NULL THEN other.interest ELSE coalesce(part.interest, 0) END,
    CASE WHEN charge.id IS NULL THEN other.lump_sum ELSE coalesce(part.lump_sum, 0) END,
    CASE WHEN charge.id IS NULL THEN reminder.fee ELSE charge.fee END
FROM reminder_item AS other JOIN reminder ON reminder.id = other.reminder_id
LEFT JOIN (
    SELECT reminder_charge.id, reminder_charge.reminder_id, reminder_charge.fee, invoice.issued_at
    FROM reminder_charge JOIN invoice ON invoice.id = reminder_charge.invoice_id WHERE {CHARGED}
) AS charge ON charge.reminder_id = reminder.id
LEFT JOIN reminder_charge_item AS part ON part.charge_id = charge.id AND part.item_id = other.item_id
WHERE other.item_id IN (SELECT value FROM json_each(:ids)) AND other.is_live AND reminder.id <> :but
    AND (charge.id IS NOT NULL OR reminder.waived_at IS NOT NULL)
ORDER BY coalesce(charge.issued_at, reminder.waived_at), charge.id
"""
_WRITTEN_OFF = f"""
SELECT {heads.sql("invoice.contact_id")}, invoice.contact_name, item.id, invoice.number FROM invoice
JOIN open_item AS item ON item.document_id = invoice.id
WHERE invoice.status = 'written_off' AND item.amount > 0 AND item.due_date < :date
    AND item.id = (SELECT min(id) FROM open_item WHERE document_id = invoice.id)
    AND EXISTS (
        SELECT 1 FROM deduction WHERE deduction.invoice_id = invoice.id AND deduction.kind = 'uncollectable'
        AND deduction.undone_on IS NULL AND deduction.date >= :since
    )
    AND {_OF_CONTACT} AND {_IN_CURRENCY}
ORDER BY invoice.contact_name, invoice.number
"""


_COUNTED = f"""
WITH eligible AS (
    SELECT contact.id AS contact_id, item.currency, item.open, item.open_base,
        CASE WHEN coalesce(last.date, item.due_date) <= CASE {{reached}} END THEN 1 ELSE 0 END AS is_due
    FROM open_item AS item
    JOIN account ON account.id = item.account_id AND account.subtype = 'receivable'
    {heads.join("item.contact_id")}
    LEFT JOIN (SELECT item_id, max(date) AS date FROM reminder_item WHERE is_live GROUP BY item_id) AS newest
        ON newest.item_id = item.id
    LEFT JOIN reminder_item AS last ON last.item_id = item.id AND last.date = newest.date AND last.is_live
    WHERE item.open <> 0 AND item.open > 0 AND item.due_date < :date AND item.document_type <> 'payment'
        AND contact.kind <> 'employee' AND coalesce(last.date, '') < :date AND NOT {_DOUBTFUL}
        AND item.id NOT IN (SELECT value FROM json_each(:paid))
        AND NOT EXISTS (
            SELECT 1 FROM reminder_block AS block WHERE (block.until IS NULL OR block.until >= :date)
            AND (block.resource_id = contact.id
                OR (item.document_type = 'invoice' AND block.resource_id = item.document_id))
        )
), letter AS (
    SELECT contact_id, currency, sum(open) AS open, sum(open_base) AS open_base FROM eligible
    GROUP BY contact_id, currency HAVING sum(is_due) > 0
), credit AS (
    SELECT {heads.sql("item.contact_id")} AS contact_id, item.currency, -sum(item.open) AS open,
        -sum(item.open_base) AS open_base
    FROM open_item AS item JOIN account ON account.id = item.account_id AND account.subtype = 'receivable'
    WHERE item.open <> 0 AND item.open < 0 AND item.date <= :date GROUP BY 1, item.currency
)
SELECT count(*), count(DISTINCT letter.contact_id) FROM letter
LEFT JOIN credit ON credit.contact_id = letter.contact_id AND credit.currency = letter.currency
WHERE letter.open > coalesce(credit.open, 0) AND letter.open_base - coalesce(credit.open_base, 0) > :minimum
"""


def count_letters(
    day: date, due_by: Sequence[tuple[int, date]], *, paid: Iterable[str], minimum: int
) -> tuple[int, int]:
    """The number of letters of a day, and of their customers, as `outlines.of` finds them.

    Args:
        due_by: the levels in order, each with the day by which an item must have been due, or had its last letter.
        paid: the items that transactions to confirm seem to pay.
        minimum: the amount in the base currency that a letter must exceed.
    """
    steps = "".join(f" WHEN coalesce(last.level, 0) < :level{at} THEN :due{at}" for at in range(len(due_by)))
    levels = {f"level{at}": level for at, (level, _) in enumerate(due_by)}
    days = {f"due{at}": due.isoformat() for at, (_, due) in enumerate(due_by)}
    parameters = {"date": day.isoformat(), "paid": sql.array(paid), "minimum": minimum, **levels, **days}
    ((letters, customers),) = WORKSPACE.rows(_COUNTED.format(reached=steps), parameters)
    return letters, customers


def overdue(day: date, contact_id: str | None, currency: str | None) -> list[OverdueItem]:
    """The items that customers owe and that were due before a day, by name, currency and due date."""
    return [OverdueItem(*row) for row in WORKSPACE.rows(_OVERDUE, _chosen(day, contact_id, currency))]


def credits(day: date, contact_id: str | None, currency: str | None) -> list[Credit]:
    """The unallocated parts of payments and credit notes through a day, by day."""
    return [Credit(*row) for row in WORKSPACE.rows(_CREDITS, _chosen(day, contact_id, currency))]


def written_off(day: date, since: date, contact_id: str | None, currency: str | None) -> list[WrittenOff]:
    """Invoices due before a day that were written off since another one."""
    parameters = {**_chosen(day, contact_id, currency), "since": since.isoformat()}
    return [WrittenOff(*row) for row in WORKSPACE.rows(_WRITTEN_OFF, parameters)]


def _chosen(day: date, contact_id: str | None, currency: str | None) -> dict[str, str | None]:
    return {"date": day.isoformat(), "contact_id": contact_id, "currency": currency}


def last_letters(item_ids: Iterable[str]) -> dict[str, LastLetter]:
    """The newest letter of each item that has one."""
    found: dict[str, LastLetter] = {}
    for id, level, text in WORKSPACE.rows(_LETTERS, (sql.array(item_ids),)):
        day = date.fromisoformat(text)
        found[id] = LastLetter(level, day, found[id].first if id in found else day)
    return found


class Settlement(NamedTuple):
    """An amount that settled an item from a day on, until it was released."""

    day: date
    released_on: date | None
    amount: int


def settlements(item_ids: Iterable[str]) -> dict[str, list[Settlement]]:
    """The allocations of items, released ones included."""
    found: dict[str, list[Settlement]] = defaultdict(list)
    for id, day, released, amount in WORKSPACE.rows(_SETTLED, {"ids": sql.array(item_ids)}):
        until = None if released is None else date.fromisoformat(released)
        found[id].append(Settlement(date.fromisoformat(day), until, amount))
    return found


def held(item_ids: Iterable[str], but: str = "") -> Held:
    """The charges of letters with these items that are invoiced or waived.

    An invoice adds to those before it; a letter that is waived includes them.

    Args:
        but: a letter that does not count.
    """
    result = Held({}, {}, {})
    for id, is_waived, *amounts in WORKSPACE.rows(_HELD, {"ids": sql.array(item_ids), "but": but}):
        for by_item, amount in zip(result, amounts, strict=True):
            before = by_item.get(id, 0)
            by_item[id] = max(before, amount) if is_waived else before + amount
    return result
