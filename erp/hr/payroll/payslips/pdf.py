"""A payslip as a PDF."""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import msgspec

from erp.hr.access import people
from erp.hr.access.models import Employee
from erp.hr.leave import balances, ledger
from erp.hr.leave.days import shown
from erp.hr.payroll.calculation import wording
from erp.hr.payroll.models import Payslip
from erp.hr.payroll.payslips.paper import PayslipPaper, Row
from erp.hr.payroll.payslips.views import ComponentToDate, PayslipLineView, PayslipView
from erp.kernel import caller, clock, countries
from erp.store import workspace_settings
from erp.web.schema import File

_IBAN_DIGITS = 4
_ON_TOP = "Your employer pays this in addition. It is not taken from your pay."


class PaperContext(msgspec.Struct, frozen=True):
    """What a paper shows in addition to the payslip.

    `office` and `person` are lines of text, the names first; `leave` has the days left by type on the last day of the
    period. `holder` stands for a name in letters for which there is no typeface.
    """

    office: list[str]
    person: list[str]
    holder: str | None
    iban: str | None
    leave: list[tuple[str, str]]
    country: str | None
    made_at: datetime


def file(payslip: Payslip) -> File:
    """The PDF of a payslip, for download."""
    view = PayslipView.of(payslip)
    number = view.snapshot.employee_number or view.employee_id
    return File(write(view, _context(payslip, view)), f"payslip-{view.run_number}-{number}.pdf")


def _context(payslip: Payslip, view: PayslipView) -> PaperContext:
    settings, employee = workspace_settings.current(), Employee.find(payslip.employee_id)
    home = settings.country or (settings.address or {}).get("country")
    account = employee.bank_account or {}
    address = _address(employee.address, home) if _sees_address(employee) else []
    return PaperContext(
        office=[workspace_settings.office_name(), *_address(settings.address, home), *_tax_number(settings.tax_number)],
        person=[view.snapshot.name, *address, *_tax_number(employee.tax_number)],
        holder=account.get("holder"),
        iban=account.get("iban"),
        leave=_leave_left(employee.id, date.fromisoformat(view.period_end)),
        country=home,
        made_at=clock.parse(payslip.created_at),
    )


def _sees_address(employee: Employee) -> bool:
    """Whether the caller may see where an employee lives: their own paper has it, an accountant's has not."""
    return caller.may("employees.write") or employee.id == people.own_id()


def _address(address: Mapping[str, Any] | None, home: str | None) -> list[str]:
    """The lines of an address; its country only if it is another than that of the office."""
    parts = address or {}
    town = " ".join(parts[part] for part in ("postal_code", "city") if parts.get(part))
    abroad = parts.get("country") if parts.get("country") != home else None
    return [line for line in (parts.get("line1"), parts.get("line2"), town, parts.get("region"), abroad) if line]


def _tax_number(number: str | None) -> list[str]:
    return [f"Tax number {number}"] if number else []


def _leave_left(employee_id: str, last_day: date) -> list[tuple[str, str]]:
    """What is left of each type of leave with an allowance, by type, at the end of that day."""
    types = [leave_type for leave_type in ledger.types_in_use() if leave_type.accrual != "none"]
    accounts = ledger.accounts([employee_id], types, last_day.year)
    left = []
    for leave_type in types:
        account = balances.as_of(accounts[employee_id, leave_type.id], last_day)
        left.append((leave_type.name, shown(sum(line.days for line in account.lines if line.date <= last_day))))
    return left


def masked(iban: str | None) -> str:
    """The last characters of an IBAN: a printed payslip may be seen by others."""
    return f"•••• {iban[-_IBAN_DIGITS:]}" if iban else "–"


def write(payslip: PayslipView, context: PaperContext) -> bytes:
    """Write the PDF."""
    period = f"{_day(payslip.period_start, context)} – {_day(payslip.period_end, context)}"
    number = payslip.snapshot.employee_number or ""
    foot = " · ".join(part for part in (context.office[0], payslip.run_number, number) if part)
    paper = PayslipPaper(f"Payslip {period}", foot, context.made_at)
    paper.head(context.office, "Payslip", [period, f"Pay date {_day(payslip.pay_date, context)}"])
    paper.parties(_person(paper, payslip, context), list(_facts(payslip, context)))
    paper.figure("Net pay", f"{_grouped(payslip.net)} {payslip.currency}", _paid(payslip, context))
    _write_tables(paper, payslip)
    return paper.finish()


