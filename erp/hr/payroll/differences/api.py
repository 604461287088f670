"""Differences over HTTP."""

from typing import Annotated

import msgspec

from erp.hr.access import people
from erp.hr.payroll.differences import differences, views
from erp.hr.payroll.differences.differences import Scope, Status
from erp.hr.payroll.differences.views import PayrollDifference
from erp.kernel.errors import UnknownReference
from erp.web.endpoint import endpoint
from erp.web.scalars import Day, Id
from erp.web.schema import TableQuery


class DifferenceFilter(TableQuery):
    """Filter for differences; the dates are days of the paid periods."""

    employee_id: Annotated[Id, msgspec.Meta(description="An employee's id or number.")] | None = None
    run_id: Annotated[Id, msgspec.Meta(description="The run that has paid.")] | None = None
    date_from: Day | None = None
    date_to: Day | None = None
    status: Annotated[Status, msgspec.Meta(description="The others have no rest.")] = "open"


class Collection:
    @endpoint(permission="payroll.read", refuses=(UnknownReference,))
    def on_get(self, query: DifferenceFilter) -> list[PayrollDifference]:
        """List the payslips of approved and paid runs that differ from what is due now, by period.

        Each is computed again with the pay components, proration, source of time and year to date of its run, and with
        time, leave, schedules, holidays, employment and pay as they are now. A line with a manual amount stays. The
        next payroll run pays the differences that are open.
        """
        employee_ids = None if query.employee_id is None else [people.refer(query.employee_id, "employeeId").id]
        run_ids = None if query.run_id is None else [query.run_id]
        scope = Scope(employee_ids, run_ids, query.date_from, query.date_to)
        found = differences.find(scope, with_causes=True)
        return [views.of(difference) for difference in found if difference.status == query.status]
