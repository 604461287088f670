"""Checks of the entries of documents: contact, direction and amount."""

from collections.abc import Iterator
from typing import NamedTuple

from erp.finance.items.documents import SIGNS
from erp.kernel import money
from erp.kernel.currencies import DIGITS
from erp.store.router import WORKSPACE
from erp.system.checks.findings import Findings


class _Posted(NamedTuple):
    """A document, and the postings of its entry on the accounts of contacts."""

    name: str
    kind: str
    contact_id: str
    currency: str
    exchange_rate: int | None
    amount: int
    base_amount: int
    posted_contact_id: str
    posted: int
    has_one_contact: int
    is_on_account: int
    is_part: int


_DOCUMENTS = """
SELECT name, kind, doc.contact_id, doc.currency, exchange_rate, doc.amount, base_amount,
    min(posting.contact_id), sum(posting.amount), min(posting.contact_id) = max(posting.contact_id),
    doc.account_id IS NULL OR EXISTS (SELECT 1 FROM posting AS money
        WHERE money.entry_id = doc.entry_id AND money.account_id = doc.account_id),
    doc.is_part
FROM (
    SELECT 'Invoice ' || number AS name, kind, contact_id, currency, exchange_rate, total AS amount,
        base_total AS base_amount, journal_entry_id AS entry_id, NULL AS account_id,
        credited_invoice_id IS NOT NULL OR kind = 'final_invoice' AS is_part
    FROM invoice WHERE number IS NOT NULL AND journal_entry_id IS NOT NULL
    UNION ALL
    SELECT 'Payment ' || number, direction, contact_id, currency, exchange_rate, amount,
        base_amount, journal_entry_id, account_id, false FROM payment
) AS doc JOIN posting ON posting.entry_id = doc.entry_id AND posting.contact_id IS NOT NULL
GROUP BY name, kind, doc.contact_id, doc.currency, exchange_rate, doc.amount, base_amount, doc.entry_id, doc.account_id,
    doc.is_part
ORDER BY name
"""

_CONTACT = "SELECT name FROM contact WHERE id = ?"
_BASE = "SELECT base_currency FROM settings"


def check(findings: Findings) -> None:
    """Compare each document's contact, direction and amount in the base currency with its own postings."""
    ((base,),) = WORKSPACE.rows(_BASE)
    for row in WORKSPACE.rows(_DOCUMENTS):
        findings.add(*_faults(_Posted(*row), base))


def _faults(document: _Posted, base: str) -> Iterator[str]:
    name = document.name
    if document.contact_id != document.posted_contact_id or not document.has_one_contact:
        names = [_contact(id) for id in (document.contact_id, document.posted_contact_id)]
        yield f"{name} names {names[0]} as its contact, but is posted to {names[1]}."
    sign = SIGNS.get(document.kind)
    if sign is not None and document.posted and (document.posted > 0) != (sign > 0):
        side = "a debit" if document.posted > 0 else "a credit"
        yield f"{name} is marked {document.kind.replace('_', ' ')}, but is posted as {side} to its contact."
    if not document.is_on_account:
        yield f"{name} names an account that its journal entry did not post to."
    # The base amount of a part is its share of the whole document's, whose sum a rule of its own checks.
    if not document.is_part and _in_base(document, base) != document.base_amount:
        yield f"{name}: its amount at its exchange rate is not its amount in {base}, which is posted."


def _in_base(document: _Posted, base: str) -> int | None:
    if document.exchange_rate is None:
        return document.amount if document.currency == base else None
    if not {document.currency, base} <= DIGITS.keys():
        return None
    return money.convert(document.amount, document.exchange_rate, document.currency, base)


def _contact(id: str) -> str:
    rows = WORKSPACE.rows(_CONTACT, (id,))
    return str(rows[0][0]) if rows else "no one"
