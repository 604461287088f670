"""Compensations: an employee's pay, each valid from a day on. Pay that a payroll run has used never changes."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Literal

import msgspec

from erp.hr.access import own_pay
from erp.hr.access.models import Employee
from erp.hr.employees.models import Compensation
from erp.hr.sites import sites
from erp.hr.sites.models import Site
from erp.kernel import money
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Invalid, NotFound
from erp.kernel.language import Noun, Word, says
from erp.store import events, sql, workspace_settings
from erp.store.records import new_id
from erp.store.router import WORKSPACE
from erp.web.scalars import Day, Id, NotNegativeAmount, PayPercent
from erp.web.schema import Body
from erp.web.text_scalars import KnownCurrency

PayType = Literal["salary", "hourly"]
Frequency = Literal["monthly", "semimonthly", "biweekly", "weekly"]


class PersonalComponent(Body):
    """An employee's pay component, with their own amount or percentage if it takes one."""

    component_id: Id
    amount: NotNegativeAmount | None = None
    percent: PayPercent | None = None


class Pay(Body):
    """Pay of an employee: a salary for each period, or an amount for each hour. A half of a month ends on the 15th."""

    pay_type: PayType
    amount: NotNegativeAmount
    frequency: Frequency
    currency: Annotated[KnownCurrency, msgspec.Meta(description="The site's by default.")] | None = None
    components: Annotated[list[PersonalComponent], msgspec.Meta(max_length=50)] = []


class FirstCompensation(Pay):
    """The pay at the start of an employment, from the hire date by default."""

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
    """Set an employee's pay from a day on. Pay that begins on the same day is replaced and stays on record.

    Raises:
        OwnPay: it is the caller's own, and someone else can set it.
        UnknownReference: there is no such pay component.
        Invalid: the pay does not fit the office, the employment or the components.
    """
    employee = Employee.find_to_change(employee_id)
    own_pay.refuse_own(employee, Word("change your own pay"))
    pay = record(employee, new, new.effective_from)
    employee.change()
    event_data = {"employeeId": employee.id, "name": employee.name, "effectiveFrom": pay.effective_from.isoformat()}
    events.write("compensation.set", "compensation", pay.id, event_data)
    return pay


def record(employee: Employee, pay: Pay, day: date, prefix: str = "") -> Compensation:
    """Store an employee's pay from a day on.

    Args:
        prefix: the path of the pay in the request, with its dot.
    """
    site = sites.of_employee(employee.id)
    values = check(pay, day, employee.hire_date, site, prefix)
    _refuse_paid(employee, day, values["currency"], f"{prefix}currency")
    return _replacing(employee.id, day, values)


def check(pay: Pay, day: date, hire_date: date, site: Site, prefix: str = "") -> dict[str, Any]:
    """Check that pay fits the office, the employment and the components; return its columns.

    Raises:
        UnknownReference: there is no such pay component.
        Invalid: it does not fit.
    """
    complaints = Complaints()
    values = _checked(pay, pay.currency or sites.values(site)["currency"], complaints, prefix)
    if day < hire_date:
        complaints.add(
            f"{prefix}effectiveFrom",
            "before_hire_date",
            says("Must not be before the hire date, {hire_date}.", hire_date=hire_date),
        )
    complaints.refuse()
    return values


def _replacing(employee_id: str, day: date, values: Mapping[str, Any]) -> Compensation:
    id = new_id()
    same_day: Any = (Compensation.employee == employee_id) & (Compensation.effective_from == day)
    present: Compensation | None = Compensation.get_or_none(same_day & Compensation.replaced_by.is_null())
    if present is not None:
        present.change(replaced_by=id)
    return Compensation.add(id=id, employee=employee_id, effective_from=day, **values)


_PAID = """
SELECT number, max(date) FROM paid_day JOIN payslip ON payslip.id = payslip_id
JOIN payroll_run ON payroll_run.id = run_id WHERE paid_day.employee_id = ? AND date >= ? AND date < coalesce((
    SELECT min(effective_from) FROM compensation
    WHERE employee_id = ? AND replaced_by_id IS NULL AND effective_from > ?), '9999-12-31') AND currency <> ?
GROUP BY number ORDER BY max(date) DESC LIMIT 1
"""


def _refuse_paid(employee: Employee, day: date, currency: str, field: str) -> None:
    """Days that are paid in one currency are not owed in another."""
    values = employee.id, day.isoformat(), employee.id, day.isoformat(), currency
    for number, last in WORKSPACE.rows(_PAID, values):
        message = says("{run} pays days up to {day} in another currency.", run=number, day=date.fromisoformat(last))
        raise Invalid.one(field, "already_paid", message)


def _checked(pay: Pay, currency: str, complaints: Complaints, prefix: str) -> dict[str, Any]:
    """The columns of pay; complaints go to `complaints`."""
    return {
        "pay_type": pay.pay_type,
        "amount": complaints.minor(pay.amount, currency, f"{prefix}amount"),
        "currency": currency,
        "frequency": pay.frequency,
        "components": _components(pay.components, currency, complaints, f"{prefix}components"),
    }


