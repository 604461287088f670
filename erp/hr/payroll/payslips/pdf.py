"""A payslip on paper."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from erp.hr.access.models import Employee
from erp.hr.payroll import transfers as payroll_bank
from erp.hr.payroll.calculation import wording as figures
from erp.hr.payroll.models import Payslip
from erp.hr.payroll.payslips.views import PayslipLineView, PayslipView
from erp.kernel import clock
from erp.kernel.pdf import Paper
from erp.store import workspace_settings

_HEADINGS = {"earning": "Earnings", "deduction": "Deductions", "employer_contribution": "Paid by the employer on top"}
_SHOWN_OF_IBAN = 4


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands on the paper besides the payslip: the office, the account paid to, and when it was made."""

    office: str
    address: str
    iban: str | None
    made_at: datetime


def paper_of(slip: Payslip) -> Surroundings:
    """The office and the person's account, for the paper of a payslip."""
    address = workspace_settings.current().address or {}
    town = " ".join(address[part] for part in ("postal_code", "city") if address.get(part))
    lines = [address.get("line1"), address.get("line2"), town, address.get("region"), address.get("country")]
    account = Employee.find(slip.employee_id).bank_account or {}
    return Surroundings(
        office=payroll_bank.office_name(),
        address=", ".join(line for line in lines if line),
        iban=account.get("iban"),
        made_at=clock.parse(slip.created_at),
    )


def name(shown: PayslipView) -> str:
    """What the file is called."""
    return f"payslip-{shown.run_number}-{shown.snapshot.employee_number or shown.employee_id}.pdf"


def masked(iban: str | None) -> str:
    """An account's number as others may see it lying about: its last characters."""
    return f"•••• {iban[-_SHOWN_OF_IBAN:]}" if iban else "–"


def spell(shown: PayslipView, around: Surroundings) -> bytes:
    """Spell the paper."""
    paper = Paper(f"Payslip {shown.period_start} to {shown.period_end}", around.made_at)
    for text in (around.office, around.address):
        if text:
            paper.line(text)
    paper.gap()
    for text in _head(shown, around):
        paper.line(text)
    for kind, heading in _HEADINGS.items():
        lines = [line for line in shown.lines if line.kind == kind]
        if lines:
            paper.gap()
            _table(paper, heading, shown.currency, lines)
    paper.gap()
    paper.rows((6, 3, 3), ("L", "R", "R"), list(_sums(shown)))
    return paper.finish()


def _head(shown: PayslipView, around: Surroundings) -> Iterator[str]:
    person = [shown.snapshot.name, shown.snapshot.employee_number, shown.snapshot.job_title]
    yield ", ".join(part for part in person if part)
    yield f"Payroll run {shown.run_number}, {shown.status}. Pay date {shown.pay_date}. To account {masked(around.iban)}"
    days = f"{shown.paid_days} of {shown.working_days} working days paid"
    yield f"{days}; paid leave {shown.paid_leave_days}, unpaid leave {shown.unpaid_leave_days} days"
    if shown.worked_minutes:
        yield f"Time worked: {figures.hours(shown.worked_minutes)}"


def _table(paper: Paper, heading: str, currency: str, lines: list[PayslipLineView]) -> None:
    rows = [(line.name, _explained(line), _grouped(line.amount)) for line in lines]
    paper.rows((4, 8, 3), ("L", "L", "R"), [(heading, "", currency), *rows])


def _explained(line: PayslipLineView) -> str:
    if not line.override_reason:
        return line.explanation
    return f"{line.explanation}; put in by hand: {line.override_reason}"


def _sums(shown: PayslipView) -> Iterator[tuple[str, str, str]]:
    year = shown.year_to_date
    yield "", shown.currency, f"Year {shown.pay_date[:4]} to date"
    yield "Gross", _grouped(shown.gross), _grouped(year.gross)
    yield "Deductions", _grouped(shown.deductions), _grouped(year.deductions)
    yield "Employer contributions", _grouped(shown.employer_contributions), _grouped(year.employer_contributions)
    yield "Net pay", _grouped(shown.net), _grouped(year.net)


def _grouped(amount: str) -> str:
    """An amount with its thousands apart, as the explanations show it."""
    return f"{Decimal(amount):,}"
