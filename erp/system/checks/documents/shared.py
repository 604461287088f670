"""SQL that several rules share."""

MIRRORED = "EXISTS (SELECT 1 FROM journal_entry AS mirror WHERE mirror.reverses_id = {}.journal_entry_id)"
NAMED = "coalesce(invoice.number, 'draft ' || invoice.id)"
YEAR = "CASE WHEN fiscal_year <> 0 THEN 'of ' || fiscal_year ELSE 'of all years' END"
OWED = "SELECT entry_id, sum(amount) AS amount FROM posting WHERE contact_id IS NOT NULL GROUP BY entry_id"
APPLIED = (
    "SELECT invoice_id, sum(net + tax) AS gross, sum(base_net + base_tax) AS base FROM invoice_deposit"
    " GROUP BY invoice_id"
)
