"""Differences over HTTP."""

from typing import Annotated

import msgspec

from erp.hr.access import people
from erp.hr.access.own_pay import OwnPay
from erp.hr.employees import api as employees
from erp.hr.employees.compensation import NewCompensation
from erp.hr.payroll.differences import arrears, differences, views
from erp.hr.payroll.differences.differences import Scope, Status
from erp.hr.payroll.differences.views import PayChangePreview, PayChangeView, PayrollDifference
from erp.kernel.errors import UnknownReference
from erp.store.router import WORKSPACE
from erp.web import several
from erp.web.endpoint import endpoint
from erp.web.scalars import Currency, Day, Id
from erp.web.schema import TableQuery


class DifferenceFilter(TableQuery):
    """Filter for differences; the dates are days of the paid periods."""

    SEVERAL = ("currency", "employee_id", "run_id", "status")

    employee_id: Annotated[Id, msgspec.Meta(description="An employee's id or number.")] | None = None
    run_id: Annotated[Id, msgspec.Meta(description="The run that has paid.")] | None = None
    date_from: Day | None = None
    date_to: Day | None = None
    currency: Annotated[Currency, msgspec.Meta(description="Of the pay; every one when absent.")] | None = None
    status: Annotated[Status, msgspec.Meta(description="The others have no rest.")] = "open"


class Collection:
    @endpoint(permission="payroll.read", refuses=(UnknownReference,))
    def on_get(self, query: DifferenceFilter) -> list[PayrollDifference]:
        """List the payslips of approved and paid runs that differ from what is due now, by period.

        Each is computed again with the pay components, proration, source of time and year to date of its run, and with
        time, leave, schedules, holidays, employment and pay as they are now. A line with a manual amount stays. The
        next payroll run pays the differences that are open.
        """
        people_ids = several.found(query.employee_id, "employeeId", lambda name: people.refer(name, "employeeId").id)
        run_ids = several.found(query.run_id, "runId", str)
        scope = Scope(people_ids.among or None, run_ids.among or None, query.date_from, query.date_to)
        return [
            views.of(difference)
            for difference in differences.find(scope, with_causes=True)
            if several.fits(query.status, difference.status)
            and several.fits(query.currency, difference.run.currency)
            and several.fits(people_ids, difference.payslip.employee_id)
            and several.fits(run_ids, difference.run.id)
        ]


class PayChange(NewCompensation, kw_only=True):
    """The pay from a day on; `dryRun` stores nothing."""

    dry_run: bool = False


class Compensations(employees.CompensationCollection):
    @endpoint(permission="employees.write", status=201, refuses=(OwnPay, UnknownReference))
    def on_post(self, id: str, body: PayChange) -> PayChangeView | PayChangePreview:
        """Set an employee's pay from a day on.

        The day may be in the past, from the hire date on: what payslips have paid otherwise becomes a difference for a
        later payroll run, and `arrears` has the number of these payslips and their gross pay. With `dryRun`, the answer
        is 200 and nothing is stored. Pay that begins on the same day is replaced. A pay component takes the employee's
        own `amount` if it is fixed or per hour, their own `percent` if it is a percentage, and neither otherwise.

        You cannot set your own pay or pay components: another owner, admin or hr does. Only an owner may when there
        is no other.
        """
        if not body.dry_run:
            return PayChangeView.of_change(*arrears.set_pay(id, body))
        with WORKSPACE.undone():
            return PayChangePreview.of_change(*arrears.set_pay(id, body))
