"""The lists of employees' documents."""

from typing import Any

from peewee import SQL, ModelSelect, fn

from erp.hr.access import people
from erp.hr.access.models import Employee
from erp.hr.documents.bodies import DocumentFilter, EmployeeDocumentFilter
from erp.hr.documents.models import REMINDS, EmployeeDocument
from erp.hr.documents.views import EmployeeDocumentView
from erp.kernel import caller
from erp.store import sql
from erp.web.paging import page
from erp.web.schema import Page

_LATEST = "9999-12-31"
"""Sorts documents without a last day."""


def search(query: DocumentFilter) -> Page[EmployeeDocumentView]:
    """The documents that the caller may read.

    Raises:
        Forbidden: the filter names someone else, and the caller may not change employees.
        UnknownReference: there is no such employee.
    """
    return _page(people.visible(query.employee_id, "employees.write"), query)


def of_employee(employee_id: str, query: EmployeeDocumentFilter) -> Page[EmployeeDocumentView]:
    """The documents of one employee, as far as the caller may read them.

    Raises:
        NotFound: there is no such employee.
    """
    if not caller.may("employees.write"):
        return _page({employee_id} & {people.own_id()}, query)
    return _page({Employee.find(employee_id).id}, query)


def _page(visible: set[str] | None, query: EmployeeDocumentFilter) -> Page[EmployeeDocumentView]:
    document: Any = EmployeeDocument
    sortable = {"validUntil": fn.COALESCE(document.valid_until, _LATEST), "title": document.title}
    select = _matching(visible, query)
    return page(select, query, views=EmployeeDocumentView.of_many, sort=query.sort, sortable=sortable)


def _matching(visible: set[str] | None, query: EmployeeDocumentFilter) -> "ModelSelect[EmployeeDocument]":
    document: Any = EmployeeDocument
    select = document.select().where(document.archived_at.is_null(not query.is_archived))
    if visible is not None:
        select = select.where(sql.among(document.employee, visible))
    if not caller.may("employees.write"):
        select = select.where(document.visibility == "person")
    if query.kind is not None:
        select = select.where(document.kind == query.kind)
    if query.expires_through is not None:
        select = select.where(document.valid_until <= query.expires_through, SQL(REMINDS))
    return select  # type: ignore[no-any-return]
