"""The time zone in which an employee's days begin: their own, else their user's, their site's, or the workspace's."""

from collections.abc import Collection
from datetime import date

from erp.kernel import clock
from erp.members import people as members
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE

_OWN = """
SELECT employee.id, employee.time_zone, user_id, site.time_zone FROM employee JOIN site ON site.id = site_id
WHERE employee.id IN (SELECT value FROM json_each(?))
"""


def of(employee_ids: Collection[str]) -> dict[str, str]:
    """The time zones of employees; two queries for any number of them."""
    rows = WORKSPACE.rows(_OWN, (sql.array(employee_ids),))
    of_users = members.own_zones({user_id for _, zone, user_id, _ in rows if user_id and not zone})
    usual = workspace_settings.time_zone()
    return {id: zone or of_users.get(user_id) or of_site or usual for id, zone, user_id, of_site in rows}


def of_one(employee_id: str) -> str:
    """The time zone of an employee."""
    return of([employee_id])[employee_id]


def today(employee_id: str) -> date:
    """Today for an employee."""
    return clock.today(of_one(employee_id))
