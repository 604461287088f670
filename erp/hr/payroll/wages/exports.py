"""Wage exports: the figures of a month, less what earlier exports hold, with the corrections of earlier months."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from erp.hr.access.models import Employee
from erp.hr.payroll import due
from erp.hr.payroll.models import PayComponent
from erp.hr.payroll.wages import facts, formats, wage_types
from erp.hr.payroll.wages.bodies import NewWageExport
from erp.hr.payroll.wages.facts import Figures
from erp.hr.payroll.wages.models import WageExport, WageFormat, WageType
from erp.kernel.errors import Refusal
from erp.store import events, sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.schema import File

_HIGHEST = 99_999
"""The highest personnel number of DATEV."""

Sent = tuple[str, str, str]
"""A figure that was exported: employee, month, and the id of the wage type."""


class WageTypeMissing(Refusal):
    """There are no wage types yet. Enter the numbers of your payroll provider first."""

    status = 422


class PersonnelNumberMissing(Refusal):
    """These employees need a payroll number of their own between 1 and 99999: {names}."""

    status = 422


class DatevNumbersMissing(Refusal):
    """A LODAS file needs the consultant number and the client number. Enter them in the DATEV settings."""

    status = 422


class Prepared(msgspec.Struct, frozen=True):
    """An export that is not stored."""

    employee_ids: Sequence[str]
    wage_type_ids: Sequence[str]
    rows: Sequence[dict[str, Any]]
    warnings: Sequence[dict[str, Any]]


def prepare(body: NewWageExport) -> Prepared:
    """Compute an export.

    Raises:
        UnknownReference: a named employee is not in this workspace.
        WageTypeMissing: there are no wage types.
        PersonnelNumberMissing: an employee in it has no number of their own.
        DatevNumbersMissing: the settings lack a number that the format needs.
        PayTooLarge: an employee's pay is beyond what the books hold.
    """
    _check_settings(body.format)
    named = None if body.employee_ids is None else due.named(body.employee_ids)
    types = wage_types.all_types()
    if not types:
        raise WageTypeMissing
    sent = _sent(body.month, named)
    months = {month: facts.of_month(month, named) for month in sorted({body.month, *(key[1] for key in sent)})}
    employed = list(months[body.month])
    wanted = {
        **sent,
        **{(id, body.month, row.id): sent.get((id, body.month, row.id), 0) for id in employed for row in types},
    }
    rows = _rows(types, wanted, months)
    return Prepared(
        employee_ids=employed,
        wage_type_ids=[row.id for row in types],
        rows=rows,
        warnings=[*_unmapped(types, months[body.month]), *_changed(rows, body.month)],
    )


def make(body: NewWageExport) -> WageExport:
    """Store an export under the next number; refuses as `prepare` does."""
    prepared = prepare(body)
    ((number,),) = WORKSPACE.rows("SELECT coalesce(max(number), 0) + 1 FROM wage_export")
    made = WageExport.add(number=number, month=body.month, format=body.format, **msgspec.structs.asdict(prepared))
    data = {"number": str(number), "month": body.month, "format": body.format, "count": len(made.rows)}
    events.write("wage_export.created", "wage_export", made.id, data)
    return made


def file(export: WageExport) -> File:
    """The file of an export.

    Raises:
        DatevNumbersMissing: the settings no longer have a number that the format needs.
    """
    _check_settings(export.format)
    return formats.file(export)


def _check_settings(format: WageFormat | str) -> None:
    settings = workspace_settings.current()
    if format == "lodas" and None in (settings.datev_advisor, settings.datev_client):
        raise DatevNumbersMissing


def _sent(month: str, among: Collection[str] | None) -> dict[Sent, int]:
    """The sums that earlier exports hold, 0 included, of the months since January of the previous year."""
    named = None if among is None else sql.array(among)
    rows = WORKSPACE.rows(_SENT, {"first": f"{int(month[:4]) - 1}-01", "named": named})
    return {(id, of_month, type_id): total for id, of_month, type_id, total in rows}


# An export has rows of its own month and of months of earlier exports. So no export before the first of a wanted month
# has a wanted row.
_SENT = """
WITH recent AS MATERIALIZED (
    SELECT month, employee_ids, wage_type_ids, rows FROM wage_export
    WHERE number >= (SELECT min(number) FROM wage_export WHERE month >= :first)),
