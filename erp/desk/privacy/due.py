"""People whose data could go: the time for which some of it is kept is over. Nothing is erased unasked."""

from collections.abc import Iterator
from typing import Annotated

import msgspec

from erp.desk.privacy import persons, retention
from erp.desk.privacy.persons import Person, PersonKind
from erp.desk.privacy.retention import Rest
from erp.desk.privacy.views import ErasedView
from erp.hr.access.models import Employee
from erp.kernel import caller
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.web.schema import View


class DuePersonView(View):
    """A person of whom something can be erased."""

    kind: PersonKind
    id: str
    name: str
    erases: list[ErasedView]


class PeopleDue(View):
    """The number of people of whom something can be erased, and the first ten."""

    total: int
    items: Annotated[list[DuePersonView], msgspec.Meta(max_length=10)]


MOST = 10

_LEFT = "SELECT * FROM employee WHERE termination_date < ? ORDER BY termination_date, id"
_OWN = "(SELECT own.id FROM contact AS own WHERE own.id = one.id OR own.head_id = one.id)"
_UNUSED = f"""
SELECT id, name FROM contact AS one
WHERE archived_at IS NOT NULL AND employee_id IS NULL AND head_id IS NULL AND created_at < :before
    AND NOT EXISTS (SELECT 1 FROM invoice WHERE contact_id IN {_OWN} AND issue_date >= :before)
    AND NOT EXISTS (SELECT 1 FROM quote WHERE contact_id IN {_OWN} AND issue_date >= :before)
    AND NOT EXISTS (SELECT 1 FROM payment WHERE contact_id IN {_OWN} AND date >= :before)
    AND NOT EXISTS (SELECT 1 FROM open_item WHERE contact_id IN {_OWN} AND (date >= :before OR open <> 0))
ORDER BY id
"""


def find() -> list[DuePersonView]:
    """The people of whom something can be erased: who left first at the top, then contacts that are archived."""
    people = [*_candidates()]
    return [
        DuePersonView(person.kind, person.id, person.name, shown)
        for person, rests in zip(people, retention.rests_of(people), strict=True)
        if (shown := [ErasedView(rest.kind, rest.left) for rest in rests if _can_go(rest)])
    ]


def _can_go(rest: Rest) -> bool:
    return rest.is_over and rest.left > 0 and rest.kind != "books"


def for_home() -> PeopleDue | None:
    """The part of the home page; None without the right to erase."""
    if not caller.may("employees.write"):
        return None
    items = find()
    return PeopleDue(len(items), items[:MOST]) if items else None


def _candidates() -> Iterator[Person]:
    today = workspace_settings.today()
    yield from persons.of_employees(Employee.fetch(_LEFT, f"{today.year - retention.years()['profile']}-01-01"))
    if caller.may("workspace.write"):
        before = f"{today.year - retention.years()['documents']}-01-01"
        for id, name in WORKSPACE.rows(_UNUSED, {"before": before}):
            yield persons.of_contact(id, name)
