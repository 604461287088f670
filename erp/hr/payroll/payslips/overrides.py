"""Amounts of a draft's payslip that are put in by hand, and what follows from them."""

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar

import msgspec

from erp.hr.payroll import runs as payroll
from erp.hr.payroll import store
from erp.hr.payroll.models import PayrollRun, Payslip
from erp.hr.payroll.store import KeptLine
from erp.kernel.complaints import Complaints
from erp.store import events, workspace_settings
from erp.web.scalars import Amount, Line
from erp.web.schema import Body


class LineOverride(Body, kw_only=True):
    """An amount to put in the place of a line's computed one; the line is named by code, or by position."""

    code: Line | None = None
    position: Annotated[int, msgspec.Meta(ge=0)] | None = None
    amount: Annotated[Amount | None, msgspec.Meta(description="Null takes the override back.")]
    reason: Annotated[Line, msgspec.Meta(min_length=1)] | None = None


class PayslipChange(Body):
    """Lines of a draft to override."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "lines": [{"code": "salary", "amount": "3000.00", "reason": "A part was paid in advance"}]
    }

    lines: Annotated[list[LineOverride], msgspec.Meta(max_length=200)] = []


def put(id: str, wanted: PayslipChange) -> Payslip:
    """Put amounts in the place of computed ones, and work out the payslip anew with them.

    Raises:
        InvalidTransition: the run is no draft any more.
        Invalid: with a complaint for every line that is not there, or lacks its reason.
    """
    slip = Payslip.find_to_change(id)
    run = PayrollRun.find(slip.run_id)
    payroll.refuse_unless(run, ("draft",), "changed")
    lines = store.lines([slip])[id]
    overrides, codes = _merged(lines, wanted.lines)
    if not codes:
        return slip
    payroll.work_out_again(run, slip.employee_id, overrides)
    told = {"number": run.number, "employeeId": slip.employee_id, "name": slip.snapshot["name"], "lines": codes}
    events.write("payslip.overridden", "payslip", id, told)
    return Payslip.find(id)


def _merged(lines: Sequence[KeptLine], wanted: Sequence[LineOverride]) -> tuple[dict[str, tuple[int, str]], list[str]]:
    """The overrides of a payslip with those that are asked for, and the codes of the lines these are about."""
    complaints, found, codes = Complaints(), store.overrides(lines), []
    keys, currency = store.keys(lines), workspace_settings.current().base_currency
    for i, each in enumerate(wanted):
        place = _place(lines, each, f"lines[{i}]", complaints)
        amount = None if each.amount is None else complaints.minor(each.amount, currency, f"lines[{i}].amount")
        if amount is not None and each.reason is None:
            complaints.add(f"lines[{i}].reason", "required", "Say why the amount is put in by hand.")
        if place is None:
            continue
        codes.append(lines[place].code)
        if amount is None:
            found.pop(keys[place], None)
        else:
            found[keys[place]] = amount, each.reason or ""
    complaints.refuse()
    return found, codes


def _place(lines: Sequence[KeptLine], wanted: LineOverride, field: str, complaints: Complaints) -> int | None:
    """Where the line is that an override names; None, with a complaint, when it names none."""
    if (wanted.code is None) == (wanted.position is None):
        complaints.add(field, "exactly_one", "Name the line by its code or by its position.")
        return None
    if wanted.position is not None:
        if wanted.position >= len(lines):
            complaints.add(f"{field}.position", "unknown_line", f"The payslip has {len(lines)} lines, from 0 on.")
            return None
        return wanted.position
    places = [place for place, line in enumerate(lines) if line.code == wanted.code]
    if len(places) != 1:
        count = "several lines" if places else "no line"
        complaints.add(f"{field}.code", "unknown_line", f"The payslip has {count} of that code; `position` names one.")
        return None
    return places[0]
