"""Checks of the books: entries balance, numbers have no gap, stored balances are the sums."""

from erp.finance.books.chart import SUBTYPES
from erp.system.checks.findings import Rule

_OF_TYPE = " OR ".join(f"(subtype = '{subtype}' AND type <> '{type}')" for subtype, type in SUBTYPES.items())

_DEBITS = "sum(CASE WHEN amount > 0 THEN amount ELSE 0 END)"
_CREDITS = "sum(CASE WHEN amount < 0 THEN -amount ELSE 0 END)"
_SUMS = (
    f"SELECT entry_id, count(*) AS postings, sum(amount) AS rest, {_DEBITS} AS debits FROM posting GROUP BY entry_id"
)

RULES = (
    Rule(
        "Account {} is marked {}, which does not match its kind, {}.",
        f"SELECT code, type, replace(subtype, '_', ' ') FROM account WHERE {_OF_TYPE}",
    ),
    Rule(
        "Journal entry {} does not balance: its debits and credits differ by {} (in the smallest unit of money).",
        f"SELECT number, abs(rest) FROM ({_SUMS} HAVING sum(amount) <> 0) AS sums JOIN journal_entry ON id = entry_id",
    ),
    Rule(
        "Journal entry {} has fewer than two lines, or its lines do not add up to its total.",
        f"SELECT number FROM journal_entry LEFT JOIN ({_SUMS}) AS sums ON id = entry_id"
        " WHERE coalesce(postings, 0) < 2 OR debits IS DISTINCT FROM total",
    ),
    Rule(
        "Journal entry {} ends with line {}, but has {} lines.",
        f"SELECT number, last_line + 1, coalesce(postings, 0) FROM journal_entry LEFT JOIN ({_SUMS}) AS sums"
        " ON id = entry_id WHERE coalesce(postings, 0) <> last_line + 1",
    ),
    Rule(
        "Journal entry {} has a line with a date other than its own, {}.",
        "SELECT DISTINCT number, journal_entry.date FROM posting JOIN journal_entry ON id = entry_id"
        " WHERE posting.date <> journal_entry.date",
    ),
    Rule(
        "The journal entries of {} are not numbered from 1 without a gap: there are {}, and the last is number {}.",
        "SELECT CASE WHEN fiscal_year <> 0 THEN 'fiscal year ' || fiscal_year ELSE 'all years' END, count(*), max(seq)"
        " FROM journal_entry LEFT JOIN number_counter AS c USING (fiscal_year) WHERE c.series = 'journal'"
        " GROUP BY fiscal_year"
        " HAVING min(seq) <> 1 OR max(seq) <> count(*) OR max(seq) IS DISTINCT FROM max(c.last)",
    ),
    Rule(
        "Journal entry {} is not the exact mirror of {}, which it reverses, or is dated before it.",
        "SELECT mirror.number, original.number FROM journal_entry AS mirror"
        " JOIN journal_entry AS original ON original.id = mirror.reverses_id WHERE mirror.date < original.date"
        " OR original.reverses_id IS NOT NULL OR mirror.total <> original.total OR EXISTS ("
        "  SELECT 1 FROM posting AS theirs LEFT JOIN posting AS ours"
        "  ON ours.entry_id = mirror.id AND ours.line = theirs.line WHERE theirs.entry_id = original.id"
        "  AND (ours.amount IS DISTINCT FROM -theirs.amount OR ours.account_id IS DISTINCT FROM theirs.account_id"
        "   OR ours.contact_id IS DISTINCT FROM theirs.contact_id))",
    ),
    Rule(
        "Journal entry {} posts to account {}, which is a group.",
        "SELECT number, code FROM posting JOIN account ON account.id = account_id"
        " JOIN journal_entry ON journal_entry.id = entry_id"
        " WHERE account_id IN (SELECT id FROM account WHERE is_group)",
    ),
    Rule(
        "Journal entry {} posts to account {} without naming the customer or supplier.",
        "SELECT number, code FROM posting JOIN account ON account.id = account_id"
        " JOIN journal_entry ON journal_entry.id = entry_id"
        " WHERE account_id IN (SELECT id FROM account WHERE subtype IN ('receivable', 'payable'))"
        " AND contact_id IS NULL",
    ),
    Rule(
        "The stored balance of account {} for {} is not the sum of its postings.",
        "SELECT coalesce(code, account_id), month FROM ("
        " SELECT account_id, month, debit, credit FROM balance"
        f" UNION ALL SELECT account_id, substr(date, 1, 7), -{_DEBITS}, -{_CREDITS}"
        "  FROM posting GROUP BY account_id, date"
        ") AS stored_and_posted LEFT JOIN account ON account.id = account_id"
        " GROUP BY account_id, code, month HAVING sum(debit) <> 0 OR sum(credit) <> 0",
    ),
    Rule(
        "Journal entry {} names {} {}, which does not exist.",
        "SELECT number, replace(source_type, '_', ' '), source_id FROM journal_entry AS entry"
        " WHERE source_id IS NOT NULL AND NOT CASE source_type"
        " WHEN 'invoice' THEN EXISTS (SELECT 1 FROM invoice WHERE id = source_id)"
        " WHEN 'payment' THEN EXISTS (SELECT 1 FROM payment WHERE id = source_id)"
        " WHEN 'allocation' THEN EXISTS (SELECT 1 FROM allocation WHERE id = source_id)"
        " WHEN 'offset' THEN EXISTS (SELECT 1 FROM contact_offset WHERE id = source_id)"
        " WHEN 'transfer' THEN EXISTS (SELECT 1 FROM transfer WHERE id = source_id)"
        " WHEN 'revaluation' THEN EXISTS (SELECT 1 FROM revaluation WHERE id = source_id)"
        " WHEN 'depreciation_run' THEN EXISTS (SELECT 1 FROM depreciation_run WHERE id = source_id)"
        " WHEN 'asset' THEN EXISTS (SELECT 1 FROM asset WHERE id = source_id)"
        " WHEN 'tax_return' THEN EXISTS (SELECT 1 FROM tax_return WHERE id = source_id)"
        " WHEN 'payroll_run' THEN EXISTS (SELECT 1 FROM payroll_run WHERE id = source_id) ELSE true END",
    ),
    Rule(
        "{} {} has more than one journal entry that counts.",
        "SELECT replace(source_type, '_', ' '), source_id FROM journal_entry AS entry"
        " WHERE source_id IS NOT NULL AND reverses_id IS NULL"
        " AND NOT EXISTS (SELECT 1 FROM journal_entry AS mirror WHERE mirror.reverses_id = entry.id)"
        " GROUP BY source_id, source_type, kind HAVING count(*) > 1",
    ),
)
