"""What still lies in a period that is to be locked: documents that could not be finished in it afterwards."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from erp.finance.documents.overdue import STORED
from erp.kernel import money
from erp.store.router import WORKSPACE
from erp.web.scalars import Day, Money
from erp.web.schema import View

MOST_RECORDS = 20
"""How many records of a kind are named; the count is that of all."""

FindingKind = Literal["draft_invoices", "draft_payroll_runs", "unallocated_payments", "unallocated_credit_notes"]


class LockFindingRecord(View):
    """A record that still lies in the period."""

    type: Literal["invoice", "payment", "payroll_run"]
    id: str
    number: Annotated[str | None, Meta(description="A draft of an invoice or a credit note has no number.")]
    date: Day
    contact_name: str | None
    amount: Annotated[Money | None, Meta(description="The total of a draft, else what is left to allocate.")]
    currency: str | None


class LockFinding(View):
    """Records of one kind that still lie in the period, the earliest first."""

    kind: FindingKind
    message: str
    count: int
    records: Annotated[list[LockFindingRecord], Meta(description=f"The first {MOST_RECORDS} of them.")]


class _Search(msgspec.Struct, frozen=True):
    """A kind of finding: what to say of it, and its records as type, id, number, day, contact, amount and currency."""

    kind: FindingKind
    says: str
    records: str


_SEARCHES = (
    _Search(
        "draft_invoices",
        "Drafts dated in the period cannot be issued in it once it is locked. Issue or delete them first.",
        "SELECT 'invoice', id, number, issue_date, contact_name, total, currency FROM invoice"
        " WHERE status = 'draft' AND issue_date <= :through",
    ),
    _Search(
        "draft_payroll_runs",
        "Payroll runs of the period are not approved. Approve or delete them first.",
        "SELECT 'payroll_run', id, number, period_end, NULL, NULL, NULL FROM payroll_run"
        " WHERE status = 'draft' AND period_end <= :through",
    ),
    _Search(
        "unallocated_payments",
        "Payments in the period are not allocated in full. Allocate them to invoices first.",
        "SELECT 'payment', document_id, number, date, contact.name, abs(open), open_item.currency"
        " FROM open_item JOIN contact ON contact.id = open_item.contact_id"
        " WHERE document_type = 'payment' AND open <> 0 AND date <= :through",
    ),
    _Search(
        "unallocated_credit_notes",
        "Credit notes in the period are not settled in full. Allocate or refund them first.",
        f"SELECT 'invoice', id, number, issue_date, contact_name, {STORED.due}, currency FROM invoice"
        " WHERE kind IN ('sales_credit_note', 'purchase_credit_note') AND status IN ('issued', 'partially_paid')"
        " AND issue_date <= :through",
    ),
)
"""What is looked for: a further kind of finding is one more of these."""


def through(day: date) -> list[LockFinding]:
    """What still lies in the period that ends with a day; kinds of which there is nothing are left out."""
    found = ((search, WORKSPACE.rows(_statement(search), {"through": day.isoformat()})) for search in _SEARCHES)
    return [_finding(search, rows) for search, rows in found if rows]


def _statement(search: _Search) -> str:
    return f"SELECT found.*, count(*) OVER () FROM ({search.records}) AS found ORDER BY 4, 2 LIMIT {MOST_RECORDS}"


def _finding(search: _Search, rows: Sequence[Sequence[Any]]) -> LockFinding:
    return LockFinding(kind=search.kind, message=search.says, count=rows[0][-1], records=[_record(row) for row in rows])


def _record(row: Sequence[Any]) -> LockFindingRecord:
    type, id, number, day, contact_name, amount, currency, _ = row
    return LockFindingRecord(
        type=type,
        id=id,
        number=number,
        date=day,
        contact_name=contact_name,
        amount=None if amount is None else money.text(amount, currency),
        currency=currency,
    )
