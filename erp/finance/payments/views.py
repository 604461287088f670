"""How payments are shown."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta

from erp.finance.items import settlement
from erp.finance.items.documents import Direction
from erp.finance.payments.bodies import Method
from erp.finance.payments.models import Payment, Status
from erp.finance.payments.payments import check_allocatable, check_voidable
from erp.kernel import caller, money
from erp.kernel.money import RATE_SCALE
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.scalars import Figure, Money
from erp.web.schema import RecordView, View, show

Action = Literal["void", "allocate", "release"]


class AllocationView(View):
    """The part of a payment that settles an invoice.

    `exchangeDifference` is in the base currency, a gain above zero. A released allocation no longer counts.
    """

    id: str
    invoice_id: str
    invoice_number: str
    amount: Money
    date: str
    exchange_difference: Money
    released_on: str | None


class PaymentView(RecordView):
    """Money received from a contact, or paid to one.

    It has no journal entry where it is worth nothing in the base currency. What is allocated counts whatever its date.
    """

    created_by: str | None
    number: str
    direction: Direction
    status: Status
    contact_id: str
    contact_name: str
    amount: Money
    currency: str
    exchange_rate: Figure | None
    date: str
    method: Method
    account_id: str
    fee_amount: Money | None
    reference: str | None
    note: str | None
    allocated_amount: Money
    unallocated_amount: Money
    allocations: list[AllocationView]
    journal_entry_id: str | None
    voided_at: str | None
    void_reason: str | None
    can: Annotated[list[Action], Meta(description="What you may do with the payment now.")]

    @classmethod
    def of(cls, payment: Payment) -> "PaymentView":
        """Show a payment with its allocations, released ones included."""
        (view,) = cls.of_many([payment])
        return view

    @classmethod
    def of_many(cls, payments: Sequence[Payment]) -> "list[PaymentView]":
        """Show payments; two queries, however many they are."""
        names = dict(WORKSPACE.rows(_CONTACT_NAMES, (sql.array({payment.contact_id for payment in payments}),)))
        allocations = _allocations(payments)
        return [
            show(
                cls,
                payment,
                **_amounts(payment),
                contact_name=names[payment.contact_id],
                date=payment.date.isoformat(),
                exchange_rate=None if payment.exchange_rate is None else money.plain(payment.exchange_rate, RATE_SCALE),
                allocations=allocations[payment.id],
                can=_can(payment, allocations[payment.id]),
            )
            for payment in payments
        ]


class PaymentBatchView(View):
    """The payments that a batch recorded, in its order."""

    payments: list[PaymentView]


_CONTACT_NAMES = "SELECT id, name FROM contact WHERE id IN (SELECT value FROM json_each(?))"
_ALLOCATIONS = (
    "SELECT a.payment_id, a.id, a.invoice_id, i.number, i.kind, a.amount, a.date, a.base_received, a.base_relieved,"
    " a.released_on FROM allocation AS a JOIN invoice AS i ON i.id = a.invoice_id"
    " WHERE a.payment_id IN (SELECT value FROM json_each(?)) ORDER BY a.id"
)


def _can(payment: Payment, allocations: Sequence[AllocationView]) -> list[Action]:
    """What the caller may do with a payment; the checks are those that refuse it."""
    checks: dict[Action, Callable[[], object]] = {"void": lambda: check_voidable(payment)}
    if payment.allocated_amount < payment.amount:
        checks["allocate"] = lambda: check_allocatable(payment)
    if any(allocation.released_on is None for allocation in allocations):
        checks["release"] = lambda: None
    return caller.allowed("finance.write", checks)


def _amounts(payment: Payment) -> dict[str, str | None]:
    unallocated = payment.amount - payment.allocated_amount if payment.status == "posted" else 0
    amounts = {
        "amount": payment.amount,
        "fee_amount": payment.fee_amount,
        "allocated_amount": payment.allocated_amount,
        "unallocated_amount": unallocated,
    }
    return {name: None if amount is None else money.text(amount, payment.currency) for name, amount in amounts.items()}


def _allocations(payments: Sequence[Payment]) -> Mapping[str, list[AllocationView]]:
    """The allocations of each payment by its id, in the order they were made."""
    base = workspace_settings.current().base_currency
    currencies = {payment.id: payment.currency for payment in payments}
    views: dict[str, list[AllocationView]] = {id: [] for id in currencies}
    for payment_id, *row in WORKSPACE.rows(_ALLOCATIONS, (sql.array(currencies),)):
        views[payment_id].append(_allocation(row, currencies[payment_id], base))
    return views


def _allocation(row: Sequence[Any], currency: str, base: str) -> AllocationView:
    id, invoice_id, number, kind, amount, day, received, relieved, released_on = row
    return AllocationView(
        id=id,
        invoice_id=invoice_id,
        invoice_number=number,
        amount=money.text(amount, currency),
        date=day,
        exchange_difference=money.text(settlement.gain(kind, received, relieved), base),
        released_on=released_on,
    )
