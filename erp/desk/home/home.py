"""The home page: what waits for the caller, each part as far as their role goes."""

from erp.desk.home import books, decisions, work
from erp.desk.home.books import Drafts, MoneyView, OverdueInvoices, WaitingBills
from erp.desk.home.decisions import CorrectionsToDecide, LeavesToDecide, PayrollToHandle
from erp.desk.home.work import ClockView, DueTasks, UnbilledTime
from erp.store import workspace_settings
from erp.web.endpoint import endpoint
from erp.web.schema import View


class HomeView(View):
    """What waits for the caller; null where they lack the right, or the employee record."""

    today: str
    clock: ClockView | None
    leaves: LeavesToDecide | None
    corrections: CorrectionsToDecide | None
    payroll_runs: PayrollToHandle | None
    tasks: DueTasks | None
    unbilled_time: UnbilledTime | None
    overdue_invoices: OverdueInvoices | None
    drafts: Drafts | None
    bills_to_approve: WaitingBills | None
    bills_due: WaitingBills | None
    money: MoneyView | None


class Home:
    """The home page of the caller."""

    @endpoint(permission="workspace.read")
    def on_get(self) -> HomeView:
        """Show what waits for you, and where you stand.

        Leave and corrections that you decide on, with who else is away; your tasks that are due; time that you may
        bill, by project; overdue invoices, drafts, bills to approve or due; payroll runs to approve or pay; the money
        there is; your clock. A part for which you lack the right is null. Each list has its first ten items, and how
        many there are.
        """
        return HomeView(
            today=workspace_settings.today().isoformat(),
            clock=work.clock(),
            leaves=decisions.leaves(),
            corrections=decisions.corrections(),
            payroll_runs=decisions.payroll_runs(),
            tasks=work.tasks(),
            unbilled_time=work.unbilled_time(),
            overdue_invoices=books.overdue_invoices(),
            drafts=books.drafts(),
            bills_to_approve=books.bills("approve"),
            bills_due=books.bills("pay"),
            money=books.figures(),
        )
