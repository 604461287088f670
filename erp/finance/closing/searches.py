"""The searches of the check-list, in fixed SQL: records by their days, and the account of opening balances."""

from typing import Literal

import msgspec

from erp.finance.contacts import heads
from erp.finance.documents.overdue import STORED
from erp.finance.documents.standing import HAS_FILE
from erp.kernel.language import Sentence, says
from erp.store import sql

FindingKind = Literal[
    "draft_invoices",
    "draft_bills",
    "draft_payroll_runs",
    "unallocated_payments",
    "unallocated_credit_notes",
    "unmatched_bank_lines",
    "unmatched_bank_entries",
    "bills_without_file",
    "future_documents",
    "tax_rate_misfit",
    "trial_balance",
    "opening_account",
    "lines_without_asset",
    "depreciation_missing",
    "asset_register_differs",
]


class Search(msgspec.Struct, frozen=True):
    """A kind of finding: its text, its list, and its records.

    These are selected as type, id, number, day, contact, text, amount and currency. They lie between `:since` and
    `:through`, or after `:ahead`.
    """

    kind: FindingKind
    message: Sentence
    link: str
    records: str
    is_ahead: bool = False


_COLUMNS = "AS type, {id} AS id, {number} AS number, {day} AS day, {contact} AS contact_name, {text} AS text,"


def _columns(type: str, amount: str, currency: str = "currency", **names: str) -> str:
    parts = {"id": "id", "number": "number", "day": "date", "contact": "NULL", "text": "NULL", **names}
    return f"SELECT '{type}' {_COLUMNS.format(**parts)} {amount} AS amount, {currency} AS currency"


_DOCUMENT = {"day": "issue_date", "contact": "contact_name"}
_PAYMENT = {"id": "p.id", "contact": "contact.name"}
_DRAFTS = (
    f"{_columns('invoice', 'total', **_DOCUMENT)} FROM invoice"
    " WHERE status = 'draft' AND issue_date BETWEEN :since AND :through AND kind"
)
_STANDS = "NOT EXISTS (SELECT 1 FROM journal_entry AS mirror WHERE mirror.reverses_id = {entry})"
_MATCHED = (
    "coalesce((SELECT sum(m.amount) FROM bank_match AS m WHERE m.line_id = l.id"
    f" AND {_STANDS.format(entry='m.entry_id')}), 0)"
)
_MOVED = (
    "(SELECT p.entry_id, p.account_id, a.currency, sum(CASE WHEN a.currency = :base THEN p.amount"
    " ELSE coalesce(p.foreign_amount, 0) END) AS amount"
    f" FROM account AS a {sql.THEN_JOIN} posting AS p ON p.account_id = a.id AND p.date BETWEEN :since AND :through"
    " WHERE a.subtype = 'bank' GROUP BY p.entry_id, p.account_id, a.currency) AS moved"
)
_ON_STATEMENTS = (
    "coalesce((SELECT sum(m.amount) FROM bank_match AS m JOIN bank_line AS l ON l.id = m.line_id"
    " WHERE m.entry_id = moved.entry_id AND l.account_id = moved.account_id), 0)"
)