def _write_tables(paper: PayslipPaper, payslip: PayslipView) -> None:
    columns = (payslip.currency, f"{payslip.pay_date[:4]} to date")
    year = payslip.year_to_date
    gross = Row("Gross pay", _grouped(payslip.gross), _grouped(year.gross), is_total=True)
    paper.table(("Earnings", *columns), [*_rows(payslip, "earning"), gross])
    taken = Row("Total deductions", _grouped(payslip.deductions), _grouped(year.deductions), is_total=True)
    net = Row("Net pay: gross pay less deductions", _grouped(payslip.net), _grouped(year.net), is_total=True)
    deductions = [*_rows(payslip, "deduction")]
    paper.table(("Deductions", *columns), [*deductions, *([taken] if deductions else []), net])
    contributions = [*_rows(payslip, "employer_contribution")]
    if contributions:
        cost = Decimal(payslip.gross) + Decimal(payslip.employer_contributions)
        year_cost = Decimal(year.gross) + Decimal(year.employer_contributions)
        on_top = _grouped(payslip.employer_contributions), _grouped(year.employer_contributions)
        sums = [
            Row("Total contributions", *on_top, is_total=True),
            Row("Gross pay and contributions together", f"{cost:,}", f"{year_cost:,}"),
        ]
        paper.apart("Employer's part", _ON_TOP, ("Employer contributions", *columns), [*contributions, *sums])


def _person(paper: PayslipPaper, payslip: PayslipView, context: PaperContext) -> list[str]:
    """The lines about the employee; a name that cannot be printed gives way to that of their bank account."""
    name, *rest = context.person
    if not paper.can_write(name):
        stand_ins = (context.holder, payslip.snapshot.employee_number)
        name = next((text for text in stand_ins if text and paper.can_write(text)), name)
    return [name, *([payslip.snapshot.job_title] if payslip.snapshot.job_title else []), *rest]


def _facts(payslip: PayslipView, context: PaperContext) -> Iterator[tuple[str, str]]:
    if payslip.snapshot.employee_number:
        yield "Employee number", payslip.snapshot.employee_number
    yield "Payroll run", f"{payslip.run_number} ({payslip.status})"
    yield "Paid days", f"{payslip.paid_days} of {payslip.working_days}"
    yield "Paid leave", _days(payslip.paid_leave_days)
    yield "Unpaid leave", _days(payslip.unpaid_leave_days)
    if payslip.worked_minutes:
        yield "Working time", wording.hours(payslip.worked_minutes)
    for name, days in context.leave:
        yield f"Leave left: {name}", _days(days)


def _paid(payslip: PayslipView, context: PaperContext) -> str:
    return f"On {_day(payslip.pay_date, context)} to account {masked(context.iban)}"


def _day(iso: str, context: PaperContext) -> str:
    return countries.date_text(date.fromisoformat(iso), context.country)


def _days(days: str) -> str:
    return f"{days} {'day' if days == '1' else 'days'}"


def _rows(payslip: PayslipView, kind: str) -> Iterator[Row]:
    """The lines of a kind, each with its year to date, and then what only earlier payslips of the year have."""
    to_date = {_key(entry): entry for entry in payslip.year_to_date.components if entry.kind == kind}
    seen: Counter[str] = Counter()
    for line in payslip.lines:
        if line.kind == kind:
            key = _key(line)
            sum_ = "" if seen[key] or key not in to_date else _grouped(to_date[key].amount)
            seen[key] += 1
            yield Row(line.name, _grouped(line.amount), sum_, _explained(line))
    for key, entry in to_date.items():
        if not seen[key] and Decimal(entry.amount):
            yield Row(entry.name, "–", _grouped(entry.amount))


def _key(line: PayslipLineView | ComponentToDate) -> str:
    return line.component_id or line.code


def _explained(line: PayslipLineView) -> str:
    if not line.override_reason:
        return line.explanation
    return f"{line.explanation}; overridden: {line.override_reason}"


def _grouped(amount: str) -> str:
    """An amount with thousands separators, as explanations show it."""
    return f"{Decimal(amount):,}"
