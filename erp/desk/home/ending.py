"""Documents of employees that expire, and contracts and probations that end."""

from typing import Literal

from erp.desk.home import waiting
from erp.desk.home.waiting import Waiting
from erp.hr.documents.bodies import Kind
from erp.hr.documents.models import REMINDS
from erp.kernel import caller
from erp.store import sql, workspace_settings
from erp.web.schema import View

_AHEAD = 30
"""Days before the end of a contract or a probation."""


class ExpiringDocumentView(View):
    """A document whose reminder has begun."""

    id: str
    employee_id: str
    employee_name: str
    kind: Kind
    title: str
    valid_until: str


class ExpiringDocuments(Waiting):
    """Documents to renew, the first to expire at the top."""

    items: list[ExpiringDocumentView]


class EndingView(View):
    """A contract or a probation that ends within 30 days."""

    employee_id: str
    employee_name: str
    kind: Literal["contract", "probation"]
    date: str


class Endings(Waiting):
    """Contracts and probations that end within 30 days, the first to end at the top."""

    items: list[EndingView]


REMINDED_ON = "date(valid_until, '-' || remind_days || ' days')"
"""The first day of the reminder of an `employee_document`."""
IS_EXPIRING = f"{REMINDED_ON} <= :today AND {REMINDS} AND (termination_date IS NULL OR termination_date >= :today)"
"""Whether an `employee_document` of an `employee` is to be renewed."""
PROBATION_SOON_ON = f"date(probation_end, '-{_AHEAD} days')"
"""The first day of the reminder of an `employee`'s probation."""
IS_PROBATION_ENDING = f"""probation_end BETWEEN :today AND date(:today, '+{_AHEAD} days')
    AND (termination_date IS NULL OR termination_date >= probation_end)"""
"""Whether the probation of an `employee` ends soon."""

_EXPIRING = f"""
SELECT {sql.json_of(ExpiringDocumentView, {"id": "document.id", "employee_name": "person.name"})}, count(*) OVER ()
FROM employee_document AS document JOIN employee AS person ON person.id = employee_id
WHERE {IS_EXPIRING}
ORDER BY valid_until, document.id
"""
_ENDING = f"""
SELECT {sql.json_of(EndingView, {"date": "day"})}, count(*) OVER ()
FROM (
    SELECT id AS employee_id, name AS employee_name, 'contract' AS kind, contract_end AS day FROM employee
    WHERE termination_date IS NULL AND contract_end BETWEEN :today AND date(:today, '+{_AHEAD} days')
    UNION ALL
    SELECT id, name, 'probation', probation_end FROM employee WHERE {IS_PROBATION_ENDING}
) AS ending
ORDER BY day, employee_name, kind
"""


def documents() -> ExpiringDocuments | None:
    """The documents whose reminder has begun; None without the right to change employees."""
    if not caller.may("employees.write"):
        return None
    return waiting.read(ExpiringDocuments, _EXPIRING, _today())


def employments() -> Endings | None:
    """The contracts and probations that end soon; None without the right to change employees."""
    if not caller.may("employees.write"):
        return None
    return waiting.read(Endings, _ENDING, _today())


def _today() -> dict[str, str]:
    return {"today": workspace_settings.today().isoformat()}
