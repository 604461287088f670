"""The list of payroll runs: its filters and orders."""

from typing import Literal

from erp.hr.payroll import views
from erp.hr.payroll.models import PayrollRun, RunStatus
from erp.hr.payroll.views import PayrollRunRow
from erp.web.paging import page, within
from erp.web.scalars import Currency, Day
from erp.web.schema import Page, RecordQuery


class PayrollRunFilter(RecordQuery):
    """Filter for payroll runs; the dates are pay dates."""

    status: RunStatus | None = None
    currency: Currency | None = None
    date_from: Day | None = None
    date_to: Day | None = None
    sort: Literal["payDate", "-payDate", "periodStart", "-periodStart", "createdAt", "-createdAt"] = "-createdAt"


SORTABLE = {"payDate": PayrollRun.pay_date, "periodStart": PayrollRun.period_start}


def search(query: PayrollRunFilter) -> Page[PayrollRunRow]:
    runs = PayrollRun.select()
    if query.status is not None:
        runs = runs.where(PayrollRun.status == query.status)
    if query.currency is not None:
        runs = runs.where(PayrollRun.currency == query.currency)
    runs = within(runs, query, PayrollRun.pay_date)
    return page(runs, query, views=views.rows, sort=query.sort, sortable=SORTABLE)
