"""Managers and their reports, never in a circle."""

from erp.hr.access.models import Employee
from erp.kernel.errors import Invalid, UnknownReference
from erp.kernel.language import Noun, says
from erp.store import workspace_settings
from erp.store.router import WORKSPACE

_CHAIN = """
WITH RECURSIVE chain (id, name, manager_employee_id, height) AS (
    SELECT id, name, manager_employee_id, 0 FROM employee WHERE id = ?
    UNION ALL
    SELECT employee.id, employee.name, employee.manager_employee_id, height + 1
    FROM employee JOIN chain ON employee.id = chain.manager_employee_id WHERE chain.id <> ?)
SELECT id, name FROM chain ORDER BY height
"""

_BELOW = """
WITH RECURSIVE below (id) AS (
    SELECT id FROM employee WHERE manager_employee_id = ?
    UNION
    SELECT employee.id FROM employee JOIN below ON employee.manager_employee_id = below.id)
SELECT id FROM below
"""


def below(employee_id: str) -> set[str]:
    """The ids of an employee's reports, direct or through others; read once a request."""

    def read() -> set[str]:
        return {id for (id,) in WORKSPACE.rows(_BELOW, (employee_id,))}

    return WORKSPACE.memo(f"below {employee_id}", read)


def check(manager_employee_id: str, employee: Employee | None = None) -> None:
    """Check that someone can be an employee's manager; a new employee's if none is given.

    Raises:
        UnknownReference: there is no such employee.
        Invalid: the manager has left, or reports to the employee.
    """
    manager = Employee.find_or_none(manager_employee_id)
    if manager is None:
        raise UnknownReference("managerEmployeeId", Noun("employee"))
    if manager.termination_date is not None and manager.termination_date < workspace_settings.today():
        message = says(
            "{name} left on {termination_date}. Choose another manager.",
            name=manager.name,
            termination_date=manager.termination_date,
        )
        raise Invalid.one("managerEmployeeId", "terminated", message)
    if employee is not None:
        _refuse_circle(employee, manager_employee_id)


def _refuse_circle(employee: Employee, manager_employee_id: str) -> None:
    chain = WORKSPACE.rows(_CHAIN, (manager_employee_id, employee.id))
    if employee.id in (id for id, _ in chain):
        circle = " → ".join([employee.name, *(name for _, name in chain)])
        raise Invalid.one(
            "managerEmployeeId", "circle", says("No one can be their own manager: {circle}.", circle=circle)
        )
