"""Corrections of attendance over HTTP."""

from erp.hr.access.people import NoEmployeeRecord
from erp.hr.attendance.corrections import corrections
from erp.hr.attendance.corrections.corrections import (
    CorrectionDecision,
    CorrectionDecisions,
    CorrectionFilter,
    CorrectionView,
    DecidedCorrectionsView,
    NewCorrection,
    OwnCorrection,
)
from erp.kernel.errors import InvalidTransition, UnknownReference
from erp.web.endpoint import endpoint
from erp.web.schema import Page


class Collection:
    @endpoint(permission="attendance.read_own", refuses=(UnknownReference,))
    def on_get(self, query: CorrectionFilter) -> Page[CorrectionView]:
        """List corrections, the newest first.

        Without the right to read everyone's attendance, the list holds corrections of your own and, as a manager, of
        the people who report to you.
        """
        return corrections.search(query)

    @endpoint(permission="attendance.write_own", status=201, refuses=(NoEmployeeRecord, UnknownReference))
    def on_post(self, body: NewCorrection) -> CorrectionView:
        """Request a correction of a day of your attendance.

        The day is checked as proposed, so that the correction can be approved. With the right to edit attendance you
        can request corrections for others.
        """
        return CorrectionView.of(corrections.request(body))


class Item:
    @endpoint(permission="attendance.read_own")
    def on_get(self, id: str) -> CorrectionView:
        """Show a correction.

        Your own, or with the right to read all attendance, anyone's. It shows the proposed record, the reason and the
        decision.
        """
        return CorrectionView.of(corrections.find(id))


class Approve:
    @endpoint(permission="attendance.decide_reports", refuses=(OwnCorrection, InvalidTransition))
    def on_post(self, id: str, body: CorrectionDecision) -> CorrectionView:
        """Approve a correction: the day changes as proposed.

        A day without a record gets one. Everything is checked again, because the day may have changed since. Managers
        decide on corrections of the people who report to them, directly or through others. Only an owner can approve a
        correction of their own day.
        """
        return CorrectionView.of(corrections.approve(id, body))


class Reject:
    @endpoint(permission="attendance.decide_reports", refuses=(OwnCorrection, InvalidTransition))
    def on_post(self, id: str, body: CorrectionDecision) -> CorrectionView:
        """Reject a correction: the day stays as it is.

        Only an owner can reject a correction of their own day; anyone else can cancel it.
        """
        return CorrectionView.of(corrections.reject(id, body))


class Decide:
    @endpoint(permission="attendance.decide_reports")
    def on_post(self, body: CorrectionDecisions) -> DecidedCorrectionsView:
        """Approve or reject up to 200 corrections at once, all or none.

        Each decision follows the rules of a single one. Errors name the row (`decisions[3]`).
        """
        return DecidedCorrectionsView([CorrectionView.of(each) for each in corrections.decide_all(body)])


class UndoDecision:
    @endpoint(permission="attendance.decide_reports", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> CorrectionView:
        """Undo a decision: the correction is pending again, and the day is as it was before.

        You can undo your own decision within 24 hours; with the right to edit attendance, anyone's at any time. A day
        that has changed since is refused (409).
        """
        return CorrectionView.of(corrections.undo(id))


class Cancel:
    @endpoint(permission="attendance.write_own", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> CorrectionView:
        """Cancel a pending correction that you requested, or that is of your own day.

        The day stays as it is. A correction that has been decided is refused (409).
        """
        return CorrectionView.of(corrections.cancel(id))
