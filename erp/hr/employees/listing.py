"""The list of employees."""

from functools import reduce
from operator import or_
from typing import Annotated, Any, Literal, get_args

import msgspec

from erp.hr.access import people, reporting_line
from erp.hr.access.models import Employee
from erp.hr.access.people import Status
from erp.hr.employees import views
from erp.hr.employees.employees import EmploymentType
from erp.hr.employees.views import EmployeeView
from erp.hr.sites import sites
from erp.kernel import caller
from erp.store import sql, workspace_settings
from erp.web.paging import page, several
from erp.web.scalars import Id, Line
from erp.web.schema import Page, RecordQuery, one_or_several

STATUSES: tuple[Status, ...] = get_args(Status)
SORTABLE = {"name": Employee.name, "employeeNumber": Employee.employee_number, "hireDate": Employee.hire_date}


class EmployeeFilter(RecordQuery):
    """Filter for employees."""

    status: Annotated[str, one_or_several(STATUSES)] | None = None
    department: Line | None = None
    manager_employee_id: Annotated[Id, msgspec.Meta(description="An employee's id or number.")] | None = None
    site_id: Annotated[Id, msgspec.Meta(description="A site's id or name.")] | None = None
    employment_type: EmploymentType | None = None
    q: (
        Annotated[
            str, msgspec.Meta(max_length=200, description="Text in the name, number, e-mail address or job title.")
        ]
        | None
    ) = None
    sort: Literal[
        "name", "-name", "employeeNumber", "-employeeNumber", "hireDate", "-hireDate", "createdAt", "-createdAt"
    ] = "-createdAt"


def search(query: EmployeeFilter) -> Page[EmployeeView]:
    """The employees a filter matches; without the right to read employees, only the caller."""
    select = Employee.select()
    if not caller.may("employees.read"):
        select = select.where(Employee.id == people.own_id())
    if query.status is not None:
        select = select.where(_has_status(query.status))
    for column, value in (
        (Employee.department, query.department),
        (Employee.employment_type, query.employment_type),
    ):
        select = select.where(column == value) if value is not None else select
    if query.manager_employee_id is not None:
        manager = people.refer(query.manager_employee_id, "managerEmployeeId")
        select = select.where(sql.among(Employee.id, reporting_line.reports(manager.id)))
    if query.site_id is not None:
        select = select.where(Employee.site == sites.refer(query.site_id).id)
    if query.q is not None:
        texts = ("name", "employee_number", "email", "job_title")
        select = select.where(sql.positional(sql.contains(texts, query.q)))
    return page(select, query, views=views.of_many, sort=query.sort, sortable=SORTABLE)


def _has_status(text: str) -> Any:
    """That an employee has one of the statuses; `people.status` in SQL."""
    names, today = several("status", text, STATUSES), workspace_settings.today()
    is_upcoming: Any = Employee.hire_date > today
    has_left: Any = Employee.termination_date.is_null(False) & (Employee.termination_date < today)
    conditions = {"upcoming": is_upcoming, "terminated": has_left, "active": ~is_upcoming & ~has_left}
    return reduce(or_, [conditions[name] for name in names])
