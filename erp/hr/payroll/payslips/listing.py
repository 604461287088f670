"""The list of payslips: its filters and orders."""

from typing import Annotated, Literal

import msgspec
from peewee import ModelSelect

from erp.hr.access import people
from erp.hr.payroll.models import PayrollRun, Payslip, RunStatus
from erp.hr.payroll.payslips import views
from erp.hr.payroll.payslips.payslips import SEEN_BY_EMPLOYEE
from erp.hr.payroll.payslips.views import PayslipView
from erp.kernel import caller
from erp.kernel.errors import UnknownReference
from erp.kernel.language import Noun
from erp.store import sql
from erp.web.paging import page, within
from erp.web.scalars import Day, Id
from erp.web.schema import Page, RecordQuery


class PayslipFilter(RecordQuery):
    """Filter for payslips; the dates are pay dates."""

    employee_id: Annotated[Id, msgspec.Meta(description="An employee's id or number.")] | None = None
    run_id: Id | None = None
    status: RunStatus | None = None
    date_from: Day | None = None
    date_to: Day | None = None
    sort: Literal["payDate", "-payDate", "createdAt", "-createdAt"] = "-createdAt"


SORTABLE = {"payDate": Payslip.pay_date}


def search(query: PayslipFilter) -> Page[PayslipView]:
    """The payslips that match and that the caller may see.

    Raises:
        Forbidden: it names another employee, and the caller may not read payroll.
    """
    return page(_matching(query), query, views=views.of_many, sort=query.sort, sortable=SORTABLE)


def _matching(query: PayslipFilter) -> "ModelSelect[Payslip]":
    payslips = Payslip.select().where(Payslip.run.in_(_runs(query)))
    visible = people.visible(query.employee_id, "payroll.read")
    if visible is not None:
        payslips = payslips.where(sql.among(Payslip.employee, visible))
    if query.run_id is not None:
        payslips = payslips.where(Payslip.run == _run(query.run_id).id)
    return within(payslips, query, Payslip.pay_date)


def _run(id: str) -> PayrollRun:
    run: PayrollRun | None = PayrollRun.find_or_none(id)
    if run is None:
        raise UnknownReference("runId", Noun("payroll run"))
    return run


def _runs(query: PayslipFilter) -> "ModelSelect[PayrollRun]":
    runs = PayrollRun.select(PayrollRun.id)
    if not caller.may("payroll.read"):
        runs = runs.where(sql.among(PayrollRun.status, SEEN_BY_EMPLOYEE))
    if query.status is not None:
        runs = runs.where(PayrollRun.status == query.status)
    return runs
