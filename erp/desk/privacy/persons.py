"""The person whom a request names: as an employee, as a contact, as a user, or as several of them."""

from collections.abc import Sequence
from datetime import date
from typing import Any, Literal, NamedTuple

from erp.finance.contacts import heads
from erp.finance.contacts.models import Contact
from erp.hr.access.models import Employee
from erp.kernel import caller
from erp.kernel.errors import NotFound
from erp.kernel.language import says
from erp.members import people
from erp.store import sql
from erp.store.router import WORKSPACE

PersonKind = Literal["employee", "contact", "user"]


class Person(NamedTuple):
    """A person, with the ids under which rows name them; `left_on` is the last day of their employment."""

    kind: PersonKind
    id: str
    name: str
    employee: Employee | None = None
    user_id: str | None = None
    contact_ids: tuple[str, ...] = ()

    @property
    def alias(self) -> str:
        """The name that stands in place of an erased one."""
        return f"Person {self.id[-4:].upper()}"

    @property
    def left_on(self) -> date | None:
        return None if self.employee is None else self.employee.termination_date

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids by which rows name the person."""
        own = (self.employee.id if self.employee else None, self.user_id, *self.contact_ids)
        return tuple(id for id in own if id is not None)

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the conditions in `declared`."""
        return {
            "employee": None if self.employee is None else self.employee.id,
            "user": self.user_id,
            "contacts": sql.array(self.contact_ids),
            "alias": self.alias,
        }


def find(kind: str, id: str) -> Person:
    """The person of a `PersonKind` and an id, whom the caller may look into.

    Raises:
        Forbidden: it is no employee, and the caller is neither owner nor admin.
        NotFound: there is no such person in the workspace.
    """
    if kind not in _FIND:
        raise NotFound(says("There is no such person in this workspace."))
    if kind != "employee" and not caller.may("workspace.write"):
        raise caller.refusal("workspace.write")
    return _FIND[kind](id)


def _employee(id: str) -> Person:
    return of_employee(Employee.find(id))


def of_employee(employee: Employee) -> Person:
    """An employee, with the contact to which their expenses are owed."""
    (person,) = of_employees([employee])
    return person


def of_employees(employees: Sequence[Employee]) -> list[Person]:
    """The same of several."""
    contact_ids: dict[str, tuple[str, ...]] = {}
    for id, employee_id in WORKSPACE.rows(_OWED_TO, (sql.array(employee.id for employee in employees),)):
        contact_ids[employee_id] = (*contact_ids.get(employee_id, ()), id)
    return [Person("employee", each.id, each.name, each, None, contact_ids.get(each.id, ())) for each in employees]


_OWED_TO = "SELECT id, employee_id FROM contact WHERE employee_id IN (SELECT value FROM json_each(?)) ORDER BY id"


def _contact(id: str) -> Person:
    contact = Contact.find(heads.of(id))
    if contact.employee_id is not None:
        return _employee(contact.employee_id)
    return of_contact(contact.id, contact.name)


def of_contact(id: str, name: str) -> Person:
    """A contact that is no employee's, with all that were merged into it."""
    return Person("contact", id, name, contact_ids=tuple(heads.group(id)))


def _user(id: str) -> Person:
    """Someone who is a member, or whom the workspace still names."""
    name = people.names([id]).get(id)
    if name is None or not people.is_known(id):
        raise NotFound(says("There is no such person in this workspace."))
    return Person("user", id, name, user_id=id)


_FIND = {"employee": _employee, "contact": _contact, "user": _user}


def whole(person: Person) -> Person:
    """The person as an employee and as a user: for an export, which leaves nothing out."""
    if person.employee is not None:
        return person._replace(user_id=person.employee.user_id)
    employee = None if person.user_id is None else Employee.find_by(user_id=person.user_id)
    if employee is None:
        return person
    return person._replace(employee=employee, contact_ids=of_employee(employee).contact_ids)
