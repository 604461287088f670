"""The books and the statements of a bank account, in fixed SQL."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any, NamedTuple

from erp.finance.books.accounts import AccountRef
from erp.finance.books.descriptions import reworded
from erp.finance.books.models import DocumentType
from erp.finance.contacts import heads
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE

_LIVE = "NOT EXISTS (SELECT 1 FROM journal_entry AS mirror WHERE mirror.reverses_id = m.entry_id)"
"""A match counts while its entry is not reversed."""

UNMATCHED = (
    "SELECT l.id FROM bank_line AS l WHERE l.amount <>"
    f" coalesce((SELECT sum(m.amount) FROM bank_match AS m WHERE m.line_id = l.id AND {_LIVE}), 0)"
)
"""The lines of all accounts that are not, or only partly, matched."""


class BookEntry(NamedTuple):
    """The unmatched movement of an entry on a bank account."""

    id: str
    number: str
    day: str
    source_type: str | None
    source_id: str | None
    description: str
    reference: str | None
    remaining: int
    document: str | None
    contact_id: str | None
    contact_name: str | None
    run_id: str | None
    run_number: str | None

    @property
    def shown_description(self) -> str:
        """The description in the reader's language."""
        return reworded(self.description, self.source_type, self.document, self.contact_name)


_ENTRIES = """
SELECT e.id, e.number, e.date, e.source_type, e.source_id, e.description, e.reference,
 moved.amount - coalesce(taken.amount, 0) AS rest, coalesce(p.number, payroll_run.number, transfer.number),
 contact.id, contact.name, run.id, run.number
FROM (SELECT entry_id, sum(CASE WHEN :is_foreign = 1 THEN coalesce(foreign_amount, 0) ELSE amount END) AS amount
 FROM posting WHERE account_id = :account AND date >= :since AND date <= :until GROUP BY entry_id) AS moved
JOIN journal_entry AS e ON e.id = moved.entry_id
LEFT JOIN (SELECT m.entry_id, sum(m.amount) AS amount FROM bank_match AS m JOIN bank_line ON bank_line.id = m.line_id
 WHERE bank_line.account_id = :account GROUP BY m.entry_id) AS taken ON taken.entry_id = e.id
LEFT JOIN payment AS p ON e.source_type = 'payment' AND p.id = e.source_id
LEFT JOIN contact AS payer ON payer.id = p.contact_id
LEFT JOIN contact ON contact.id = coalesce(payer.head_id, payer.id)
LEFT JOIN payment_run_transfer AS part ON part.payment_id = p.id LEFT JOIN payment_run AS run ON run.id = part.run_id
LEFT JOIN payroll_run ON e.source_type = 'payroll_run' AND payroll_run.id = e.source_id
LEFT JOIN transfer ON e.source_type = 'transfer' AND transfer.id = e.source_id
WHERE e.kind NOT IN ('opening', 'reversal', 'revaluation') AND moved.amount - coalesce(taken.amount, 0) <> 0
 AND NOT EXISTS (SELECT 1 FROM journal_entry AS mirror WHERE mirror.reverses_id = e.id)
ORDER BY e.date, e.number
"""


def entries(account: AccountRef, since: date | str, until: date | str) -> list[BookEntry]:
    """The entries of some days that move money on the account and are on no statement yet."""
    is_foreign = account.currency != workspace_settings.current().base_currency
    values = {"account": account.id, "is_foreign": int(is_foreign), "since": str(since), "until": str(until)}
    return [BookEntry(*row) for row in WORKSPACE.rows(_ENTRIES, values)]


ALWAYS = (date.min, date.max)
"""The days of all entries."""

_PAYERS = f"""
SELECT DISTINCT contact.id FROM journal_entry AS entry
JOIN payment ON payment.id = entry.source_id AND payment.journal_entry_id = entry.id
{heads.join("payment.contact_id")}
WHERE entry.id IN (SELECT value FROM json_each(?))
"""


def payers(entry_ids: Iterable[str]) -> list[str]:
    """The contacts of the payments that these entries post, each once."""
    return [id for (id,) in WORKSPACE.rows(_PAYERS, (sql.array(entry_ids),))]


_SETTLED = """
SELECT own.document_id, other.number, invoice.supplier_number
FROM open_item AS own JOIN allocation AS a ON a.from_item_id = own.id OR a.to_item_id = own.id
JOIN open_item AS other ON other.id = CASE a.from_item_id WHEN own.id THEN a.to_item_id ELSE a.from_item_id END
LEFT JOIN invoice ON invoice.id = other.document_id
WHERE own.document_id IN (SELECT value FROM json_each(?)) AND a.released_on IS NULL
"""


def settled(payment_ids: Iterable[str]) -> dict[str, list[str]]:
    """The numbers of the documents that payments settle."""
    numbers_by_payment: dict[str, list[str]] = {}
    for id, *numbers in WORKSPACE.rows(_SETTLED, (sql.array(payment_ids),)):
        numbers_by_payment.setdefault(id, []).extend(number for number in numbers if number)
    return numbers_by_payment


_ALLOCATED_SINCE = """
SELECT DISTINCT other.number
FROM open_item AS own JOIN allocation AS a ON a.from_item_id = own.id OR a.to_item_id = own.id
JOIN open_item AS other ON other.id = CASE a.from_item_id WHEN own.id THEN a.to_item_id ELSE a.from_item_id END
WHERE own.document_id = ? AND a.released_on IS NULL AND a.id > ? ORDER BY other.number
"""


