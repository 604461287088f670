"""A payslip as a PDF."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from erp.hr.access.models import Employee
from erp.hr.payroll import transfers
from erp.hr.payroll.calculation import wording
from erp.hr.payroll.models import Payslip
from erp.hr.payroll.payslips.views import PayslipLineView, PayslipView
from erp.kernel import clock
from erp.kernel.pdf import Paper
from erp.store import workspace_settings
from erp.web.schema import File

_HEADINGS = {"earning": "Earnings", "deduction": "Deductions", "employer_contribution": "Employer contributions"}
_IBAN_DIGITS = 4


@dataclass(frozen=True, slots=True)
class PaperContext:
    """What a paper shows in addition to the payslip: the office, the account paid to, and when it was created."""

    office: str
    address: str
    iban: str | None
    made_at: datetime


def file(payslip: Payslip) -> File:
    """The PDF of a payslip, for download."""
    view = PayslipView.of(payslip)
    number = view.snapshot.employee_number or view.employee_id
    return File(write(view, _context(payslip)), f"payslip-{view.run_number}-{number}.pdf")


def _context(payslip: Payslip) -> PaperContext:
    address = workspace_settings.current().address or {}
    town = " ".join(address[part] for part in ("postal_code", "city") if address.get(part))
    lines = [address.get("line1"), address.get("line2"), town, address.get("region"), address.get("country")]
    account = Employee.find(payslip.employee_id).bank_account or {}
    return PaperContext(
        office=transfers.office_name(),
        address=", ".join(line for line in lines if line),
        iban=account.get("iban"),
        made_at=clock.parse(payslip.created_at),
    )


def masked(iban: str | None) -> str:
    """The last characters of an IBAN: a printed payslip may be seen by others."""
    return f"•••• {iban[-_IBAN_DIGITS:]}" if iban else "–"


def write(payslip: PayslipView, context: PaperContext) -> bytes:
    """Write the PDF."""
    paper = Paper(f"Payslip {payslip.period_start} to {payslip.period_end}", context.made_at)
    for text in (context.office, context.address):
        if text:
            paper.line(text)
    paper.gap()
    for text in _head(payslip, context):
        paper.line(text)
    for kind, heading in _HEADINGS.items():
        lines = [line for line in payslip.lines if line.kind == kind]
        if lines:
            paper.gap()
            _table(paper, heading, payslip.currency, lines)
    paper.gap()
    paper.rows((6, 3, 3), ("L", "R", "R"), list(_sums(payslip)))
    return paper.finish()


def _head(payslip: PayslipView, context: PaperContext) -> Iterator[str]:
    person = [payslip.snapshot.name, payslip.snapshot.employee_number, payslip.snapshot.job_title]
    yield ", ".join(part for part in person if part)
    run = f"Payroll run {payslip.run_number}, {payslip.status}"
    yield f"{run}. Pay date {payslip.pay_date}. To account {masked(context.iban)}"
    days = f"{payslip.paid_days} of {payslip.working_days} working days paid"
    yield f"{days}; paid leave {payslip.paid_leave_days}, unpaid leave {payslip.unpaid_leave_days} days"
    if payslip.worked_minutes:
        yield f"Working time: {wording.hours(payslip.worked_minutes)}"


def _table(paper: Paper, heading: str, currency: str, lines: list[PayslipLineView]) -> None:
    rows = [(line.name, _explained(line), _grouped(line.amount)) for line in lines]
    paper.rows((4, 8, 3), ("L", "L", "R"), [(heading, "", currency), *rows])


def _explained(line: PayslipLineView) -> str:
    if not line.override_reason:
        return line.explanation
    return f"{line.explanation}; overridden: {line.override_reason}"


def _sums(payslip: PayslipView) -> Iterator[tuple[str, str, str]]:
    year = payslip.year_to_date
    yield "", payslip.currency, f"Year {payslip.pay_date[:4]} to date"
    yield "Gross", _grouped(payslip.gross), _grouped(year.gross)
    yield "Deductions", _grouped(payslip.deductions), _grouped(year.deductions)
    yield "Employer contributions", _grouped(payslip.employer_contributions), _grouped(year.employer_contributions)
    yield "Net pay", _grouped(payslip.net), _grouped(year.net)


def _grouped(amount: str) -> str:
    """An amount with thousands separators, as explanations show it."""
    return f"{Decimal(amount):,}"
