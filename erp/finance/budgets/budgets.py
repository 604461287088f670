"""Budgets: the rules of adding, changing and copying them. Nothing is posted."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from itertools import pairwise
from typing import Any, NamedTuple

from msgspec import UNSET

from erp.finance.books import accounts
from erp.finance.books.chart import SUBTYPES
from erp.finance.books.dimensions import assigning
from erp.finance.books.dimensions.codes import Dimensions, stored
from erp.finance.books.years import RESULT_TYPES
from erp.finance.budgets.bodies import BudgetChange, BudgetCopy, BudgetImport, BudgetRow, NewBudget, NewBudgetLine
from erp.finance.budgets.models import Budget, BudgetLine
from erp.kernel import money
from erp.kernel.complaints import Complaints
from erp.kernel.days import ONE_DAY, months_later
from erp.kernel.errors import AlreadyExists, Invalid
from erp.kernel.language import says
from erp.projects import projects
from erp.store import changes, events, workspace_settings
from erp.web.transport import sheets
from erp.web.transport.sheets import ImportedView, ReadRows

MONTHS = 12


class Plan(NamedTuple):
    """A line as a request plans it: its account, project and dimensions, and the amounts of its months or year."""

    account: str
    project: str | None
    dimensions: Dimensions | None
    year: Decimal | None
    months: Sequence[Decimal] | None


class Fields(NamedTuple):
    """The names of the fields of a line in a request."""

    account: str
    project: str
    months: tuple[str, ...]


IN_BODY = Fields("accountId", "projectId", tuple(f"months[{i}]" for i in range(MONTHS)))
IN_SHEET = Fields("account", "project", tuple(f"{number:02}" for number in range(1, MONTHS + 1)))


class Planned(NamedTuple):
    """A checked line: its amounts are minor units of the base currency."""

    account_id: str
    project_id: str | None
    dimensions: str | None
    months: list[int]


def plans(lines: Iterable[NewBudgetLine]) -> dict[str, Plan]:
    """The lines of a body by their paths."""
    return {
        f"lines[{i}]": Plan(line.account_id, line.project_id, line.dimensions, line.year, line.months)
        for i, line in enumerate(lines)
    }


def add(year: int, name: str, lines: Mapping[str, Plan], fields: Fields = IN_BODY) -> Budget:
    """Add a budget.

    Args:
        lines: by their paths in the request.

    Raises:
        AlreadyExists: another budget of the year has the name.
        Invalid: with a complaint for every line that is wrong.
    """
    checked = _checked(lines, fields)
    _check_name(year, name)
    return _created(year, name, checked)


def create(body: NewBudget) -> Budget:
    """Add the budget of a body, as `add` does."""
    return add(body.year, body.name, plans(body.lines))


def bring_in(body: BudgetImport, read: ReadRows[BudgetRow]) -> ImportedView:
    """Add the budget that a spreadsheet plans, or only check it.

    Raises:
        Invalid: with a complaint for everything that is wrong, by row; the headings are row 1.
    """
    rows, complaints = read
    with sheets.all_or_none(complaints, dry_run=body.dry_run):
        if not complaints:
            plans = {
                path: Plan(row.account, row.project, row.dimensions, row.year, row.months) for path, row in rows.items()
            }
            add(body.year, body.name, plans, IN_SHEET)
    return ImportedView(rows=len(rows), dry_run=body.dry_run)


def change(id: str, body: BudgetChange) -> Budget:
    """Change the name or the lines of a budget.

    Raises:
        AlreadyExists: another budget of the year has the name.
        Invalid: with a complaint for every line that is wrong.
    """
    budget = Budget.find_to_change(id)
    sent = body.changes()
    lines = None if body.lines is UNSET else _checked(plans(body.lines), IN_BODY)
    sent.pop("lines", None)
    values = changes.differing(budget, sent)
    if "name" in values:
        _check_name(budget.year, values["name"])
    is_new = lines is not None and lines != [planned(line) for line in budget.lines]
    if values or is_new:
        data = {**_event_data(budget), "changes": changes.before_and_after(budget, values)}
        if is_new and lines is not None:
            _replace(budget, lines)
        budget.change(**values)
        events.write("budget.updated", "budget", id, data)
    return budget


def remove(id: str) -> None:
    """Delete a budget with its lines."""
    budget = Budget.find_to_change(id)
    for line in budget.lines:
        line.delete_instance()
    changes.delete(budget, says("{name} is in use and cannot be deleted.", name=budget.name), _event_data)


def copy(id: str, body: BudgetCopy) -> Budget:
    """Copy a budget to another year or name; each month is changed by a percentage, and rounded.

    Raises:
        AlreadyExists: the year has a budget with the name.
        Invalid: an amount would be larger than the books can hold.
    """
    original = Budget.find(id)
    name = body.name or original.name
    _check_name(body.year, name)
    percent = 0 if body.percent is None else money.scaled(body.percent, money.MICRO)
    lines = [_raised(planned(line), percent) for line in original.lines]
    if any(amount > money.LIMIT for line in lines for amount in line.months):
        raise Invalid.one("percent", "too_large", says("An amount would be too large. Choose a smaller percentage."))
    return _created(body.year, name, lines)


def planned(line: BudgetLine) -> Planned:
    """A stored line."""
    return Planned(line.account_id, line.project_id, line.dimensions, line.months)


def months_of(year: int) -> list[tuple[date, date]]:
    """The first and last days of the twelve months of a fiscal year."""
    start = workspace_settings.fiscal_year_start(date(year, 1, 1))
    firsts = [months_later(start, number) for number in range(MONTHS + 1)]
    return [(first, after - ONE_DAY) for first, after in pairwise(firsts)]


def evenly(amount: int) -> list[int]:
    """The amount of a year over its months; the first ones get the cents that are left over."""
    return money.spread(amount, [1] * MONTHS)


def _raised(line: Planned, percent: int) -> Planned:
    whole = 100 * money.MICRO
    return line._replace(months=[money.divide(amount * (whole + percent), whole) for amount in line.months])


def _checked(plans: Mapping[str, Plan], fields: Fields) -> list[Planned]:
    complaints = Complaints()
    base = workspace_settings.current().base_currency
    names = {f"{path}.{fields.account}": plan.account for path, plan in plans.items()}
    found, complained = accounts.look_up(names, postable=False)
    complaints.items += complained
    assigning.check({f"{path}.dimensions": plan.dimensions for path, plan in plans.items()}, complaints)
    lines: dict[tuple[str, str | None, str | None], Planned] = {}
    for path, plan in plans.items():
        account = found.get(f"{path}.{fields.account}")
        if account is not None and SUBTYPES[account.subtype] not in RESULT_TYPES:
            message = says("Account {code} is neither income nor an expense.", code=account.code)
            complaints.add(f"{path}.{fields.account}", "unsuitable_account", message)
        line = Planned(
            account.id if account else "",
            _project(plan.project, f"{path}.{fields.project}", complaints),
            stored(plan.dimensions),
            _months(plan, base, path, fields, complaints),
        )
        if account is not None and line[:3] in lines:
            message = says("Account {code} appears twice. Add the two lines up.", code=account.code)
            complaints.add(f"{path}.{fields.account}", "duplicate", message)
        lines[line[:3]] = line
    complaints.refuse()
    return [*lines.values()]


def _project(name: str | None, field: str, complaints: Complaints) -> str | None:
    if name is not None:
        with complaints.gathered():
            return projects.refer(name, field).id
    return None


def _months(plan: Plan, currency: str, path: str, fields: Fields, complaints: Complaints) -> list[int]:
    if plan.year is not None:
        return evenly(complaints.minor(plan.year, currency, f"{path}.year"))
    amounts = zip(fields.months, plan.months or (), strict=True)
    return [complaints.minor(amount, currency, f"{path}.{field}") for field, amount in amounts]


def _check_name(year: int, name: str) -> None:
    if Budget.find_by(year=year, name=name) is not None:
        message = says("{year} already has a budget with the name {name}.", year=year, name=name)
        raise AlreadyExists(message, field="name")


def _created(year: int, name: str, lines: Sequence[Planned]) -> Budget:
    budget = Budget.add(year=year, name=name)
    _write(budget, lines)
    events.write("budget.created", "budget", budget.id, _event_data(budget))
    return budget


def _replace(budget: Budget, lines: Sequence[Planned]) -> None:
    for line in budget.lines:
        line.delete_instance()
    _write(budget, lines)


def _write(budget: Budget, lines: Sequence[Planned]) -> None:
    for position, line in enumerate(lines):
        BudgetLine.create(budget=budget.id, position=position, **_columns(line))


def _columns(line: Planned) -> dict[str, Any]:
    return {
        "account": line.account_id,
        "project": line.project_id,
        "dimensions": line.dimensions,
        "months": line.months,
    }


def _event_data(budget: Budget) -> dict[str, Any]:
    return {"name": budget.name, "year": budget.year}
