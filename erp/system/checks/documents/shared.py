"""SQL that several rules share."""

from erp.system.checks.findings import Rule

MIRRORED = "EXISTS (SELECT 1 FROM journal_entry AS mirror WHERE mirror.reverses_id = {}.journal_entry_id)"
NAMED = "coalesce(invoice.number, 'draft ' || invoice.id)"
YEAR = "CASE WHEN fiscal_year <> 0 THEN 'of ' || fiscal_year ELSE 'of all years' END"
OWED = "SELECT entry_id, sum(amount) AS amount FROM posting WHERE contact_id IS NOT NULL GROUP BY entry_id"
APPLIED = (
    "SELECT invoice_id, sum(net + tax) AS gross, sum(base_net + base_tax) AS base FROM invoice_deposit"
    " GROUP BY invoice_id"
)


def numbered(what: str, table: str, series: str) -> Rule:
    """The rule that records of a series are numbered without a gap."""
    return Rule(
        f"The {what} {{}} are not numbered from 1 without a gap: there are {{}}, and the last is number {{}}.",
        f"SELECT {YEAR}, count(*), max(seq) FROM {table} LEFT JOIN number_counter AS c USING (fiscal_year)"
        f" WHERE c.series = '{series}' GROUP BY fiscal_year HAVING min(seq) <> 1 OR count(DISTINCT seq) <> count(*)"
        " OR max(seq) <> count(*) OR max(seq) <> max(c.last)",
    )
