"""Pay components: adding, changing, archiving and deleting."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from msgspec import UNSET

from erp.finance.books import accounts, default_accounts
from erp.hr.payroll.calculation.values import Bracket, Component, Overtime
from erp.hr.payroll.components import checks
from erp.hr.payroll.components.bodies import NewBracket, NewPayComponent, OvertimeRule, PayComponentChange
from erp.hr.payroll.models import PayComponent
from erp.kernel import money
from erp.kernel.complaints import Complaints, refuse_any
from erp.kernel.errors import AlreadyExists, InUse
from erp.kernel.language import Noun, says
from erp.kernel.wire import wire_name
from erp.store import changes, events, sql, workspace_settings
from erp.store.router import WORKSPACE

ACCOUNTS = {"expense_account_id": "expenseAccountId", "liability_account_id": "liabilityAccountId"}
_AMOUNTS = ("amount", "base_cap", "amount_cap")


def list_all() -> list[Component]:
    """All pay components in order, as payslips are computed from them, each with its accounts.

    Archived components apply only to employees whose pay names them.
    """
    defaults = default_accounts.by_key()
    rows = PayComponent.select().order_by(PayComponent.position, PayComponent.id)
    return [_component(row, defaults) for row in rows]


def add(new: NewPayComponent) -> PayComponent:
    """Add a pay component, at the end of the list unless it has a position.

    Raises:
        AlreadyExists: another one has its code.
        UnknownReference: it names an account that is not in this workspace.
        Invalid: its fields or accounts do not fit together.
    """
    complaints = Complaints()
    values = columns(new, _of_amounts(new.currency), complaints)
    if new.position is None:
        values["position"] = next_position()
    values = _checked(values, values, complaints)
    _refuse_taken(new.code, None)
    component = PayComponent.add(**values)
    events.write("pay_component.created", "pay_component", component.id, _event_data(component))
    return component


def change(id: str, body: PayComponentChange) -> PayComponent:
    """Change a pay component; existing payslips stay as they are.

    Raises:
        AlreadyExists: another one has its code.
        UnknownReference: it names an account that is not in this workspace.
        Invalid: its fields or accounts do not fit together.
    """
    component = PayComponent.find_to_change(id)
    complaints = Complaints()
    values = columns(body, _of_amounts(component.currency), complaints)
    whole = {name: values.get(name, getattr(component, name)) for name in PayComponentChange.__struct_fields__}
    values = changes.differing(component, _checked(values, whole, complaints))
    _refuse_taken(values.get("code"), id)
    if values:
        data = {**_event_data(component), "changed": [wire_name(name) for name in values]}
        origin = {"template": None} if _FIGURES & values.keys() else {}
        component.change(**values, **origin)
        events.write("pay_component.updated", "pay_component", id, data)
    return component


_FIGURES = {"amount", "percent", "brackets", "base_cap", "amount_cap"}
"""Changes of these fields make the component the office's own, no longer a pay template's."""


def _of_amounts(currency: str | None) -> str:
    """The currency of the amounts of a component with this one of its own, or none."""
    return currency or workspace_settings.current().base_currency


def remove(id: str) -> None:
    """Delete a pay component that no one's pay names and no payslip has.

    Raises:
        InUse: an employee's pay names it, or a payslip has it.
    """
    component = PayComponent.find_to_change(id)
    refusal = says(
        "Payslips or employees' pay use this component, so it cannot be deleted. Archive the component instead."
    )
    if WORKSPACE.rows(_NAMED, (id,)):
        raise InUse(refusal)
    changes.delete(component, refusal, _event_data)


_NAMED = f"""
SELECT 1 FROM compensation, json_each(compensation.components) AS named
WHERE {sql.json_text("named.value", "'$.componentId'")} = ? LIMIT 1
"""


def archive(id: str) -> PayComponent:
    """Archive a pay component, so that no new pay can name it; employees whose pay names it keep it."""
    return changes.archive(PayComponent.find_to_change(id), _event_data)


def unarchive(id: str) -> PayComponent:
    return changes.unarchive(PayComponent.find_to_change(id), _event_data)


def next_position() -> int:
    """The position after the last."""
    ((position,),) = WORKSPACE.rows("SELECT coalesce(max(position) + 1, 0) FROM pay_component")
    return int(position)


def columns(body: NewPayComponent | PayComponentChange, currency: str, complaints: Complaints) -> dict[str, Any]:
    """A body as columns, with amounts in a currency; accounts may still be named by code."""
    values = body.changes()
    for name in _AMOUNTS:
        if values.get(name) is not None:
            values[name] = complaints.minor(values[name], currency, wire_name(name))
    if values.get("percent") is not None:
        values["percent"] = money.scaled(values["percent"], money.MICRO)
    if values.get("brackets"):
        values["brackets"] = [
            _bracket(bracket, currency, complaints, f"brackets[{index}]")
            for index, bracket in enumerate(values["brackets"])
        ]
    if values.get("overtime"):
        values["overtime"] = _overtime(values["overtime"])
    if isinstance(body, NewPayComponent) and body.bracket_period is UNSET:
        values["bracket_period"] = "year" if body.method == "cumulative" else "period"
    return values


def _bracket(bracket: NewBracket, currency: str, complaints: Complaints, field: str) -> dict[str, int | None]:
    def minor(amount: Decimal | None, name: str) -> int | None:
        return None if amount is None else complaints.minor(amount, currency, f"{field}.{name}")

    return {
        "upTo": minor(bracket.up_to, "upTo"),
        "rate": money.scaled(bracket.rate, money.MICRO),
        "fixed": minor(bracket.fixed, "fixed"),
    }


def _overtime(rule: OvertimeRule) -> dict[str, int | str]:
    multiplier = money.scaled(rule.multiplier, money.MICRO)
    return {"afterMinutes": rule.after_minutes, "per": rule.per, "multiplier": multiplier}


def _checked(values: dict[str, Any], whole: Mapping[str, Any], complaints: Complaints) -> dict[str, Any]:
    """The values to write, with accounts by id.

    Args:
        whole: all of the component's values as they will be.
    """
    names = {field: whole[column] for column, field in ACCOUNTS.items() if whole[column]}
    named, of_accounts = accounts.look_up(names)
    complaints.items += checks.check(whole)
    complaints.items += [*of_accounts, *checks.wrong_accounts(whole["kind"], named)]
    refuse_any(complaints.items, Noun("account"))
    return values | {column: named[field].id for column, field in ACCOUNTS.items() if values.get(column)}


def _refuse_taken(code: str | None, id: str | None) -> None:
    if WORKSPACE.rows(_TAKEN, (code, id)):
        raise AlreadyExists(says("Another pay component has the code {code}.", code=code), field="code")


_TAKEN = "SELECT 1 FROM pay_component WHERE code = ? AND id IS DISTINCT FROM CAST(? AS TEXT)"


def _event_data(component: PayComponent) -> dict[str, str]:
    return {"code": component.code, "name": component.name}


_SAME = """
id code name kind calculation currency amount percent bracket_period method base_cap amount_cap rounding is_taxable
is_pre_tax is_prorated
"""
"""The fields that a component takes from its row as they are."""


def _component(row: PayComponent, defaults: Mapping[str, str]) -> Component:
    expense, liability = _default_keys(row)
    rule = row.overtime
    return Component(
        **{name: getattr(row, name) for name in _SAME.split()},
        brackets=tuple(Bracket(bracket["upTo"], bracket["rate"], bracket["fixed"]) for bracket in row.brackets or ()),
        overtime=rule and Overtime(rule["afterMinutes"], rule["per"], rule["multiplier"]),
        applies_to_all=row.applies_to_all and row.archived_at is None,
        expense_account_id=expense and (row.expense_account_id or defaults[expense]),
        liability_account_id=liability and (row.liability_account_id or defaults[liability]),
    )


def _default_keys(row: PayComponent) -> tuple[str | None, str | None]:
    """The keys of a component's default expense and liability accounts; None where it has none."""
    if row.kind == "earning":
        return "salaries", None
    if row.kind == "employer_contribution":
        return "employer_contributions_expense", "employer_contributions"
    return None, "payroll_taxes" if row.calculation == "brackets" else "employee_deductions"
