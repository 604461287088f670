"""Whether invoices, payments and billed time agree with the books and with each other."""

from collections.abc import Iterator
from typing import NamedTuple

from erp.kernel import money
from erp.kernel.currencies import DIGITS
from erp.store import sql
from erp.store.router import WORKSPACE
from erp.system.checks.findings import Findings, Rule

_MIRRORED = "EXISTS (SELECT 1 FROM journal_entry AS mirror WHERE mirror.reverses_id = {}.journal_entry_id)"
_NAMED = "coalesce(invoice.number, 'draft ' || invoice.id)"
_YEAR = "CASE WHEN fiscal_year <> 0 THEN 'of ' || fiscal_year ELSE 'of all years' END"
_OWED = "SELECT entry_id, sum(amount) AS amount FROM posting WHERE contact_id IS NOT NULL GROUP BY entry_id"

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
_DEDUCTED = (
    "SELECT invoice_id, sum(net + tax) AS gross, sum(base_net + base_tax) AS base FROM invoice_deposit"
    " GROUP BY invoice_id"
)

_NUMBERED = (
    "SELECT CASE WHEN kind IN ('deposit_invoice', 'final_invoice') THEN 'sales_invoice' ELSE kind END AS kind,"
    " fiscal_year, seq FROM invoice WHERE seq IS NOT NULL"
)
"""Deposit and final invoices are numbered with the sales invoices."""

_INVOICES = (
    Rule(
        "Invoice {}: its paid and credited amounts are not the sums of its allocations.",
        f"SELECT {_NAMED} FROM invoice LEFT JOIN ("
        " SELECT id, sum(CASE WHEN is_credit THEN 0 ELSE amount END) AS paid,"
        "  sum(CASE WHEN is_credit THEN amount ELSE 0 END) AS credited FROM ("
        f"  SELECT source.document_id AS id, a.amount AS amount, {_IS_CREDIT} AS is_credit {_LINKED}"
        f"  UNION ALL SELECT target.document_id, a.amount, {_IS_CREDIT} {_LINKED}"
        " ) AS allocated GROUP BY id) AS sums USING (id)"
        " WHERE amount_paid <> coalesce(paid, 0) OR amount_credited <> coalesce(credited, 0)",
    ),
    Rule(
        "Invoice {} is marked {}, which does not match its payments and credits.",
        f"SELECT {_NAMED}, replace(status, '_', ' ') FROM invoice WHERE status <> CASE"
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
        f"SELECT {_NAMED} FROM invoice"
        " LEFT JOIN (SELECT invoice_id AS id, sum(net) AS net FROM invoice_line GROUP BY invoice_id) AS lines"
        " USING (id)"
        " LEFT JOIN (SELECT invoice_id AS id, sum(amount) AS tax FROM invoice_tax GROUP BY invoice_id) AS taxes"
        " USING (id)"
        " WHERE subtotal <> coalesce(net, 0) OR tax_total <> coalesce(tax, 0)"
        " OR total <> subtotal - discount_total + charge_total + tax_total + rounding_amount",
    ),
    Rule(
        "The journal entry of invoice {} does not match the invoice.",
        f"SELECT {_NAMED} FROM invoice LEFT JOIN journal_entry AS entry ON entry.id = journal_entry_id"
        f" LEFT JOIN ({_OWED}) AS owed ON owed.entry_id = journal_entry_id"
        f" LEFT JOIN ({_DEDUCTED}) AS deducted ON deducted.invoice_id = invoice.id"
        " WHERE CASE WHEN status = 'draft' THEN journal_entry_id IS NOT NULL"
        " WHEN journal_entry_id IS NULL THEN base_total <> 0"
        " ELSE entry.source_id IS DISTINCT FROM invoice.id OR entry.source_type IS DISTINCT FROM 'invoice'"
        " OR entry.date <> issue_date"
        " OR abs(coalesce(owed.amount, 0)) <> base_total - coalesce(deducted.base, 0)"
        f" OR (status = 'void') <> {_MIRRORED.format('invoice')} END",
    ),
    Rule(
        "The {} {} are not numbered from 1 without a gap: there are {}, and the last is number {}.",
        f"SELECT replace(numbered.kind, '_', ' ') || 's', {_YEAR}, count(*), max(seq) FROM ({_NUMBERED}) AS numbered"
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
        " sum(base_total) AS base_credited FROM invoice WHERE status <> 'void' GROUP BY credited_invoice_id) AS notes"
        " USING (id) WHERE credited > total OR base_credited > base_total",
    ),
    Rule(
        "Credit note {} credits a line of another invoice than its own.",
        f"SELECT DISTINCT {_NAMED} FROM invoice JOIN invoice_line AS line ON line.invoice_id = invoice.id"
        " JOIN invoice_line AS credited ON credited.id = line.credited_line_id"
        " WHERE credited.invoice_id IS DISTINCT FROM credited_invoice_id",
    ),
    Rule(
        "More is credited of line {} of invoice {} than it comes to.",
        "SELECT credited.position + 1, invoice.number FROM invoice_line AS credited"
        " JOIN invoice ON invoice.id = credited.invoice_id"
        " JOIN invoice_line AS line ON line.credited_line_id = credited.id"
        " JOIN invoice AS note ON note.id = line.invoice_id AND note.status <> 'void'"
        " GROUP BY credited.id, credited.position, credited.net, credited.quantity, invoice.number"
        " HAVING abs(sum(line.net)) > abs(credited.net)"
        " OR abs(coalesce(sum(line.credited_quantity), 0)) > abs(credited.quantity)",
    ),
)

