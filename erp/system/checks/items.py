"""Checks of open items and allocations against the postings, the documents and each other; and of contacts' numbers."""

from erp.finance.books.open_items import IS_OF_ENTRY
from erp.finance.contacts import heads
from erp.finance.contacts.numbers import SERIES
from erp.finance.items.store import BOTH_ITEMS
from erp.store import sql
from erp.system.checks.findings import Rule

_PERSONAL = "account.subtype IN ('receivable', 'payable')"
_OF_POSTINGS = (
    "posting JOIN account ON account.id = posting.account_id JOIN journal_entry AS entry ON entry.id = posting.entry_id"
)
_ORIGINAL = "LEFT JOIN journal_entry AS original ON original.id = entry.reverses_id"
_REVALUES = "coalesce(original.kind, entry.kind) IN ('revaluation', 'revaluation_reversal')"
_IS_DIFFERENCE = f"(coalesce(original.kind, entry.kind) = 'exchange_difference' OR {_REVALUES})"
_SIGN = "CASE WHEN {}.amount > 0 THEN 1 ELSE -1 END"


def _settled(column: str, base: str) -> str:
    """The allocated part of an item, in its currency and in the base currency."""
    return (
        f"SELECT {column} AS id, sum(amount) AS amount, sum({base}) AS base FROM allocation"
        f" WHERE released_on IS NULL GROUP BY {column}"
    )


_REVALUED = f"""
SELECT {sql.json_text("line.value", "'$.item_id'")} AS item_id, r.date, back.date AS back_on,
    {sql.json_text("line.value", "'$.difference'")} AS difference
FROM revaluation AS r JOIN journal_entry AS back ON back.id = r.reversal_entry_id
JOIN json_each(r.lines) AS line ON true WHERE r.status = 'posted'
"""
_CHANGES = f"""
SELECT posting.contact_id AS contact_id, posting.account_id AS account_id, posting.date AS date,
    posting.amount AS amount
FROM {_OF_POSTINGS}
WHERE {_PERSONAL} AND posting.contact_id IS NOT NULL
UNION ALL SELECT contact_id, account_id, date, -base_amount FROM open_item
UNION ALL SELECT item.contact_id, item.account_id, revalued.date, -revalued.difference
FROM ({_REVALUED}) AS revalued JOIN open_item AS item ON item.id = revalued.item_id
UNION ALL SELECT item.contact_id, item.account_id, revalued.back_on, revalued.difference
FROM ({_REVALUED}) AS revalued JOIN open_item AS item ON item.id = revalued.item_id
UNION ALL SELECT source.contact_id, source.account_id, a.date, {_SIGN.format("source")} * a.from_base FROM {BOTH_ITEMS}
UNION ALL SELECT target.contact_id, target.account_id, a.date, {_SIGN.format("target")} * a.to_base FROM {BOTH_ITEMS}
UNION ALL SELECT source.contact_id, source.account_id, a.released_on, -{_SIGN.format("source")} * a.from_base
FROM {BOTH_ITEMS} WHERE a.released_on IS NOT NULL
UNION ALL SELECT target.contact_id, target.account_id, a.released_on, -{_SIGN.format("target")} * a.to_base
FROM {BOTH_ITEMS} WHERE a.released_on IS NOT NULL
"""
"""The daily change of a contact's postings on an account, less the daily change of its open items.

A revaluation belongs to its items until it is reversed on the next day.
"""

