"""Proposals for a payment run, by supplier."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from erp.finance.books.models import DocumentType, OpenItem
from erp.finance.documents import prepaid
from erp.finance.documents.models import Invoice
from erp.finance.documents.prepaid import PrepaidHint, PrepaidOpen
from erp.finance.payments.runs import claims, due, plan
from erp.finance.payments.runs.bodies import ProposalFilter
from erp.finance.payments.runs.claims import DueClaim
from erp.finance.payments.runs.plan import Owed, PlannedBill, PlannedSupplier
from erp.finance.write_downs.views import DiscountOfferView
from erp.kernel import money
from erp.kernel.currencies import DIGITS
from erp.kernel.errors import BadParameter
from erp.kernel.language import says
from erp.store import workspace_settings
from erp.web.scalars import Money
from erp.web.schema import View, show


class ProposedBillView(View):
    """A bill that a run would pay: amountDue = discount + creditUsed + amount; `amountDue` leaves out `prepaidOpen`."""

    id: str
    number: str
    supplier_number: str | None
    due_date: str
    amount_due: Money
    prepaid_open: PrepaidOpen
    prepaid_hint: PrepaidHint | None
    cash_discount: Annotated[DiscountOfferView | None, Meta(description="Null without one.")]
    discount: Money
    credit_used: Money
    amount: Annotated[Money, Meta(description="The transferred part.")]


class ProposedClaimView(View):
    """An expense claim that a run would pay: amountDue = creditUsed + amount."""

    id: str
    number: str
    due_date: str
    amount_due: Money
    credit_used: Money
    amount: Annotated[Money, Meta(description="The transferred part.")]


class ProposedCreditView(View):
    """An open credit of a supplier that a run would use."""

    item_id: str
    document_type: DocumentType
    document_id: str
    number: str
    open: Money
    used: Money


class ProposedSupplierView(View):
    """The payment of a run to one supplier; its `amount` is 0 where credit pays all."""

    supplier_id: str
    supplier_name: str
    has_iban: bool
    amount_due: Money
    discount: Money
    credit_used: Money
    amount: Annotated[Money, Meta(description="The transferred amount.")]
    bills: list[ProposedBillView]
    claims: list[ProposedClaimView]
    credits: list[ProposedCreditView]


class ProposalView(View):
    """A payment run as it would be made: amountDue = discount + creditUsed + amount."""

    date: str
    due_through: str
    currency: str
    amount_due: Money
    discount: Money
    credit_used: Money
    amount: Annotated[Money, Meta(description="The transferred amount.")]
    suppliers: list[ProposedSupplierView]


def propose(query: ProposalFilter) -> ProposalView:
    """The proposal of a run with `dueThrough`, by default the day of the run.

    Raises:
        BadParameter: there is no such currency.
    """
    day = query.date or workspace_settings.today()
    through = query.due_through or day
    currency = query.currency or workspace_settings.current().base_currency
    if currency not in DIGITS:
        raise BadParameter(says("currency: There is no such currency. Use a code such as EUR."))
    owed: list[Owed] = [*due.payable(through, day, currency), *claims.payable(through, currency)]
    suppliers = plan.make(owed, day, (), use_credit=query.deduct_credit)
    return ProposalView(
        date=day.isoformat(),
        due_through=through.isoformat(),
        currency=currency,
        suppliers=[_supplier(planned, currency) for planned in suppliers],
        **_sums([bill for planned in suppliers for bill in planned.bills], currency),
    )


def _supplier(planned: PlannedSupplier, currency: str) -> ProposedSupplierView:
    return ProposedSupplierView(
        supplier_id=planned.supplier.id,
        supplier_name=planned.supplier.name,
        has_iban=planned.supplier.bank_account is not None,
        bills=[_bill(part.bill, part, currency) for part in planned.bills if isinstance(part.bill, Invoice)],
        claims=[_claim(part.bill, part, currency) for part in planned.bills if isinstance(part.bill, DueClaim)],
        credits=[_credit(item, planned, currency) for item in planned.credits],
        **_sums(planned.bills, currency),
    )


def _claim(claim: DueClaim, planned: PlannedBill, currency: str) -> ProposedClaimView:
    sums = _sums([planned], currency)
    del sums["discount"]
    return ProposedClaimView(id=claim.id, number=claim.number, due_date=claim.due_date.isoformat(), **sums)


def _bill(bill: Invoice, planned: PlannedBill, currency: str) -> ProposedBillView:
    return ProposedBillView(
        id=bill.id,
        number=str(bill.number),
        supplier_number=bill.supplier_number,
        due_date=bill.due_date.isoformat(),
        cash_discount=None if planned.offer is None else DiscountOfferView.of_offer(bill, planned.offer),
        prepaid_open=money.text(bill.due - planned.due, currency),
        prepaid_hint=prepaid.hint(bill, bill.due - planned.due),
        **_sums([planned], currency),
    )


def _credit(item: OpenItem, planned: PlannedSupplier, currency: str) -> ProposedCreditView:
    used = sum(used.amount for bill in planned.bills for used in bill.credits if used.item.id == item.id)
    return show(
        ProposedCreditView,
        item,
        item_id=item.id,
        open=money.text(item.open, currency),
        used=money.text(used, currency),
    )


def _sums(bills: Sequence[PlannedBill], currency: str) -> dict[str, str]:
    sums = {
        "amount_due": sum(planned.due for planned in bills),
        "discount": sum(planned.discount for planned in bills),
        "credit_used": sum(planned.credit for planned in bills),
        "amount": sum(planned.amount for planned in bills),
    }
    return {name: money.text(amount, currency) for name, amount in sums.items()}
