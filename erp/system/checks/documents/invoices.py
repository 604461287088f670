"""Checks of invoices and credit notes against their lines, entries and allocations."""

from erp.system.checks.documents.shared import APPLIED, MIRRORED, NAMED, OWED, YEAR
from erp.system.checks.findings import Rule

_LINKED = (
    "FROM allocation AS a JOIN open_item AS source ON source.id = a.from_item_id"
    " JOIN open_item AS target ON target.id = a.to_item_id"
    " WHERE a.released_on IS NULL AND source.document_id <> target.document_id"
)
_IS_CREDIT = (
    "target.document_type = 'invoice' AND (source.document_type = 'invoice'"
    " OR source.entry_id IN (SELECT id FROM journal_entry WHERE kind = 'deposit_closing'))"
)
_DEMANDING = "kind IN ('sales_invoice', 'deposit_invoice', 'final_invoice', 'purchase_invoice')"

_NUMBERED = (
    "SELECT CASE WHEN kind IN ('deposit_invoice', 'final_invoice') THEN 'sales_invoice' ELSE kind END AS kind,"
    " fiscal_year, seq FROM invoice WHERE seq IS NOT NULL"
)
"""Deposit and final invoices are numbered with the sales invoices."""

_INVOICES = (
    Rule(
        "Invoice {}: its paid and credited amounts are not the sums of its allocations.",
        f"SELECT {NAMED} FROM invoice LEFT JOIN ("
        " SELECT id, sum(CASE WHEN is_credit THEN 0 ELSE amount END) AS paid,"
        "  sum(CASE WHEN is_credit THEN amount ELSE 0 END) AS credited FROM ("
        f"  SELECT source.document_id AS id, a.amount AS amount, {_IS_CREDIT} AS is_credit {_LINKED}"
        f"  UNION ALL SELECT target.document_id, a.amount, {_IS_CREDIT} {_LINKED}"
        " ) AS allocated GROUP BY id) AS sums USING (id)"
        " WHERE amount_paid <> coalesce(paid, 0) OR amount_credited <> coalesce(credited, 0)",
    ),
    Rule(
        "Invoice {} does not show that something was taken off it or credits it.",
        f"SELECT {NAMED} FROM invoice WHERE NOT is_adjusted AND (id IN (SELECT invoice_id FROM deduction)"
        " OR id IN (SELECT credited_invoice_id FROM invoice WHERE credited_invoice_id IS NOT NULL))",
    ),
    Rule(
        "Invoice {} is marked {}, which does not match its payments and credits.",
        f"SELECT {NAMED}, replace(status, '_', ' ') FROM invoice WHERE status <> CASE"
        " WHEN number IS NULL THEN 'draft' WHEN amount_paid + amount_credited = total - deposit_total AND EXISTS ("
        " SELECT 1 FROM deduction WHERE deduction.invoice_id = invoice.id AND deduction.kind = 'uncollectable'"
        " AND undone_on IS NULL) THEN 'written_off'"
        " WHEN status = 'void' AND amount_paid + amount_credited = 0 THEN status"
        " WHEN amount_paid + deposit_total = 0 AND amount_credited = total AND total > 0"
        f" AND {_DEMANDING} THEN 'credited'"
        " WHEN amount_paid + amount_credited = total - deposit_total THEN 'paid'"
        " WHEN amount_paid + amount_credited = 0 THEN 'issued'"
        " ELSE 'partially_paid' END OR (total >= 0 AND amount_paid + amount_credited > total - deposit_total)",
    ),
    Rule(
        "Invoice {}: its total is not the sum of its lines, adjustments and tax.",
        f"SELECT {NAMED} FROM invoice"
        " LEFT JOIN (SELECT invoice_id AS id, sum(net) AS net FROM invoice_line GROUP BY invoice_id) AS lines"
        " USING (id)"
        " LEFT JOIN (SELECT invoice_id AS id, sum(amount) AS tax FROM invoice_tax GROUP BY invoice_id) AS taxes"
        " USING (id)"
        " WHERE subtotal <> coalesce(net, 0) OR tax_total <> coalesce(tax, 0)"
        " OR total <> subtotal - discount_total + charge_total + tax_total + rounding_amount",
    ),
    Rule(
        "The journal entry of invoice {} does not match the invoice.",
        f"SELECT {NAMED} FROM invoice LEFT JOIN journal_entry AS entry ON entry.id = journal_entry_id"
        f" LEFT JOIN ({OWED}) AS owed ON owed.entry_id = journal_entry_id"
        f" LEFT JOIN ({APPLIED}) AS applied ON applied.invoice_id = invoice.id"
        " WHERE CASE WHEN status = 'draft' THEN journal_entry_id IS NOT NULL"
        " WHEN journal_entry_id IS NULL THEN base_total <> 0"
        " ELSE entry.source_id IS DISTINCT FROM invoice.id OR entry.source_type IS DISTINCT FROM 'invoice'"
        " OR entry.date <> issue_date"
        " OR abs(coalesce(owed.amount, 0)) <> base_total - coalesce(applied.base, 0)"
        f" OR (status = 'void') <> {MIRRORED.format('invoice')} END",
    ),
    Rule(
        "The {} {} are not numbered from 1 without a gap: there are {}, and the last is number {}.",
        f"SELECT replace(numbered.kind, '_', ' ') || 's', {YEAR}, count(*), max(seq) FROM ({_NUMBERED}) AS numbered"
        " LEFT JOIN number_counter AS c USING (fiscal_year) WHERE"
        " c.series = CASE numbered.kind WHEN 'sales_invoice' THEN 'salesInvoice' WHEN 'sales_credit_note' THEN"
        " 'salesCreditNote' WHEN 'purchase_invoice' THEN 'purchaseInvoice' ELSE 'purchaseCreditNote' END"
        " GROUP BY numbered.kind, fiscal_year HAVING min(seq) <> 1"
        " OR count(DISTINCT seq) <> count(*) OR max(seq) <> count(*) OR max(seq) <> max(c.last)",
    ),
)

