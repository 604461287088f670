"""Leave applications over HTTP."""

from erp.hr.access.people import NoEmployeeRecord
from erp.hr.leave import applications, decisions, entering, listing
from erp.hr.leave.applications import NewLeave, NoticeTooShort, TooManyConsecutiveDays
from erp.hr.leave.decisions import Begun, LeaveBegun, LeaveDecision, LeaveDecisions, OwnLeave
from erp.hr.leave.ledger import LeaveYearClosed
from erp.hr.leave.listing import LeaveCount, LeaveFilter
from erp.hr.leave.rules import AtWorkThen, LeaveOverlap, NoLeaveDays, NotEmployedThen, TooLittleLeave
from erp.hr.leave.views import DecidedLeavesView, LeavePreview, LeaveView, RequestedLeaveView
from erp.kernel.errors import InvalidTransition, UnknownReference
from erp.web.endpoint import endpoint
from erp.web.schema import Page

_RULES = (NotEmployedThen, NoLeaveDays, AtWorkThen, TooLittleLeave, LeaveYearClosed)
_OF_REQUESTS = (LeaveOverlap, TooManyConsecutiveDays, NoticeTooShort, NoEmployeeRecord, UnknownReference)


class Collection:
    @endpoint(permission="leave.read_own", refuses=(UnknownReference,))
    def on_get(self, query: LeaveFilter) -> Page[LeaveView] | list[LeaveCount]:
        """List leave, the newest request first.

        Without the right to read all leave, the list holds your own and, as a manager, your reports' leave. `groupBy`
        answers counts.
        """
        return listing.counts(query) if query.group_by else listing.search(query)

    @endpoint(permission="leave.write_own", status=201, refuses=(*_RULES, *_OF_REQUESTS, OwnLeave))
    def on_post(self, body: NewLeave) -> RequestedLeaveView | LeavePreview:
        """Request leave.

        `dayDetails` explains how each day is counted: holidays and days without scheduled minutes take nothing. The
        days are reserved until someone decides. With the right to manage leave you can request it for others. If the
        leave reaches into a year whose holidays were never imported, they are imported for the workspace's country;
        `warnings` reports the import, or that no holidays are known. With `approve` it is approved at once; only an
        owner can do so for themselves.

        With `dryRun`, the answer is 200 and nothing is stored: it shows the days, the balance after them, who else is
        out, and in `details` every rule that the request breaks.
        """
        if body.dry_run:
            return LeavePreview.of(applications.rehearse(body))
        return RequestedLeaveView.of_request(*entering.enter(body))


class Item:
    @endpoint(permission="leave.read_own")
    def on_get(self, id: str) -> LeaveView:
        """Show a leave application.

        Your own, or with the right to read it, someone else's. `can` names the actions open to you now.
        """
        return LeaveView.of(applications.find(id))


class Approve:
    @endpoint(permission="leave.decide_reports", refuses=(*_RULES, OwnLeave, InvalidTransition))
    def on_post(self, id: str, body: LeaveDecision) -> LeaveView:
        """Approve pending leave.

        Its days are counted again, because schedules and holidays may have changed; `days` and `dayDetails` are
        updated, and the balance is checked again. Managers decide on the leave of the people who report to them,
        directly or through others. Only an owner can approve their own leave.
        """
        return LeaveView.of(decisions.approve(id, body))


class UndoDecision:
    @endpoint(permission="leave.decide_reports", refuses=(*_RULES, LeaveOverlap, OwnLeave, Begun, InvalidTransition))
    def on_post(self, id: str) -> LeaveView:
        """Undo a decision: the leave is pending again.

        You can undo your own decision within 24 hours, as long as its days have not begun; with the right to manage
        leave, anyone's at any time. Days of rejected leave must still be free.
        """
        return LeaveView.of(decisions.undo(id))


class Reject:
    @endpoint(permission="leave.decide_reports", refuses=(OwnLeave, InvalidTransition))
    def on_post(self, id: str, body: LeaveDecision) -> LeaveView:
        """Reject pending leave. Only an owner can reject their own.

        The days go back to the balance. Leave that has been decided is refused (409).
        """
        return LeaveView.of(decisions.reject(id, body))


class Decide:
    @endpoint(permission="leave.decide_reports")
    def on_post(self, body: LeaveDecisions) -> DecidedLeavesView:
        """Approve or reject up to 200 requests for leave at once, all or none.

        Each decision follows the rules of a single one and counts the ones before it. Errors name the row
        (`decisions[3]`).
        """
        return DecidedLeavesView(leaves=[LeaveView.of(leave) for leave in decisions.decide_all(body)])


class Cancel:
    @endpoint(permission="leave.write_own", refuses=(OwnLeave, LeaveBegun, InvalidTransition, LeaveYearClosed))
    def on_post(self, id: str, body: LeaveDecision) -> LeaveView:
        """Cancel pending or approved leave; its days return to the balance.

        You can cancel your own leave until it begins. Later, and for others, you need the right to decide on leave.
        """
        return LeaveView.of(decisions.cancel(id, body))
