"""The list of payments: its filters and orders."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET
from peewee import ModelSelect, fn

from erp.finance.books import accounts
from erp.finance.books.bodies import AccountIdOrCode
from erp.finance.books.models import OpenItem
from erp.finance.books.search import CONTACT_NAMED, found
from erp.finance.contacts import contacts, heads
from erp.finance.documents import invoices
from erp.finance.items import store as items
from erp.finance.items.documents import Direction
from erp.finance.payments.bodies import Method
from erp.finance.payments.models import Payment, Status
from erp.finance.payments.views import PaymentView
from erp.kernel import money
from erp.store import sql
from erp.web.paging import chosen, page, within
from erp.web.scalars import Day, Id, Money
from erp.web.schema import RecordQuery, SummedPage, Unset, View


class PaymentFilter(RecordQuery):
    direction: Direction | None = None
    status: Status | None = None
    contact_id: Annotated[Id, msgspec.Meta(description="A contact's id.")] | None = None
    invoice_id: Annotated[str, msgspec.Meta(description="The id or number of a settled invoice.")] | None = None
    method: Method | None = None
    account_id: AccountIdOrCode | None = None
    date_from: Day | None = None
    date_to: Day | None = None
    is_unallocated: Annotated[bool, msgspec.Meta(description="Whether any of it is left to allocate.")] | None = None
    q: (
        Annotated[
            str,
            msgspec.Meta(
                max_length=200,
                description="A part of number, contact, reference or note; or the amount, as `5124.16`, `5,124.16` or,"
                " with any cents, `5124`.",
            ),
        ]
        | None
    ) = None
    group_by: (
        Annotated[
            Literal["status", "currency"],
            msgspec.Meta(
                description="Answer counts and sums of all that match, by direction and currency, instead of a page."
            ),
        ]
        | None
    ) = None
    sort: Literal["date", "-date", "amount", "-amount", "number", "-number", "createdAt", "-createdAt"] = "-createdAt"


class PaymentSum(View, kw_only=True):
    """The payments of one direction and currency, and of one status if they are grouped by it."""

    direction: Direction
    status: Annotated[Status | Unset, msgspec.Meta(description="Only where it is grouped by.")] = UNSET
    currency: str
    count: int
    amount: Money
    unallocated_amount: Money


# By year and sequence: as text a number of six digits comes before one of five.
_NUMBER = Payment.fiscal_year * 10**9 + Payment.seq

_TEXTS = ("number", "reference", "note")

SORTABLE = {"date": Payment.date, "amount": Payment.amount, "number": _NUMBER}


def search(query: PaymentFilter) -> SummedPage[PaymentView, PaymentSum]:
    rows = page(_matching(query), query, views=PaymentView.of_many, sort=query.sort, sortable=SORTABLE)
    return SummedPage.of(rows, sums(query) if query.total else None)


def sums(query: PaymentFilter) -> list[PaymentSum]:
    """Counts and sums of the matching payments, in groups."""
    payment: Any = Payment
    left = OpenItem.select(fn.coalesce(fn.sum(fn.abs(OpenItem.open)), 0)).where(OpenItem.document_id == Payment.id)
    keys = [payment.direction, payment.currency, *([payment.status] if query.group_by == "status" else [])]
    select: Any = chosen(_matching(query), query).select(
        *keys, fn.count(payment.id), fn.sum(payment.amount), fn.sum(left)
    )
    return [_sum(*row[:2], *row[-3:], status=row[2:-3]) for row in select.group_by(*keys).order_by(*keys).tuples()]


def _sum(
    direction: Direction, currency: str, count: int, amount: int, left: int, *, status: Sequence[Status]
) -> PaymentSum:
    return PaymentSum(
        direction=direction,
        status=status[0] if status else UNSET,
        currency=currency,
        count=count,
        amount=money.text(amount, currency),
        unallocated_amount=money.text(left, currency),
    )


def _matching(query: PaymentFilter) -> "ModelSelect[Payment]":
    select = Payment.select()
    for column in ("direction", "status", "method"):
        value = getattr(query, column)
        if value is not None:
            select = select.where(getattr(Payment, column) == value)
    if query.contact_id is not None:
        contact = contacts.refer(query.contact_id, "contactId", archived=True)
        select = select.where(sql.among(Payment.contact, heads.group(contact.id)))
    if query.account_id is not None:
        account = accounts.refer(query.account_id, "accountId", postable=False)
        select = select.where(Payment.account == account.id)
    if query.invoice_id is not None:
        invoice = invoices.refer(query.invoice_id, "invoiceId")
        select = select.where(sql.among(Payment.id, items.documents_settled_with(invoice.id)))
    return _searched(within(select, query, Payment.date), query)


def _searched(select: "ModelSelect[Payment]", query: PaymentFilter) -> "ModelSelect[Payment]":
    if query.is_unallocated is not None:
        has_rest = Payment.id.in_(OpenItem.select(OpenItem.document_id).where(OpenItem.open != 0))
        select = select.where(has_rest if query.is_unallocated else ~has_rest)
    if query.q is not None:
        named = found(query.q, _TEXTS, ("amount",), also=(CONTACT_NAMED,))
        select = select.where(sql.positional(named))
    return select
