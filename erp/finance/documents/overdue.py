"""Settled amounts and days overdue of an invoice as of today: in Python for a record and in SQL for a list.

An allocation may be dated later than today. It counts at once when more is allocated, so that nothing is paid twice,
but it is not shown as paid before its day.
"""

from datetime import date
from typing import NamedTuple

from erp.finance.books import open_items
from erp.finance.documents.models import CLOSED, DEMANDING, Invoice
from erp.finance.items.store import SETTLED_LATER
from erp.store import sql

AWAITING = ("issued", "partially_paid")
"""Statuses in which something is due."""
SETTLED = ("paid", "credited")
"""Statuses in which nothing is left to be settled."""
DEMANDS = "kind NOT IN ('sales_credit_note', 'purchase_credit_note')"
"""SQL of `DEMANDING`: comparing with two values takes a tenth of the time of comparing with four."""


def _overdue(awaited: str) -> str:
    return f"({awaited} AND {DEMANDS} AND due_date < :today)"


class Columns(NamedTuple):
    """SQL expressions of a list as of :today, and of its filters, which are without the join.

    Filters name the statuses as the parameter `status_among`.
    """

    joined: str
    paid: str
    credited: str
    status: str
    is_overdue: str
    with_status: str
    with_overdue: str

    @property
    def due(self) -> str:
        """The unpaid amount, 0 once void or written off."""
        return f"(CASE WHEN status IN {CLOSED} THEN 0 ELSE total - deposit_total - {self.paid} - {self.credited} END)"

    @property
    def days_overdue(self) -> str:
        """The days since the due date, 0 where it is not overdue."""
        return f"CASE WHEN {self.is_overdue} THEN {sql.days_between('due_date', ':today')} ELSE 0 END"


_AWAITED = f"status IN {AWAITING}"
_AMONG = "IN (SELECT value FROM json_each(:status_among))"

STORED = Columns(
    joined="",
    paid="amount_paid",
    credited="amount_credited",
    status="status",
    is_overdue=_overdue(_AWAITED),
    with_status=f"status {_AMONG}",
    with_overdue=_overdue(_AWAITED),
)
"""The table's own columns, used while no allocation is dated later than today."""

_PAID, _CREDITED = "(amount_paid - coalesce(paid_later, 0))", "(amount_credited - coalesce(credited_later, 0))"
_STATUS = (
    f"CASE WHEN document_id IS NULL OR status IN {CLOSED} THEN status WHEN {_PAID} + {_CREDITED} = 0 THEN 'issued'"
    " ELSE 'partially_paid' END"
)
_IS_LATER = f"id IN (SELECT document_id FROM ({SETTLED_LATER}) AS later)"

DATED = Columns(
    joined=f"LEFT JOIN ({SETTLED_LATER}) AS settled_later ON document_id = invoice.id",
    paid=_PAID,
    credited=_CREDITED,
    status=_STATUS,
    is_overdue=_overdue(f"({_AWAITED} OR (status IN {SETTLED} AND document_id IS NOT NULL))"),
    with_status=(
        f"((status {_AMONG} AND NOT {_IS_LATER}) OR id IN (SELECT id FROM ({SETTLED_LATER}) AS later"
        f" JOIN invoice ON id = document_id WHERE {_STATUS} {_AMONG}))"
    ),
    with_overdue=_overdue(f"({_AWAITED} OR (status IN {SETTLED} AND {_IS_LATER}))"),
)
"""Used while an allocation is dated later than today; takes 0.5 ms a page more."""


class Settled(NamedTuple):
    """Settled amounts of an invoice as of a day, in minor units, and its status on that day."""

    paid: int
    credited: int
    due: int
    status: str
    days_overdue: int

    @classmethod
    def of(cls, invoice: Invoice, paid_later: int, credited_later: int, today: date) -> "Settled":
        """From an invoice and the amounts of it that are settled after today."""
        status: str = invoice.status
        paid, credited = invoice.amount_paid - paid_later, invoice.amount_credited - credited_later
        if status in CLOSED:
            return cls(paid, credited, 0, status, 0)
        if paid_later or credited_later:
            status = "partially_paid" if paid or credited else "issued"
        is_awaited = status in AWAITING and invoice.kind in DEMANDING
        days_overdue = open_items.days_late(invoice.due_date, today) if is_awaited else 0
        return cls(paid, credited, invoice.demanded - paid - credited, status, days_overdue)
