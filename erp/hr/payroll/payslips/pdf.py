"""A payslip as a PDF."""

from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal

import msgspec

from erp.finance.output import logo
from erp.finance.output.paper.wording import Wording
from erp.hr.access import people
from erp.hr.access.models import Employee
from erp.hr.leave import balances, ledger
from erp.hr.leave.days import shown
from erp.hr.leave.types import types as leave_types
from erp.hr.payroll.calculation import wording
from erp.hr.payroll.models import Payslip
from erp.hr.payroll.payslips.paper import PayslipPaper, Row
from erp.hr.payroll.payslips.views import ComponentToDate, PayslipLineView, PayslipView
from erp.kernel import caller, clock
from erp.kernel.language import Digits, Word, says
from erp.store import workspace_settings
from erp.web.address import lines as address_lines
from erp.web.schema import File

_IBAN_DIGITS = 4
_ON_TOP = says("Your employer pays this in addition. It is not taken from your pay.")


class PaperContext(msgspec.Struct, frozen=True):
    """Facts that a paper shows in addition to the payslip.

    `office` and `person` are lines of text, the names first; `leave` has the remaining days by type on the last day of
    the period. `holder` replaces a name in letters without a typeface.
    """

    office: list[str]
    person: list[str]
    holder: str | None
    iban: str | None
    leave: list[tuple[str, str]]
    wording: Wording
    made_at: datetime
    logo: bytes | None


def file(payslip: Payslip, password: str | None = None) -> File:
    """The PDF of a payslip, for download, or to send under a password."""
    view = PayslipView.of(payslip)
    number = view.snapshot.employee_number or view.employee_id
    return File(write(view, _context(payslip, view), password), f"payslip-{view.run_number}-{number}.pdf")


def _context(payslip: Payslip, view: PayslipView) -> PaperContext:
    settings, employee = workspace_settings.current(), Employee.find(payslip.employee_id)
    home = settings.country or (settings.address or {}).get("country")
    account = employee.bank_account or {}
    address = address_lines(employee.address, home) if _sees_address(employee) else []
    wording = Wording(workspace_settings.paper_language(), view.currency, home)
    name, lines = workspace_settings.office_name(), address_lines(settings.address, home)
    return PaperContext(
        office=[name, *lines, *_tax_number(settings.tax_number, wording)],
        person=[view.snapshot.name, *address, *_tax_number(employee.tax_number, wording)],
        holder=account.get("holder"),
        iban=account.get("iban"),
        leave=_remaining_leave(employee.id, date.fromisoformat(view.period_end)),
        wording=wording,
        made_at=clock.parse(payslip.created_at),
        logo=logo.content(settings.logo_hash),
    )


def _sees_address(employee: Employee) -> bool:
    """Whether the caller may see an employee's address: an employee's own paper has it, an accountant's has not."""
    return caller.may("employees.write") or employee.id == people.own_id()


def _tax_number(number: str | None, words: Wording) -> list[str]:
    return [f"{words.say(Word('Tax number'))} {number}"] if number else []


def _remaining_leave(employee_id: str, last_day: date) -> list[tuple[str, str]]:
    """The remaining days of each type of leave with an allowance, by type, at the end of that day."""
    types = [leave_type for leave_type in ledger.types_in_use() if leave_type.accrual != "none"]
    accounts = ledger.accounts([employee_id], types, last_day.year)
    remaining = []
    for leave_type in types:
        account = balances.as_of(accounts[employee_id, leave_type.id], last_day)
        remaining.append(
            (
                leave_types.in_words(leave_type.name),
                shown(sum(line.days for line in account.lines if line.date <= last_day)),
            )
        )
    return remaining


def masked(iban: str | None) -> str:
    """The last characters of an IBAN: a printed payslip may be seen by others."""
    return f"•••• {iban[-_IBAN_DIGITS:]}" if iban else "–"


def write(payslip: PayslipView, context: PaperContext, password: str | None = None) -> bytes:
    words = context.wording
    period = f"{words.day(_date(payslip.period_start))} – {words.day(_date(payslip.period_end))}"
    pay_day = f"{words.say(Word('Pay date'))} {words.day(_date(payslip.pay_date))}"
    number = payslip.snapshot.employee_number or ""
    foot = " · ".join(part for part in (context.office[0], payslip.run_number, number) if part)
    title = words.say(Word("Payslip"))
    paper = PayslipPaper(f"{title} {period}", foot, words.language, context.made_at)
    paper.head(context.office, title, [period, pay_day], context.logo)
    paper.parties(_person(paper, payslip, context), list(_facts(payslip, context)))
    is_net = payslip.payable == payslip.net
    amount = f"{words.number(payslip.payable)} {payslip.currency}"
    paper.figure(words.say(Word("Net pay") if is_net else Word("Payable", "payroll")), amount, _paid(payslip, context))
    _write_tables(paper, payslip, words)
    return paper.finish(password)


