"""Budgets over HTTP."""

from erp.finance.budgets import budgets, listing
from erp.finance.budgets.bodies import BudgetChange, BudgetCopy, BudgetFilter, BudgetImport, BudgetRow, NewBudget
from erp.finance.budgets.models import Budget
from erp.finance.budgets.views import BudgetSummary, BudgetView
from erp.kernel.errors import AlreadyExists, UnknownReference
from erp.web.endpoint import endpoint
from erp.web.schema import Page
from erp.web.transport import sheets
from erp.web.transport.sheets import ImportedView, ReadRows


class Collection:
    @endpoint(permission="finance.read")
    def on_get(self, query: BudgetFilter) -> Page[BudgetSummary]:
        """List budgets, the latest year first.

        The lines of a budget come with the budget alone.
        """
        return listing.search(query)

    @endpoint(permission="finance.write", status=201, refuses=(UnknownReference, AlreadyExists))
    def on_post(self, body: NewBudget) -> BudgetView:
        """Add a budget of a fiscal year.

        Each line plans an account of income or expenses, for one project or without one. The amount of a year is
        spread evenly over its months: 10000.00 is four months of 833.34, then eight of 833.33. A budget posts nothing:
        profit and loss with `budgetId` compares it with the books.
        """
        return BudgetView.of(budgets.create(body))


class Import:
    @endpoint(permission="finance.write", prepare=sheets.rows_of(BudgetRow), refuses=(AlreadyExists,))
    def on_post(self, body: BudgetImport, prepared: ReadRows[BudgetRow]) -> ImportedView:
        """Add a budget from a spreadsheet, with a line for each row.

        The headings are `account`, `project`, and the months `01` to `12` of the fiscal year, or `year`. Errors name
        the row (`rows[3].account`; the headings are row 1). `dryRun` only checks.
        """
        return budgets.bring_in(body, prepared)


class Item:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> BudgetView:
        """Show a budget with its lines.

        The amounts are in the base currency, above zero for income and for expenses.
        """
        return BudgetView.of(Budget.find(id))

    @endpoint(permission="finance.write", refuses=(UnknownReference, AlreadyExists))
    def on_patch(self, id: str, body: BudgetChange) -> BudgetView:
        """Change the name or the lines of a budget.

        New `lines` replace all lines; without `lines`, they stay.
        """
        return BudgetView.of(budgets.change(id, body))

    @endpoint(permission="finance.write")
    def on_delete(self, id: str) -> None:
        """Delete a budget with its lines.

        The books do not change, since a budget posts nothing.
        """
        budgets.remove(id)


class Copy:
    @endpoint(permission="finance.write", status=201, collection="/api/v1/finance/budgets", refuses=(AlreadyExists,))
    def on_post(self, id: str, body: BudgetCopy) -> BudgetView:
        """Copy a budget to another year or name.

        Each month is changed by `percent` and rounded: 833.33 and 2.5 % more is 854.16.
        """
        return BudgetView.of(budgets.copy(id, body))
