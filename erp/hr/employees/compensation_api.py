"""Compensations over HTTP: an employee's past, present and future pay."""

from erp.hr.access.own_pay import OwnPay
from erp.hr.employees import compensation, employees
from erp.hr.employees.compensation import NewCompensation
from erp.hr.employees.views import CompensationView
from erp.hr.locked_days import PaidAlready
from erp.kernel.errors import UnknownReference
from erp.web.endpoint import endpoint


class Collection:
    @endpoint(permission="employees.read_own")
    def on_get(self, id: str) -> list[CompensationView]:
        """List an employee's past, present and future pay, the latest first.

        For the employee and those who can read pay. Each compensation holds from `effectiveFrom` until the next one.
        Those that another one for the same day has replaced stay on record.
        """
        employee = employees.find(id, "pay.read")
        return CompensationView.of_many(compensation.history(employee.id))

    @endpoint(permission="employees.write", status=201, refuses=(OwnPay, UnknownReference, PaidAlready))
    def on_post(self, id: str, body: NewCompensation) -> CompensationView:
        """Set an employee's pay from a day on.

        The past does not change: the day must be after everything that an approved payroll run has paid. Pay that
        begins on the same day is replaced. A pay component takes the employee's own `amount` if it is fixed or per
        hour, their own `percent` if it is a percentage, and neither otherwise.

        You cannot set your own pay or pay components: another owner, admin or hr does. Only an owner may when there
        is no other.
        """
        return CompensationView.of(compensation.add(id, body))


class Item:
    @endpoint(permission="employees.read_own")
    def on_get(self, id: str, compensation_id: str) -> CompensationView:
        """Show one of an employee's past, present and future pays; only to them and to those who can read pay."""
        employee = employees.find(id, "pay.read")
        return CompensationView.of(compensation.find(employee.id, compensation_id))
