"""When an invoice is overdue: one rule, in Python for a record and in SQL for a list."""

from datetime import date

from erp.finance.documents.models import Invoice
from erp.store import sql

AWAITING = ("issued", "partially_paid")
"""Statuses in which something is due."""
DEMANDING = ("sales_invoice", "purchase_invoice")
"""Types that ask for money by the due date; a credit note is never overdue."""

IS_OVERDUE = f"(status IN {AWAITING} AND kind IN {DEMANDING} AND due_date < :today)"
DAYS_OVERDUE = f"CASE WHEN {IS_OVERDUE} THEN {sql.days_between('due_date', ':today')} ELSE 0 END"


def days_overdue(invoice: Invoice, today: date) -> int:
    """How many days an invoice is past its due date, 0 where it is not overdue."""
    demanded = invoice.status in AWAITING and invoice.kind in DEMANDING
    return max((today - invoice.due_date).days, 0) if demanded else 0