RULES = (
    Rule(
        "Line {} of journal entry {} has no open item, or one that does not match it.",
        "SELECT posting.line + 1, entry.number"
        f" FROM {_OF_POSTINGS} {_ORIGINAL} LEFT JOIN open_item AS item"
        f" ON {IS_OF_ENTRY} AND item.line = posting.line"
        f" WHERE {_PERSONAL} AND NOT {_IS_DIFFERENCE}"
        " AND (item.account_id IS DISTINCT FROM posting.account_id OR item.date IS DISTINCT FROM posting.date"
        " OR item.contact_id IS DISTINCT FROM posting.contact_id OR item.base_amount IS DISTINCT FROM posting.amount"
        " OR CASE WHEN posting.foreign_amount <> 0"
        "  THEN item.amount <> posting.foreign_amount OR item.currency <> posting.currency"
        "  ELSE item.amount <> posting.amount OR item.currency <> (SELECT base_currency FROM settings) END)",
    ),
    Rule(
        "The open item of {} belongs to no posting to a receivable or payable.",
        "SELECT item.number FROM open_item AS item LEFT JOIN posting"
        " ON posting.entry_id = item.entry_id AND posting.line = item.line"
        " LEFT JOIN account ON account.id = posting.account_id"
        f" WHERE CASE WHEN item.entry_id IS NULL THEN item.base_amount <> 0 ELSE NOT coalesce({_PERSONAL}, false) END",
    ),
    Rule(
        "The open item of {} bears the number or the due date of another document.",
        "SELECT item.number FROM open_item AS item LEFT JOIN invoice ON invoice.id = item.document_id"
        " LEFT JOIN payment ON payment.id = item.document_id"
        " WHERE (item.document_type <> 'journal_entry' AND item.number"
        "  IS DISTINCT FROM coalesce(invoice.number, payment.number))"
        " OR (item.document_type = 'invoice'"
        "  AND invoice.kind IN ('sales_invoice', 'deposit_invoice', 'final_invoice', 'purchase_invoice')"
        "  AND invoice.journal_entry_id = item.entry_id AND item.due_date <> invoice.due_date)",
    ),
    Rule(
        "What is kept as open of {} is not its amount less what settles it.",
        "SELECT item.number FROM open_item AS item"
        f" LEFT JOIN ({_settled('from_item_id', 'from_base')}) AS used USING (id)"
        f" LEFT JOIN ({_settled('to_item_id', 'to_base')}) AS settled USING (id)"
        f" WHERE open <> item.amount - ({_SIGN.format('item')})"
        "   * (coalesce(used.amount, 0) + coalesce(settled.amount, 0))"
        " OR coalesce(settled_on, '') <> coalesce((SELECT max(date) FROM allocation"
        "  WHERE from_item_id = item.id OR to_item_id = item.id), '')"
        " OR coalesce(released_on, '') <> coalesce((SELECT max(released_on) FROM allocation"
        "  WHERE (from_item_id = item.id OR to_item_id = item.id) AND released_on > date), '')"
        f" OR open_base <> base_amount - ({_SIGN.format('item')})"
        "   * (coalesce(used.base, 0) + coalesce(settled.base, 0))",
    ),
    Rule(
        "The allocation of {} to {} links items that cannot settle each other, or is dated before them.",
        f"SELECT source.number, target.number FROM {BOTH_ITEMS} WHERE (source.amount > 0) = (target.amount > 0)"
        ""
        f" OR {heads.sql('source.contact_id')} <> {heads.sql('target.contact_id')}"
        " OR source.account_id <> target.account_id"
        " OR source.currency <> target.currency OR a.date < source.date OR a.date < target.date"
        " OR a.released_on < a.date",
    ),
    Rule(
        "The exchange difference of the allocation of {} to {} on {} is not posted as it should be.",
        f"SELECT source.number, target.number, a.date FROM {BOTH_ITEMS}"
        " LEFT JOIN journal_entry AS entry ON entry.id = a.journal_entry_id"
        " WHERE coalesce(entry.total, 0) <> abs(from_base - to_base)"
        " OR (a.journal_entry_id IS NOT NULL AND (entry.source_id IS DISTINCT FROM a.id OR (a.released_on IS NOT NULL)"
        "  <> EXISTS (SELECT 1 FROM journal_entry AS mirror WHERE mirror.reverses_id = a.journal_entry_id)))",
    ),
    Rule(
        "What is open of {} on account {} is not what is posted of them on {}.",
        f"SELECT contact.name, account.code, changes.date FROM ({_CHANGES}) AS changes"
        f" {heads.join('changes.contact_id')} JOIN account ON account.id = changes.account_id"
        " GROUP BY contact.id, changes.account_id, changes.date, contact.name, account.code"
        " HAVING sum(changes.amount) <> 0",
    ),
    Rule(
        "Contact {} counts for another contact than the one that it was merged into.",
        "SELECT own.name FROM contact AS own JOIN contact AS head ON head.id = own.head_id"
        " JOIN contact AS parent ON parent.id = own.merged_into_id"
        " WHERE head.head_id IS NOT NULL OR coalesce(parent.head_id, parent.id) <> head.id"
        " OR own.employee_id IS NOT NULL",
    ),
    *(
        Rule(
            f"The next {side} would get a number that was given before: {{}} is the last.",
            f"SELECT max({series.column}) FROM contact HAVING CAST(max({series.column}) AS INTEGER) >= {series.first}"
            " + coalesce((SELECT last FROM number_counter"
            f" WHERE series = '{series.counter}' AND fiscal_year = 0), 0)",
        )
        for side, series in SERIES.items()
    ),
)
