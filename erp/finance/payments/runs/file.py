"""The file of a payment run for the bank."""

from erp.finance.books.models import Account
from erp.finance.payments import credit_transfer
from erp.finance.payments.credit_transfer import Batch, Transfer
from erp.finance.payments.models import Payment
from erp.finance.payments.runs import runs
from erp.finance.payments.runs.models import PaymentRun, PaymentRunTransfer
from erp.kernel.errors import InvalidTransition
from erp.store import workspace_settings
from erp.web.schema import File


class NothingToPay(InvalidTransition):
    """{number} has no payments for the bank: it is void, or credit has paid the bills."""


def of_run(id: str) -> File:
    """The bank file of a run, with the transfers whose payments stand.

    Raises:
        NothingToPay: no payment stands.
    """
    run = PaymentRun.find(id)
    payments = {payment.id: payment for payment in runs.payments_of(run) if payment.status == "posted"}
    transfers = [transfer for transfer in runs.transfers_of(run) if transfer.payment_id in payments]
    if not transfers:
        raise NothingToPay(number=run.number)
    batch = Batch(
        number=run.number,
        payer=run.payer,
        iban=str(run.iban),
        currency=run.currency,
        account_currency=_account_currency(run),
        day=run.date,
        made_at=run.created_at,
        transfers=[_transfer(payments[transfer.payment_id], transfer) for transfer in transfers],
    )
    return File(credit_transfer.pain001(batch), f"{run.number}.xml")


def _account_currency(run: PaymentRun) -> str | None:
    """The currency of an account that is not kept in the base currency: an IBAN may stand for several accounts."""
    currency: str = Account.find(run.account_id).currency
    return None if currency == workspace_settings.current().base_currency else currency


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