figure AS (
    SELECT person.value AS employee_id, month, type.value AS type_id, 0 AS quantity
    FROM recent, json_each(employee_ids) AS person, json_each(wage_type_ids) AS type
    UNION ALL
    SELECT row.value ->> 'employeeId', row.value ->> 'month', row.value ->> 'wageTypeId', row.value ->> 'quantity'
    FROM recent, json_each(rows) AS row)
SELECT employee_id, month, type_id, sum(quantity) FROM figure
WHERE month >= :first AND (:named IS NULL OR employee_id IN (SELECT value FROM json_each(:named)))
GROUP BY 1, 2, 3
"""


def _rows(
    types: Sequence[WageType], sent: Mapping[Sent, int], months: Mapping[str, Mapping[str, Figures]]
) -> list[dict[str, Any]]:
    """A row for each figure that differs from what earlier exports hold, by month, personnel number and wage type."""
    by_id = {row.id: row for row in types}
    differences: dict[Sent, int] = {}
    for (id, month, type_id), total in sent.items():
        if (row := by_id.get(type_id)) is not None:
            figure = months[month].get(id, {}).get((row.source, row.component_id))
            quantity = 0 if figure is None else figure.quantity(row.unit)
            differences[id, month, type_id] = quantity - total
    changed = {key: quantity for key, quantity in differences.items() if quantity}
    people = _people({id for id, _, _ in changed})
    rows = [
        _row(by_id[type_id], month, quantity, id, *people[id]) for (id, month, type_id), quantity in changed.items()
    ]
    return sorted(rows, key=lambda row: (row["month"], row["personnelNumber"], row["wageType"], row["wageTypeId"]))


def _row(row: WageType, month: str, quantity: int, employee_id: str, name: str, number: int) -> dict[str, Any]:
    return {
        "employeeId": employee_id,
        "employeeName": name,
        "personnelNumber": number,
        "month": month,
        "wageTypeId": row.id,
        "source": row.source,
        "wageType": row.wage_type,
        "unit": row.unit,
        "quantity": quantity,
        "processingKey": row.processing_key,
    }


def _people(ids: Collection[str]) -> dict[str, tuple[str, int]]:
    """The names and personnel numbers of employees, by id."""
    people = Employee.fetch("SELECT * FROM employee WHERE id IN (SELECT value FROM json_each(?))", sql.array(ids))
    numbers = {row.id: personnel_number(row) for row in people}
    counts = list(numbers.values())
    wrong = sorted(
        row.name for row in people if not 1 <= numbers[row.id] <= _HIGHEST or counts.count(numbers[row.id]) > 1
    )
    if wrong:
        raise PersonnelNumberMissing(names=", ".join(wrong))
    return {row.id: (row.name, numbers[row.id]) for row in people}


def personnel_number(employee: Employee) -> int:
    """The payroll number of an employee, else the digits of their number; 0 without any."""
    digits = "".join(mark for mark in employee.employee_number if mark in "0123456789")
    return employee.payroll_number or int(digits or "0")


def _unmapped(types: Sequence[WageType], month: Mapping[str, Figures]) -> Iterator[dict[str, Any]]:
    """The figures that no wage type takes; hours and base pay need only one between them."""
    earnings = {row.id for row in PayComponent.select().where(PayComponent.kind == "earning")}
    mapped = {(row.source, row.component_id) for row in types}
    if mapped & {("worked_hours", None), ("base_pay", None)}:
        mapped |= {("worked_hours", None), ("base_pay", None)}
    people: dict[facts.Key, set[str]] = defaultdict(set)
    for id, figures in month.items():
        for key, figure in figures.items():
            is_earned = key[1] is None or key[1] in earnings
            if is_earned and key not in mapped and figure != facts.Figure():
                people[key].add(id)
    for (source, component_id), ids in sorted(people.items(), key=str):
        yield {"code": "unmapped", "source": source, "componentId": component_id, "month": None, "count": len(ids)}


def _changed(rows: Sequence[Mapping[str, Any]], month: str) -> Iterator[dict[str, Any]]:
    """The other months of which the export has corrections."""
    people: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row["month"] != month:
            people[row["month"]].add(row["employeeId"])
    for corrected, ids in people.items():
        yield {"code": "changed_since", "source": None, "componentId": None, "month": corrected, "count": len(ids)}