def allocated_since(payment_id: str, match_id: str) -> list[str]:
    """The numbers of what a payment was allocated to after its match was made; ids sort by time of creation."""
    return [number for (number,) in WORKSPACE.rows(_ALLOCATED_SINCE, (payment_id, match_id))]


class Item(NamedTuple):
    """An open item, a debit above zero."""

    id: str
    document_type: DocumentType
    document_id: str
    number: str
    open: int
    contact_id: str
    contact_name: str
    legal_name: str | None
    iban: str | None
    supplier_number: str | None
    discounts: str | None  # of an invoice or a bill, as JSON
    due_date: str | None


_ITEMS = f"""
SELECT item.id, item.document_type, item.document_id, item.number, item.open, contact.id, contact.name,
 contact.legal_name, {sql.json_text("coalesce(party.bank_account, contact.bank_account)", "'$.iban'")},
 document.supplier_number,
 {sql.json_text("document.payment_terms", "'$.discounts'")},
 item.due_date
FROM open_item AS item {heads.join("item.contact_id")}
LEFT JOIN invoice AS document ON item.document_type = 'invoice' AND document.id = item.document_id
WHERE item.open <> 0 AND item.currency = ? ORDER BY item.due_date, item.id
"""


def items(currency: str) -> list[Item]:
    """All open items in a currency, the first due first."""
    return [Item(*row) for row in WORKSPACE.rows(_ITEMS, (currency,))]


def learned() -> dict[str, set[str]]:
    """The IBANs that contacts have paid from or were paid to, by contact."""
    ibans: dict[str, set[str]] = {}
    for contact_id, iban in WORKSPACE.rows("SELECT contact_id, iban FROM bank_counterparty"):
        ibans.setdefault(heads.of(contact_id), set()).add(iban)
    return ibans


def known_keys(account_id: str, keys: Iterable[str]) -> set[str]:
    """The known keys of lines of the account."""
    query = "SELECT line_key FROM bank_line WHERE account_id = ? AND line_key IN (SELECT value FROM json_each(?))"
    return {key for (key,) in WORKSPACE.rows(query, (account_id, sql.array(keys)))}


def add_lines(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Add lines with these columns."""
    insert = f"INSERT INTO bank_line ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
    WORKSPACE.run_many(insert, rows)


_MATCHES = f"""
SELECT m.line_id, e.source_type, coalesce(p.number, payroll_run.number, transfer.number), contact.name,
 m.id, m.entry_id, e.number, e.date, e.description, m.amount, m.made, m.document_id, m.reason,
 CASE WHEN {_LIVE} THEN 1 ELSE 0 END
FROM bank_match AS m JOIN journal_entry AS e ON e.id = m.entry_id
LEFT JOIN payment AS p ON e.source_type = 'payment' AND p.id = e.source_id
LEFT JOIN contact AS payer ON payer.id = p.contact_id
LEFT JOIN contact ON contact.id = coalesce(payer.head_id, payer.id)
LEFT JOIN payroll_run ON e.source_type = 'payroll_run' AND payroll_run.id = e.source_id
LEFT JOIN transfer ON e.source_type = 'transfer' AND transfer.id = e.source_id
WHERE m.line_id IN (SELECT value FROM json_each(?)) ORDER BY m.id
"""


def matches(line_ids: Iterable[str]) -> dict[str, list[tuple[Any, ...]]]:
    """The matches of lines.

    Returns:
        By line: (id, entry, number, date, description, amount, made, document, reason, whether it counts).
    """
    by_line: dict[str, list[tuple[Any, ...]]] = {}
    for line_id, source_type, document, name, *row in WORKSPACE.rows(_MATCHES, (sql.array(line_ids),)):
        row[4] = reworded(row[4], source_type, document, name)
        by_line.setdefault(line_id, []).append(tuple(row))
    return by_line


_USES = f"""
SELECT m.rule_id, count(*), max(l.updated_at) FROM bank_match AS m JOIN bank_line AS l ON l.id = m.line_id
WHERE m.rule_id IN (SELECT value FROM json_each(?)) AND {_LIVE} GROUP BY m.rule_id
"""


def uses_of_rules(ids: Iterable[str]) -> dict[str, tuple[int, str]]:
    """The number of lines that are matched by each rule, and the time of the last of them."""
    return {id: (count, last) for id, count, last in WORKSPACE.rows(_USES, (sql.array(ids),))}


def covers(account_id: str, first: date, last: date) -> bool:
    """Whether a statement of the account covers these days."""
    query = "SELECT 1 FROM bank_statement WHERE account_id = ? AND date_from <= ? AND date_to >= ? LIMIT 1"
    return bool(WORKSPACE.rows(query, (account_id, first.isoformat(), last.isoformat())))


_BALANCE = (
    "SELECT coalesce(sum(CASE WHEN ? = 1 THEN coalesce(foreign_amount, 0) ELSE amount END), 0) FROM posting"
    " WHERE account_id = ? AND date <= ?"
)


def book_balance(account: AccountRef, day: date) -> int:
    """The books' balance of the account at the end of a day, in its currency."""
    is_foreign = account.currency != workspace_settings.current().base_currency
    ((balance,),) = WORKSPACE.rows(_BALANCE, (int(is_foreign), account.id, day.isoformat()))
    return int(balance)
