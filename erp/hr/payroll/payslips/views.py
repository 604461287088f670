"""Views of payslips: for readers of payroll and, once approved, for the employee."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec

from erp.hr.leave import days as leave_days
from erp.hr.leave.days import DaysText
from erp.hr.payroll import store
from erp.hr.payroll.calculation.values import Kind, LineKind
from erp.hr.payroll.models import PayrollRun, Payslip, RunStatus
from erp.hr.payroll.store import ComputedPayslip, StoredLine
from erp.kernel import money
from erp.store import sql
from erp.web.scalars import Figure, Money
from erp.web.schema import RecordView, Unset, View, known, show


class PayslipSnapshot(View):
    """The employee's details when the payslip was computed."""

    name: str
    job_title: str | None
    employee_number: str | None = None


class PayslipLineView(View):
    """A line: quantity × rate is the amount, except for rounding.

    The explanation shows the arithmetic, here in your language and on paper in the office's.
    """

    position: int
    component_id: str | None
    code: str
    name: str
    kind: LineKind
    quantity: Figure | None
    rate: Figure | None
    amount: Money
    explanation: str
    computed_amount: Annotated[
        Money | Unset, msgspec.Meta(description="The computed amount, where it is overridden.")
    ] = msgspec.UNSET
    override_reason: str | Unset = msgspec.UNSET
    id: Annotated[str | Unset, msgspec.Meta(description="Of a one-off line.")] = msgspec.UNSET
    reason: Annotated[str | Unset, msgspec.Meta(description="Of a one-off line.")] = msgspec.UNSET
    origin_payslip_id: Annotated[
        str | Unset, msgspec.Meta(description="The earlier payslip that the line corrects.")
    ] = msgspec.UNSET
    origin_run_number: str | Unset = msgspec.UNSET
    claim_id: Annotated[str | Unset, msgspec.Meta(description="The expense claim that is reimbursed.")] = msgspec.UNSET


class ComponentToDate(View):
    """The sum of a component, or of base pay, in the year."""

    component_id: str | None
    code: str
    name: str
    kind: Kind
    amount: Money


class YearToDateView(View):
    """The calendar year of the pay date, this payslip included."""

    gross: Money
    deductions: Money
    employer_contributions: Money
    net: Money
    components: list[ComponentToDate]


class PayslipView(RecordView):
    """The pay of one employee in a payroll run: net = gross − deductions.

    payable = net + carriedIn + reimbursements, at least 0; carriedForward, below zero, goes on to the next payslip.
    """

    created_by: str | None
    created_by_name: str | None
    run_id: str
    run_number: str | None
    status: RunStatus
    period_start: str
    period_end: str
    pay_date: str
    currency: str
    employee_id: str
    snapshot: PayslipSnapshot
    working_days: DaysText
    paid_days: DaysText
    unpaid_leave_days: DaysText
    paid_leave_days: DaysText
    worked_minutes: int
    lines: list[PayslipLineView]
    gross: Money
    deductions: Money
    net: Money
    employer_contributions: Money
    carried_in: Annotated[Money, msgspec.Meta(description="Carried on from earlier corrections, at most 0.")]
    reimbursements: Annotated[Money, msgspec.Meta(description="Expense claims that are paid along; they are not pay.")]
    payable: Annotated[Money, msgspec.Meta(description="The amount that is paid out.")]
    carried_forward: Annotated[Money, msgspec.Meta(description="Carried on to the next payslip, at most 0.")]
    year_to_date: YearToDateView

    @classmethod
    def of(cls, payslip: Payslip) -> "PayslipView":
        (view,) = of_many([payslip])
        return view


_DAYS = ("working_days", "paid_days", "unpaid_leave_days", "paid_leave_days")
_SUMS = ("gross", "deductions", "net", "employer_contributions", "carried_in", "reimbursements", "payable")
_RUNS = """
SELECT * FROM payroll_run WHERE id IN (
    SELECT run_id FROM payslip WHERE payslip.id IN (SELECT value FROM json_each(?)))
"""


def of_many(payslips: Sequence[Payslip]) -> list[PayslipView]:
    """The views of payslips; two queries, however many there are."""
    lines = store.lines(payslips)
    runs = {run.id: run for run in PayrollRun.fetch(_RUNS, sql.array(payslip.id for payslip in payslips))}
    return [_view(runs[payslip.run_id], payslip, lines[payslip.id]) for payslip in payslips]


def of_run(run: PayrollRun) -> list[PayslipView]:
    payslips = store.of_run(run.id)
    lines = store.lines(payslips)
    return [_view(run, payslip, lines[payslip.id]) for payslip in payslips]


def of_computed(run: PayrollRun, payslips: Sequence[ComputedPayslip]) -> list[PayslipView]:
    return [_view(run, computed.row, computed.lines) for computed in payslips]


def _view(run: PayrollRun, payslip: Payslip, lines: Sequence[StoredLine]) -> PayslipView:
    currency = run.currency
    numbers = store.origins(lines)
    texts: dict[str, Any] = {name: leave_days.shown(getattr(payslip, name)) for name in _DAYS}
    texts |= {name: money.text(getattr(payslip, name), currency) for name in _SUMS}
    return show(
        PayslipView,
        payslip,
        **texts,
        carried_forward=money.text(
            payslip.net + payslip.carried_in + payslip.reimbursements - payslip.payable, currency
        ),
        run_number=run.number,
        status=run.status,
        period_start=run.period_start.isoformat(),
        period_end=run.period_end.isoformat(),
        pay_date=run.pay_date.isoformat(),
        currency=currency,
        snapshot=msgspec.convert(payslip.snapshot, known(PayslipSnapshot)),
        lines=[_line(position, line, currency, numbers) for position, line in enumerate(lines)],
        year_to_date=_year_to_date(payslip.year_to_date, currency),
    )


def _line(position: int, line: StoredLine, currency: str, numbers: Mapping[str, str]) -> PayslipLineView:
    is_overridden = line.override_reason is not None
    return show(
        PayslipLineView,
        line,
        position=position,
        quantity=None if line.quantity is None else money.plain(line.quantity),
        rate=None if line.rate is None else money.plain(line.rate),
        amount=money.text(line.amount, currency),
        computed_amount=money.text(line.computed_amount, currency) if is_overridden else msgspec.UNSET,
        override_reason=line.override_reason if is_overridden else msgspec.UNSET,
        id=line.line_id or msgspec.UNSET,
        reason=line.reason or msgspec.UNSET,
        origin_payslip_id=line.origin_payslip_id or msgspec.UNSET,
        claim_id=line.claim_id or msgspec.UNSET,
        origin_run_number=numbers.get(line.origin_payslip_id or "", msgspec.UNSET),
    )


def _year_to_date(stored: dict[str, Any], currency: str) -> YearToDateView:
    amounts = {name: money.text(stored[name], currency) for name in ("gross", "deductions", "net")}
    components = [
        ComponentToDate(
            component_id=entry["componentId"],
            code=entry["code"],
            name=entry["name"],
            kind=entry["kind"],
            amount=money.text(entry["amount"], currency),
        )
        for entry in stored["components"]
    ]
    contributions = money.text(stored["employerContributions"], currency)
    return YearToDateView(**amounts, employer_contributions=contributions, components=components)
