"""One-off lines of a draft's payslips, entered by hand, and payslips that are added for them."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Annotated, Any, ClassVar

import msgspec

from erp.hr.access import own_pay, people
from erp.hr.access.models import Employee
from erp.hr.payroll import inputs, runs, store
from erp.hr.payroll.calculation import wording
from erp.hr.payroll.calculation.values import Component
from erp.hr.payroll.due import NobodyDue
from erp.hr.payroll.models import PayrollRun, Payslip
from erp.hr.payroll.slips import Outcome
from erp.hr.payroll.store import StoredLine
from erp.kernel import money
from erp.kernel.complaints import Complaints
from erp.kernel.currencies import DIGITS
from erp.kernel.errors import AlreadyExists, Complaint, NotFound
from erp.kernel.language import Noun, Word, says
from erp.store import events
from erp.store.records import new_id
from erp.web.scalars import Amount, Id, Line, Quantity
from erp.web.schema import Body


class NewOneOffLine(Body, kw_only=True):
    """A line of a pay component: either an amount, or a quantity and its rate; both may be below zero."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "componentId": "01980a4e-7c1e-7b6c-9a51-3f1d2c4b5a69",
        "amount": "150.00",
        "reason": "Bonus for the fair",
    }

    component_id: Id
    amount: Amount | None = None
    quantity: Quantity | None = None
    rate: Amount | None = None
    reason: Annotated[Line, msgspec.Meta(min_length=1)]

    def check(self) -> Iterator[Complaint]:
        if (self.amount is None) == (self.quantity is None) or (self.quantity is None) != (self.rate is None):
            yield Complaint("amount", "exactly_one", says("Enter either an amount, or a quantity and its rate."))


class NewPayslip(Body, kw_only=True):
    """A payslip of one-off lines, also for someone who has left."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"employeeId": "EMP-0001", "lines": [NewOneOffLine.EXAMPLE]}

    employee_id: Annotated[Id, msgspec.Meta(description="An employee's id or number.")]
    lines: Annotated[list[NewOneOffLine], msgspec.Meta(min_length=1, max_length=50)]


def add_payslip(run_id: str, body: NewPayslip) -> Payslip:
    """Add a payslip with one-off lines to a draft, for an employee who has none there.

    Raises:
        InvalidTransition: the run is no longer a draft.
        OwnPay: it is the caller's own payslip, and someone else can add it.
        AlreadyExists: the employee has a payslip in this run.
        UnknownReference, Invalid: an employee or a component does not exist.
    """
    run = runs.find_draft(run_id, "changed")
    employee = people.refer(body.employee_id, "employeeId")
    own_pay.refuse_own(employee, Word("enter manual amounts in your own payslip"))
    lines = _lines(run, body.lines, "lines[{}].")
    if Payslip.find_by(run_id=run_id, employee_id=employee.id) is not None:
        message = says("{name} already has a payslip in {number}.", name=employee.name, number=run.number)
        raise AlreadyExists(message, field="employeeId")
    runs.recalculate_one(run, employee.id, {}, lines)
    payslip = Payslip.find_by(run_id=run_id, employee_id=employee.id)
    assert payslip is not None
    _write_event("line_added", run, payslip, [line.code for line in lines])
    return payslip


def add(id: str, new: NewOneOffLine) -> Payslip:
    """Add a one-off line to a draft's payslip, and recalculate it.

    Raises:
        InvalidTransition: the run is no longer a draft.
        OwnPay: it is the caller's own payslip, and someone else can add to it.
        UnknownReference: there is no such component.
        Invalid: the amount does not fit.
    """
    payslip, run, lines = _find(id)
    (line,) = _lines(run, [new], "")
    _recalculate(run, payslip, [*lines, line])
    _write_event("line_added", run, payslip, [line.code])
    return Payslip.find(id)


def remove(id: str, line_id: str) -> None:
    """Delete a one-off line of a draft's payslip, and recalculate it; a payslip that has no other line goes too.

    Raises:
        NotFound: there is no such line.
        InvalidTransition: the run is no longer a draft.
        OwnPay: it is the caller's own payslip, and someone else can change it.
    """
    payslip, run, lines = _find(id)
    removed = [line for line in lines if line.line_id == line_id]
    if not removed:
        raise NotFound(says("There is no such line."))
    try:
        _recalculate(run, payslip, [line for line in lines if line.line_id != line_id])
    except NobodyDue:  # the payslip had no other line
        runs.replace_one(run, payslip.employee_id, Outcome([], [], []))
    _write_event("line_removed", run, payslip, [line.code for line in removed])


def _find(id: str) -> tuple[Payslip, PayrollRun, list[StoredLine]]:
    """A payslip to change, its draft run, and its lines."""
    payslip = Payslip.find_to_change(id)
    run = PayrollRun.find(payslip.run_id)
    runs.refuse_unless(run, ("draft",), "changed")
    own_pay.refuse_own(Employee.find(payslip.employee_id), Word("enter manual amounts in your own payslip"))
    return payslip, run, store.lines([payslip])[id]


def _recalculate(run: PayrollRun, payslip: Payslip, lines: Sequence[StoredLine]) -> None:
    one_offs = [line for line in lines if line.line_id is not None]
    runs.recalculate_one(run, payslip.employee_id, store.overrides(lines), one_offs)


def _lines(run: PayrollRun, new: Sequence[NewOneOffLine], path: str) -> list[StoredLine]:
    components = {component.id: component for component in inputs.component_list(run)}
    complaints, lines = Complaints(), []
    for index, line in enumerate(new):
        field = path.format(index)
        component = components.get(line.component_id)
        amount = _amount(line, run.currency, field, complaints)
        if component is None:
            complaints.unknown(f"{field}componentId", Noun("pay component"))
        else:
            lines.append(_line(line, component, amount, run.currency))
    complaints.refuse()
    return lines


def _amount(line: NewOneOffLine, currency: str, field: str, complaints: Complaints) -> int:
    if line.amount is not None:
        return complaints.minor(line.amount, currency, f"{field}amount")
    assert line.quantity is not None
    assert line.rate is not None
    value = money.round_to(line.quantity * line.rate, DIGITS[currency])
    return complaints.minor(value, currency, f"{field}rate")


def _line(new: NewOneOffLine, component: Component, amount: int, currency: str) -> StoredLine:
    words = says("{reason}", reason=new.reason)
    if new.quantity is not None and new.rate is not None:
        words = says(
            "{reason}: {quantity} × {rate} = {amount}",
            reason=new.reason,
            quantity=money.plain(money.scaled(new.quantity, money.MICRO)),
            rate=wording.decimal(Fraction(new.rate)),
            amount=wording.amount(amount, currency),
        )
    return StoredLine(
        component_id=component.id,
        code=component.code,
        name=component.name,
        kind=component.kind,
        quantity=None if new.quantity is None else money.scaled(new.quantity, money.MICRO),
        rate=None if new.rate is None else money.scaled(new.rate, money.MICRO),
        amount=amount,
        computed_amount=amount,
        explanation=words,
        expense_account_id=component.expense_account_id,
        liability_account_id=component.liability_account_id,
        line_id=new_id(),
        reason=new.reason,
    )


def _write_event(act: str, run: PayrollRun, payslip: Payslip, codes: Sequence[str]) -> None:
    about = {"number": run.number, "employeeId": payslip.employee_id, "name": payslip.snapshot["name"], "lines": codes}
    events.write(f"payslip.{act}", "payslip", payslip.id, about)
