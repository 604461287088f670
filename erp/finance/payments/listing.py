"""The list of payments: its filters and orders."""

from typing import Annotated, Literal

import msgspec
from peewee import ModelSelect

from erp.finance.books.bodies import AccountIdOrCode
from erp.finance.books.models import Account
from erp.finance.documents.models import Invoice
from erp.finance.items.models import Allocation
from erp.finance.items.settlement import Direction
from erp.finance.payments.models import Payment
from erp.finance.payments.recording import Method
from erp.web.scalars import Day
from erp.web.schema import ListQuery

Status = Literal["posted", "void"]


class PaymentFilter(ListQuery):
    direction: Direction | None = None
    status: Status | None = None
    contact_id: str | None = None
    invoice_id: Annotated[str, msgspec.Meta(description="The id or number of an invoice it settles.")] | None = None
    method: Method | None = None
    account_id: AccountIdOrCode | None = None
    date_from: Day | None = None
    date_to: Day | None = None
    unallocated: Annotated[bool, msgspec.Meta(description="Whether a part of it settles nothing yet.")] | None = None
    q: Annotated[str, msgspec.Meta(max_length=200, description="A part of number, reference or note.")] | None = None
    sort: Literal["date", "-date", "amount", "-amount", "number", "-number", "createdAt", "-createdAt"] = "-createdAt"


# The place in the series, for as text a number of six digits comes before one of five.
_PLACE = Payment.fiscal_year * 10**9 + Payment.seq

SORTABLE = {"date": Payment.date, "amount": Payment.amount, "number": _PLACE}


def matching(query: PaymentFilter) -> "ModelSelect[Payment]":
    """The payments that a filter lets through."""
    found = Payment.select()
    for column in ("direction", "status", "method"):
        value = getattr(query, column)
        if value is not None:
            found = found.where(getattr(Payment, column) == value)
    if query.contact_id is not None:
        found = found.where(Payment.contact == query.contact_id)
    if query.account_id is not None:
        named = (Account.id == query.account_id) | (Account.code == query.account_id)
        found = found.where(Payment.account.in_(Account.select(Account.id).where(named)))
    if query.invoice_id is not None:
        found = found.where(Payment.id.in_(_settling(query.invoice_id)))
    return _searched(_dated(found, query), query)


def _settling(invoice: str) -> "ModelSelect[Allocation]":
    """The ids of payments that settle an invoice, named by id or number."""
    named = (Invoice.id == invoice) | (Invoice.number == invoice)
    live = Allocation.select(Allocation.payment_id).join(Invoice, on=Allocation.invoice_id == Invoice.id)
    return live.where(named, Allocation.released_on.is_null(), Allocation.payment_id.is_null(False))


def _dated(found: "ModelSelect[Payment]", query: PaymentFilter) -> "ModelSelect[Payment]":
    if query.date_from is not None:
        found = found.where(Payment.date >= query.date_from)
    if query.date_to is not None:
        found = found.where(Payment.date <= query.date_to)
    return found


def _searched(found: "ModelSelect[Payment]", query: PaymentFilter) -> "ModelSelect[Payment]":
    if query.unallocated is not None:
        has_rest = (Payment.status == "posted") & (Payment.allocated_amount < Payment.amount)
        found = found.where(has_rest if query.unallocated else ~has_rest)
    if query.q is not None:
        texts = (Payment.number, Payment.reference, Payment.note)
        found = found.where(texts[0].contains(query.q) | texts[1].contains(query.q) | texts[2].contains(query.q))
    return found
