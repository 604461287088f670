"""Payment runs over HTTP."""

from erp.finance.books import ledger, periods
from erp.finance.books.ledger import DatedTooEarly
from erp.finance.payments.credit_transfer import WorkspaceIbanMissing
from erp.finance.payments.runs import file, runs, views
from erp.finance.payments.runs.bodies import NewPaymentRun, PaymentRunVoid
from erp.finance.payments.runs.file import NothingToPay
from erp.finance.payments.runs.models import PaymentRun
from erp.finance.payments.runs.runs import SupplierIbansMissing
from erp.finance.payments.runs.selection import NothingDue
from erp.finance.payments.runs.views import PaymentRunFilter, PaymentRunView
from erp.kernel.errors import InvalidTransition, UnknownReference
from erp.web.endpoint import endpoint
from erp.web.schema import File, Page

_POSTING = (periods.PeriodLocked, periods.DateInFuture, ledger.AccountClosed, ledger.AmountOutOfRange)


class Collection:
    @endpoint(permission="finance.read")
    def on_get(self, query: PaymentRunFilter) -> Page[PaymentRunView]:
        """List payment runs."""
        return views.search(query)

    @endpoint(
        permission="finance.write",
        status=201,
        refuses=(UnknownReference, NothingDue, WorkspaceIbanMissing, SupplierIbansMissing, *_POSTING),
    )
    def on_post(self, body: NewPaymentRun) -> PaymentRunView:
        """Pay bills together: one payment a supplier, posted at once, and one file for the bank.

        Each bill is paid with all that is due on it, and each can be paid by one run only. Bills must be in the base
        currency, and must not wait for approval. The workspace and each supplier need an IBAN.
        """
        return PaymentRunView.of(runs.create(body))


class Item:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> PaymentRunView:
        """Show a payment run."""
        return PaymentRunView.of(PaymentRun.find(id))


class Download:
    @endpoint(permission="finance.write", produces=("application/xml",), refuses=(NothingToPay,))
    def on_get(self, id: str) -> File:
        """Download a payment run as ISO 20022 pain.001.001.09, to be executed on its date.

        A payment that has been voided by itself is left out.
        """
        return file.of_run(id)


class Void:
    @endpoint(permission="finance.write", refuses=(DatedTooEarly, InvalidTransition, *_POSTING))
    def on_post(self, id: str, body: PaymentRunVoid) -> PaymentRunView:
        """Void a payment run: all of its payments are voided on `date`, and its bills are due again."""
        return PaymentRunView.of(runs.void(id, body))
