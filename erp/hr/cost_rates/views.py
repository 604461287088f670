"""Views of cost rates."""

import datetime
import functools
from collections import defaultdict
from collections.abc import Sequence
from datetime import date
from typing import Annotated, Any

from msgspec import Meta, field

from erp.hr.access.models import Employee
from erp.hr.cost_rates.bodies import CostRateFilter
from erp.hr.cost_rates.models import CostRate, Method
from erp.hr.cost_rates.periods import periods
from erp.kernel import money
from erp.store import workspace_settings
from erp.web.paging import page
from erp.web.scalars import Figure, Money
from erp.web.schema import Page, RecordView, View, show


class HourlyCostView(View):
    """The cost of an hour in some days."""

    from_: datetime.date = field(name="from")
    to: Annotated[datetime.date | None, Meta(description="The last day; null for no end.")]
    cost_rate: Money


class CostRateView(RecordView):
    """The cost of an hour of an employee from a day on, until the next cost rate."""

    created_by: str | None
    created_by_name: str | None
    employee_id: str
    employee_name: str
    from_: datetime.date = field(name="from")
    method: Method
    hourly_cost: Annotated[Money | None, Meta(description="The given amount.")]
    employer_percent: Annotated[Figure | None, Meta(description="The given share.")]
    costs: Annotated[
        list[HourlyCostView], Meta(description="The cost of an hour by its days; from pay, with pay and schedule.")
    ]


def search(employee: Employee, query: CostRateFilter) -> Page[CostRateView]:
    """A page of the cost rates of an employee."""
    rate: Any = CostRate
    select = rate.select().where(rate.employee == employee.id)
    shown = functools.partial(_of_many, employee)
    return page(select, query, views=shown, sort=query.sort, sortable={"from": rate.effective_from})


def of(rate: CostRate) -> CostRateView:
    (view,) = _of_many(Employee.find(rate.employee_id), [rate])
    return view


def _of_many(employee: Employee, chosen: Sequence[CostRate]) -> list[CostRateView]:
    currency = workspace_settings.current().base_currency
    found = CostRate.fetch("SELECT * FROM cost_rate WHERE employee_id = ? ORDER BY effective_from", employee.id)
    shown: dict[str, list[HourlyCostView]] = defaultdict(list)
    for one in periods(found):
        last = None if one.last == date.max else one.last
        shown[one.rate_id].append(HourlyCostView(from_=one.first, to=last, cost_rate=money.text(one.cost, currency)))
    return [_view(rate, employee, currency, shown[rate.id]) for rate in chosen]


def _view(rate: CostRate, employee: Employee, currency: str, shown: list[HourlyCostView]) -> CostRateView:
    share = rate.employer_percent
    return show(
        CostRateView,
        rate,
        employee_name=employee.name,
        from_=rate.effective_from,
        hourly_cost=None if rate.hourly_cost is None else money.text(rate.hourly_cost, currency),
        employer_percent=None if share is None else money.plain(share),
        costs=shown,
    )