BY_DAY = (
    Search(
        "draft_invoices",
        says("Draft invoices dated in the period cannot be issued once it is locked. Issue or delete them first."),
        "/api/v1/finance/invoices?status=draft",
        f"{_DRAFTS} IN ('sales_invoice', 'sales_credit_note')",
    ),
    Search(
        "draft_bills",
        says("Draft bills dated in the period cannot be posted once it is locked. Post or delete them first."),
        "/api/v1/finance/invoices?kind=purchase_invoice&status=draft",
        f"{_DRAFTS} IN ('purchase_invoice', 'purchase_credit_note')",
    ),
    Search(
        "draft_payroll_runs",
        says("Payroll runs of the period are not approved. Approve or delete them first."),
        "/api/v1/hr/payroll/runs?status=draft",
        f"{_columns('payroll_run', 'CAST(NULL AS BIGINT)', 'NULL', day='period_end')} FROM payroll_run"
        " WHERE status = 'draft' AND period_end BETWEEN :since AND :through",
    ),
    Search(
        "unallocated_payments",
        says("Payments in the period are not fully allocated. Allocate them first."),
        "/api/v1/finance/payments?isUnallocated=true",
        _columns(
            "payment",
            "abs(open)",
            "item.currency",
            id="document_id",
            contact="contact.name",
        )
        + " FROM open_item AS item"
        f" {heads.join('item.contact_id')} WHERE document_type = 'payment' AND open <> 0"
        " AND date BETWEEN :since AND :through",
    ),
    Search(
        "unallocated_credit_notes",
        says("Credit notes in the period are not fully settled. Allocate or refund them first."),
        "/api/v1/finance/invoices?kind=sales_credit_note,purchase_credit_note",
        f"{_columns('invoice', STORED.due, **_DOCUMENT)} FROM invoice"
        " WHERE kind IN ('sales_credit_note', 'purchase_credit_note') AND status IN ('issued', 'partially_paid')"
        " AND issue_date BETWEEN :since AND :through",
    ),
    Search(
        "unmatched_bank_lines",
        says("Bank transactions are not matched yet. Match them first."),
        "/api/v1/finance/bank/lines?status=unmatched",
        _columns("bank_line", f"l.amount - {_MATCHED}", number="NULL", contact="party", text="text")
        + f" FROM bank_line AS l WHERE l.date BETWEEN :since AND :through AND l.amount <> {_MATCHED}",
    ),
    Search(
        "unmatched_bank_entries",
        says("Entries on bank accounts are not on a bank statement. Import the statements of the period first."),
        "/api/v1/finance/bank/statements",
        _columns(
            "journal_entry",
            f"moved.amount - {_ON_STATEMENTS}",
            "moved.currency",
            id="e.id",
            number="e.number",
            day="e.date",
            text="e.description",
        )
        + f" FROM {_MOVED} JOIN journal_entry AS e ON e.id = moved.entry_id"
        " WHERE e.kind NOT IN ('opening', 'reversal', 'revaluation', 'revaluation_reversal')"
        f" AND moved.amount <> {_ON_STATEMENTS} AND {_STANDS.format(entry='e.id')}",
    ),
    Search(
        "bills_without_file",
        says("Bills of the period have no file. Attach the supplier's file."),
        "/api/v1/finance/invoices?kind=purchase_invoice,purchase_credit_note&hasFile=false",
        f"{_columns('invoice', 'total', **_DOCUMENT)} FROM invoice"
        " WHERE kind IN ('purchase_invoice', 'purchase_credit_note') AND status NOT IN ('draft', 'void')"
        f" AND issue_date BETWEEN :since AND :through AND NOT {HAS_FILE}",
    ),
    Search(
        "future_documents",
        says("Documents are dated more than 7 days in the future. Check their dates."),
        "/api/v1/finance/journals?sort=-date",
        f"{_columns('invoice', 'total', **_DOCUMENT)} FROM invoice WHERE issue_date > :ahead AND status <> 'void'"
        f" UNION ALL {_columns('payment', 'p.amount', 'p.currency', **_PAYMENT)}"
        f" FROM payment AS p {heads.join('p.contact_id')} WHERE date > :ahead AND status <> 'void'"
        f" UNION ALL {_columns('journal_entry', 'total', ':base', text='description')}"
        " FROM journal_entry AS e WHERE date > :ahead AND kind = 'manual'"
        f" AND {_STANDS.format(entry='e.id')}",
        is_ahead=True,
    ),
)
"""All searches; a further kind of finding is one more of these."""

OPENING_ACCOUNT = (
    "SELECT a.id, a.code, a.name FROM default_account AS d JOIN account AS a ON a.id = d.account_id"
    " WHERE d.key = 'opening_balance'"
)

TAX_RATES_USED = """
SELECT DISTINCT 'invoice', i.id, i.number, i.issue_date, i.contact_name, NULL, i.total, i.currency, i.kind, i.customer,
    l.tax_rate_id
FROM invoice AS i JOIN invoice_line AS l ON l.invoice_id = i.id
WHERE i.issue_date BETWEEN :since AND :through AND i.status NOT IN ('draft', 'void') AND l.tax_rate_id IS NOT NULL
ORDER BY i.issue_date, i.id
"""
"""Issued documents in the columns of a search, then their kind, party and tax rate; a row for each tax rate."""
