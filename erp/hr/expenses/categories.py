"""Categories of expenses: their accounts, taxes and limits."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from msgspec import UNSET, Meta

from erp.finance.books import accounts
from erp.finance.books.bodies import AccountIdOrCode
from erp.finance.contacts import tax_rates
from erp.hr.expenses.models import ExpenseCategory
from erp.kernel import money
from erp.kernel.complaints import Complaints
from erp.kernel.errors import AlreadyExists, Invalid, InvalidTransition, UnknownReference
from erp.kernel.language import Noun, says
from erp.kernel.money import MICRO
from erp.store import changes, events, names, workspace_settings
from erp.web.endpoint import endpoint
from erp.web.paging import page
from erp.web.scalars import Figure, Id, Money, Name, NotNegativeAmount, Percent, PositiveAmount, shaped
from erp.web.schema import Body, Page, RecordQuery, RecordView, Unset, View, show

SEEDED = {
    "travel": "Travel",
    "lodging": "Lodging",
    "meals": "Meals",
    "entertainment": "Entertainment",
    "mileage": "Mileage",
    "per_diem": "Per diems",
    "supplies": "Supplies",
}
"""The names of a new workspace's categories, by code."""

Code = Annotated[
    str,
    shaped(
        r"^[a-z0-9][a-z0-9_-]{0,31}$",
        says("Must be 1 to 32 small letters, digits, dashes and underscores; a letter or digit first."),
        examples=["parking"],
    ),
]
LimitMode = Annotated[Literal["warn", "block"], Meta(description="`block`: a claim above the limit is not submitted.")]


LimitSpan = Annotated[Literal["line", "day", "month"], Meta(description="A receipt, a day, or a calendar month.")]


class CategoryLimit(Body):
    """The most that a person may spend."""

    amount: PositiveAmount
    per: LimitSpan


ReceiptFrom = Annotated[NotNegativeAmount, Meta(description="A receipt of this amount or more needs its file.")]
CostPercent = Annotated[
    Percent, Meta(description="The part of the cost that lowers the office's profit tax; for its reports alone.")
]
TaxPercent = Annotated[Percent, Meta(description="The part of the tax that can be deducted; the rest is a cost.")]


class NewExpenseCategory(Body):
    """A category of expenses."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "code": "parking",
        "name": "Parking",
        "limit": {"amount": "20.00", "per": "day"},
        "receiptFrom": "5.00",
    }

    code: Code
    name: Name
    expense_account_id: (
        Annotated[AccountIdOrCode, Meta(description="The default account `travel_expenses` when absent.")] | None
    ) = None
    tax_rate_id: Annotated[Id, Meta(description="Of receipts that name none.")] | None = None
    limit: CategoryLimit | None = None
    limit_mode: LimitMode = "warn"
    receipt_from: ReceiptFrom | None = None
    deductible_cost_percent: CostPercent | None = None
    deductible_tax_percent: TaxPercent | None = None


class ExpenseCategoryChange(Body):
    """Fields of a category to change; null clears one."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"limit": {"amount": "25.00", "per": "day"}, "limitMode": "block"}

    name: Name | Unset = UNSET
    expense_account_id: AccountIdOrCode | Unset | None = UNSET
    tax_rate_id: Id | Unset | None = UNSET
    limit: CategoryLimit | Unset | None = UNSET
    limit_mode: LimitMode | Unset = UNSET
    receipt_from: ReceiptFrom | Unset = UNSET
    deductible_cost_percent: CostPercent | Unset = UNSET
    deductible_tax_percent: TaxPercent | Unset = UNSET


class ExpenseCategoryFilter(RecordQuery):
    is_archived: Annotated[bool, Meta(description="List archived ones instead.")] = False
    sort: Literal["code", "-code", "name", "-name", "createdAt", "-createdAt"] = "createdAt"


class CategoryLimitView(View):
    """The limit of a category, in the base currency."""

    amount: Money
    per: LimitSpan

    @classmethod
    def of(cls, category: ExpenseCategory, base: str) -> "CategoryLimitView | None":
        if category.limit_amount is None:
            return None
        per: Any = category.limit_per
        return cls(amount=money.text(category.limit_amount, base), per=per)


class ExpenseCategoryView(RecordView):
    """A category of expenses."""

    created_by: str | None
    created_by_name: str | None
    code: str
    name: str
    expense_account_id: str | None
    expense_account_code: str | None
    expense_account_name: str | None
    tax_rate_id: str | None
    tax_rate_name: str | None
    limit: CategoryLimitView | None
    limit_mode: LimitMode
    receipt_from: Money
    deductible_cost_percent: Figure
    deductible_tax_percent: Figure
    archived_at: str | None

    @classmethod
    def of(cls, category: ExpenseCategory) -> "ExpenseCategoryView":
        return cls.of_many([category])[0]

    @classmethod
    def of_many(cls, categories: Sequence[ExpenseCategory]) -> "list[ExpenseCategoryView]":
        named = names.of(
            account=[category.expense_account_id for category in categories],
            tax_rate=[category.tax_rate_id for category in categories],
        )
        base = workspace_settings.current().base_currency
        return [
            show(
                cls,
                category,
                expense_account_code=named.code(category.expense_account_id),
                expense_account_name=named.name(category.expense_account_id),
                tax_rate_name=named.name(category.tax_rate_id),
                limit=CategoryLimitView.of(category, base),
                receipt_from=money.text(category.receipt_from, base),
                deductible_cost_percent=money.plain(category.deductible_cost_percent),
                deductible_tax_percent=money.plain(category.deductible_tax_percent),
            )
            for category in categories
        ]


