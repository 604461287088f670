"""Employment: who works for the office when, and on which pay; what is asked of many employees at once."""

from collections import defaultdict
from collections.abc import Collection
from datetime import date

from erp.hr.access.models import Employee
from erp.hr.employees.models import Compensation

_EMPLOYED = """
SELECT * FROM employee WHERE id IN (
    SELECT employee_id FROM employment WHERE starts_on <= ? AND (ends_on IS NULL OR ends_on >= ?))
ORDER BY employee_number
"""


def employees_between(start: date, end: date) -> list[Employee]:
    """Those who are employed on at least one day from `start` to `end`, by number."""
    return list(Employee.raw(_EMPLOYED, end.isoformat(), start.isoformat()))


def compensations_between(employee_ids: Collection[str], start: date, end: date) -> dict[str, list[Compensation]]:
    """The pay in force from `start` to `end`, by employee and day: the one that begins before it included.

    Each holds from its `effective_from` until the next one. Who has none is not in the answer.
    """
    found: dict[str, list[Compensation]] = defaultdict(list)
    sql = f"""
        SELECT * FROM compensation WHERE replaced_by_id IS NULL AND effective_from <= ?
        AND employee_id IN ({", ".join("?" * len(employee_ids))})
        AND effective_from >= coalesce((
            SELECT max(effective_from) FROM compensation AS earlier WHERE earlier.employee_id = compensation.employee_id
            AND earlier.replaced_by_id IS NULL AND earlier.effective_from <= ?), '')
        ORDER BY effective_from
    """
    for row in Compensation.raw(sql, end.isoformat(), *employee_ids, start.isoformat()):
        found[row.employee_id].append(row)
    return dict(found)
