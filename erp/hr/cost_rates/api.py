"""Cost rates over HTTP."""

from erp.hr.access.models import Employee
from erp.hr.cost_rates import cost_rates, views
from erp.hr.cost_rates.bodies import CostRateFilter, NewCostRate
from erp.hr.cost_rates.views import CostRateView
from erp.kernel.errors import AlreadyExists
from erp.web.endpoint import endpoint
from erp.web.schema import Page


class Collection:
    @endpoint(permission="cost.read")
    def on_get(self, id: str, query: CostRateFilter) -> Page[CostRateView]:
        """List the cost rates of an employee, the latest first.

        Each holds from its day until the next one. A rate from pay is 12, 26 or 52 times the salary, with the
        employer's share, divided by the working hours of 52 weeks; of hourly pay, it is the pay with that share.
        """
        return views.search(Employee.find(id), query)

    @endpoint(permission="payroll.write", status=201, refuses=(AlreadyExists,))
    def on_post(self, id: str, body: NewCostRate) -> CostRateView:
        """Set the cost of an hour of an employee, from a day on.

        Logged time costs this much from that day on. It follows pay, schedules and rates until its week is approved;
        approved time without a cost takes this one. Only readers of costs ever see any of it.
        """
        return views.of(cost_rates.add(id, body))


class Item:
    @endpoint(permission="cost.read")
    def on_get(self, id: str, rate_id: str) -> CostRateView:
        """Show a cost rate of an employee.

        With the cost of an hour by the days of pay and schedule.
        """
        return views.of(cost_rates.find(id, rate_id))

    @endpoint(permission="payroll.write")
    def on_delete(self, id: str, rate_id: str) -> None:
        """Delete a cost rate of an employee.

        The one before it holds on. Time of approved weeks keeps its cost.
        """
        cost_rates.remove(id, rate_id)
