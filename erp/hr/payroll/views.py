"""Views of payroll runs."""

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any

import msgspec

from erp.hr.payroll import approval, leave_payout, proposals, store
from erp.hr.payroll.leave_payout import PayProposal
from erp.hr.payroll.models import PayrollRun, RunKind, RunStatus
from erp.hr.payroll.payslips import views as payslip_views
from erp.hr.payroll.payslips.views import PayslipView
from erp.hr.payroll.slips import Outcome
from erp.hr.payroll.store import ComputedPayslip
from erp.hr.payroll.warnings import later
from erp.hr.payroll.warnings.views import PayrollWarning, grouped
from erp.kernel import money
from erp.store import names
from erp.store.names import Names
from erp.web.scalars import Figure, Money
from erp.web.schema import RecordView, View, show


class PayrollTotals(View):
    """The sums of a run's payslips."""

    gross: Money
    deductions: Money
    employer_contributions: Money
    net: Money
    payable: Annotated[Money, msgspec.Meta(description="The amounts that are paid out.")]


class PayrollVariance(View):
    """The difference of an employee's pay from their previous regular payslip, or from 0; none in a correction run."""

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
    created_by_name: str | None
    prepared_by_user_ids: Annotated[
        list[str], msgspec.Meta(description="The people who made, recalculated or changed it.")
    ]
    prepared_by_names: Annotated[list[str | None], msgspec.Meta(description="In the order of `preparedByUserIds`.")]
    number: str | None
    period_start: str
    period_end: str
    pay_date: str
    status: RunStatus
    kind: Annotated[RunKind, msgspec.Meta(description="A `correction` pays differences of earlier payslips alone.")]
    includes_differences: bool
    employee_ids: list[str] | None
    of_run_ids: Annotated[list[str] | None, msgspec.Meta(description="The runs that a correction corrects.")]
    currency: str
    exchange_rate: Annotated[Figure | None, msgspec.Meta(description="Base currency for 1, of approval.")]
    head_count: int
    totals: PayrollTotals
    approved_on: str | None
    approved_by: str | None
    approved_by_name: str | None
    paid_on: str | None
    paid_by: str | None
    paid_by_name: str | None
    reversed_on: str | None
    reversed_by: str | None
    reversed_by_name: str | None
    reverse_reason: str | None
    money_returned_on: str | None
    accrual_entry_id: str | None
    accrual_entry_number: str | None
    payment_entry_id: str | None
    payment_entry_number: str | None
    bank_account_id: str | None
    bank_account_code: str | None
    bank_account_name: str | None
    can: Annotated[
        list[approval.Action],
        msgspec.Meta(
            description="Actions open to you now, except where a rule about an amount or a day refuses. None for a "
            "dry run."
        ),
    ]


class ProposedOverride(View):
    """An override of the reversed run that paid this period before, which this draft does not have."""

    employee_id: str
    name: str
    code: str
    line_name: str
    amount: Money
    reason: str
    run_id: str
    run_number: str


class Approver(View):
    """A user who may take the next step of a run."""

    user_id: str
    name: str | None


class PayrollRunView(PayrollRunRow):
    """A payroll run with its payslips, by employee number; warnings by kind, the gravest first."""

    approvers: Annotated[
        list[Approver],
        msgspec.Meta(
            description="Those who may approve a draft, or pay an approved run: not with their own payslip in it, and "
            "with `payrollFourEyes` not a run that they have prepared."
        ),
    ]
    warnings: list[PayrollWarning]
    proposed_overrides: Annotated[
        list[ProposedOverride],
        msgspec.Meta(description="Of a draft; `takeOverrides` copies them, here or when it is recalculated."),
    ]
    proposals: Annotated[
        list[PayProposal], msgspec.Meta(description="Of a stored draft; `take` adds them when it is recalculated.")
    ]
    variance: list[PayrollVariance]
    payslips: list[PayslipView]

    @classmethod
    def of(cls, run: PayrollRun) -> "PayrollRunView":
        payslips = payslip_views.of_run(run)
        return show(cls, run, **_with_payslips(run, payslips))


