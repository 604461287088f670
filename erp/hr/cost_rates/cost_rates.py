"""Cost rates: adding, finding and deleting."""

from erp.hr.access.models import Employee
from erp.hr.cost_rates.bodies import NewCostRate
from erp.hr.cost_rates.models import CostRate
from erp.kernel import money
from erp.kernel.complaints import Complaints
from erp.kernel.errors import AlreadyExists, NotFound
from erp.kernel.language import says
from erp.projects import rates
from erp.store import events
from erp.tasks.time import costs


def add(employee_id: str, new: NewCostRate) -> CostRate:
    """Set the cost of an hour of an employee from a day on.

    Time of approved weeks that has no cost yet keeps the one of this rate.

    Raises:
        NotFound: there is no such employee.
        AlreadyExists: another rate begins on this day.
        Invalid: the amount does not fit the base currency.
    """
    employee, complaints = Employee.find_to_change(employee_id), Complaints()
    hourly_cost = rates.read(new.hourly_cost, complaints, "hourlyCost")
    complaints.refuse()
    if CostRate.find_by(employee_id=employee.id, effective_from=new.from_.isoformat()):
        raise AlreadyExists(says("A cost rate begins on this day already. Delete it first."), field="from")
    share = None if new.employer_percent is None else money.scaled(new.employer_percent, money.MICRO)
    values = {"method": new.method, "hourly_cost": hourly_cost, "employer_percent": share}
    rate = CostRate.add(employee=employee.id, effective_from=new.from_, **values)
    _log("created", rate, employee)
    if employee.user_id is not None:
        costs.keep([employee.user_id])
    return rate


def find(employee_id: str, id: str) -> CostRate:
    """A cost rate of an employee.

    Raises:
        NotFound: they have none with this id.
    """
    rate = CostRate.find(id)
    if rate.employee_id != employee_id:
        raise NotFound(CostRate.noun.missing())
    return rate


def remove(employee_id: str, id: str) -> None:
    """Delete a cost rate; the one before it holds on, and approved time keeps its cost.

    Raises:
        NotFound: the employee has none with this id.
    """
    employee, rate = Employee.find_to_change(employee_id), find(employee_id, id)
    rate.delete_instance()
    _log("deleted", rate, employee)


def _log(act: str, rate: CostRate, employee: Employee) -> None:
    data = {"employeeId": employee.id, "name": employee.name, "from": rate.effective_from.isoformat()}
    events.write(f"cost_rate.{act}", "cost_rate", rate.id, data)
