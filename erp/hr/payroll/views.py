"""Payroll runs as they are shown."""

from typing import Any, Literal, cast

from erp.hr.payroll import warnings as payroll_warnings
from erp.hr.payroll.models import PayrollRun
from erp.hr.payroll.payslips import views as payslip_views
from erp.hr.payroll.payslips.views import PayslipView, RunStatus
from erp.hr.payroll.slips import Outcome
from erp.kernel import money
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.web.scalars import Day, Money
from erp.web.schema import ListQuery, RecordView, View


class PayrollRunFilter(ListQuery):
    """Which payroll runs to list; the dates are pay dates."""

    status: RunStatus | None = None
    date_from: Day | None = None
    date_to: Day | None = None
    sort: Literal["payDate", "-payDate", "periodStart", "-periodStart", "createdAt", "-createdAt"] = "-createdAt"


class PayrollTotals(View):
    """What the payslips of a run come to together."""

    gross: Money
    deductions: Money
    employer_contributions: Money
    net: Money


class PayrollWarning(View):
    """Something about somebody's pay to look at before a run is approved."""

    employee_id: str
    name: str
    code: str
    message: str


class PayrollVariance(View):
    """How somebody's pay differs from her payslip before; from nothing, if there is none."""

    employee_id: str
    name: str
    previous_gross: Money | None
    gross: Money
    previous_net: Money | None
    net: Money
    difference: Money


class PayrollRunRow(RecordView):
    """A payroll run without its payslips; the number of a dry run is null."""

    created_by: str | None
    number: str | None
    period_start: str
    period_end: str
    pay_date: str
    status: RunStatus
    employee_ids: list[str] | None
    currency: str
    head_count: int
    totals: PayrollTotals
    approved_on: str | None
    approved_by: str | None
    paid_on: str | None
    paid_by: str | None
    reversed_on: str | None
    reversed_by: str | None
    reverse_reason: str | None
    accrual_entry_id: str | None
    payment_entry_id: str | None
    bank_account_id: str | None

    @classmethod
    def of(cls, run: PayrollRun) -> "PayrollRunRow":
        """The view of a run in a list."""
        ((count,),) = WORKSPACE.rows("SELECT count(*) FROM payslip WHERE run_id = ?", (run.id,))
        return cls(**_facts(run, count))


class PayrollRunView(PayrollRunRow):
    """A payroll run with its payslips, by employee number."""

    warnings: list[PayrollWarning]
    variance: list[PayrollVariance]
    payslips: list[PayslipView]


class PayrollRunPreview(PayrollRunView):
    """A payroll run as it would be: nothing is kept, its ids name nothing, and it has no number."""


_DATES = ("period_start", "period_end", "pay_date", "approved_on", "paid_on", "reversed_on")
_PLAIN = (
    *("id", "version", "created_at", "updated_at", "created_by", "number", "employee_ids"),
    *("approved_by", "paid_by", "reversed_by", "reverse_reason"),
    *("accrual_entry_id", "payment_entry_id", "bank_account_id"),
)


def show(run: PayrollRun) -> PayrollRunView:
    """The view of a run that is kept."""
    facts = _with_payslips(run, payslip_views.of_run(run))
    facts["warnings"] += [_warning(each) for each in payroll_warnings.since(run)]
    return PayrollRunView(**facts)


def preview(run: PayrollRun, outcome: Outcome) -> PayrollRunPreview:
    """The view of a run that is not kept."""
    return PayrollRunPreview(**_with_payslips(run, payslip_views.of_outcome(run, outcome.slips)))


def _with_payslips(run: PayrollRun, payslips: list[PayslipView]) -> dict[str, Any]:
    return _facts(run, len(payslips)) | {
        "warnings": [_warning(each) for each in run.warnings],
        "variance": [_variance(each) for each in run.variance],
        "payslips": payslips,
    }


def _facts(run: PayrollRun, head_count: int) -> dict[str, Any]:
    currency = workspace_settings.current().base_currency
    dates = {name: getattr(run, name) for name in _DATES}
    totals = {name: money.text(getattr(run, name), currency) for name in PayrollTotals.__struct_fields__}
    return {name: getattr(run, name) for name in _PLAIN} | {
        **{name: day and day.isoformat() for name, day in dates.items()},
        "status": cast(RunStatus, run.status),
        "currency": currency,
        "head_count": head_count,
        "totals": PayrollTotals(**totals),
    }


def _warning(kept: dict[str, str]) -> PayrollWarning:
    return PayrollWarning(employee_id=kept["employeeId"], name=kept["name"], code=kept["code"], message=kept["message"])


def _variance(kept: dict[str, Any]) -> PayrollVariance:
    currency = workspace_settings.current().base_currency

    def shown(name: str) -> Any:
        return None if kept[name] is None else money.text(kept[name], currency)

    return PayrollVariance(
        employee_id=kept["employeeId"],
        name=kept["name"],
        previous_gross=shown("previousGross"),
        gross=shown("gross"),
        previous_net=shown("previousNet"),
        net=shown("net"),
        difference=shown("difference"),
    )