_KNOWN = """
SELECT id, currency, brackets IS NOT NULL OR base_cap IS NOT NULL OR amount_cap IS NOT NULL,
    name, calculation, amount, percent, archived_at FROM pay_component
WHERE id IN (SELECT value FROM json_each(?))
"""
_TAKES = {
    "fixed": "amount",
    "per_hour": "amount",
    "percent_of_base": "percent",
    "percent_of_gross": "percent",
}
"""The employee's own value that a component takes, by its calculation; the others take none."""


def _components(
    sent: Sequence[PersonalComponent], currency: str, complaints: Complaints, path: str
) -> list[dict[str, str | int]]:
    ids = [component.component_id for component in sent]
    rows = {row[0]: row[1:] for row in WORKSPACE.rows(_KNOWN, (sql.array(ids),))}
    stored: list[dict[str, str | int]] = []
    for index, component in enumerate(sent):
        field = f"{path}[{index}]"
        if component.component_id not in rows:
            complaints.unknown(f"{field}.componentId", Noun("pay component"))
            continue
        if component.component_id in ids[:index]:
            complaints.add(f"{field}.componentId", "duplicate", says("This pay component is already listed above."))
        own, has_limits, name, calculation, amount, *others = rows[component.component_id]
        of_amounts = own or workspace_settings.current().base_currency
        if currency != of_amounts and (own or has_limits):
            message = says("{name} is only for pay in {currency}.", name=name, currency=of_amounts)
            complaints.add(f"{field}.componentId", "other_currency", message)
        elif currency != of_amounts:
            amount = None
        _check_component(component, (name, calculation, amount, *others), complaints, field)
        stored.append(_stored(component, currency, complaints, field))
    return stored


def _check_component(component: PersonalComponent, row: Sequence[Any], complaints: Complaints, field: str) -> None:
    name, calculation, amount, percent, archived_at = row
    if archived_at is not None:
        complaints.add(
            f"{field}.componentId", "archived", says("{name} is archived. Choose another component.", name=name)
        )
    personal, usual = _TAKES.get(calculation), {"amount": amount, "percent": percent}
    sent: dict[str, Decimal | None] = {"amount": component.amount, "percent": component.percent}
    for part, value in sent.items():
        if part != personal and value is not None:
            complaints.add(
                f"{field}.{part}",
                "not_applicable",
                says("{name} has no individual value ({part}).", name=name, part=Word.of(part)),
            )
        if part == personal and value is None and usual[part] is None:
            complaints.add(
                f"{field}.{part}",
                "required",
                says("{name} has no default ({part}). Enter one here.", name=name, part=Word.of(part)),
            )


def _stored(component: PersonalComponent, currency: str, complaints: Complaints, field: str) -> dict[str, str | int]:
    stored: dict[str, str | int] = {"componentId": component.component_id}
    if component.amount is not None:
        stored["amount"] = complaints.minor(component.amount, currency, f"{field}.amount")
    if component.percent is not None:
        stored["percent"] = money.scaled(component.percent, money.MICRO)
    return stored


def history(employee_id: str) -> list[Compensation]:
    """An employee's past, present and future pay, replaced ones included, the latest first."""
    select = Compensation.select().where(Compensation.employee == employee_id)
    return list(select.order_by(Compensation.effective_from.desc(), Compensation.id.desc()))


def find(employee_id: str, id: str) -> Compensation:
    """One of an employee's past, present and future pays.

    Raises:
        NotFound: the employee has none with this id.
    """
    pay = Compensation.find(id)
    if pay.employee_id != employee_id:
        raise NotFound(says("This employee has no such compensation."))
    return pay


_IN_FORCE = """
SELECT * FROM compensation AS shown WHERE replaced_by_id IS NULL
AND employee_id IN (SELECT value FROM json_each(?)) AND effective_from = (
    SELECT max(effective_from) FROM compensation JOIN employee ON employee.id = compensation.employee_id
    WHERE compensation.employee_id = shown.employee_id AND replaced_by_id IS NULL
    AND (effective_from <= ? OR effective_from <= employee.hire_date))
"""


def is_in_force(employee: Employee, pay: Pay) -> bool:
    """Whether an employee has this base pay today."""
    present = in_force([employee.id], workspace_settings.today()).get(employee.id)
    if present is None:
        return False
    if pay.currency not in (None, present.currency):
        return False
    amount = money.minor(pay.amount, present.currency)
    return (present.pay_type, present.amount, present.frequency) == (pay.pay_type, amount, pay.frequency)


def in_force(employee_ids: Collection[str], today: date) -> dict[str, Compensation]:
    """The pay of employees today, or on the first day of a future employment; one query for any number."""
    rows = Compensation.fetch(_IN_FORCE, sql.array(employee_ids), today.isoformat())
    return {row.employee_id: row for row in rows}