_LIVE_RECEIPTS = (
    "SELECT receipt.invoice_id AS deposit_id, receipt.tax_rate_id AS tax_rate_id, sum(net) AS net, sum(tax) AS tax,"
    " sum(base_net) AS base_net, sum(base_tax) AS base_tax FROM deposit_receipt AS receipt"
    " JOIN allocation ON allocation.id = allocation_id WHERE released_on IS NULL"
    " GROUP BY receipt.invoice_id, receipt.tax_rate_id"
)

_DEPOSITS = (
    Rule(
        "What {} settles of deposit invoice {} on {} is not what is kept or posted as received of it.",
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
        "Final invoice {} deducts another sum than its deposits come to.",
        f"SELECT {_NAMED} FROM invoice LEFT JOIN ({_DEDUCTED}) AS deducted"
        " ON deducted.invoice_id = invoice.id WHERE deposit_total <> coalesce(gross, 0)"
        " OR (deducted.invoice_id IS NOT NULL AND kind <> 'final_invoice')",
    ),
    Rule(
        "Final invoice {} does not deduct of deposit {} what was received of it.",
        "SELECT DISTINCT invoice.number, deposit.number FROM invoice_deposit AS part"
        " JOIN invoice ON invoice.id = part.invoice_id AND invoice.status NOT IN ('draft', 'void')"
        " JOIN invoice AS deposit ON deposit.id = part.deposit_id"
        f" LEFT JOIN ({_LIVE_RECEIPTS}) AS live ON live.deposit_id = part.deposit_id"
        " AND live.tax_rate_id IS NOT DISTINCT FROM part.tax_rate_id"
        " WHERE deposit.contact_id <> invoice.contact_id OR deposit.currency <> invoice.currency"
        " OR (part.net, part.tax, part.base_net, part.base_tax) <> (coalesce(live.net, 0), coalesce(live.tax, 0),"
        "  coalesce(live.base_net, 0), coalesce(live.base_tax, 0))"
        " OR deposit.amount_paid + deposit.amount_credited <> deposit.total",
    ),
    Rule(
        "Deposit {} is deducted by more than one final invoice.",
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
        f" OR (deduction.undone_on IS NOT NULL) <> {_MIRRORED.format('deduction')} END",
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

_PAYMENTS = (
    Rule(
        "The journal entry of payment {} does not match the payment.",
        "SELECT payment.number FROM payment LEFT JOIN journal_entry AS entry ON entry.id = journal_entry_id"
        f" LEFT JOIN ({_OWED}) AS owed ON owed.entry_id = journal_entry_id"
        " WHERE CASE WHEN journal_entry_id IS NULL THEN base_amount <> 0"
        " ELSE entry.source_id IS DISTINCT FROM payment.id OR entry.source_type IS DISTINCT FROM 'payment'"
        " OR entry.date <> payment.date"
        f" OR abs(coalesce(owed.amount, 0)) <> base_amount OR (status = 'void') <> {_MIRRORED.format('payment')} END",
    ),
    Rule(
        "The payments {} are not numbered from 1 without a gap: there are {}, and the last is number {}.",
        f"SELECT {_YEAR}, count(*), max(seq) FROM payment"
        " LEFT JOIN number_counter AS c USING (fiscal_year) WHERE c.series = 'payment'"
        " GROUP BY fiscal_year HAVING min(seq) <> 1 OR max(seq) <> count(*) OR max(seq) <> max(c.last)",
    ),
)

_PAYMENT_RUNS = (
    Rule(
        "The amount of payment run {} is not the sum of its payments.",
        "SELECT run.number FROM payment_run AS run LEFT JOIN (SELECT run_id, sum(payment.amount) AS paid"
        " FROM payment_run_transfer JOIN payment ON payment.id = payment_id GROUP BY run_id) AS sums"
        " ON sums.run_id = run.id WHERE run.amount <> coalesce(paid, 0)",
    ),
    Rule(
        "Payment run {} is void, but its payment {} is not.",
        "SELECT run.number, payment.number FROM payment_run AS run"
        " JOIN payment_run_transfer ON run_id = run.id JOIN payment ON payment.id = payment_id"
        " WHERE run.status = 'void' AND payment.status <> 'void'",
    ),
    Rule(
        "Payment run {} is void, but the credit that it used of {} has not been released.",
        "SELECT run.number, item.number FROM payment_run AS run JOIN payment_run_credit ON run_id = run.id"
        " JOIN allocation ON allocation.id = allocation_id JOIN open_item AS item ON item.id = from_item_id"
        " WHERE run.status = 'void' AND allocation.released_on IS NULL",
    ),
    Rule(
        "The payment runs {} are not numbered from 1 without a gap: there are {}, and the last is number {}.",
        f"SELECT {_YEAR}, count(*), max(seq) FROM payment_run"
        " LEFT JOIN number_counter AS c USING (fiscal_year) WHERE c.series = 'paymentRun'"
        " GROUP BY fiscal_year HAVING min(seq) <> 1 OR max(seq) <> count(*) OR max(seq) <> max(c.last)",
    ),
)

_OFFSETS = (
    Rule(
        "The journal entry of offset {} does not match the offset.",
        "SELECT o.number FROM contact_offset AS o LEFT JOIN journal_entry AS entry ON entry.id = journal_entry_id"
        " LEFT JOIN (SELECT entry_id, min(contact_id) AS first, max(contact_id) AS last,"
        "  sum(CASE WHEN amount > 0 THEN amount ELSE 0 END) AS debits,"
        "  sum(CASE WHEN amount < 0 THEN -amount ELSE 0 END) AS credits, min(currency) AS currency"
        "  FROM open_item GROUP BY entry_id) AS items ON items.entry_id = journal_entry_id"
        " WHERE entry.source_id IS DISTINCT FROM o.id OR entry.kind <> 'offset' OR entry.date <> o.date"
        " OR debits IS DISTINCT FROM o.amount OR credits IS DISTINCT FROM o.amount OR items.currency <> o.currency"
        f" OR first <> o.contact_id OR last <> o.contact_id OR (status = 'void') <> {_MIRRORED.format('o')}",
    ),
    Rule(
        "Something is open of {}, which is part of an offset.",
        "SELECT item.number FROM open_item AS item JOIN journal_entry AS entry ON entry.id = item.entry_id"
        " WHERE entry.source_type = 'offset' AND open <> 0",
    ),
    Rule(
        "The offsets {} are not numbered from 1 without a gap: there are {}, and the last is number {}.",
        f"SELECT {_YEAR}, count(*), max(seq) FROM contact_offset"
        " LEFT JOIN number_counter AS c USING (fiscal_year) WHERE c.series = 'offset'"
        " GROUP BY fiscal_year HAVING min(seq) <> 1 OR max(seq) <> count(*) OR max(seq) <> max(c.last)",
    ),
)

_TRANSFERS = (
    Rule(
        "The journal entry of transfer {} does not match the transfer.",
        "SELECT t.number FROM transfer AS t LEFT JOIN journal_entry AS entry ON entry.id = journal_entry_id"
        " JOIN account AS source ON source.id = t.from_account_id JOIN account AS target ON target.id = t.to_account_id"
        " LEFT JOIN (SELECT entry_id, account_id, sum(amount) AS base, sum(foreign_amount) AS own"
        "  FROM posting GROUP BY entry_id, account_id) AS sent"
        " ON sent.entry_id = journal_entry_id AND sent.account_id = t.from_account_id"
        " LEFT JOIN (SELECT entry_id, account_id, sum(amount) AS base, sum(foreign_amount) AS own"
        "  FROM posting GROUP BY entry_id, account_id) AS arrived"
        " ON arrived.entry_id = journal_entry_id AND arrived.account_id = t.to_account_id"
        " WHERE entry.source_id IS DISTINCT FROM t.id OR entry.kind <> 'transfer' OR entry.date <> t.date"
        " OR source.currency <> t.currency OR target.currency <> t.received_currency"
        " OR coalesce(sent.own, sent.base) IS DISTINCT FROM -(t.amount + coalesce(t.fee_amount, 0))"
        " OR coalesce(arrived.own, arrived.base) IS DISTINCT FROM t.received_amount"
        f" OR (status = 'void') <> {_MIRRORED.format('t')}",
    ),
    Rule(
        "The transfers {} are not numbered from 1 without a gap: there are {}, and the last is number {}.",
        f"SELECT {_YEAR}, count(*), max(seq) FROM transfer"
        " LEFT JOIN number_counter AS c USING (fiscal_year) WHERE c.series = 'transfer'"
        " GROUP BY fiscal_year HAVING min(seq) <> 1 OR max(seq) <> count(*) OR max(seq) <> max(c.last)",
    ),
)

_REVALUATIONS = (
    Rule(
        "The journal entries of revaluation {} do not match the revaluation.",
        "SELECT r.number FROM revaluation AS r LEFT JOIN journal_entry AS entry ON entry.id = r.journal_entry_id"
        " LEFT JOIN journal_entry AS back ON back.id = r.reversal_entry_id"
        " WHERE r.journal_entry_id IS NOT NULL AND (entry.source_id IS DISTINCT FROM r.id OR entry.date <> r.date"
        " OR entry.kind <> 'revaluation' OR back.kind IS DISTINCT FROM 'revaluation_reversal'"
        " OR back.source_id IS DISTINCT FROM r.id OR back.total <> entry.total"
        f" OR {sql.days_between('entry.date', 'back.date')} <> 1"
        f" OR (r.status = 'void') <> {_MIRRORED.format('r')}"
        " OR (r.status = 'void') <> EXISTS (SELECT 1 FROM journal_entry AS m WHERE m.reverses_id = back.id"
        "  AND m.date = back.date))",
    ),
    Rule(
        "The day after revaluation {}, its entry is not taken back line by line.",
        "SELECT DISTINCT r.number FROM revaluation AS r JOIN posting AS p ON p.entry_id = r.journal_entry_id"
        " LEFT JOIN posting AS back ON back.entry_id = r.reversal_entry_id AND back.line = p.line"
        " WHERE back.amount IS DISTINCT FROM -p.amount OR back.account_id IS DISTINCT FROM p.account_id"
        " OR back.contact_id IS DISTINCT FROM p.contact_id",
    ),
    Rule(
        "The revaluations {} are not numbered from 1 without a gap: there are {}, and the last is number {}.",
        f"SELECT {_YEAR}, count(*), max(seq) FROM revaluation"
        " LEFT JOIN number_counter AS c USING (fiscal_year) WHERE c.series = 'revaluation'"
        " GROUP BY fiscal_year HAVING min(seq) <> 1 OR max(seq) <> count(*) OR max(seq) <> max(c.last)",
    ),
)

_TIME = (
    Rule(
        "A time log of {} ({} minutes) is on invoice {}, which is void or has no such line.",
        f"SELECT time_log.date, minutes, {_NAMED} FROM time_log JOIN invoice ON invoice.id = invoice_id"
        " WHERE invoice.status = 'void' OR NOT EXISTS (SELECT 1 FROM invoice_line"
        " WHERE invoice_line.invoice_id = time_log.invoice_id AND position = time_log.invoice_line)",
    ),
    Rule(
        "The amount of a time log of {} ({} minutes) is not its minutes at its rate.",
        "SELECT log.date, minutes FROM time_log AS log JOIN task ON task.id = task_id"
        " LEFT JOIN project ON project.id = task.project_id WHERE log.invoice_id IS NULL AND log.amount <> CASE"
        " WHEN log.is_billable"
        "  THEN (minutes * coalesce(log.hourly_rate, task.hourly_rate, project.hourly_rate, 0) + 30) / 60 ELSE 0 END",
    ),
)

RULES = (
    *(*_INVOICES, *_CREDITS, *_DEPOSITS, *_DEDUCTIONS, *_PAYMENTS, *_PAYMENT_RUNS),
    *(*_OFFSETS, *_TRANSFERS, *_REVALUATIONS, *_TIME),
)


class _Posted(NamedTuple):
    """A document, and what its entry posted to the accounts of contacts."""

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
_SIGNS = {
    "sales_invoice": 1,
    "sales_credit_note": -1,
    "deposit_invoice": 1,
    "final_invoice": 1,
    "purchase_invoice": -1,
    "purchase_credit_note": 1,
    "received": -1,
    "made": 1,
}
"""Whether a document debits or credits the account of its contact, by its kind or direction."""

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
    sign = _SIGNS.get(document.kind)
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
