"""Lists of expense claims and of the office's own rates."""

from collections.abc import Iterator
from typing import get_args

from peewee import fn

from erp.hr.access import people
from erp.hr.expenses.bodies import ClaimFilter, Status
from erp.hr.expenses.models import ExpenseClaim
from erp.hr.expenses.views import STATUS, ExpenseClaimSummary
from erp.store import sql
from erp.store.sql import Condition
from erp.web.paging import page, several
from erp.web.schema import Page

_SORTABLE = {"total": ExpenseClaim.total, "number": fn.coalesce(ExpenseClaim.number, "")}


def search(query: ClaimFilter) -> Page[ExpenseClaimSummary]:
    """The claims a filter matches, as far as the caller can see them.

    Raises:
        Forbidden: it names someone else, and the caller can read only their own.
    """
    select = ExpenseClaim.select().where(sql.positional(sql.all_of(list(_conditions(query)))))
    return page(select, query, views=ExpenseClaimSummary.of_many, sort=query.sort, sortable=_SORTABLE)


def _conditions(query: ClaimFilter) -> Iterator[Condition]:
    yield from people.conditions(people.visible(query.employee_id, "expenses.read"))
    if query.is_own is not None:
        equal = "=" if query.is_own else "<>"
        yield Condition(f"employee_id {equal} :own_id", {"own_id": people.own_id() or ""})
    if query.status is not None:
        statuses = sql.array(several("status", query.status, get_args(Status)))
        yield Condition(f"{STATUS} IN (SELECT value FROM json_each(:statuses))", {"statuses": statuses})
    day = "substr(coalesce(submitted_at, created_at), 1, 10)"
    yield from sql.given((f"{day} >= :date_from", query.date_from), (f"{day} <= :date_to", query.date_to))
    if query.q is not None:
        yield sql.contains(("number", "title"), query.q)
