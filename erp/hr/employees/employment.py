"""Employment and pay of many employees at once."""

from collections import defaultdict
from collections.abc import Collection
from datetime import date

from erp.hr.access.models import Employee
from erp.hr.employees.models import Compensation
from erp.store import sql

_EMPLOYED = """
SELECT * FROM employee WHERE id IN (
    SELECT employee_id FROM employment WHERE starts_on <= ? AND (ends_on IS NULL OR ends_on >= ?))
ORDER BY employee_number
"""
_PAY_BETWEEN = """
SELECT * FROM compensation WHERE replaced_by_id IS NULL AND effective_from <= ?
AND employee_id IN (SELECT value FROM json_each(?))
AND effective_from >= coalesce((
    SELECT max(effective_from) FROM compensation AS earlier WHERE earlier.employee_id = compensation.employee_id
    AND earlier.replaced_by_id IS NULL AND earlier.effective_from <= ?), '')
ORDER BY effective_from
"""


def employees_between(start: date, end: date) -> list[Employee]:
    """The employees who are employed on at least one day from `start` to `end`, by number."""
    return Employee.fetch(_EMPLOYED, end.isoformat(), start.isoformat())


def compensations_between(employee_ids: Collection[str], start: date, end: date) -> dict[str, list[Compensation]]:
    """The pay in force from `start` to `end`, by employee and in order, including pay that began earlier.

    Each holds from its `effective_from` until the next one. Employees without pay are left out.
    """
    compensations: dict[str, list[Compensation]] = defaultdict(list)
    for pay in Compensation.fetch(_PAY_BETWEEN, end.isoformat(), sql.array(employee_ids), start.isoformat()):
        compensations[pay.employee_id].append(pay)
    return dict(compensations)
