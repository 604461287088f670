"""Counts of a contact's records, and documents that join two contacts: fixed SQL."""

from collections.abc import Sequence
from typing import NamedTuple

from erp.store import sql
from erp.store.router import WORKSPACE


class Count(NamedTuple):
    """Numbers of records of a contact and its duplicates that stay as they are, and are read as the head's."""

    documents: int
    quotes: int
    payments: int
    offsets: int
    journal_entries: int
    open_items: int


_OWN = "contact_id IN (SELECT value FROM json_each(:ids))"
_COUNTS = f"""
SELECT (SELECT count(*) FROM invoice WHERE {_OWN} AND status <> 'draft'),
    (SELECT count(*) FROM quote WHERE {_OWN} AND status <> 'draft'), (SELECT count(*) FROM payment WHERE {_OWN}),
    (SELECT count(*) FROM contact_offset WHERE {_OWN}),
    (SELECT count(DISTINCT entry_id) FROM posting JOIN journal_entry AS e ON e.id = entry_id
        WHERE {_OWN} AND e.kind IN ('manual', 'opening')),
    (SELECT count(*) FROM open_item WHERE {_OWN} AND open <> 0)
"""


def counts(ids: Sequence[str]) -> Count:
    ((*numbers,),) = WORKSPACE.rows(_COUNTS, {"ids": sql.array(ids)})
    return Count(*numbers)


_INSIDE = "{} IN (SELECT value FROM json_each(:inside))"
_FROM, _TO, _DOCUMENT, _DEPOSIT, _OFFSET, _QUOTE, _LETTER = (
    _INSIDE.format(column)
    for column in (
        "source.contact_id",
        "target.contact_id",
        "invoice.contact_id",
        "deposit.contact_id",
        "o.contact_id",
        "quote.contact_id",
        "reminder.contact_id",
    )
)
_JOINS = f"""
SELECT source.number, target.number FROM open_item AS source JOIN allocation AS a ON a.from_item_id = source.id
JOIN open_item AS target ON target.id = a.to_item_id WHERE {_FROM} AND NOT ({_TO})
UNION ALL SELECT source.number, target.number FROM open_item AS target JOIN allocation AS a ON a.to_item_id = target.id
JOIN open_item AS source ON source.id = a.from_item_id WHERE {_TO} AND NOT ({_FROM})
UNION ALL SELECT coalesce(invoice.number, '–'), coalesce(deposit.number, '–') FROM invoice_deposit AS part
JOIN invoice ON invoice.id = part.invoice_id JOIN invoice AS deposit ON deposit.id = part.deposit_id
WHERE invoice.status <> 'void' AND ({_DOCUMENT}) <> ({_DEPOSIT})
    AND (invoice.contact_id IN (SELECT value FROM json_each(:group))
        OR deposit.contact_id IN (SELECT value FROM json_each(:group)))
UNION ALL SELECT quote.number, coalesce(invoice.number, '–') FROM quote JOIN invoice ON invoice.quote_id = quote.id
WHERE quote.contact_id IN (SELECT value FROM json_each(:group)) AND invoice.status <> 'void'
    AND ({_QUOTE}) <> ({_DOCUMENT})
UNION ALL SELECT reminder.number, target.number FROM reminder
JOIN reminder_item AS named ON named.reminder_id = reminder.id JOIN open_item AS target ON target.id = named.item_id
WHERE reminder.contact_id IN (SELECT value FROM json_each(:group)) AND named.is_live AND ({_LETTER}) <> ({_TO})
UNION ALL SELECT reminder.number, invoice.number FROM reminder
JOIN reminder_charge ON reminder_charge.reminder_id = reminder.id
JOIN invoice ON invoice.id = reminder_charge.invoice_id
WHERE reminder.contact_id IN (SELECT value FROM json_each(:group)) AND invoice.status <> 'void'
    AND ({_LETTER}) <> ({_DOCUMENT})
UNION ALL SELECT o.number, target.number FROM contact_offset AS o
JOIN open_item AS target ON target.document_id = o.journal_entry_id
WHERE o.contact_id IN (SELECT value FROM json_each(:group)) AND ({_OFFSET}) <> ({_TO})
LIMIT 1
"""


def joined(inside: Sequence[str], group: Sequence[str]) -> tuple[str, str] | None:
    """The numbers of two documents that belong together, one of these contacts and one of the rest of their group.

    A removed allocation counts: on the days before, the balances of both need it.
    """
    for number, other in WORKSPACE.rows(_JOINS, {"inside": sql.array(inside), "group": sql.array(group)}):
        return str(number), str(other)
    return None
