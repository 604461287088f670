"""The list of budgets."""

from erp.finance.budgets.bodies import BudgetFilter
from erp.finance.budgets.models import Budget
from erp.finance.budgets.views import BudgetSummary
from erp.web.paging import page
from erp.web.schema import Page


def search(query: BudgetFilter) -> Page[BudgetSummary]:
    """One page of the budgets that match, the latest year first."""
    select = Budget.select()
    if query.year is not None:
        select = select.where(Budget.year == query.year)
    return page(select, query, views=BudgetSummary.of_many, sort="-year", sortable={"year": Budget.year})
