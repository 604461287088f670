"""Checks of payments, transfers, revaluations and billed time against their entries and each other."""

from erp.finance.contacts import heads
from erp.projects import rates
from erp.store import sql
from erp.system.checks.documents.shared import MIRRORED, NAMED, OWED, numbered
from erp.system.checks.findings import Rule

_PAYMENTS = (
    Rule(
        "The journal entry of payment {} does not match the payment.",
        "SELECT payment.number FROM payment LEFT JOIN journal_entry AS entry ON entry.id = journal_entry_id"
        f" LEFT JOIN ({OWED}) AS owed ON owed.entry_id = journal_entry_id"
        " WHERE CASE WHEN journal_entry_id IS NULL THEN base_amount <> 0"
        " ELSE entry.source_id IS DISTINCT FROM payment.id OR entry.source_type IS DISTINCT FROM 'payment'"
        " OR entry.date <> payment.date"
        f" OR abs(coalesce(owed.amount, 0)) <> base_amount OR (status = 'void') <> {MIRRORED.format('payment')} END",
    ),
    numbered("payments", "payment", "payment"),
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
    numbered("payment runs", "payment_run", "paymentRun"),
)

_OFFSETS = (
    Rule(
        "The journal entry of offset {} does not match the offset.",
        "SELECT o.number FROM contact_offset AS o LEFT JOIN journal_entry AS entry ON entry.id = journal_entry_id"
        " LEFT JOIN (SELECT entry_id, min(head_id) AS first, max(head_id) AS last,"
        "  sum(CASE WHEN amount > 0 THEN amount ELSE 0 END) AS debits,"
        "  sum(CASE WHEN amount < 0 THEN -amount ELSE 0 END) AS credits, min(currency) AS currency"
        f"  FROM (SELECT open_item.*, {heads.sql('contact_id')} AS head_id FROM open_item) AS own"
        "  GROUP BY entry_id) AS items ON items.entry_id = journal_entry_id"
        " WHERE entry.source_id IS DISTINCT FROM o.id OR entry.kind <> 'offset' OR entry.date <> o.date"
        " OR debits IS DISTINCT FROM o.amount OR credits IS DISTINCT FROM o.amount OR items.currency <> o.currency"
        f" OR first <> {heads.sql('o.contact_id')} OR first <> last OR (status = 'void') <> {MIRRORED.format('o')}",
    ),
    Rule(
        "Something is open of {}, which is part of an offset.",
        "SELECT item.number FROM open_item AS item JOIN journal_entry AS entry ON entry.id = item.entry_id"
        " WHERE entry.source_type = 'offset' AND open <> 0",
    ),
    numbered("offsets", "contact_offset", "offset"),
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
        f" OR (status = 'void') <> {MIRRORED.format('t')}",
    ),
    numbered("transfers", "transfer", "transfer"),
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
        f" OR (r.status = 'void') <> {MIRRORED.format('r')}"
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
    numbered("revaluations", "revaluation", "revaluation"),
)

_TIME = (
    Rule(
        "A time log of {} ({} minutes) is on invoice {}, which is void or has no such line.",
        f"SELECT time_log.date, minutes, {NAMED} FROM time_log JOIN invoice ON invoice.id = invoice_id"
        " WHERE invoice.status = 'void' OR NOT EXISTS (SELECT 1 FROM invoice_line"
        " WHERE invoice_line.invoice_id = time_log.invoice_id AND position = time_log.invoice_line)",
    ),
    Rule(
        "The amount of a time log of {} ({} minutes) is not its minutes at its rate.",
        "SELECT log.date, minutes FROM time_log AS log JOIN task ON task.id = task_id"
        " LEFT JOIN project ON project.id = task.project_id WHERE log.invoice_id IS NULL AND log.amount <> CASE"
        " WHEN log.is_billable"
        f"  THEN (minutes * coalesce({rates.OF_LOG}, 0) + 30) / 60 ELSE 0 END",
    ),
)

RULES = (*_PAYMENTS, *_PAYMENT_RUNS, *_OFFSETS, *_TRANSFERS, *_REVALUATIONS, *_TIME)
