"""Payslips over HTTP: who sees which, and the answers."""

from typing import Literal

from peewee import ModelSelect

from erp.hr.access import people
from erp.hr.payroll.due import DaysInOtherRun, NobodyDue
from erp.hr.payroll.models import PayrollRun, Payslip
from erp.hr.payroll.payslips import overrides, pdf, views
from erp.hr.payroll.payslips.overrides import PayslipChange
from erp.hr.payroll.payslips.views import PayslipView, RunStatus
from erp.hr.payroll.slips import PayTooLarge
from erp.kernel import caller
from erp.kernel.errors import Forbidden, InvalidTransition, NotFound
from erp.web.endpoint import endpoint
from erp.web.paging import page
from erp.web.scalars import Day, Id
from erp.web.schema import File, ListQuery, Page

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


def matching(query: PayslipFilter) -> "ModelSelect[Payslip]":
    """The payslips that a filter lets through and the caller may see.

    Raises:
        Forbidden: it names somebody else, and the caller does not see everybody's.
    """
    runs = PayrollRun.select(PayrollRun.id)
    found = Payslip.select()
    employee_id = people.visible(query.employee_id, "payroll.read")
    if not caller.may("payroll.read"):
        runs = runs.where(PayrollRun.status.in_(SEEN_BY_PERSON))
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
    if caller.may("payroll.read"):
        return slip
    if slip.employee_id != people.own_id():
        raise Forbidden
    if PayrollRun.find(slip.run_id).status not in SEEN_BY_PERSON:
        raise NotFound("There is no such payslip.")
    return slip


class Collection:
    @endpoint(permission="payroll.read_own")
    def on_get(self, query: PayslipFilter) -> Page[PayslipView]:
        """List payslips, the newest first.

        Without the right to read payroll, the list holds your own of approved and paid runs.
        """
        sortable = {"payDate": Payslip.pay_date}
        return page(matching(query), query, views=views.shown, sort=query.sort, sortable=sortable)


class Item:
    @endpoint(permission="payroll.read_own")
    def on_get(self, id: str) -> PayslipView:
        """Show a payslip; without the right to read payroll, your own once its run is approved."""
        return views.shown([find(id)])[0]

    @endpoint(permission="payroll.write", refuses=(InvalidTransition, NobodyDue, DaysInOtherRun, PayTooLarge))
    def on_patch(self, id: str, body: PayslipChange) -> PayslipView:
        """Override lines of a draft's payslip, each with a reason, or take that back.

        The payslip is worked out anew with these amounts, so that what depends on them follows: percentages of gross,
        brackets, the year to date. It stays so when the run is recalculated.
        """
        return views.shown([overrides.put(id, body)])[0]


class Pdf:
    @endpoint(permission="payroll.read_own", produces="application/pdf")
    def on_get(self, id: str) -> File:
        """Download a payslip as PDF; without the right to read payroll, your own once its run is approved."""
        slip = find(id)
        (shown,) = views.shown([slip])
        return File(pdf.spell(shown, pdf.paper_of(slip)), pdf.name(shown))
