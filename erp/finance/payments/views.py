"""Views of payments."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta

from erp.finance.books import voids
from erp.finance.contacts import heads
from erp.finance.documents import standing
from erp.finance.documents.models import Deduction
from erp.finance.items.documents import Direction
from erp.finance.items.views import AllocationView
from erp.finance.payments.allocations import check_allocatable
from erp.finance.payments.bodies import Method
from erp.finance.payments.models import Payment, Status
from erp.finance.write_downs.views import PaymentDeductionView, warnings_of
from erp.kernel import caller, money
from erp.kernel.money import RATE_SCALE
from erp.store import names, sql, workspace_settings
from erp.store.names import Names
from erp.store.router import WORKSPACE
from erp.web.scalars import Figure, Money
from erp.web.schema import RecordView, View, show

Action = Literal["void", "allocate", "release"]


class PaymentAllocationView(AllocationView):
    """An allocation of a payment: to an invoice, or between it and another payment that repays it."""

    invoice_id: str | None
    invoice_number: str | None
    payment_id: str | None
    payment_number: str | None


class PaymentView(RecordView):
    """Money received from a contact, or paid to one.

    It has no journal entry if it is worth 0 in the base currency. Allocations of any date count.
    """

    created_by: str | None
    created_by_name: str | None
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
    account_code: str
    account_name: str
    fee_amount: Money | None
    reference: str | None
    note: str | None
    allocated_amount: Money
    unallocated_amount: Money
    allocations: list[PaymentAllocationView]
    deductions: Annotated[
        list[PaymentDeductionView],
        Meta(description="Deductions from invoices taken with it, and its recovery of a written-off one."),
    ]
    warnings: Annotated[list[str], Meta(description="Points to check, such as a discount that was taken too late.")]
    journal_entry_id: str | None
    journal_entry_number: str | None
    voided_at: str | None
    void_reason: str | None
    can: Annotated[list[Action], Meta(description="Actions on the payment open to you now.")]

    @classmethod
    def of(cls, payment: Payment) -> "PaymentView":
        """Show a payment with its allocations, released ones included."""
        (view,) = cls.of_many([payment])
        return view

    @classmethod
    def of_many(cls, payments: Sequence[Payment]) -> "list[PaymentView]":
        """Show payments; three queries, however many they are."""
        named = names.of(
            contact=[payment.contact_id for payment in payments],
            account=[payment.account_id for payment in payments],
            journal_entry=[payment.journal_entry_id for payment in payments],
        )
        allocations = _Allocations(payments)
        taken = _Taken(payments)
        for id, amount in taken.recovered.items():
            allocations.sums[id] += amount
        return [
            show(
                cls,
                payment,
                **_amounts(payment, allocations.sums[payment.id]),
                **_named(payment, named),
                contact_id=heads.of(payment.contact_id),
                date=payment.date.isoformat(),
                exchange_rate=None if payment.exchange_rate is None else money.plain(payment.exchange_rate, RATE_SCALE),
                allocations=allocations.views[payment.id],
                deductions=taken.views[payment.id],
                warnings=warnings_of(taken.by_payment[payment.id]),
                can=_can(payment, allocations, taken.standing(payment.id)),
            )
            for payment in payments
        ]


class PaymentBatchSum(View):
    """The payments of a batch in one direction and currency."""

    direction: Direction
    currency: str
    amount: Money


class PaymentBatchView(View):
    """The payments that a batch recorded, in its order."""

    payments: list[PaymentView]
    sums: list[PaymentBatchSum]

    @classmethod
    def of(cls, payments: Sequence[Payment]) -> "PaymentBatchView":
        sums: Counter[tuple[Any, str]] = Counter()
        for payment in payments:
            sums[payment.direction, payment.currency] += payment.amount
        shown = [PaymentBatchSum(*key, amount=money.text(total, key[1])) for key, total in sums.items()]
        return cls(payments=PaymentView.of_many(payments), sums=shown)


_ALLOCATIONS = (
    "SELECT own.document_id, a.amount,"
    " CASE WHEN target.amount > 0 THEN a.from_base - a.to_base ELSE a.to_base - a.from_base END,"
    " other.document_type, other.document_id, other.number,"
    " a.id, a.from_item_id, a.to_item_id, a.date, a.released_on,"
    " EXISTS (SELECT 1 FROM journal_entry AS e WHERE e.id = other.entry_id AND e.kind = 'offset') FROM open_item AS own"
    " JOIN allocation AS a ON a.from_item_id = own.id OR a.to_item_id = own.id"
    " JOIN open_item AS other ON other.id = CASE a.from_item_id WHEN own.id THEN a.to_item_id ELSE a.from_item_id END"
    " JOIN open_item AS target ON target.id = a.to_item_id"
    " WHERE own.document_id IN (SELECT value FROM json_each(?)) AND other.document_id <> own.document_id ORDER BY a.id"
)


def _named(payment: Payment, named: Names) -> dict[str, str | None]:
    return {
        "contact_name": named.name(payment.contact_id),
        "account_code": named.code(payment.account_id),
        "account_name": named.name(payment.account_id),
        "journal_entry_number": named.code(payment.journal_entry_id),
    }


def _can(payment: Payment, allocations: "_Allocations", standing: Sequence[Deduction]) -> list[Action]:
    """Actions on a payment open to the caller, by the same checks that refuse them. An offset is voided first."""
    allocated, offset = allocations.sums[payment.id], allocations.offset[payment.id]
    checks: dict[Action, Callable[[], object]] = {} if offset else {"void": lambda: voids.check_voidable(payment)}
    if allocated < payment.amount:
        checks["allocate"] = lambda: check_allocatable(payment, standing)
    if allocated > offset and not any(deduction.kind == "recovery" for deduction in standing):
        checks["release"] = lambda: None
    return caller.allowed("finance.write", checks)


def _amounts(payment: Payment, allocated: int) -> dict[str, str | None]:
    amounts = {
        "amount": payment.amount,
        "fee_amount": payment.fee_amount,
        "allocated_amount": allocated,
        "unallocated_amount": payment.amount - allocated if payment.status == "posted" else 0,
    }
    return {name: None if amount is None else money.text(amount, payment.currency) for name, amount in amounts.items()}


class _Allocations:
    """The allocations of some payments by their ids, and for each payment their sum and the part in offsets."""

    def __init__(self, payments: Sequence[Payment]) -> None:
        base = workspace_settings.current().base_currency
        currencies = {payment.id: payment.currency for payment in payments}
        self.views: dict[str, list[PaymentAllocationView]] = {id: [] for id in currencies}
        self.sums = dict.fromkeys(currencies, 0)
        self.offset = dict.fromkeys(currencies, 0)
        for id, amount, gain, *columns, is_offset in WORKSPACE.rows(_ALLOCATIONS, (sql.array(currencies),)):
            self.views[id].append(_allocation(columns, money.text(amount, currencies[id]), money.text(gain, base)))
            live = amount if columns[-1] is None else 0
            self.sums[id] += live
            self.offset[id] += live if is_offset else 0


class _Taken:
    """The deductions of some payments by their ids, and the amount that each recovered."""

    def __init__(self, payments: Sequence[Payment]) -> None:
        self.by_payment: dict[str, list[Deduction]] = {payment.id: [] for payment in payments}
        self.recovered: dict[str, int] = {}
        for deduction in standing.deductions_of_payments(sql.array(self.by_payment)):
            id = str(deduction.payment_id)
            self.by_payment[id].append(deduction)
            if deduction.kind == "recovery" and deduction.undone_on is None:
                self.recovered[id] = deduction.amount
        shown = PaymentDeductionView.of_many([deduction for taken in self.by_payment.values() for deduction in taken])
        by_id = {view.id: view for view in shown}
        self.views = {id: [by_id[deduction.id] for deduction in taken] for id, taken in self.by_payment.items()}

    def standing(self, payment_id: str) -> list[Deduction]:
        """The deductions of a payment that have not been undone."""
        return [deduction for deduction in self.by_payment[payment_id] if deduction.undone_on is None]


def _allocation(columns: Sequence[Any], amount: str, gain: str) -> PaymentAllocationView:
    """An allocation, with the document that the payment settles or is settled by."""
    type, document_id, number, id, from_item_id, to_item_id, day, released_on = columns
    invoice = (document_id, number) if type == "invoice" else (None, None)
    payment = (document_id, number) if type == "payment" else (None, None)
    return PaymentAllocationView(
        id=id,
        from_item_id=from_item_id,
        to_item_id=to_item_id,
        invoice_id=invoice[0],
        invoice_number=invoice[1],
        payment_id=payment[0],
        payment_number=payment[1],
        amount=amount,
        date=day,
        exchange_difference=gain,
        released_on=released_on,
    )