def seeds() -> Iterator[dict[str, Any]]:
    """The rows of the categories that a workspace starts with; of entertainment 70 % are a cost for tax."""
    whole = 100 * MICRO
    for code, name in SEEDED.items():
        cost = 70 * MICRO if code == "entertainment" else whole
        yield {
            "code": code,
            "name": name,
            "limit_mode": "warn",
            "receipt_from": 0,
            "deductible_cost_percent": cost,
            "deductible_tax_percent": whole,
        }


def refer(name: str, field: str) -> ExpenseCategory:
    """The category in use whose id or code a field holds.

    Raises:
        UnknownReference: there is no such category in this workspace.
        Invalid: it is archived.
    """
    category = ExpenseCategory.find_or_none(name) or ExpenseCategory.find_by(code=name)
    if category is None:
        raise UnknownReference(field, Noun("expense category"))
    if category.archived_at is not None:
        raise Invalid.one(field, "archived", says("{name} is archived. Choose another category.", name=category.name))
    return category


def search(query: ExpenseCategoryFilter) -> Page[ExpenseCategoryView]:
    select = ExpenseCategory.select().where(ExpenseCategory.archived_at.is_null(not query.is_archived))
    sortable = {"code": ExpenseCategory.code, "name": ExpenseCategory.name}
    return page(select, query, views=ExpenseCategoryView.of_many, sort=query.sort, sortable=sortable)


def add(new: NewExpenseCategory) -> ExpenseCategory:
    """Add a category.

    Raises:
        AlreadyExists: another category has its code.
        UnknownReference: there is no such account or tax rate in this workspace.
    """
    columns = _columns({name: value for name, value in new.changes().items() if value is not None})
    if ExpenseCategory.find_by(code=new.code) is not None:
        raise AlreadyExists(says("Another category already has the code {code}.", code=new.code), field="code")
    category = ExpenseCategory.add(**columns)
    events.write("expense_category.created", "expense_category", category.id, _event_data(category))
    return category


def change(id: str, body: ExpenseCategoryChange) -> ExpenseCategory:
    """Change a category; claims keep what they have.

    Raises:
        UnknownReference: there is no such account or tax rate in this workspace.
    """
    category = ExpenseCategory.find_to_change(id)
    if values := changes.differing(category, _columns(body.changes())):
        changed = changes.before_and_after(category, values)
        category.change(**values)
        events.write("expense_category.updated", "expense_category", id, _event_data(category) | {"changes": changed})
    return category


def _columns(sent: Mapping[str, Any]) -> dict[str, Any]:
    complaints, base = Complaints(), workspace_settings.current().base_currency
    columns = dict(sent)
    if columns.get("expense_account_id") is not None:
        with complaints.gathered():
            columns["expense_account_id"] = accounts.refer(columns["expense_account_id"], "expenseAccountId").id
    if columns.get("tax_rate_id") is not None:
        with complaints.gathered():
            tax_rates.refer_all({"taxRateId": columns["tax_rate_id"]})
    if "limit" in columns:
        limit = columns.pop("limit")
        columns["limit_per"] = limit and limit.per
        columns["limit_amount"] = limit and complaints.minor(limit.amount, base, "limit.amount")
    if "receipt_from" in columns:
        columns["receipt_from"] = complaints.minor(columns["receipt_from"], base, "receiptFrom")
    complaints.refuse()
    return {
        name: money.scaled(value, MICRO) if isinstance(value, Percent) else value for name, value in columns.items()
    }


def _event_data(category: ExpenseCategory) -> dict[str, str]:
    return {"name": category.name, "code": category.code}


class Collection:
    @endpoint(permission="expenses.read_own")
    def on_get(self, query: ExpenseCategoryFilter) -> Page[ExpenseCategoryView]:
        """List the categories of expenses.

        Every member can read them. Archived ones are listed when the filter asks for them.
        """
        return search(query)

    @endpoint(permission="expenses.post", status=201, refuses=(AlreadyExists, UnknownReference))
    def on_post(self, body: NewExpenseCategory) -> ExpenseCategoryView:
        """Add a category of expenses.

        Its limit warns, or blocks a claim from being submitted; it counts by receipt, day or month of a person.
        """
        return ExpenseCategoryView.of(add(body))


class Item:
    @endpoint(permission="expenses.read_own")
    def on_get(self, id: str) -> ExpenseCategoryView:
        """Show a category of expenses.

        It shows the account and tax rate that its lines have by default, and its limit.
        """
        return ExpenseCategoryView.of(ExpenseCategory.find(id))

    @endpoint(permission="expenses.post", refuses=(UnknownReference,))
    def on_patch(self, id: str, body: ExpenseCategoryChange) -> ExpenseCategoryView:
        """Change a category of expenses.

        Claims that exist keep their amounts and accounts; a limit counts from then on.
        """
        return ExpenseCategoryView.of(change(id, body))


class Archive:
    @endpoint(permission="expenses.post", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> ExpenseCategoryView:
        """Archive a category, so that new lines cannot have it.

        Lines that have it stay. A category that is archived already is refused (409).
        """
        return ExpenseCategoryView.of(changes.archive(ExpenseCategory.find_to_change(id), _event_data))


class Unarchive:
    @endpoint(permission="expenses.post", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> ExpenseCategoryView:
        """Unarchive a category, so that new lines can have it again.

        A category that is not archived is refused (409).
        """
        return ExpenseCategoryView.of(changes.unarchive(ExpenseCategory.find_to_change(id), _event_data))
