"""The file of a payment run for the bank."""

from erp.finance.payments import credit_transfer
from erp.finance.payments.credit_transfer import Batch, Transfer
from erp.finance.payments.models import Payment
from erp.finance.payments.runs import runs
from erp.finance.payments.runs.models import PaymentRun, PaymentRunTransfer
from erp.kernel.errors import InvalidTransition
from erp.web.schema import File


class NothingToPay(InvalidTransition):
    """{number} is void, or all of its payments are. There is nothing for the bank to do."""


def of_run(id: str) -> File:
    """The transfers of a run whose payments stand.

    Raises:
        NothingToPay: none of them does.
    """
    run = PaymentRun.find(id)
    payments = {payment.id: payment for payment in runs.payments_of(run) if payment.status == "posted"}
    transfers = [transfer for transfer in runs.transfers_of(run) if transfer.payment_id in payments]
    if not transfers:
        raise NothingToPay(number=run.number)
    batch = Batch(
        number=run.number,
        payer=run.payer,
        iban=run.iban,
        currency=run.currency,
        day=run.date,
        made_at=run.created_at,
        transfers=[_transfer(payments[transfer.payment_id], transfer) for transfer in transfers],
    )
    return File(credit_transfer.pain001(batch), f"{run.number}.xml")


def _transfer(payment: Payment, transfer: PaymentRunTransfer) -> Transfer:
    account = transfer.bank_account
    return Transfer(
        reference=payment.number,
        holder=account["holder"],
        iban=account["iban"],
        amount=payment.amount,
        bic=account.get("bic"),
        remittance=transfer.remittance,
    )