_CREDITS = (
    Rule(
        "The credit notes of invoice {} come to more than the invoice.",
        "SELECT number FROM invoice JOIN (SELECT credited_invoice_id AS id, sum(total) AS credited,"
        " sum(base_total) AS base_credited FROM invoice WHERE credited_invoice_id IS NOT NULL AND status <> 'void'"
        " GROUP BY credited_invoice_id) AS notes USING (id) WHERE credited > total OR base_credited > base_total",
    ),
    Rule(
        "Credit note {} credits a line of another invoice than its own.",
        f"SELECT DISTINCT {NAMED} FROM invoice JOIN invoice_line AS line ON line.invoice_id = invoice.id"
        " WHERE line.credited_line_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM invoice_line AS credited"
        " WHERE credited.invoice_id = credited_invoice_id AND credited.id = line.credited_line_id)",
    ),
    Rule(
        "More is credited of line {} of invoice {} than it comes to.",
        "SELECT credited.position + 1, invoice.number FROM invoice_line AS line"
        " JOIN invoice AS note ON note.id = line.invoice_id AND note.status <> 'void'"
        " JOIN invoice_line AS credited ON credited.invoice_id = note.credited_invoice_id"
        " AND credited.id = line.credited_line_id JOIN invoice ON invoice.id = credited.invoice_id"
        " WHERE line.credited_line_id IS NOT NULL"
        " GROUP BY credited.id, credited.position, credited.net, credited.quantity, invoice.number"
        " HAVING abs(sum(line.net)) > abs(credited.net)"
        " OR abs(coalesce(sum(line.credited_quantity), 0)) > abs(credited.quantity)",
    ),
)

RULES = (*_INVOICES, *_CREDITS)
