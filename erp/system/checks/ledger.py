"""Whether the books keep their promises: entries balance, numbers have no gap, kept balances are the sums."""

from erp.system.checks.findings import Rule

_SUMS = "SELECT entry_id, count(*) AS postings, sum(amount) AS rest, sum(max(amount, 0)) AS debits FROM posting"

RULES = (
    Rule(
        "Journal entry {} does not balance: its debits and credits differ by {} (in the smallest unit of money).",
        f"SELECT number, abs(rest) FROM ({_SUMS} GROUP BY entry_id HAVING rest <> 0)"
        " JOIN journal_entry ON id = entry_id",
    ),
    Rule(
        "Journal entry {} has fewer than two lines, or lines that do not add up to its total.",
        f"SELECT number FROM journal_entry LEFT JOIN ({_SUMS} GROUP BY entry_id) ON id = entry_id"
        " WHERE coalesce(postings, 0) < 2 OR debits IS NOT total",
    ),
    Rule(
        "Journal entry {} has a line of another day than its own, {}.",
        "SELECT DISTINCT number, journal_entry.date FROM posting JOIN journal_entry ON id = entry_id"
        " WHERE posting.date <> journal_entry.date",
    ),
    Rule(
        "The journal entries of {} are not numbered from 1 on without a gap: {} of them, the last is {}.",
        "SELECT iif(fiscal_year, 'fiscal year ' || fiscal_year, 'all years'), count(*), max(seq) FROM journal_entry"
        " LEFT JOIN number_counter AS c USING (fiscal_year) WHERE c.series = 'journal'"
        " GROUP BY fiscal_year HAVING min(seq) <> 1 OR max(seq) <> count(*) OR max(seq) IS NOT max(c.last)",
    ),
    Rule(
        "Journal entry {} is not the exact mirror of {}, which it reverses, or is dated before it.",
        "SELECT mirror.number, first.number FROM journal_entry AS mirror"
        " JOIN journal_entry AS first ON first.id = mirror.reverses_id WHERE mirror.date < first.date"
        " OR first.reverses_id IS NOT NULL OR mirror.total <> first.total OR EXISTS ("
        "  SELECT 1 FROM posting AS theirs LEFT JOIN posting AS ours"
        "  ON ours.entry_id = mirror.id AND ours.line = theirs.line WHERE theirs.entry_id = first.id"
        "  AND (ours.amount IS NOT -theirs.amount OR ours.account_id IS NOT theirs.account_id"
        "   OR ours.contact_id IS NOT theirs.contact_id))",
    ),
    Rule(
        "Journal entry {} posts to account {}, which is a group.",
        "SELECT number, code FROM account CROSS JOIN posting ON account_id = account.id"
        " JOIN journal_entry ON journal_entry.id = entry_id WHERE is_group",
    ),
    Rule(
        "Journal entry {} posts to account {} without naming the customer or supplier.",
        "SELECT number, code FROM account CROSS JOIN posting ON account_id = account.id"
        " JOIN journal_entry ON journal_entry.id = entry_id"
        " WHERE subtype IN ('receivable', 'payable') AND contact_id IS NULL",
    ),
    Rule(
        "The kept balance of account {} for {} is not the sum of its postings.",
        "SELECT coalesce(code, account_id), month FROM ("
        " SELECT account_id, month, debit, credit FROM balance"
        " UNION ALL SELECT account_id, substr(date, 1, 7), -sum(max(amount, 0)), -sum(max(-amount, 0))"
        "  FROM posting GROUP BY account_id, date"
        ") LEFT JOIN account ON account.id = account_id"
        " GROUP BY account_id, month HAVING sum(debit) <> 0 OR sum(credit) <> 0",
    ),
    Rule(
        "Journal entry {} names {} {}, which is not there.",
        "SELECT number, replace(source_type, '_', ' '), source_id FROM journal_entry AS entry"
        " WHERE source_id IS NOT NULL AND NOT CASE source_type"
        " WHEN 'invoice' THEN EXISTS (SELECT 1 FROM invoice WHERE id = source_id)"
        " WHEN 'payment' THEN EXISTS (SELECT 1 FROM payment WHERE id = source_id)"
        " WHEN 'allocation' THEN EXISTS (SELECT 1 FROM allocation WHERE id = source_id)"
        " WHEN 'payroll_run' THEN EXISTS (SELECT 1 FROM payroll_run WHERE id = source_id) ELSE 1 END",
    ),
    Rule(
        "{} {} has more than one journal entry that counts.",
        "SELECT replace(source_type, '_', ' '), source_id FROM journal_entry AS entry"
        " WHERE source_id IS NOT NULL AND reverses_id IS NULL"
        " AND NOT EXISTS (SELECT 1 FROM journal_entry AS mirror WHERE mirror.reverses_id = entry.id)"
        " GROUP BY source_id, source_type, kind HAVING count(*) > 1",
    ),
)
