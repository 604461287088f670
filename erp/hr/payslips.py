"""Payslips over HTTP: who sees which, lines put in by hand, and the paper."""

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from peewee import ModelSelect

from erp import events, settings
from erp.errors import Forbidden, InvalidTransition, NotFound
from erp.finance.faults import Faults
from erp.hr import payroll, payslip_pdf, payslip_rows, payslip_views, people
from erp.hr.models import PayrollRun, Payslip
from erp.hr.payroll_due import DaysInOtherRun, NobodyDue
from erp.hr.payroll_slips import PayTooLarge
from erp.hr.payslip_rows import KeptLine
from erp.hr.payslip_views import PayslipView, RunStatus
from erp.web.endpoint import endpoint
from erp.web.paging import page
from erp.web.scalars import Amount, Day, Id, Line
from erp.web.schema import Body, File, ListQuery, Page

SEEN_BY_PERSON = ("approved", "paid")
"""The statuses of runs whose payslips everybody sees of their own."""


class PayslipFilter(ListQuery):
    """Which payslips to list; the dates are pay dates."""

    employee_id: Id | None = None
    run_id: Id | None = None
    status: RunStatus | None = None
    date_from: Day | None = None
    date_to: Day | None = None
    sort: Literal["payDate", "-payDate", "createdAt", "-createdAt"] = "-createdAt"


class LineOverride(Body, kw_only=True):
    """An amount to put in the place of a line's computed one; the line is named by code, or by position."""

    code: str | None = None
    position: int | None = None
    amount: Annotated[Amount | None, msgspec.Meta(description="Null takes the override back.")]
    reason: Annotated[Line, msgspec.Meta(min_length=1)] | None = None


