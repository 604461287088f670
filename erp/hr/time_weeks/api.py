"""Weeks of time over HTTP."""

from erp.hr.time_weeks import listing, weeks
from erp.hr.time_weeks.bodies import (
    TimeWeekApproval,
    TimeWeekDecisions,
    TimeWeekFilter,
    TimeWeekReminder,
    TimeWeekReturn,
    TimeWeekSubmission,
    TimeWeekWithdrawal,
)
from erp.hr.time_weeks.listing import TimeWeekStatusView, view
from erp.hr.time_weeks.weeks import ApprovalOff, Invoiced, NotOver, OwnTime
from erp.kernel.errors import InvalidTransition, NotFound, UnknownReference
from erp.tasks.time.timers import TimerRunning
from erp.web.endpoint import endpoint
from erp.web.schema import Page, View

STEPS = (NotFound, UnknownReference, InvalidTransition)


class DecidedTimeWeeksView(View):
    """The weeks that were decided, in the order of the request."""

    weeks: list[TimeWeekStatusView]


class Collection:
    @endpoint(permission="time.read_own")
    def on_get(self, query: TimeWeekFilter) -> Page[TimeWeekStatusView]:
        """List weeks of time, the newest first.

        You see your own, or everyone's with the right to. A week is from Monday to Sunday; with the setting
        `timeApproval: week_in_month` it is parted where a month ends. A week is listed if someone logged or submitted
        time in it, or was expected to: an employee with a user and `expectsTime`, by their schedule less holidays and
        approved leave. The weeks of the last eight by default.
        """
        return listing.search(query)


class Submit:
    @endpoint(permission="time.write_own", refuses=(*STEPS, ApprovalOff, NotOver, TimerRunning))
    def on_post(self, date_from: str, body: TimeWeekSubmission) -> TimeWeekStatusView:
        """Submit a week of time.

        It is named by its first day. Its time can then not be changed until it is withdrawn, returned or reopened. It
        can be submitted from its last day on that has working hours (409 `not_over`), and not while a timer runs that
        began in it or earlier (409 `timer_running`). `userId` submits for someone else, which needs the right to change
        everyone's time.
        """
        return view(weeks.submit(date_from, body.user_id, body.note))


class Withdraw:
    @endpoint(permission="time.write_own", refuses=STEPS)
    def on_post(self, date_from: str, body: TimeWeekWithdrawal) -> TimeWeekStatusView:
        """Withdraw a submitted week of time, to change it.

        An approved week can only be reopened.
        """
        return view(weeks.withdraw(date_from, body.user_id))


class Approve:
    @endpoint(permission="time.write", refuses=(*STEPS, OwnTime))
    def on_post(self, date_from: str, body: TimeWeekApproval) -> TimeWeekStatusView:
        """Approve a submitted week of time.

        No one approves their own time, except an owner without anyone else who could.
        """
        return view(weeks.approve(date_from, body.user_id, body.note))


class Return:
    @endpoint(permission="time.write", refuses=(*STEPS, OwnTime))
    def on_post(self, date_from: str, body: TimeWeekReturn) -> TimeWeekStatusView:
        """Return a submitted week of time, for the person to change it.

        It is open again, with the reason as its note.
        """
        return view(weeks.give_back(date_from, body.user_id, body.reason))


class Reopen:
    @endpoint(permission="time.write", refuses=(*STEPS, OwnTime, Invoiced))
    def on_post(self, date_from: str, body: TimeWeekReturn) -> TimeWeekStatusView:
        """Reopen an approved week of time.

        A week with time on an invoice, drafts included, is refused (409 `invoiced`).
        """
        return view(weeks.reopen(date_from, body.user_id, body.reason))


class Remind:
    @endpoint(permission="time.write", refuses=(*STEPS, OwnTime))
    def on_post(self, date_from: str, body: TimeWeekReminder) -> TimeWeekStatusView:
        """Remind someone of a week of time that is missing.

        A week is missing when it is over, has not been submitted, and time was expected in it.
        """
        return view(weeks.remind(date_from, body.user_id))


class Decide:
    @endpoint(permission="time.write")
    def on_post(self, body: TimeWeekDecisions) -> DecidedTimeWeeksView:
        """Approve or return up to 200 weeks of time at once, all or none.

        Each decision follows the rules of a single one. Errors name the row (`decisions[3]`).
        """
        return DecidedTimeWeeksView(weeks=[view(week) for week in weeks.decide_all(body)])
