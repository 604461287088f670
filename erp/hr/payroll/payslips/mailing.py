"""Payslips by mail: a notice without figures, or the PDF under a password that only the employee has."""

from collections.abc import Sequence
from typing import NamedTuple

from erp.finance.output.paper.wording import Wording
from erp.hr.access.models import Employee
from erp.hr.employees.employees import NO_PASSWORD
from erp.hr.payroll.models import PayrollRun, Payslip
from erp.hr.payroll.payslips import pdf
from erp.hr.payroll.payslips.payslips import SEEN_BY_EMPLOYEE
from erp.kernel import config
from erp.kernel.errors import Complaint, Invalid, InvalidTransition, Refusal
from erp.kernel.language import says
from erp.mail import sealing, sending, several
from erp.mail.bodies import Send
from erp.mail.messages import AttachedFile, Draft
from erp.mail.models import Message
from erp.mail.sending import Letter
from erp.members import people
from erp.store import control, workspace_settings
from erp.web.hosts import link_base


class _Slip(NamedTuple):
    payslip: Payslip
    employee: Employee
    run: PayrollRun


def prepare(body: Send, id: str) -> Draft:
    """Compose the message about a payslip, before the transaction that queues it.

    Raises:
        NotFound: there is no such payslip.
        InvalidTransition: its run is not approved.
        Invalid: the employee wants none, or lacks a password or an address.
    """
    with control.reading_own():
        payslip = Payslip.find(id)
        return _draft(_Slip(payslip, Employee.find(payslip.employee_id), PayrollRun.find(payslip.run_id)), body)


def check(id: str) -> None:
    """Refuse a payslip that cannot be sent, with its workspace open.

    Raises:
        NotFound, InvalidTransition: there is no such payslip, or its run is not approved.
        Invalid: the employee wants none.
    """
    payslip = Payslip.find(id)
    _check(_Slip(payslip, Employee.find(payslip.employee_id), PayrollRun.find(payslip.run_id)))


def prepare_all(body: Send, id: str) -> list[Draft]:
    """Compose the messages about the payslips of a run, but for employees who want none.

    Raises:
        InvalidTransition: the run is not approved.
        Invalid: some employees lack a password or an address; each is named.
    """
    with control.reading_own():
        run = PayrollRun.find(id)
        _check_approved(run)
        payslips = Payslip.fetch("SELECT * FROM payslip WHERE run_id = ? ORDER BY id", id)
        slips = [_Slip(payslip, Employee.find(payslip.employee_id), run) for payslip in payslips]
        return _all(slips, body)


def _all(slips: Sequence[_Slip], body: Send) -> list[Draft]:
    wanted = [slip for slip in slips if slip.employee.payslip_mail != "none"]
    return several.each(wanted, lambda slip: _draft(slip, body), _named)


def _named(_: int, slip: _Slip, refusal: Refusal) -> list[Complaint]:
    return [
        Complaint("id", each.code, says("{name}: {problem}", name=slip.employee.name, problem=each.message))
        for each in refusal.details
    ]


def _check_approved(run: PayrollRun) -> None:
    if run.status not in SEEN_BY_EMPLOYEE:
        raise InvalidTransition(says("Approve the payroll run first."))


def _check(slip: _Slip) -> None:
    _check_approved(slip.run)
    if slip.employee.payslip_mail == "none":
        raise Invalid.one("id", "no_mail", says("This person wants no payslips by mail."))


def _draft(slip: _Slip, body: Send) -> Draft:
    _check(slip)
    return sending.draft_of(_letter(slip), body)


def _letter(slip: _Slip) -> Letter:
    payslip, employee, run = slip
    language = workspace_settings.paper_language()
    words = Wording(language, run.currency, workspace_settings.current().country)
    is_attached = employee.payslip_mail == "attached"
    period = f"{words.day(run.period_start)} – {words.day(run.period_end)}"
    return Letter(
        kind="payslip",
        resource=("payslip", payslip.id, run.number),
        text="payslip_attached" if is_attached else "payslip",
        language=language,
        to=[address] if (address := _address(employee)) else [],
        values={
            "period": period,
            "customer": employee.name,
            "link": f"{link_base(config.current())}/payslips/{payslip.id}",
        },
        files=[_protected(payslip, employee)] if is_attached else [],
    )


def _address(employee: Employee) -> str | None:
    """The employee's own address, else their user's."""
    return employee.email or (people.emails().get(employee.user_id) if employee.user_id else None)


def _protected(payslip: Payslip, employee: Employee) -> AttachedFile:
    password = sealing.opened(employee.id)
    if password is None:
        raise Invalid.one("id", "no_password", NO_PASSWORD)
    file = pdf.file(payslip, password)
    assert isinstance(file.content, bytes)
    return AttachedFile(file.name, "application/pdf", file.content)


def send_all(drafts: Sequence[Draft], body: Send) -> list[Message | Draft]:
    """Queue or prepare messages, all or none.

    Raises:
        Invalid: some went out just now.
    """
    return several.each(
        drafts,
        lambda draft: sending.send(draft, body),
        lambda _, __, refusal: [Complaint("id", refusal.code, refusal.message)],
    )
