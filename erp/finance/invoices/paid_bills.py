"""Bills that have been paid already when they are entered, such as a receipt from the till."""

from erp.finance.books import accounts, open_items
from erp.finance.contacts.models import Contact
from erp.finance.documents import store
from erp.finance.documents.models import Invoice
from erp.finance.documents.store import FullInvoice
from erp.finance.payments import recording
from erp.finance.payments.allocations import RequestedAllocation
from erp.finance.payments.recording import PaymentCommand
from erp.kernel.errors import Invalid
from erp.kernel.language import says

FIELD = "paidFromAccountId"


def check_paid(kind: str, account: str | None, *, is_draft: bool = False) -> None:
    """Refuse an account for a document that it cannot have paid.

    Raises:
        Invalid: it is a draft, or no bill.
    """
    if account is None:
        return
    if kind != "purchase_invoice":
        raise Invalid.one(FIELD, "not_needed", says("Only for bills. Clear the field."))
    if is_draft:
        raise Invalid.one(FIELD, "not_applicable", says("A draft is not paid. Choose the account when you post it."))


def pay(full: FullInvoice, account: str | None) -> FullInvoice:
    """Pay all of a bill that has just been posted from an account, on its own day.

    Raises:
        Invalid: no money is held on the account, or it is in another currency.
        UnknownReference: there is no such account.
    """
    bill = full.invoice
    if account is None or bill.due == 0:
        return full
    payer = accounts.refer_money(account, FIELD, bill.currency)
    item = open_items.standing_of(open_items.of_document(bill.id))
    command = PaymentCommand(
        direction="made",
        contact=Contact.find(bill.contact_id),
        account=payer,
        amount=bill.due,
        currency=bill.currency,
        date=bill.issue_date,
        exchange_rate=bill.exchange_rate,
        settles=[RequestedAllocation(bill, item, bill.due, FIELD, FIELD)],
        method="cash" if payer.subtype == "cash" else "bank_transfer",
    )
    recording.record(command)
    return store.full(Invoice.find(bill.id))
