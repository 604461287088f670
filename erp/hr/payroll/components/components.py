"""Pay components: what is added to pay, taken off it or paid on top, and the rules of changing them."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from msgspec import UNSET

from erp.finance.books import accounts, ledger
from erp.hr.payroll.calculation.values import Bracket, Component, Overtime
from erp.hr.payroll.components import checks
from erp.hr.payroll.components.bodies import GivenBracket, GivenOvertime, NewPayComponent, PayComponentChange
from erp.hr.payroll.models import PayComponent
from erp.kernel import money
from erp.kernel.complaints import Complaints, refuse_any
from erp.kernel.errors import AlreadyExists, InUse
from erp.store import changes, events, workspace_settings
from erp.store.router import WORKSPACE

ACCOUNTS = {"expense_account_id": "expenseAccountId", "liability_account_id": "liabilityAccountId"}
_AMOUNTS = ("amount", "base_cap", "amount_cap")


def known() -> list[Component]:
    """All pay components in order, as payslips reckon with them, each with its accounts.

    Archived ones are for those whose pay names them alone.
    """
    defaults = ledger.default_accounts()
    rows = PayComponent.select().order_by(PayComponent.position, PayComponent.id)
    return [_component(row, defaults) for row in rows]


def add(new: NewPayComponent) -> PayComponent:
    """Add a pay component, at the end of the list unless it names its place.

    Raises:
        AlreadyExists: another one has its code.
        UnknownReference: it names an account that is not in this workspace.
        Invalid: its figures, kind or accounts do not fit.
    """
    faults = Complaints()
    values = columns(new, workspace_settings.current().base_currency, faults)
    if new.position is None:
        values["position"] = next_position()
    values = _checked(values, values, faults)
    _refuse_taken(new.code, None)
    made = PayComponent.add(**values)
    events.write("pay_component.created", "pay_component", made.id, _facts(made))
    return made


def change(id: str, wanted: PayComponentChange) -> PayComponent:
    """Change a pay component; payslips that have it stay as they are.

    Raises:
        AlreadyExists: another one has its code.
        UnknownReference: it names an account that is not in this workspace.
        Invalid: its figures, kind or accounts do not fit.
    """
    component = PayComponent.find_to_change(id)
    faults = Complaints()
    values = columns(wanted, workspace_settings.current().base_currency, faults)
    whole = {name: values.get(name, getattr(component, name)) for name in PayComponentChange.__struct_fields__}
    values = changes.differing(component, _checked(values, whole, faults))
    _refuse_taken(values.get("code"), id)
    if values:
        facts = {**_facts(component), "changed": [changes.wire_name(name) for name in values]}
        component.change(**values)
        events.write("pay_component.updated", "pay_component", id, facts)
    return component


def remove(id: str) -> None:
    """Delete a pay component that nobody's pay names and no payslip has.

    Raises:
        InUse: somebody's pay or a payslip has it.
    """
    component = PayComponent.find_to_change(id)
    refusal = "Payslips or people's pay have this component, so it has to stay; archive it instead."
    if WORKSPACE.rows(_NAMED, (id,)):
        raise InUse(refusal)
    changes.delete(component, refusal)
    events.write("pay_component.deleted", "pay_component", id, _facts(component))


_NAMED = """
SELECT 1 FROM compensation, json_each(compensation.components) AS named
WHERE json_extract(named.value, '$.componentId') = ? LIMIT 1
"""


def archive(id: str) -> PayComponent:
    """Archive a pay component, so that nobody gets it anew; those whose pay names it keep it.

    Raises:
        InvalidTransition: it is archived already.
    """
    component = PayComponent.find_to_change(id)
    changes.archive(component, "The pay component", _facts(component))
    return component


def unarchive(id: str) -> PayComponent:
    """Take an archived pay component back into use.

    Raises:
        InvalidTransition: it is not archived.
    """
    component = PayComponent.find_to_change(id)
    changes.unarchive(component, "The pay component", _facts(component))
    return component


def next_position() -> int:
    """The place after the last."""
    ((place,),) = WORKSPACE.rows("SELECT coalesce(max(position) + 1, 0) FROM pay_component")
    return int(place)


def columns(body: NewPayComponent | PayComponentChange, currency: str, faults: Complaints) -> dict[str, Any]:
    """The fields of a body as the table keeps them, but for accounts named by code."""
    values = body.changes()
    for name in _AMOUNTS:
        if values.get(name) is not None:
            values[name] = faults.minor(values[name], currency, changes.wire_name(name))
    if values.get("percent") is not None:
        values["percent"] = money.scaled(values["percent"], money.MICRO)
    if values.get("brackets"):
        values["brackets"] = [
            _bracket(each, currency, faults, f"brackets[{place}].upTo") for place, each in enumerate(values["brackets"])
        ]
    if values.get("overtime"):
        values["overtime"] = _overtime(values["overtime"])
    if isinstance(body, NewPayComponent) and body.bracket_period is UNSET:
        values["bracket_period"] = "year" if body.method == "cumulative" else "period"
    return values


def _bracket(given: GivenBracket, currency: str, faults: Complaints, field: str) -> dict[str, int | None]:
    end: Decimal | None = given.up_to
    up_to = None if end is None else faults.minor(end, currency, field)
    return {"upTo": up_to, "rate": money.scaled(given.rate, money.MICRO)}


def _overtime(given: GivenOvertime) -> dict[str, int | str]:
    multiplier = money.scaled(given.multiplier, money.MICRO)
    return {"afterMinutes": given.after_minutes, "per": given.per, "multiplier": multiplier}


def _checked(values: dict[str, Any], whole: Mapping[str, Any], faults: Complaints) -> dict[str, Any]:
    """The values to write, with the ids of the accounts that they name.

    Args:
        whole: all of the component's values as they will be.
    """
    kept = {wire: whole[name] for name, wire in ACCOUNTS.items() if whole[name]}
    found, complaints = accounts.look_up(kept)
    faults.items += checks.misfits(whole)
    faults.items += [*complaints, *checks.wrong_accounts(whole["kind"], found)]
    refuse_any(faults.items, "account")
    return values | {name: found[wire].id for name, wire in ACCOUNTS.items() if values.get(name)}


def _refuse_taken(code: str | None, id: str | None) -> None:
    if WORKSPACE.rows("SELECT 1 FROM pay_component WHERE code = ? AND id IS NOT ?", (code, id)):
        raise AlreadyExists(f"Another pay component has the code {code}.", field="code")


def _facts(component: PayComponent) -> dict[str, str]:
    return {"code": component.code, "name": component.name}


_ALIKE = """
id code name kind calculation amount percent bracket_period method base_cap amount_cap rounding taxable pre_tax prorated
"""
"""What a component has as its row has it."""


def _component(row: PayComponent, defaults: Mapping[str, str]) -> Component:
    expense, liability = _default_keys(row)
    rule = row.overtime
    return Component(
        **{name: getattr(row, name) for name in _ALIKE.split()},
        brackets=tuple(Bracket(each["upTo"], each["rate"]) for each in row.brackets or ()),
        overtime=rule and Overtime(rule["afterMinutes"], rule["per"], rule["multiplier"]),
        applies_to_all=row.applies_to_all and row.archived_at is None,
        expense_account_id=expense and (row.expense_account_id or defaults[expense]),
        liability_account_id=liability and (row.liability_account_id or defaults[liability]),
    )


def _default_keys(row: PayComponent) -> tuple[str | None, str | None]:
    """The default accounts of a component's expense and liability; None where it has none."""
    if row.kind == "earning":
        return "salaries", None
    if row.kind == "employer_contribution":
        return "employer_contributions_expense", "employer_contributions"
    return None, "payroll_taxes" if row.calculation == "brackets" else "employee_deductions"
