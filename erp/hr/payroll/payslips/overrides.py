"""Overrides: amounts of a draft's payslip that are entered by hand."""

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar

import msgspec

from erp.hr.access import own_pay
from erp.hr.access.models import Employee
from erp.hr.payroll import runs, store
from erp.hr.payroll.models import PayrollRun, Payslip
from erp.hr.payroll.store import Override, StoredLine
from erp.kernel.complaints import Complaints
from erp.kernel.language import Word, counted, says
from erp.store import events
from erp.web.scalars import Amount, Line
from erp.web.schema import Body


class LineOverride(Body, kw_only=True):
    """An amount in place of the computed one of a line, which is named by code or by position."""

    code: Line | None = None
    position: Annotated[int, msgspec.Meta(ge=0)] | None = None
    amount: Annotated[Amount | None, msgspec.Meta(description="Null removes the override.")]
    reason: Annotated[Line, msgspec.Meta(min_length=1)] | None = None


class PayslipChange(Body):
    """Lines of a draft to override."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "lines": [{"code": "salary", "amount": "3000.00", "reason": "A part was paid in advance"}]
    }

    lines: Annotated[list[LineOverride], msgspec.Meta(max_length=200)] = []


def override(id: str, body: PayslipChange) -> Payslip:
    """Override lines of a payslip, and recalculate it.

    Raises:
        InvalidTransition: the run is no longer a draft.
        OwnPay: it is the caller's own payslip, and someone else can override it.
        Invalid: a line does not exist, or its override has no reason; with a complaint for each.
    """
    payslip = Payslip.find_to_change(id)
    run = PayrollRun.find(payslip.run_id)
    runs.refuse_unless(run, ("draft",), "changed")
    own_pay.refuse_own(Employee.find(payslip.employee_id), Word("enter manual amounts in your own payslip"))
    overrides, codes = _merged(store.lines([payslip])[id], body.lines, run.currency)
    if not codes:
        return payslip
    runs.recalculate_one(run, payslip.employee_id, overrides)
    events.write("payslip.overridden", "payslip", id, _event_data(run, payslip, codes))
    return Payslip.find(id)


def _event_data(run: PayrollRun, payslip: Payslip, codes: Sequence[str]) -> dict[str, Any]:
    name = payslip.snapshot["name"]
    return {"number": run.number, "employeeId": payslip.employee_id, "name": name, "lines": codes}


def _merged(
    lines: Sequence[StoredLine], changes: Sequence[LineOverride], currency: str
) -> tuple[dict[str, Override], list[str]]:
    """The overrides of a payslip with the changes applied, and the codes of the changed lines."""
    complaints, overrides, codes = Complaints(), store.overrides(lines), []
    computed = iter(store.keys(lines))
    keys = [next(computed) if line.is_computed else "" for line in lines]
    for i, change in enumerate(changes):
        index = _index(lines, change, f"lines[{i}]", complaints)
        amount = None if change.amount is None else complaints.minor(change.amount, currency, f"lines[{i}].amount")
        if amount is not None and change.reason is None:
            complaints.add(f"lines[{i}].reason", "required", says("Enter a reason for the manual amount."))
        if index is None:
            continue
        codes.append(lines[index].code)
        if amount is None:
            overrides.pop(keys[index], None)
        else:
            overrides[keys[index]] = Override(amount, change.reason or "")
    complaints.refuse()
    return overrides, codes


_ONE_LINE = says("There is no such line. The payslip has 1 line, at position 0.")
_LINES = says("There is no such line. The payslip has {count} lines, and positions start at 0.")


def _index(lines: Sequence[StoredLine], change: LineOverride, field: str, complaints: Complaints) -> int | None:
    """The index of the line that a change names; None, with a complaint, if there is none."""
    if (change.code is None) == (change.position is None):
        complaints.add(field, "exactly_one", says("Name the line by either `code` or `position`."))
        return None
    if change.position is not None:
        if change.position >= len(lines):
            message = counted(len(lines), _ONE_LINE, _LINES)
            complaints.add(f"{field}.position", "unknown_line", message)
            return None
        if not lines[change.position].is_computed:
            message = says("This line is not computed, so it has no manual amount. Delete a one-off line instead.")
            complaints.add(f"{field}.position", "not_computed", message)
            return None
        return change.position
    indexes = [index for index, line in enumerate(lines) if line.code == change.code and line.is_computed]
    if len(indexes) != 1:
        message = (
            says("Several lines have this code. Name one by `position`.") if indexes else says("No line has this code.")
        )
        complaints.add(f"{field}.code", "unknown_line", message)
        return None
    return indexes[0]
