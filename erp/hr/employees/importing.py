"""Importing employees from a spreadsheet; people who are known already are refused, skipped or updated."""

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET

from erp.hr.access.models import Employee
from erp.hr.employees import compensation, employees, hiring, same_person, schedules
from erp.hr.employees.compensation import FirstCompensation, NewCompensation
from erp.hr.employees.employees import EmployeeChange
from erp.hr.employees.hiring import NewEmployee
from erp.kernel.errors import Invalid
from erp.kernel.language import says
from erp.store import changes, workspace_settings
from erp.web.scalars import Day, Name
from erp.web.schema import Unset
from erp.web.transport import sheets
from erp.web.transport.sheets import ImportedView, ReadRows, SheetImport


class EmployeeRow(EmployeeChange, kw_only=True):
    """A person of a spreadsheet; cells that are empty say nothing."""

    name: Name
    hire_date: Day
    compensation: FirstCompensation | Unset = UNSET


class EmployeeImport(SheetImport):
    """A table of people."""

    on_duplicate: Annotated[
        Literal["refuse", "skip", "update"],
        msgspec.Meta(
            description="Someone who is known already, by number or e-mail address, and of whom a row says something "
            "else: refuse all, leave the person as they are, or change them as the row says."
        ),
    ] = "refuse"


class ImportedEmployeesView(ImportedView):
    """The number of people added, changed, and left as they are."""

    created: int
    updated: int
    skipped: int


def load(body: EmployeeImport, prepared: ReadRows[EmployeeRow]) -> ImportedEmployeesView:
    """Add or change an employee for each row, or none.

    Raises:
        Invalid: with a complaint for everything that is wrong, by row.
    """
    outcomes: Counter[str] = Counter()
    named: set[str] = set()

    def take(row: EmployeeRow) -> None:
        row = _with_manager(row)
        known = same_person.find(row.employee_number or None, row.email or None)
        employee, outcome = _added(row) if known is None else (known, _meet(known, row, body.on_duplicate))
        if employee.id in named:
            raise Invalid.one("name", "duplicate", says("Another row here is about {name}.", name=employee.name))
        named.add(employee.id)
        outcomes[outcome] += 1

    imported = sheets.load(body, prepared, take)
    return ImportedEmployeesView(
        rows=imported.rows,
        dry_run=imported.dry_run,
        created=outcomes["created"],
        updated=outcomes["updated"],
        skipped=outcomes["skipped"],
    )


def _with_manager(row: EmployeeRow) -> EmployeeRow:
    """The row with the id of the manager whom it names by number or e-mail address."""
    if not row.manager_employee_id:
        return row
    manager = same_person.find(row.manager_employee_id, row.manager_employee_id)
    return row if manager is None else msgspec.structs.replace(row, manager_employee_id=manager.id)


def _sent(row: EmployeeRow) -> dict[str, Any]:
    return {name: value for name, value in row.changes().items() if name != "dry_run"}


def _added(row: EmployeeRow) -> tuple[Employee, str]:
    employee, _ = hiring.hire(NewEmployee(**_sent(row)))
    return employee, "created"


def _meet(employee: Employee, row: EmployeeRow, on_duplicate: str) -> str:
    """The outcome of a row about someone who is known already.

    Raises:
        AlreadyExists: it says something else, and such rows are refused.
    """
    change = _differing(employee, row)
    pay = None if row.compensation is UNSET else row.compensation
    is_new_pay = pay is not None and not compensation.is_in_force(employee, pay)
    if (not change and not is_new_pay) or on_duplicate == "skip":
        return "skipped"
    if on_duplicate == "refuse":
        raise same_person.refusal(employee, row.employee_number or None)
    if change:
        employees.change(employee.id, EmployeeChange(**change))
    if pay is not None and is_new_pay:
        since = pay.effective_from or workspace_settings.today()
        values = {name: getattr(pay, name) for name in FirstCompensation.__struct_fields__}
        compensation.add(employee.id, NewCompensation(**values | {"effective_from": since}))
    return "updated"


def _differing(employee: Employee, row: EmployeeRow) -> Mapping[str, Any]:
    """The fields of a row that say something else than the record."""
    sent = _sent(row)
    sent.pop("compensation", None)
    week = sent.pop("work_schedule", None)
    columns = changes.differing(employee, employees.columns(sent))
    differing = {name: sent[name] for name in columns}
    if week is not None and not schedules.is_in_force(employee, week):
        differing["work_schedule"] = week
    return differing
