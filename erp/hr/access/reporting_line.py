"""Managers and their reports, never in a circle."""

from collections.abc import Collection

from erp.hr.access.models import Employee
from erp.kernel.errors import Invalid, UnknownReference
from erp.kernel.language import Noun, says
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE

_CHAIN = """
WITH RECURSIVE chain (id, name, manager_employee_id, height) AS (
    SELECT id, name, manager_employee_id, 0 FROM employee WHERE id = ?
    UNION ALL
    SELECT employee.id, employee.name, employee.manager_employee_id, height + 1
    FROM employee JOIN chain ON employee.id = chain.manager_employee_id WHERE chain.id <> ?)
SELECT id, name FROM chain ORDER BY height
"""

_STANDING = """
WITH RECURSIVE line (id, manager_id) AS (
    SELECT id, manager_employee_id FROM employee WHERE manager_employee_id IS NOT NULL
    UNION
    SELECT line.id, CASE WHEN gone.successor_employee_id = line.id THEN gone.manager_employee_id
        ELSE coalesce(gone.successor_employee_id, gone.manager_employee_id) END
    FROM line JOIN employee AS gone ON gone.id = line.manager_id AND gone.termination_date < :today),
standing (id, manager_id) AS (
    SELECT line.id, line.manager_id FROM line JOIN employee AS manager ON manager.id = line.manager_id
    WHERE manager.termination_date IS NULL OR manager.termination_date >= :today)
"""
"""Everyone's manager now: in place of one who has left, their successor, else their own manager."""

_MANAGERS = f"{_STANDING} SELECT id, manager_id FROM standing WHERE id IN (SELECT value FROM json_each(:ids))"
_REPORTS = f"{_STANDING} SELECT id FROM standing WHERE manager_id = :id"
_BELOW = f"""
{_STANDING}, below (id) AS (
    SELECT id FROM standing WHERE manager_id = :id
    UNION
    SELECT standing.id FROM standing JOIN below ON standing.manager_id = below.id)
SELECT id FROM below
"""


def below(employee_id: str) -> set[str]:
    """The ids of an employee's reports, direct or through others; none for one who has left. Read once a request."""

    def read() -> set[str]:
        return {id for (id,) in WORKSPACE.rows(_BELOW, _today() | {"id": employee_id})}

    return WORKSPACE.memo(f"below {employee_id}", read)


def reports(employee_id: str) -> list[str]:
    """The ids of the people who report to an employee directly."""
    return [id for (id,) in WORKSPACE.rows(_REPORTS, _today() | {"id": employee_id})]


def managers(employee_ids: Collection[str]) -> dict[str, str]:
    """The managers of employees who have one now."""
    return dict(WORKSPACE.rows(_MANAGERS, _today() | {"ids": sql.array(employee_ids)}))


def formerly_under(employee_id: str) -> list[Employee]:
    """The people whose record still names someone as manager who has left."""
    return Employee.fetch("SELECT * FROM employee WHERE manager_employee_id = ?", employee_id)


def _today() -> dict[str, str]:
    return {"today": workspace_settings.today().isoformat()}


def check(manager_employee_id: str, employee: Employee | None = None, field: str = "managerEmployeeId") -> None:
    """Check that someone can be an employee's manager; a new employee's if none is given.

    Raises:
        UnknownReference: there is no such employee.
        Invalid: the manager has left, or reports to the employee.
    """
    manager = Employee.find_or_none(manager_employee_id)
    if manager is None:
        raise UnknownReference(field, Noun("employee"))
    if manager.termination_date is not None and manager.termination_date < workspace_settings.today():
        message = says(
            "{name} left on {termination_date}. Choose another manager.",
            name=manager.name,
            termination_date=manager.termination_date,
        )
        raise Invalid.one(field, "terminated", message)
    if employee is not None:
        _refuse_circle(employee, manager_employee_id)


def _refuse_circle(employee: Employee, manager_employee_id: str) -> None:
    chain = WORKSPACE.rows(_CHAIN, (manager_employee_id, employee.id))
    if employee.id in (id for id, _ in chain):
        circle = " → ".join([employee.name, *(name for _, name in chain)])
        raise Invalid.one(
            "managerEmployeeId", "circle", says("No one can be their own manager: {circle}.", circle=circle)
        )
