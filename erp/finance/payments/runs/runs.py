"""Paying bills together, and taking that back as one."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from erp.finance.books import accounts, periods
from erp.finance.contacts.models import Contact
from erp.finance.documents.models import Invoice
from erp.finance.payments import payments, recording
from erp.finance.payments.bodies import NewAllocation, NewPayment
from erp.finance.payments.credit_transfer import WorkspaceIbanMissing
from erp.finance.payments.models import Payment
from erp.finance.payments.runs import selection
from erp.finance.payments.runs.bodies import NewPaymentRun, PaymentRunVoid
from erp.finance.payments.runs.models import PaymentRun, PaymentRunTransfer
from erp.kernel import clock, money
from erp.kernel.complaints import Complaints
from erp.kernel.errors import InvalidTransition, Refusal
from erp.store import events, sql, workspace_settings
from erp.store.records import new_id
from erp.web.scalars import Day, PositiveAmount


class SupplierIbansMissing(Refusal):
    """There is no IBAN for {names}. Enter it as `bankAccount` of the contact, or leave out the bills."""


def create(body: NewPaymentRun) -> PaymentRun:
    """Pay bills, one payment a supplier, and settle each with all that is due on it.

    Raises:
        Invalid: with a complaint for every field that is wrong, such as a bill on which nothing is due.
        NothingDue: no bill is due by the day that the request names.
        WorkspaceIbanMissing: there is no account to pay from.
        SupplierIbansMissing: a supplier has no account to be paid to.
        PeriodLocked: the day is in the locked period.
    """
    complaints = Complaints()
    with complaints.gathered():
        periods.check_not_ahead(body.date, "date", allow_future=body.allow_future)
    bills = selection.bills_of(body, complaints)
    with complaints.gathered():
        accounts.refer_money(body.account_id, "accountId", workspace_settings.current().base_currency)
    complaints.refuse()
    suppliers = _suppliers(bills)
    run = _number(body, bills)
    made = [_pay(run, body, supplier, bills) for supplier in suppliers]
    data = _event_data(run) | {"paymentIds": [payment.id for payment in made]}
    events.write("payment_run.posted", "payment_run", run.id, data)
    return run


def void(id: str, body: PaymentRunVoid) -> PaymentRun:
    """Void all payments of a run that still stand.

    Raises:
        InvalidTransition: it is already void.
        DatedTooEarly: the day is before one of its payments, or before what it settles was settled or released.
        PeriodLocked: the day is in the locked period.
    """
    run = PaymentRun.find_to_change(id)
    if run.status != "posted":
        raise InvalidTransition(f"{run.number} is already void.")
    for payment in payments_of(run):
        if payment.status == "posted":
            payments.take_back(payment, body)
    run.change(status="void", voided_at=clock.stamp(), void_reason=body.reason)
    events.write("payment_run.void", "payment_run", id, _event_data(run) | {"reason": body.reason})
    return run


def payments_of(run: PaymentRun) -> list[Payment]:
    """The payments of a run in their order, void ones included."""
    return Payment.fetch(
        "SELECT * FROM payment WHERE id IN (SELECT payment_id FROM payment_run_transfer WHERE run_id = ?) ORDER BY id",
        run.id,
    )


def transfers_of(run: PaymentRun) -> list[PaymentRunTransfer]:
    """The transfers of a run in the order of their payments."""
    return PaymentRunTransfer.fetch("SELECT * FROM payment_run_transfer WHERE run_id = ? ORDER BY payment_id", run.id)


def _suppliers(bills: Sequence[Invoice]) -> list[Contact]:
    """The suppliers of some bills by name, each with an account."""
    if not workspace_settings.current().iban:
        raise WorkspaceIbanMissing
    ids = sql.array(dict.fromkeys(bill.contact_id for bill in bills))
    suppliers: list[Contact] = Contact.fetch(_SUPPLIERS, ids)
    if names := [supplier.name for supplier in suppliers if not supplier.bank_account]:
        raise SupplierIbansMissing(names=", ".join(names))
    return suppliers


_SUPPLIERS = "SELECT * FROM contact WHERE id IN (SELECT value FROM json_each(?)) ORDER BY name, id"


def _number(body: NewPaymentRun, bills: Sequence[Invoice]) -> PaymentRun:
    """Number the run; its payments refer to it."""
    settings = workspace_settings.current()
    day = body.date or workspace_settings.today()
    number, fiscal_year, seq = workspace_settings.next_number("paymentRun", day)
    account = accounts.refer_money(body.account_id, "accountId", settings.base_currency)
    return PaymentRun.add(
        number=number,
        fiscal_year=fiscal_year,
        seq=seq,
        date=day,
        account=account.id,
        currency=settings.base_currency,
        amount=sum(bill.due for bill in bills),
        payer=workspace_settings.office_name(),
        iban=settings.iban,
    )


def _pay(run: PaymentRun, body: NewPaymentRun, supplier: Contact, bills: Sequence[Invoice]) -> Payment:
    own = [bill for bill in bills if bill.contact_id == supplier.id]
    payment = recording.record(
        NewPayment(
            direction="made",
            contact_id=supplier.id,
            allocations=[NewAllocation(bill.id, _amount(bill.due, run.currency)) for bill in own],
            amount=_amount(sum(bill.due for bill in own), run.currency),
            currency=run.currency,
            date=Day.read(run.date.isoformat()),
            account_id=run.account_id,
            reference=run.number,
            allow_future=body.allow_future,
        )
    )
    PaymentRunTransfer.create(
        id=new_id(),
        run=run.id,
        payment=payment.id,
        bank_account={"holder": supplier.name, **supplier.bank_account},
        remittance=", ".join(str(bill.supplier_number or bill.number) for bill in own),
    )
    return payment


def _amount(amount: int, currency: str) -> PositiveAmount:
    return PositiveAmount(Decimal(money.text(amount, currency)))


def _event_data(run: PaymentRun) -> dict[str, Any]:
    return {
        "number": run.number,
        "date": run.date.isoformat(),
        "amount": money.text(run.amount, run.currency),
        "currency": run.currency,
    }
