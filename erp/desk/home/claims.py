"""Expense claims that wait for a decision, or for the books."""

from typing import Any

from erp.desk.home import waiting
from erp.desk.home.waiting import Waiting
from erp.hr.access import people
from erp.kernel import caller
from erp.store import sql
from erp.web.scalars import Instant, Money
from erp.web.schema import View


class WaitingClaimView(View):
    """A claim, and when it was submitted."""

    id: str
    version: int
    number: str
    title: str
    employee_id: str
    employee_name: str
    submitted_at: Instant
    total: Money
    currency: str


class WaitingClaims(Waiting):
    """Expense claims, the earliest submitted at the top."""

    items: list[WaitingClaimView]


_SHOWN = sql.json_of(
    WaitingClaimView,
    {
        "employee_name": "(SELECT name FROM employee WHERE employee.id = employee_id)",
        "total": sql.Amount("total"),
    },
)
_CLAIMS = f"""
SELECT {_SHOWN}, count(*) OVER ()
FROM (SELECT expense_claim.*, base_currency AS currency FROM expense_claim, settings) AS claim
WHERE status = :status AND employee_id <> :own
AND (CAST(:decided AS TEXT) IS NULL OR employee_id IN (SELECT value FROM json_each(:decided))) ORDER BY submitted_at, id
"""


def to_decide() -> WaitingClaims | None:
    """The claims on which the caller decides; None without such a right."""
    if not caller.may("expenses.decide_reports"):
        return None
    over = people.over("expenses.decide")
    return _read("submitted", None if over is None else sql.array(over))


def to_post() -> WaitingClaims | None:
    """The approved claims that the caller can post; None without the right."""
    return _read("approved", None) if caller.may("expenses.post") else None


def _read(status: str, decided: str | None) -> WaitingClaims:
    own: Any = None if caller.current().role == "owner" else people.own_id()
    return waiting.read(WaitingClaims, _CLAIMS, {"status": status, "decided": decided, "own": own or ""})
