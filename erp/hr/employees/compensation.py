"""Compensations: what somebody is paid from a day on; what was paid by stays as it was."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Literal

import msgspec

from erp.hr import locked_days
from erp.hr.access.models import Employee
from erp.hr.employees.models import Compensation
from erp.kernel import money
from erp.kernel.complaints import Complaints
from erp.store import events, workspace_settings
from erp.store.records import new_id
from erp.store.router import WORKSPACE
from erp.web.scalars import Currency, Day, Id, NotNegativeAmount, PayPercent
from erp.web.schema import Body

PayType = Literal["salary", "hourly"]
Frequency = Literal["monthly", "biweekly", "weekly"]


class PersonalComponent(Body):
    """A pay component that somebody has, with an amount or a percentage of her own where it takes one."""

    component_id: Id
    amount: NotNegativeAmount | None = None
    percent: PayPercent | None = None


class Pay(Body):
    """What somebody is paid: a salary a period, or an amount an hour, in the base currency."""

    pay_type: PayType
    amount: NotNegativeAmount
    frequency: Frequency
    currency: Currency | None = None
    components: Annotated[list[PersonalComponent], msgspec.Meta(max_length=50)] = []


class FirstCompensation(Pay):
    """The pay that an employment begins with, from the hire date if no other day is given."""

    effective_from: Day | None = None


class NewCompensation(Pay, kw_only=True):
    """The pay from a day on."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "payType": "salary",
        "amount": "3400.00",
        "frequency": "monthly",
        "effectiveFrom": "2027-01-01",
    }

    effective_from: Day


def add(employee_id: str, new: NewCompensation) -> Compensation:
    """Set somebody's pay from a day on; pay that begins on the same day is replaced, and stays on record.

    Raises:
        UnknownReference: there is no such pay component.
        Invalid: what is sent does not fit the office, the employment or the components.
        PaidAlready: a day that it would alter is paid.
    """
    employee = Employee.find_to_change(employee_id)
    made = record(employee, new, new.effective_from)
    employee.change()
    told = {"employeeId": employee.id, "name": employee.name, "effectiveFrom": made.effective_from.isoformat()}
    events.write("compensation.set", "compensation", made.id, told)
    return made


def record(employee: Employee, pay: Pay, day: date, prefix: str = "") -> Compensation:
    """Keep somebody's pay from a day on.

    Args:
        prefix: where the pay stands in the request.
    """
    values = check(pay, day, employee.hire_date, prefix)
    locked_days.check_open(employee.id, day, date.max, f"{prefix}effectiveFrom")
    return _replacing(employee.id, day, values)


def check(pay: Pay, day: date, hire_date: date, prefix: str = "") -> dict[str, Any]:
    """See that a pay fits the office, the employment and the components; its columns.

    Raises:
        UnknownReference: there is no such pay component.
        Invalid: it does not fit.
    """
    complaints = Complaints()
    values = _checked(pay, complaints, prefix)
    if day < hire_date:
        complaints.add(f"{prefix}effectiveFrom", "before_hire_date", f"Must not be before the hire date, {hire_date}.")
    complaints.refuse()
    return values


def _replacing(employee_id: str, day: date, values: Mapping[str, Any]) -> Compensation:
    id = new_id()
    same_day: Any = (Compensation.employee == employee_id) & (Compensation.effective_from == day)
    present: Compensation | None = Compensation.get_or_none(same_day & Compensation.replaced_by.is_null())
    if present is not None:
        present.change(replaced_by=id)
    return Compensation.add(id=id, employee=employee_id, effective_from=day, **values)


def _checked(pay: Pay, complaints: Complaints, prefix: str) -> dict[str, Any]:
    """The columns of a pay, with what is wrong with it told to `complaints`."""
    currency = workspace_settings.current().base_currency
    if pay.currency not in (None, currency):
        complaints.add(f"{prefix}currency", "not_base_currency", f"People are paid in {currency}.")
    return {
        "pay_type": pay.pay_type,
        "amount": complaints.minor(pay.amount, currency, f"{prefix}amount"),
        "currency": currency,
        "frequency": pay.frequency,
        "components": _components(pay.components, currency, complaints, f"{prefix}components"),
    }


_KNOWN = "SELECT id, name, calculation, amount, percent, archived_at FROM pay_component WHERE id IN ({ids})"
_TAKES = {
    "fixed": "amount",
    "per_hour": "amount",
    "percent_of_base": "percent",
    "percent_of_gross": "percent",
}
"""What of one's own a component takes, by how it is reckoned; the others take nothing."""


def _components(
    given: Sequence[PersonalComponent], currency: str, complaints: Complaints, path: str
) -> list[dict[str, str | int]]:
    ids = [each.component_id for each in given]
    known = {row[0]: row[1:] for row in WORKSPACE.rows(_KNOWN.format(ids=", ".join("?" * len(ids))), ids)}
    kept: list[dict[str, str | int]] = []
    for place, each in enumerate(given):
        field = f"{path}[{place}]"
        if each.component_id not in known:
            complaints.unknown(f"{field}.componentId", "pay component")
            continue
        if each.component_id in ids[:place]:
            complaints.add(f"{field}.componentId", "duplicate", "Is named above already.")
        _check_component(each, known[each.component_id], complaints, field)
        kept.append(_kept(each, currency, complaints, field))
    return kept


def _check_component(each: PersonalComponent, known: Sequence[Any], complaints: Complaints, field: str) -> None:
    name, calculation, amount, percent, archived_at = known
    if archived_at is not None:
        complaints.add(f"{field}.componentId", "archived", f"{name} is archived.")
    takes, usual = _TAKES.get(calculation), {"amount": amount, "percent": percent}
    given: dict[str, Decimal | None] = {"amount": each.amount, "percent": each.percent}
    for part, value in given.items():
        if part != takes and value is not None:
            complaints.add(f"{field}.{part}", "not_applicable", f"{name} takes no {part} of one's own.")
        if part == takes and value is None and usual[part] is None:
            complaints.add(f"{field}.{part}", "required", f"{name} has no {part} of its own: give one.")


def _kept(each: PersonalComponent, currency: str, complaints: Complaints, field: str) -> dict[str, str | int]:
    kept: dict[str, str | int] = {"componentId": each.component_id}
    if each.amount is not None:
        kept["amount"] = complaints.minor(each.amount, currency, f"{field}.amount")
    if each.percent is not None:
        kept["percent"] = money.scaled(each.percent, money.MICRO)
    return kept


def history(employee_id: str) -> list[Compensation]:
    """All that somebody's pay was and will be, what was replaced included, the newest first."""
    found = Compensation.select().where(Compensation.employee == employee_id)
    return list(found.order_by(Compensation.effective_from.desc(), Compensation.id.desc()))


_IN_FORCE = """
SELECT * FROM compensation AS shown WHERE replaced_by_id IS NULL AND employee_id IN ({ids}) AND effective_from = (
    SELECT max(effective_from) FROM compensation JOIN employee ON employee.id = compensation.employee_id
    WHERE compensation.employee_id = shown.employee_id AND replaced_by_id IS NULL
    AND effective_from <= max(?, employee.hire_date))
"""


def in_force(employee_ids: Collection[str], today: date) -> dict[str, Compensation]:
    """The pay of employees today, or on the day they begin; one query, however many they are."""
    sql = _IN_FORCE.format(ids=", ".join("?" * len(employee_ids)))
    return {row.employee_id: row for row in Compensation.raw(sql, *employee_ids, today.isoformat())}