class PayrollRunPreview(PayrollRunView):
    """A payroll run that is not stored: its ids name nothing, and it has no number."""


def rows(runs: Sequence[PayrollRun]) -> list[PayrollRunRow]:
    """The views of a list of runs; as many queries for any number."""
    counts, named, payees = store.head_counts([run.id for run in runs]), _names(runs), approval.payees(runs)
    return [show(PayrollRunRow, run, **_derived(run, counts.get(run.id, 0), named, payees[run.id])) for run in runs]


def preview(run: PayrollRun, outcome: Outcome) -> PayrollRunPreview:
    """The view of a run that is not stored."""
    payslips = payslip_views.of_computed(run, outcome.payslips)
    return show(PayrollRunPreview, run, **_with_payslips(run, payslips, outcome.payslips))


_DATES = ("period_start", "period_end", "pay_date", "approved_on", "paid_on", "reversed_on", "money_returned_on")


def _with_payslips(
    run: PayrollRun, payslips: list[PayslipView], computed: Sequence[ComputedPayslip] | None = None
) -> dict[str, Any]:
    return _derived(run, len(payslips), _names([run]), approval.payees([run])[run.id]) | {
        "approvers": [Approver(id, names.of_user(id)) for id in approval.approvers(run)] if run.number else [],
        "warnings": grouped([*later.remaining(run.warnings), *later.find(run, computed)]),
        "proposed_overrides": _proposed(run, computed) if run.status == "draft" else [],
        "proposals": leave_payout.views(run),
        "variance": [_variance(entry, run.currency) for entry in run.variance],
        "payslips": payslips,
    }


def _derived(run: PayrollRun, head_count: int, named: Names, payee_user_ids: Collection[str]) -> dict[str, Any]:
    currency = run.currency
    dates = {name: getattr(run, name) for name in _DATES}
    totals = {name: money.text(getattr(run, name), currency) for name in PayrollTotals.__struct_fields__}
    return {
        **{name: day and day.isoformat() for name, day in dates.items()},
        "prepared_by_user_ids": run.prepared_by,
        "prepared_by_names": [names.of_user(user_id) for user_id in run.prepared_by],
        **{f"{act}_by_name": names.of_user(getattr(run, f"{act}_by")) for act in ("approved", "paid", "reversed")},
        **_named(run, named),
        "can": approval.actions(run, payee_user_ids) if run.number else [],
        "exchange_rate": None if run.exchange_rate is None else money.plain(run.exchange_rate, money.RATE_SCALE),
        "head_count": head_count,
        "totals": PayrollTotals(**totals),
    }


def _names(runs: Sequence[PayrollRun]) -> Names:
    """The names for the ids in runs; one query."""
    return names.of(
        journal_entry=[id for run in runs for id in (run.accrual_entry_id, run.payment_entry_id)],
        account=[run.bank_account_id for run in runs],
    )


def _named(run: PayrollRun, named: Names) -> dict[str, str | None]:
    return {
        "accrual_entry_number": named.code(run.accrual_entry_id),
        "payment_entry_number": named.code(run.payment_entry_id),
        "bank_account_code": named.code(run.bank_account_id),
        "bank_account_name": named.name(run.bank_account_id),
    }


def _proposed(run: PayrollRun, computed: Sequence[ComputedPayslip] | None) -> list[ProposedOverride]:
    return [
        show(ProposedOverride, proposal, amount=money.text(proposal.amount, run.currency))
        for proposal in proposals.find(run, computed)
    ]


def _variance(entry: Mapping[str, Any], currency: str) -> PayrollVariance:
    def text(name: str) -> Any:
        return None if entry[name] is None else money.text(entry[name], currency)

    return PayrollVariance(
        employee_id=entry["employeeId"],
        name=entry["name"],
        previous_gross=text("previousGross"),
        gross=text("gross"),
        previous_net=text("previousNet"),
        net=text("net"),
        difference=text("difference"),
    )
