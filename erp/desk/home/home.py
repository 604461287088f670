"""The home page of the caller, each part within the limits of their role."""

from typing import Annotated, Any

from msgspec import Meta

from erp.desk.home import (
    assets,
    away,
    books,
    cash,
    claims,
    deadlines,
    decisions,
    ending,
    first_steps,
    hours,
    leavers,
    mail,
    quotes,
    reminders,
    result,
    time,
    work,
)
from erp.desk.home.assets import DepreciationDueView, LinesWithoutAsset
from erp.desk.home.away import AwayView
from erp.desk.home.books import Drafts, MoneyView, OverdueInvoices, WaitingBills
from erp.desk.home.cash import CashView, DueView
from erp.desk.home.claims import WaitingClaims
from erp.desk.home.deadlines import DeadlineView
from erp.desk.home.decisions import CorrectionsToDecide, LeavesToDecide, PayDifferencesView, PayrollToHandle
from erp.desk.home.ending import Endings, ExpiringDocuments
from erp.desk.home.first_steps import FirstStepsView
from erp.desk.home.hours import HoursView
from erp.desk.home.leavers import LeaversWithAccess
from erp.desk.home.mail import MessagesInTrouble
from erp.desk.home.quotes import QuotesToFollow
from erp.desk.home.reminders import RemindersToMakeView
from erp.desk.home.result import ResultView
from erp.desk.home.time import WaitingWeeks
from erp.desk.home.work import ClockView, DueTasks, TasksAheadView, UnbilledTime
from erp.desk.privacy import due
from erp.desk.privacy.due import PeopleDue
from erp.store import workspace_settings
from erp.web.endpoint import endpoint
from erp.web.schema import View


class HomeView(View):
    """Pending items of the caller; null where they lack the right, or the employee record."""

    today: str
    first_steps: FirstStepsView | None
    clock: ClockView | None
    leaves: LeavesToDecide | None
    corrections: CorrectionsToDecide | None
    claims_to_decide: WaitingClaims | None
    claims_to_post: WaitingClaims | None
    payroll_runs: PayrollToHandle | None
    pay_differences: Annotated[PayDifferencesView | None, Meta(description="Null as well where there are none.")]
    documents_expiring: ExpiringDocuments | None
    employments_ending: Endings | None
    leavers_with_access: LeaversWithAccess | None
    retention_due: Annotated[PeopleDue | None, Meta(description="People of whom data can be erased; null if none.")]
    time_to_approve: Annotated[WaitingWeeks | None, Meta(description="Null as well where weeks are not submitted.")]
    time_missing: Annotated[WaitingWeeks | None, Meta(description="Yours, or everyone's if you may decide on them.")]
    tasks: DueTasks | None
    tasks_ahead: TasksAheadView | None
    unbilled_time: UnbilledTime | None
    quotes_to_follow: QuotesToFollow | None
    overdue_invoices: OverdueInvoices | None
    reminders_to_make: Annotated[RemindersToMakeView | None, Meta(description="Null as well where none is due.")]
    drafts: Drafts | None
    bills_to_approve: WaitingBills | None
    bills_due: WaitingBills | None
    depreciation_due: Annotated[DepreciationDueView | None, Meta(description="Null as well where nothing is due.")]
    lines_without_asset: LinesWithoutAsset | None
    messages_in_trouble: Annotated[MessagesInTrouble | None, Meta(description="Mail that failed, or may have failed.")]
    money: MoneyView | None
    cash: CashView | None
    due: DueView | None
    result: ResultView | None
    hours: HoursView | None
    away: AwayView | None
    deadlines: Annotated[
        list[DeadlineView] | None, Meta(description="The first six by date, the late ones at the top.")
    ]


class Home:
    @endpoint(permission="workspace.read")
    def on_get(self) -> HomeView:
        """Show everything that waits for you, and your clock.

        Leave, corrections and expense claims to decide on, with other people who are away; claims to post; your due
        tasks; time to invoice, by project; quotes that soon expire or wait for an invoice; overdue invoices, reminders,
        drafts, bills to approve or due; payroll runs to approve or pay, and differences of earlier ones; papers,
        contracts and probations of employees that end; weeks of time to approve, and missing ones; members whose
        employment has ended; people whose data can be erased; depreciation to post and bought assets to add; mail that
        failed or is unsure; money; your clock. A part for which you lack the right is null. Each list has its first ten
        items, and their number. Then figures: cash now and in 13 weeks, amounts due, the result beside last year's,
        hours, absent people, and deadlines.
        """
        return HomeView(
            today=workspace_settings.today().isoformat(),
            first_steps=first_steps.shown(),
            clock=work.clock(),
            leaves=decisions.leaves(),
            corrections=decisions.corrections(),
            claims_to_decide=claims.to_decide(),
            claims_to_post=claims.to_post(),
            payroll_runs=decisions.payroll_runs(),
            pay_differences=decisions.pay_differences(),
            documents_expiring=ending.documents(),
            employments_ending=ending.employments(),
            leavers_with_access=leavers.with_access(),
            retention_due=due.for_home(),
            time_to_approve=time.to_approve(),
            time_missing=time.missing(),
            tasks=work.tasks(),
            tasks_ahead=work.tasks_ahead(),
            unbilled_time=work.unbilled_time(),
            quotes_to_follow=quotes.to_follow(),
            overdue_invoices=books.overdue_invoices(),
            reminders_to_make=reminders.to_make(),
            drafts=books.drafts(),
            bills_to_approve=books.bills("approve"),
            bills_due=books.bills("pay"),
            depreciation_due=assets.depreciation_due(),
            lines_without_asset=assets.lines_without_asset(),
            messages_in_trouble=mail.in_trouble(),
            **_figures(),
        )


def _figures() -> dict[str, Any]:
    """The parts that are figures, which wait for no one."""
    return {
        "money": books.figures(),
        "cash": cash.cash(),
        "due": cash.due(),
        "result": result.result(),
        "hours": hours.hours(),
        "away": away.away(),
        "deadlines": deadlines.shown(),
    }
