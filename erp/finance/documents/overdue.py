"""What is settled of an invoice as of today, and when it is overdue: in Python for a record and in SQL for a list.

An allocation may be dated later than today. It counts at once where something is allocated, so that nothing is paid
twice, but it is not shown as paid before its day.
"""

from datetime import date
from typing import NamedTuple

from erp.finance.documents.models import CLOSED, Invoice
from erp.finance.items.store import SETTLED_LATER
from erp.store import sql

AWAITING = ("issued", "partially_paid")
"""Statuses in which something is due."""
DEMANDING = ("sales_invoice", "purchase_invoice")
"""Types that ask for money by the due date; a credit note is never overdue."""

INVOICES = f"invoice LEFT JOIN ({SETTLED_LATER}) AS settled_later ON document_id = invoice.id"
"""The table of invoices with what is settled of them after :today, null for nearly all."""
PAID = "(amount_paid - coalesce(paid_later, 0))"
CREDITED = "(amount_credited - coalesce(credited_later, 0))"
DUE = f"(CASE WHEN status IN {CLOSED} THEN 0 ELSE total - {PAID} - {CREDITED} END)"
STATUS = (
    f"CASE WHEN document_id IS NULL OR status IN {CLOSED} THEN status WHEN {PAID} + {CREDITED} = 0 THEN 'issued'"
    " ELSE 'partially_paid' END"
)
IS_SETTLED_LATER = f"id IN (SELECT document_id FROM ({SETTLED_LATER}) AS x)"
"""That `STATUS` may differ from the column `status`."""

IS_OVERDUE = (
    f"((status IN {AWAITING} OR (status = 'paid' AND {IS_SETTLED_LATER})) AND type IN {DEMANDING}"
    " AND due_date < :today)"
)
DAYS_OVERDUE = f"CASE WHEN {IS_OVERDUE} THEN {sql.days_between('due_date', ':today')} ELSE 0 END"


class Settled(NamedTuple):
    """What is settled of an invoice as of a day, in minor units, and where it stands."""

    paid: int
    credited: int
    due: int
    status: str
    days_overdue: int

    @classmethod
    def of(cls, invoice: Invoice, paid_later: int, credited_later: int, today: date) -> "Settled":
        """Those of an invoice, of which these amounts are settled after today."""
        status: str = invoice.status
        paid, credited = invoice.amount_paid - paid_later, invoice.amount_credited - credited_later
        if status in CLOSED:
            return cls(paid, credited, 0, status, 0)
        if paid_later or credited_later:
            status = "partially_paid" if paid or credited else "issued"
        is_awaited = status in AWAITING and invoice.type in DEMANDING
        days_overdue = max((today - invoice.due_date).days, 0) if is_awaited else 0
        return cls(paid, credited, invoice.total - paid - credited, status, days_overdue)
