"""Expense claims over HTTP."""

from erp.finance.books import voids
from erp.finance.books.ledger import POSTING, DatedTooEarly
from erp.finance.books.open_items import StillSettled
from erp.hr.access.own_pay import OwnPay
from erp.hr.access.people import NoEmployeeRecord
from erp.hr.expenses import claims, decisions, listing, posting
from erp.hr.expenses.bodies import (
    ClaimChange,
    ClaimDecisions,
    ClaimFilter,
    ClaimNote,
    ClaimPosting,
    ClaimReason,
    ClaimSubmission,
    ClaimVoid,
    NewClaim,
)
from erp.hr.expenses.claims import NothingToClaim
from erp.hr.expenses.hints import DuplicateReceipt
from erp.hr.expenses.posting import ClaimBilled, NoCompanyCard
from erp.hr.expenses.views import DecidedClaimsView, ExpenseClaimSummary, ExpenseClaimView
from erp.kernel.errors import InvalidTransition, UnknownReference
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.schema import Page


class Collection:
    @endpoint(permission="expenses.read_own", refuses=(UnknownReference,))
    def on_get(self, query: ClaimFilter) -> Page[ExpenseClaimSummary]:
        """List expense claims, the newest first.

        Without the right to read everyone's, the list holds your own and, as a manager, the claims of the people who
        report to you. `partially_paid` and `paid` follow from the open item of a posted claim.
        """
        return listing.search(query)

    @endpoint(permission="expenses.write_own", status=201, refuses=(NoEmployeeRecord, UnknownReference))
    def on_post(self, body: NewClaim) -> ExpenseClaimView:
        """Draft an expense claim.

        A receipt is in any currency; a mileage is the distance × the rate of its day; a per diem counts the days away
        in your time zone, less the meals that others have paid. Add the files of receipts to the draft, and name them
        in `attachmentIds` of its lines.
        """
        return ExpenseClaimView.of(claims.create(body))


class Item:
    @endpoint(permission="expenses.read_own")
    def on_get(self, id: str) -> ExpenseClaimView:
        """Show an expense claim.

        Your own, of the people who report to you, or with the right to read all claims, anyone's. `warnings` tell of
        limits, missing receipts and expenses that may be claimed twice.
        """
        return ExpenseClaimView.of(claims.find(id))

    @endpoint(permission="expenses.write_own", refuses=(InvalidTransition, UnknownReference))
    def on_patch(self, id: str, body: ClaimChange) -> ExpenseClaimView:
        """Change a draft.

        Of an approved claim, the right to post it allows to change `accountId`, `taxRateId` and `taxAmount` of its
        lines, and nothing else (409).
        """
        return ExpenseClaimView.of(claims.change(id, body))

    @endpoint(permission="expenses.write_own", refuses=(InvalidTransition,))
    def on_delete(self, id: str) -> None:
        """Delete a draft.

        A claim that has been submitted is refused (409); withdraw it first. Files that came from the inbox go back
        there, other files are deleted.
        """
        claims.remove(id)


class Submit:
    @endpoint(permission="expenses.write_own", refuses=(InvalidTransition, NothingToClaim, DuplicateReceipt))
    def on_post(self, id: str, body: ClaimSubmission) -> ExpenseClaimView:
        """Submit a draft for a decision; its first time gives it a number.

        A missing receipt and a limit that blocks are refused (422), as is a file that another claim or a bill has (409
        `duplicate_receipt`) unless `force` is true.
        """
        return ExpenseClaimView.of(claims.submit(id, body))


class Withdraw:
    @endpoint(permission="expenses.write_own", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> ExpenseClaimView:
        """Withdraw a submitted claim: it is a draft again.

        It keeps its number. A claim that someone has decided on is refused (409).
        """
        return ExpenseClaimView.of(claims.withdraw(id))


class Approve:
    @endpoint(permission="expenses.decide_reports", refuses=(OwnPay, InvalidTransition))
    def on_post(self, id: str, body: ClaimNote) -> ExpenseClaimView:
        """Approve a submitted claim, so that it can be posted.

        Managers decide on claims of the people who report to them, directly or through others. Your own claim is for
        another person with the right (403), unless you are the owner and there is none.
        """
        return ExpenseClaimView.of(decisions.approve(id, body.note))


class Return:
    @endpoint(permission="expenses.decide_reports", refuses=(OwnPay, InvalidTransition))
    def on_post(self, id: str, body: ClaimReason) -> ExpenseClaimView:
        """Return a submitted claim: it is a draft again, to be changed and submitted again.

        The reason is shown to the person. Withdraw a claim of your own instead.
        """
        return ExpenseClaimView.of(decisions.give_back(id, body.reason))


class Reject:
    @endpoint(permission="expenses.decide_reports", refuses=(OwnPay, InvalidTransition))
    def on_post(self, id: str, body: ClaimReason) -> ExpenseClaimView:
        """Reject a submitted claim for good.

        The reason is shown to the person. A claim to be corrected is returned instead.
        """
        return ExpenseClaimView.of(decisions.reject(id, body.reason))


class Decide:
    @endpoint(permission="expenses.decide_reports")
    def on_post(self, body: ClaimDecisions) -> DecidedClaimsView:
        """Approve, return or reject up to 200 claims at once, all or none.

        Each decision follows the rules of a single one. Errors name the row (`decisions[3]`).
        """
        return DecidedClaimsView(claims=[ExpenseClaimView.of(claim) for claim in decisions.decide_all(body)])


class UndoDecision:
    @endpoint(permission="expenses.decide_reports", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> ExpenseClaimView:
        """Undo an approval or a rejection: the claim waits for a decision again.

        You can undo your own decision within 24 hours; with the right to decide on all claims, anyone's at any time. A
        posted claim is refused (409).
        """
        return ExpenseClaimView.of(decisions.undo(id))


class Post:
    @endpoint(permission="expenses.post", refuses=(OwnPay, InvalidTransition, NoCompanyCard, *POSTING))
    def on_post(self, id: str, body: ClaimPosting) -> ExpenseClaimView:
        """Post an approved claim: its expenses and their tax, owed to the employee or on the company card.

        The entry opens an item of the employee, which a payment run or any payment pays; or, with `payBy` `payslip`,
        their next payslip. Your own claim is for another
        person with the right (403), unless you are the owner and there is none. With `dryRun`, nothing is stored.
        """
        if body.dry_run:
            with WORKSPACE.undone():
                return ExpenseClaimView.of(posting.post(id, body))
        return ExpenseClaimView.of(posting.post(id, body))


class Void:
    @endpoint(
        permission="expenses.post",
        refuses=(OwnPay, InvalidTransition, StillSettled, ClaimBilled, DatedTooEarly, *POSTING),
    )
    def on_post(self, id: str, body: ClaimVoid) -> ExpenseClaimView:
        """Void a posted claim on which nothing has been paid: its entry is reversed on `date`.

        A claim that is paid in part is refused (409), as is one whose lines an invoice bills.
        """
        return ExpenseClaimView.of(posting.void(id, voids.read(body)))
