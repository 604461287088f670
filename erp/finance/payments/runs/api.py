"""Payment runs over HTTP."""

from erp.finance.books import voids
from erp.finance.books.ledger import POSTING, DatedTooEarly
from erp.finance.items.expense_claims import PaidByPayroll
from erp.finance.payments.credit_transfer import WorkspaceIbanMissing
from erp.finance.payments.runs import due, file, proposals, runs, views
from erp.finance.payments.runs.bodies import NewPaymentRun, PaymentRunVoid, ProposalFilter
from erp.finance.payments.runs.due import DueBillFilter, DueBillView
from erp.finance.payments.runs.file import NothingToPay
from erp.finance.payments.runs.models import PaymentRun
from erp.finance.payments.runs.proposals import ProposalView
from erp.finance.payments.runs.runs import SupplierIbansMissing
from erp.finance.payments.runs.selection import NothingDue
from erp.finance.payments.runs.views import PaymentRunFilter, PaymentRunView
from erp.kernel.errors import InvalidTransition, UnknownReference
from erp.web.endpoint import endpoint
from erp.web.schema import File, Page


class DueBills:
    @endpoint(permission="finance.read", refuses=(UnknownReference,))
    def on_get(self, query: DueBillFilter) -> Page[DueBillView]:
        """List the bills due by a day, the earliest first: the bills that a payment run could pay.

        A bill is also listed before it is due where its cash discount ends by then. Without `dueThrough`, the day of
        payment counts. A bill paid with a later date counts as paid.
        """
        return due.search(query)


class Collection:
    @endpoint(permission="finance.read")
    def on_get(self, query: PaymentRunFilter) -> Page[PaymentRunView]:
        """List payment runs.

        The newest first, void ones included.
        """
        return views.search(query)

    @endpoint(
        permission="finance.write",
        status=201,
        refuses=(UnknownReference, NothingDue, WorkspaceIbanMissing, SupplierIbansMissing, PaidByPayroll, *POSTING),
    )
    def on_post(self, body: NewPaymentRun) -> PaymentRunView:
        """Pay bills and expense claims together: one payment a contact, posted at once, and one file for the bank.

        Each bill is paid in full, and each can be paid by one run only. A cash discount that is in time is taken, and
        the supplier's open credit lowers the transfer; there is none if credit pays all. Bills must be in one currency,
        and must not wait for approval. The workspace and each supplier with a transfer need an IBAN. Bills in a foreign
        currency can be paid from an account in it, or from one in the base currency.
        """
        return PaymentRunView.of(runs.create(body))


class Proposal:
    @endpoint(permission="finance.read")
    def on_get(self, query: ProposalFilter) -> ProposalView:
        """Preview a payment run by supplier or employee: with discounts, and less the credit of suppliers.

        Bills that wait for approval are left out. Without `dueThrough`, the day of the run counts.
        """
        return proposals.propose(query)


class Item:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> PaymentRunView:
        """Show a payment run.

        It shows the transfers, the bills that each pays, and the credit that was used. Its bank file has an address of
        its own.
        """
        return PaymentRunView.of(PaymentRun.find(id))


class Download:
    @endpoint(permission="finance.write", produces=("application/xml",), refuses=(NothingToPay,))
    def on_get(self, id: str) -> File:
        """Download a payment run as ISO 20022 pain.001.001.09, to be executed on its date.

        A payment that has been voided by itself is left out.
        """
        return file.of_run(id)


class Void:
    @endpoint(permission="finance.write", refuses=(DatedTooEarly, InvalidTransition, *POSTING))
    def on_post(self, id: str, body: PaymentRunVoid) -> PaymentRunView:
        """Void a payment run: all of its payments are voided on `date`, and its bills are due again.

        Tell the bank as well: a file that it has is not recalled. A void run is refused (409), as is a `date` that is
        locked or before the run.
        """
        return PaymentRunView.of(runs.void(id, voids.read(body)))
