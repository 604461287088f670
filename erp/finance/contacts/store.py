"""Receivables and payables of contacts."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from erp.finance.books import open_items
from erp.finance.contacts import heads
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE

Side = Literal["customer", "supplier"]

AMOUNTS = ("balance", "overdue", "unallocated_credit")

_AMOUNTS_OF_CONTACTS = f"""
SELECT contact.id,
    (SELECT coalesce(sum(posting.amount), 0) FROM posting JOIN account ON account.id = posting.account_id
        WHERE posting.contact_id IN (SELECT id FROM counted WHERE head_id = contact.id)
        AND account.subtype IN ('receivable', 'payable') AND posting.date <= :today),
    coalesce((SELECT {sql.greater("0", "sum(CASE WHEN amount < 0 OR due_date < :today THEN open_base ELSE 0 END)")}
        FROM open_today WHERE contact_id = contact.id), 0),
    coalesce((SELECT -sum(open_base) FROM open_today WHERE contact_id = contact.id AND is_credit), 0)
FROM contact WHERE contact.id IN (SELECT value FROM json_each(:ids))
"""
# Most items are closed: the few open ones are read, and parts that later allocations leave open today.
_OPEN_TODAY = f"""
WITH counted AS MATERIALIZED (
    SELECT id, coalesce(head_id, id) AS head_id FROM contact
    WHERE id IN (SELECT value FROM json_each(:ids)) OR head_id IN (SELECT value FROM json_each(:ids))
), open_today AS MATERIALIZED (
    SELECT counted.head_id AS contact_id, open_item.amount AS amount, due_date,
        open_item.amount < 0 OR document_type = 'payment' AS is_credit, {{open_base}} AS open_base
    FROM counted JOIN open_item ON open_item.contact_id = counted.id JOIN account ON account.id = open_item.account_id
    WHERE account.subtype = 'receivable' AND {{where}}
)
{_AMOUNTS_OF_CONTACTS}
"""
_NOW = _OPEN_TODAY.format(open_base="open_base", where="open_item.date <= :today AND open <> 0")
_DATED = _OPEN_TODAY.format(open_base=open_items.OPEN_BASE_AT, where=open_items.MAY_BE_OPEN_AT)


def amounts(contact_ids: Sequence[str]) -> dict[str, dict[str, int]]:
    """For each contact, the amounts as of today by the names of `AMOUNTS`, in minor units of the base currency.

    The amounts of duplicates are their head's; they have none themselves.
    """
    today = workspace_settings.today().isoformat()
    query = _DATED if open_items.is_any_settled_after(today) else _NOW
    rows = WORKSPACE.rows(query, {"today": today, "day": today, "ids": sql.array(contact_ids)})
    return {contact_id: dict(zip(AMOUNTS, of_contact, strict=True)) for contact_id, *of_contact in rows}


class OpenItems(NamedTuple):
    """The open items of one side of a contact: numbers of documents, and the balance in the base currency."""

    invoices: list[str]
    credit_notes: list[str]
    payments: list[str]
    balance: int


def open_items_of(contact_id: str, side: Side) -> OpenItems:
    """The open items of a contact and its duplicates as a customer or as a supplier, on any date."""
    parameters = {"contact": contact_id, "subtype": "receivable" if side == "customer" else "payable"}
    ((balance,),) = WORKSPACE.rows(_BALANCE, parameters)
    numbers: dict[str, list[str]] = {"invoice": [], "credit_note": [], "payment": []}
    for kind, number in WORKSPACE.rows(_OPEN, parameters):
        numbers[kind].append(number)
    return OpenItems(numbers["invoice"], numbers["credit_note"], numbers["payment"], int(balance))


_OPEN = f"""
SELECT CASE WHEN invoice.kind LIKE '%credit_note' THEN 'credit_note' ELSE document_type END, open_item.number
FROM open_item JOIN account ON account.id = open_item.account_id
LEFT JOIN invoice ON invoice.id = document_id
WHERE open_item.contact_id IN {heads.owned("contact")} AND account.subtype = :subtype AND open <> 0
AND document_type <> 'journal_entry'
ORDER BY open_item.date, open_item.id
"""
_BALANCE = (
    "SELECT coalesce(sum(posting.amount), 0) FROM posting JOIN account ON account.id = posting.account_id"
    f" WHERE posting.contact_id IN {heads.owned('contact')} AND account.subtype = :subtype"
)


class Alike(NamedTuple):
    """Another contact with the same VAT number or e-mail address, and how many there are."""

    because: Literal["vat_id", "email"]
    contact_id: str
    name: str
    others: int


_SAME = """
SELECT one.id, '{because}', other.id, other.name, count(*) OVER (PARTITION BY one.id),
    row_number() OVER (PARTITION BY one.id ORDER BY other.id) AS place
FROM contact AS one JOIN contact AS other ON {equal} AND other.id <> one.id
WHERE one.id IN (SELECT value FROM json_each(:ids)) AND one.head_id IS NULL
    AND other.head_id IS NULL AND other.archived_at IS NULL
"""
_ALIKE = (
    f"SELECT * FROM ({_SAME.format(because='vat_id', equal='other.vat_id = one.vat_id')}) AS same WHERE place = 1"
    f" UNION ALL SELECT * FROM ({_SAME.format(because='email', equal='lower(other.email) = lower(one.email)')}) AS same"
    " WHERE place = 1"
)


def alike(contact_ids: Sequence[str]) -> dict[str, list[Alike]]:
    """By contact, others that may be the same; archived ones and duplicates are left out."""
    likes: dict[str, list[Alike]] = {}
    for id, *other, _ in WORKSPACE.rows(_ALIKE, {"ids": sql.array(contact_ids)}):
        likes.setdefault(id, []).append(Alike(*other))
    return likes
