"""Paying bills together, and voiding the payments together."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from erp.finance.books import accounts, periods, voids
from erp.finance.books.accounts import AccountRef
from erp.finance.books.exchange_rates import rates
from erp.finance.books.voids import Correction
from erp.finance.documents.models import Invoice
from erp.finance.payments import allocations, credit_transfer, payments, recording
from erp.finance.payments.allocations import RequestedAllocation
from erp.finance.payments.credit_transfer import WorkspaceIbanMissing
from erp.finance.payments.models import Payment
from erp.finance.payments.recording import PaymentCommand
from erp.finance.payments.runs import credits, plan, selection
from erp.finance.payments.runs.bodies import NewPaymentRun
from erp.finance.payments.runs.models import PaymentRun, PaymentRunTransfer
from erp.finance.payments.runs.plan import PlannedBill, PlannedSupplier
from erp.finance.write_downs.discounts import Taking
from erp.kernel import clock, money
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Refusal
from erp.store import events, workspace_settings
from erp.store.records import new_id


class SupplierIbansMissing(Refusal):
    """The IBAN is missing for {names}. Enter it in the contact, or leave out the bills."""


def create(body: NewPaymentRun) -> PaymentRun:
    """Pay bills in full, with one payment a supplier.

    Discounts that are in time are taken, and a supplier's open credit is used before money is transferred.

    Raises:
        Invalid: with a complaint for every field that is wrong, such as a bill on which nothing is due.
        NothingDue: no bill is due by the day that the request names.
        WorkspaceIbanMissing: there is no account to pay from.
        SupplierIbansMissing: a supplier has no account to be paid to.
        PeriodLocked: the day is in the locked period.
    """
    complaints, day = Complaints(), body.date or workspace_settings.today()
    with complaints.gathered():
        periods.check_not_ahead(body.date, "date", allow_future=body.allow_future)
    bills = selection.bills_of(body, day, complaints)
    declined = selection.declined_of(body, bills, complaints)
    currency = body.currency or (bills[0].currency if bills else workspace_settings.current().base_currency)
    account, rate = _account(body, currency, day, complaints)
    complaints.refuse()
    assert account is not None
    planned = plan.make(bills, day, declined, use_credit=body.deduct_credit)
    names = credits.names(planned)
    suppliers = [part for supplier in planned for part in _split(supplier, names)]
    _check_ibans(body, suppliers)
    run = _number(body, day, currency, account.id, sum(supplier.amount for supplier in suppliers))
    entries = credits.use(run, suppliers)
    made = [_pay(run, account, rate, supplier, names) for supplier in suppliers if supplier.amount]
    data = _event_data(run) | {"paymentIds": [payment.id for payment in made]}
    events.write("payment_run.posted", "payment_run", run.id, data, entries=entries)
    return run


def void(id: str, correction: Correction) -> PaymentRun:
    """Void all payments of a run that still stand, and release the credit that it used.

    Raises:
        InvalidTransition: it is already void.
        DatedTooEarly: the day is before one of its payments, or before an allocation or release of their items.
        PeriodLocked: the day is in the locked period.
    """
    run = PaymentRun.find_to_change(id)
    voids.check_voidable(run)
    for payment in payments_of(run):
        if payment.status == "posted":
            payments.take_back(payment, correction)
    entries = credits.give_back(run, correction)
    run.change(status="void", voided_at=clock.stamp(), void_reason=correction.reason)
    events.write(
        "payment_run.void", "payment_run", id, _event_data(run) | {"reason": correction.reason}, entries=entries
    )
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


def _account(
    body: NewPaymentRun, currency: str, day: date, complaints: Complaints
) -> tuple[AccountRef | None, int | None]:
    """The account that is paid from, and the exchange rate of a foreign currency."""
    _, rate = rates.read_rate(currency, rates.scaled(body.exchange_rate), complaints, day=day)
    with complaints.gathered():
        return accounts.refer_money(body.account_id, "accountId", currency), rate
    return None, rate


def _check_ibans(body: NewPaymentRun, suppliers: Sequence[PlannedSupplier]) -> None:
    """Refuse a run without the IBANs that its transfers need; a supplier without a transfer needs none."""
    paid = [planned.supplier for planned in suppliers if planned.amount]
    if paid and not (body.iban or workspace_settings.current().iban):
        raise WorkspaceIbanMissing
    if names := dict.fromkeys(supplier.name for supplier in paid if not supplier.bank_account):
        raise SupplierIbansMissing(names=", ".join(names))


def _number(body: NewPaymentRun, day: date, currency: str, account_id: str, amount: int) -> PaymentRun:
    """Number the run; its payments refer to it."""
    number, fiscal_year, seq = workspace_settings.next_number("paymentRun", day)
    return PaymentRun.add(
        number=number,
        fiscal_year=fiscal_year,
        seq=seq,
        date=day,
        account=account_id,
        currency=currency,
        amount=amount,
        payer=workspace_settings.office_name(),
        iban=body.iban or workspace_settings.current().iban,
    )


def _pay(
    run: PaymentRun, account: AccountRef, rate: int | None, planned: PlannedSupplier, names: Mapping[str, str]
) -> Payment:
    """Pay a supplier the rest that credit has not paid."""
    supplier = planned.supplier
    payment = recording.record(
        PaymentCommand(
            direction="made",
            contact=supplier,
            account=account,
            amount=planned.amount,
            currency=run.currency,
            date=run.date,
            exchange_rate=rate,
            settles=[_allocation(bill, f"allocations[{i}].") for i, bill in enumerate(planned.paid)],
            reference=run.number,
        )
    )
    PaymentRunTransfer.create(
        id=new_id(),
        run=run.id,
        payment=payment.id,
        bank_account={"holder": supplier.name, **supplier.bank_account},
        remittance=_remittance(planned, names),
    )
    return payment


def _allocation(bill: PlannedBill, path: str) -> RequestedAllocation:
    if not isinstance(bill.bill, Invoice):
        document, item = allocations.of_item(bill.item.id, f"{path}itemId")
        return RequestedAllocation(document, item, bill.amount, f"{path}itemId", f"{path}amount")
    present = Invoice.find(bill.bill.id) if bill.credits else bill.bill
    taking = Taking(path, discount_amount=bill.discount or None)
    return RequestedAllocation.of(present, bill.amount, f"{path}invoiceId", f"{path}amount", taking)


def _split(planned: PlannedSupplier, names: Mapping[str, str]) -> list[PlannedSupplier]:
    """The bills of a supplier in as many transfers as the payment reference needs to have all numbers whole.

    Where the office prefers it, one transfer says how many more numbers there are.
    """
    if workspace_settings.current().remittance == "shorten":
        return [planned]
    parts: list[PlannedSupplier] = []
    for bill in planned.bills:
        longer = PlannedSupplier(planned.supplier, [*(parts[-1].bills if parts else ()), bill])
        if parts and credit_transfer.fits(_remittance(longer, names)):
            parts[-1] = longer
        else:
            parts.append(PlannedSupplier(planned.supplier, [bill]))
    return parts


def _remittance(planned: PlannedSupplier, names: Mapping[str, str]) -> str:
    """The payment reference: the supplier's numbers of the bills, and of the credit used.

    Args:
        names: the numbers of credits, by item.
    """
    bills = ", ".join(str(own.bill.supplier_number or own.bill.number) for own in planned.bills)
    deducted = ", ".join(names[item.id] for item in planned.credits)
    return f"{bills} less {deducted}" if deducted else bills


def _event_data(run: PaymentRun) -> dict[str, Any]:
    return {
        "number": run.number,
        "date": run.date.isoformat(),
        "amount": money.text(run.amount, run.currency),
        "currency": run.currency,
    }