def _write_tables(paper: PayslipPaper, payslip: PayslipView, words: Wording) -> None:
    columns = (payslip.currency, words.say(says("{year} to date", year=payslip.pay_date[:4])))
    year = payslip.year_to_date

    def total(name: Word, amount: str, to_date: str) -> Row:
        return Row(words.say(name), words.number(amount), words.number(to_date), is_total=True)

    earned = total(Word("Gross pay"), payslip.gross, year.gross)
    paper.table((words.say(Word("Earnings")), *columns), [*_rows(payslip, "earning", words), earned])
    deductions = [*_rows(payslip, "deduction", words)]
    if deductions:
        deductions.append(total(Word("Total deductions"), payslip.deductions, year.deductions))
    net = total(Word("Net pay: gross pay less deductions"), payslip.net, year.net)
    paper.table((words.say(Word("Deductions")), *columns), [*deductions, net, *_carried(payslip, words)])
    contributions = [*_rows(payslip, "employer_contribution", words)]
    if contributions:
        cost = Decimal(payslip.gross) + Decimal(payslip.employer_contributions)
        year_cost = Decimal(year.gross) + Decimal(year.employer_contributions)
        together = words.say(Word("Gross pay and contributions together"))
        sums = [
            total(Word("Total contributions"), payslip.employer_contributions, year.employer_contributions),
            Row(together, words.number(str(cost)), words.number(str(year_cost))),
        ]
        headings = (words.say(Word("Employer contributions")), *columns)
        paper.apart(words.say(Word("Employer contributions")), words.say(_ON_TOP), headings, [*contributions, *sums])


def _carried(payslip: PayslipView, words: Wording) -> Iterator[Row]:
    """From net to what is payable, where expenses are reimbursed or corrections have carried something on."""
    for line in payslip.lines:
        if line.kind == "reimbursement":
            yield Row(line.name, words.number(line.amount), "", words.say(line.explanation))
    carried = ((Word("Carried in"), payslip.carried_in), (Word("Carried forward"), payslip.carried_forward))
    for name, amount in carried:
        if Decimal(amount):
            yield Row(words.say(name), words.number(amount), "")
    if payslip.payable != payslip.net:
        yield Row(words.say(Word("Payable", "payroll")), words.number(payslip.payable), "", is_total=True)


def _person(paper: PayslipPaper, payslip: PayslipView, context: PaperContext) -> list[str]:
    """The lines about the employee; the bank account's holder replaces a name that cannot be printed."""
    name, *rest = context.person
    if not paper.can_write(name):
        stand_ins = (context.holder, payslip.snapshot.employee_number)
        name = next((text for text in stand_ins if text and paper.can_write(text)), name)
    return [name, *([payslip.snapshot.job_title] if payslip.snapshot.job_title else []), *rest]


def _facts(payslip: PayslipView, context: PaperContext) -> Iterator[tuple[str, str]]:
    words = context.wording
    if payslip.snapshot.employee_number:
        yield words.say(Word("Employee number")), payslip.snapshot.employee_number
    yield words.say(Word("Payroll run")), f"{payslip.run_number} ({words.say(Word.of(payslip.status))})"
    paid, all_days = (Digits(days) for days in (payslip.paid_days, payslip.working_days))
    yield words.say(Word("Paid days")), words.say(says("{paid} of {all}", paid=paid, all=all_days))
    yield words.say(Word("Paid leave")), _days(payslip.paid_leave_days, words)
    yield words.say(Word("Unpaid leave")), _days(payslip.unpaid_leave_days, words)
    if payslip.worked_minutes:
        yield words.say(Word("Working time")), wording.hours(payslip.worked_minutes)
    for name, days in context.leave:
        yield words.say(says("Days left: {name}", name=name)), _days(days, words)


def _paid(payslip: PayslipView, context: PaperContext) -> str:
    day = context.wording.day(_date(payslip.pay_date))
    return context.wording.say(says("On {day} to account {account}", day=day, account=masked(context.iban)))


def _date(iso: str) -> date:
    return date.fromisoformat(iso)


def _days(days: str, words: Wording) -> str:
    count = Digits(days)
    return words.say(says("{count} day", count=count) if days == "1" else says("{count} days", count=count))


def _rows(payslip: PayslipView, kind: str, words: Wording) -> Iterator[Row]:
    """The lines of a kind, each with its year to date, and then lines that only earlier payslips of the year have."""
    to_date = {_key(entry): entry for entry in payslip.year_to_date.components if entry.kind == kind}
    seen: Counter[str] = Counter()
    for line in payslip.lines:
        if line.kind == kind:
            key = _key(line)
            sum_ = "" if seen[key] or key not in to_date else words.number(to_date[key].amount)
            seen[key] += 1
            yield Row(line.name, words.number(line.amount), sum_, _explained(line, words))
    for key, entry in to_date.items():
        if not seen[key] and Decimal(entry.amount):
            yield Row(entry.name, "–", words.number(entry.amount))


def _key(line: PayslipLineView | ComponentToDate) -> str:
    return line.component_id or line.code


def _explained(line: PayslipLineView, words: Wording) -> str:
    if not line.override_reason:
        return words.say(line.explanation)
    return words.say(says("{words}; manual amount: {reason}", words=line.explanation, reason=line.override_reason))
