"""Checks of deposits: applied and received amounts agree."""

from erp.finance.contacts import heads
from erp.system.checks.documents.shared import APPLIED, MIRRORED, NAMED
from erp.system.checks.findings import Rule

_LIVE_RECEIPTS = (
    "SELECT receipt.invoice_id AS deposit_id, receipt.tax_rate_id AS tax_rate_id, sum(net) AS net, sum(tax) AS tax,"
    " sum(base_net) AS base_net, sum(base_tax) AS base_tax FROM deposit_receipt AS receipt"
    " JOIN allocation ON allocation.id = allocation_id WHERE released_on IS NULL"
    " GROUP BY receipt.invoice_id, receipt.tax_rate_id"
)

_DEPOSITS = (
    Rule(
        "The settlement by {} of deposit invoice {} on {} differs from the stored or posted receipt.",
        "SELECT source.number, target.number, a.date FROM allocation AS a"
        " JOIN open_item AS source ON source.id = a.from_item_id JOIN open_item AS target ON target.id = a.to_item_id"
        " JOIN invoice ON invoice.id = target.document_id AND invoice.kind = 'deposit_invoice'"
        " LEFT JOIN (SELECT allocation_id, sum(net + tax) AS gross, sum(base_net + base_tax) AS base,"
        "  sum(base_tax) AS tax, min(journal_entry_id) AS entry_id FROM deposit_receipt GROUP BY allocation_id)"
        "  AS receipt ON receipt.allocation_id = a.id"
        " LEFT JOIN journal_entry AS entry ON entry.id = receipt.entry_id"
        " WHERE source.document_type = 'payment' AND (coalesce(receipt.gross, 0) <> a.amount"
        "  OR coalesce(receipt.base, 0) <> a.to_base OR CASE WHEN receipt.entry_id IS NULL THEN a.to_base <> 0"
        "  ELSE entry.source_id IS DISTINCT FROM a.id OR entry.date IS DISTINCT FROM a.date"
        "  OR (a.released_on IS NOT NULL)"
        "   <> EXISTS (SELECT 1 FROM journal_entry AS mirror WHERE mirror.reverses_id = receipt.entry_id)"
        "  OR EXISTS (SELECT 1 FROM deposit_receipt AS part WHERE part.allocation_id = a.id"
        "   AND NOT EXISTS (SELECT 1 FROM posting WHERE posting.entry_id = receipt.entry_id"
        "    AND posting.account_id = part.account_id))"
        "  OR (SELECT sum(amount) FROM posting WHERE posting.entry_id = receipt.entry_id AND amount > 0)"
        "   < a.to_base END)",
    ),
    Rule(
        "The deposits of final invoice {} do not sum to its deposit total.",
        f"SELECT {NAMED} FROM invoice LEFT JOIN ({APPLIED}) AS applied"
        " ON applied.invoice_id = invoice.id WHERE deposit_total <> coalesce(gross, 0)"
        " OR (applied.invoice_id IS NOT NULL AND kind <> 'final_invoice')",
    ),
    Rule(
        "Final invoice {} does not apply the received amount of deposit {}.",
        "SELECT DISTINCT invoice.number, deposit.number FROM invoice_deposit AS part"
        " JOIN invoice ON invoice.id = part.invoice_id AND invoice.status NOT IN ('draft', 'void')"
        " JOIN invoice AS deposit ON deposit.id = part.deposit_id"
        f" LEFT JOIN ({_LIVE_RECEIPTS}) AS live ON live.deposit_id = part.deposit_id"
        " AND live.tax_rate_id IS NOT DISTINCT FROM part.tax_rate_id"
        f" WHERE {heads.sql('deposit.contact_id')} <> {heads.sql('invoice.contact_id')}"
        " OR deposit.currency <> invoice.currency"
        " OR (part.net, part.tax, part.base_net, part.base_tax) <> (coalesce(live.net, 0), coalesce(live.tax, 0),"
        "  coalesce(live.base_net, 0), coalesce(live.base_tax, 0))"
        " OR deposit.amount_paid + deposit.amount_credited <> deposit.total",
    ),
    Rule(
        "Deposit {} is applied by more than one final invoice.",
        "SELECT deposit.number FROM invoice_deposit AS part"
        " JOIN invoice ON invoice.id = part.invoice_id AND invoice.status NOT IN ('draft', 'void')"
        " JOIN invoice AS deposit ON deposit.id = part.deposit_id"
        " GROUP BY part.deposit_id, deposit.number HAVING min(part.invoice_id) <> max(part.invoice_id)",
    ),
)

_OF_ANY = "deduction LEFT JOIN invoice ON invoice.id = invoice_id LEFT JOIN open_item AS taken ON taken.id = of_item_id"
_TAKEN = (
    "CASE deduction.kind WHEN 'uncollectable' THEN 'write-off' WHEN 'doubtful' THEN 'move to doubtful receivables'"
    " ELSE replace(deduction.kind, '_', ' ') END, coalesce('invoice ' || invoice.number, taken.number)"
)

_DEDUCTIONS = (
    Rule(
        "The parts of the {} of {} do not add up to it.",
        f"SELECT {_TAKEN} FROM {_OF_ANY} LEFT JOIN (SELECT deduction_id AS id, sum(part.amount) AS amount"
        "  FROM deduction_part AS part GROUP BY deduction_id) AS parts ON parts.id = deduction.id"
        " WHERE deduction.kind <> 'doubtful' AND deduction.amount <> coalesce(parts.amount, 0)",
    ),
    Rule(
        "The journal entry of the {} of {} does not match it.",
        f"SELECT {_TAKEN} FROM {_OF_ANY} LEFT JOIN journal_entry AS entry ON entry.id = deduction.journal_entry_id"
        " WHERE CASE WHEN deduction.journal_entry_id IS NULL THEN deduction.base_amount <> 0"
        " ELSE entry.date <> deduction.date OR entry.source_id IS DISTINCT FROM CASE deduction.kind"
        "  WHEN 'doubtful' THEN coalesce(invoice.id, deduction.id) WHEN 'recovery' THEN deduction.payment_id"
        "  ELSE deduction.id END"
        f" OR (deduction.undone_on IS NOT NULL) <> {MIRRORED.format('deduction')} END",
    ),
    Rule(
        "The {} of {} is not what its open item settles.",
        f"SELECT {_TAKEN} FROM {_OF_ANY} JOIN open_item AS own ON own.id = item_id"
        " WHERE abs(own.amount) <> deduction.amount OR abs(own.base_amount) <> deduction.base_amount"
        " OR NOT EXISTS (SELECT 1 FROM allocation AS a JOIN open_item AS target ON target.id = a.to_item_id"
        "  WHERE a.from_item_id = own.id AND (target.document_id = invoice.id OR target.id = of_item_id)"
        "  AND a.amount = deduction.amount AND (a.released_on IS NULL) = (deduction.undone_on IS NULL))",
    ),
    Rule(
        "More is recovered of {} than was written off.",
        f"SELECT coalesce('invoice ' || invoice.number, taken.number) FROM {_OF_ANY} WHERE undone_on IS NULL"
        " GROUP BY invoice.id, invoice.number, taken.id, taken.number"
        " HAVING sum(CASE WHEN deduction.kind = 'recovery' THEN deduction.amount ELSE 0 END)"
        " > sum(CASE WHEN deduction.kind = 'uncollectable' THEN deduction.amount ELSE 0 END)",
    ),
)

RULES = (*_DEPOSITS, *_DEDUCTIONS)
