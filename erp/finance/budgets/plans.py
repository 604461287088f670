"""The plan of a budget for the days of a report."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import NamedTuple

from erp.finance.budgets.budgets import months_of
from erp.finance.budgets.models import Budget
from erp.kernel.errors import BadParameter, UnknownReference
from erp.kernel.language import Noun, says


class Plan(NamedTuple):
    """A budget: the first and last day of its year, and by account id the amounts of some days and of the year."""

    year: tuple[date, date]
    accounts: Mapping[str, tuple[int, int]]


def of(budget_id: str, first: date, last: date, project_id: str | None, takes: Callable[[str], bool]) -> Plan:
    """The plan of the months that some days touch: of a project, or of all.

    Args:
        takes: whether lines with these dimensions, as stored or empty, are part of it.

    Raises:
        UnknownReference: there is no such budget.
        BadParameter: the days are not all of its fiscal year.
    """
    budget = Budget.find_or_none(budget_id)
    if budget is None:
        raise UnknownReference("budgetId", Noun("budget"))
    months = months_of(budget.year)
    start, end = months[0][0], months[-1][1]
    if first < start or last > end:
        message = says(
            "budgetId: {name} is a budget of {start} to {end}. Choose days of that year.",
            name=budget.name,
            start=start,
            end=end,
        )
        raise BadParameter(message)
    touched = [first <= month_last and month_first <= last for month_first, month_last in months]
    accounts: dict[str, tuple[int, int]] = {}
    for line in budget.lines:
        if project_id in (None, line.project_id) and takes(line.dimensions or ""):
            some, whole = accounts.get(line.account_id, (0, 0))
            of_days = sum(amount for amount, counts in zip(line.months, touched, strict=True) if counts)
            accounts[line.account_id] = some + of_days, whole + sum(line.months)
    return Plan((start, end), accounts)