class PayslipChange(Body):
    """Lines of a draft to override."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "lines": [{"code": "salary", "amount": "3000.00", "reason": "A part was paid in advance"}]
    }

    lines: Annotated[list[LineOverride], msgspec.Meta(max_length=200)] = []


def matching(query: PayslipFilter) -> "ModelSelect[Payslip]":
    """The payslips that a filter lets through and the caller may see.

    Raises:
        Forbidden: it names somebody else, and the caller does not see everybody's.
    """
    runs = PayrollRun.select(PayrollRun.id)
    found = Payslip.select()
    employee_id = query.employee_id
    if not people.may("payroll.read"):
        own = people.own_id() or ""
        if employee_id not in (None, own):
            raise Forbidden
        employee_id, runs = own, runs.where(PayrollRun.status.in_(SEEN_BY_PERSON))
    if query.status is not None:
        runs = runs.where(PayrollRun.status == query.status)
    if employee_id is not None:
        found = found.where(Payslip.employee == employee_id)
    if query.run_id is not None:
        found = found.where(Payslip.run == query.run_id)
    if query.date_from is not None:
        found = found.where(Payslip.pay_date >= query.date_from)
    if query.date_to is not None:
        found = found.where(Payslip.pay_date <= query.date_to)
    return found.where(Payslip.run.in_(runs))


def find(id: str) -> Payslip:
    """Find a payslip that the caller may see.

    Raises:
        NotFound: there is none in this workspace, or it is the caller's own and not approved.
        Forbidden: it is another's, and the caller does not see everybody's.
    """
    slip = Payslip.find(id)
    if people.may("payroll.read"):
        return slip
    if slip.employee_id != people.own_id():
        raise Forbidden
    if PayrollRun.find(slip.run_id).status not in SEEN_BY_PERSON:
        raise NotFound("There is no such payslip.")
    return slip


def override(id: str, wanted: PayslipChange) -> Payslip:
    """Put amounts in the place of computed ones, and work out the payslip anew with them.

    Raises:
        InvalidTransition: the run is no draft any more.
        Invalid: with a complaint for every line that is not there, or lacks its reason.
    """
    slip = Payslip.find_to_change(id)
    run = PayrollRun.find(slip.run_id)
    payroll.refuse_unless(run, ("draft",), "changed")
    lines = payslip_rows.lines([slip])[id]
    overrides, codes = _merged(lines, wanted.lines)
    if not codes:
        return slip
    payroll.work_out_again(run, slip.employee_id, overrides)
    told = {"number": run.number, "employeeId": slip.employee_id, "name": slip.snapshot["name"], "lines": codes}
    events.write("payslip.overridden", "payslip", id, told)
    return Payslip.find(id)


def _merged(lines: Sequence[KeptLine], wanted: Sequence[LineOverride]) -> tuple[dict[str, tuple[int, str]], list[str]]:
    """The overrides of a payslip with those that are asked for, and the codes of the lines these are about."""
    faults, found, codes = Faults(), payslip_rows.overrides(lines), []
    keys, currency = payslip_rows.keys(lines), settings.current().base_currency
    for i, each in enumerate(wanted):
        place = _place(lines, each, f"lines[{i}]", faults)
        amount = None if each.amount is None else faults.minor(each.amount, currency, f"lines[{i}].amount")
        if amount is not None and each.reason is None:
            faults.add(f"lines[{i}].reason", "required", "Say why the amount is put in by hand.")
        if place is None:
            continue
        codes.append(lines[place].code)
        if amount is None:
            found.pop(keys[place], None)
        else:
            found[keys[place]] = amount, each.reason or ""
    faults.refuse()
    return found, codes


def _place(lines: Sequence[KeptLine], wanted: LineOverride, field: str, faults: Faults) -> int | None:
    """Where the line is that an override names; None, with a complaint, when it names none."""
    if (wanted.code is None) == (wanted.position is None):
        faults.add(field, "exactly_one", "Name the line by its code or by its position.")
        return None
    if wanted.position is not None:
        if not 0 <= wanted.position < len(lines):
            faults.add(f"{field}.position", "unknown_line", f"The payslip has {len(lines)} lines, from 0 on.")
            return None
        return wanted.position
    places = [place for place, line in enumerate(lines) if line.code == wanted.code]
    if len(places) != 1:
        count = "several lines" if places else "no line"
        faults.add(f"{field}.code", "unknown_line", f"The payslip has {count} of that code; `position` names one.")
        return None
    return places[0]


class Collection:
    @endpoint(permission="payroll.read_own")
    def on_get(self, query: PayslipFilter) -> Page[PayslipView]:
        """List payslips, the newest first.

        Without the right to read payroll, the list holds your own of approved and paid runs.
        """
        sortable = {"payDate": Payslip.pay_date}
        found: Page[Any] = page(matching(query), query, lambda slip: slip, sort=query.sort, sortable=sortable)
        return Page(payslip_views.shown(found.items), found.limit, found.next_cursor, found.total)


class Item:
    @endpoint(permission="payroll.read_own")
    def on_get(self, id: str) -> PayslipView:
        """Show a payslip; without the right to read payroll, your own once its run is approved."""
        return payslip_views.shown([find(id)])[0]

    @endpoint(permission="payroll.write", refuses=(InvalidTransition, NobodyDue, DaysInOtherRun, PayTooLarge))
    def on_patch(self, id: str, body: PayslipChange) -> PayslipView:
        """Override lines of a draft's payslip, each with a reason, or take that back.

        The payslip is worked out anew with these amounts, so that what depends on them follows: percentages of gross,
        brackets, the year to date. It stays so when the run is recalculated.
        """
        return payslip_views.shown([override(id, body)])[0]


class Pdf:
    @endpoint(permission="payroll.read_own", produces="application/pdf")
    def on_get(self, id: str) -> File:
        """Download a payslip as PDF; without the right to read payroll, your own once its run is approved."""
        slip = find(id)
        (shown,) = payslip_views.shown([slip])
        return File(payslip_pdf.spell(shown, payslip_pdf.paper_of(slip)), payslip_pdf.name(shown))
