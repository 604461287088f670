"""Request bodies of checklists, and what is shown of them."""

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal

from msgspec import UNSET, Meta

from erp.hr.checklists.models import Checklist
from erp.store import names
from erp.tasks.listing import TaskView
from erp.web.scalars import Day, Id, Name, Note
from erp.web.schema import Body, RecordQuery, RecordView, Unset, View, show

Kind = Literal["onboarding", "offboarding", "other"]
ROLES = ("manager", "hr", "person")
"""The assignees that a checklist names by what they are to the employee."""


class ChecklistItem(Body):
    """A step of a checklist."""

    title: Name
    days: Annotated[int, Meta(ge=-365, le=365, description="Days after the start, or before it if negative.")]
    assignee: Annotated[Id, Meta(description="`manager`, `hr`, `person` (the employee), or the user id of a member.")]
    note: Note | None = None


Items = Annotated[list[ChecklistItem], Meta(min_length=1, max_length=100)]
_ITEMS = [
    {"title": "Return the laptop", "days": 0, "assignee": "person"},
    {"title": "Write the reference", "days": 5, "assignee": "manager"},
]


class NewChecklist(Body):
    """A checklist."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"name": "Last days", "kind": "offboarding", "items": _ITEMS}

    name: Name
    kind: Kind
    items: Items


class ChecklistChange(Body):
    """Fields of a checklist to change; the items are replaced as a whole. Tasks that were made stay."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"name": "The last day"}

    name: Name | Unset = UNSET
    kind: Kind | Unset = UNSET
    items: Items | Unset = UNSET


class ChecklistStarting(Body):
    """For whom a checklist is started, and the day from which its days count."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"employeeId": "EMP-0001", "date": "2026-06-01"}

    employee_id: Annotated[Id, Meta(description="An employee's id or number.")]
    date: Day


class ChecklistFilter(RecordQuery):
    """A filter of checklists."""

    kind: Kind | None = None
    sort: Literal["name", "-name", "createdAt", "-createdAt"] = "name"


class ChecklistItemView(View):
    """A step of a checklist."""

    title: str
    note: str | None
    days: int
    assignee: str
    assignee_name: Annotated[str | None, Meta(description="Of a member; null for a role.")]


class ChecklistView(RecordView):
    """A checklist."""

    created_by: str | None
    created_by_name: str | None
    name: str
    kind: Kind
    items: list[ChecklistItemView]

    @classmethod
    def of(cls, checklist: Checklist) -> "ChecklistView":
        return show(
            cls,
            checklist,
            created_by_name=names.of_user(checklist.created_by),
            items=[_item(item) for item in checklist.items],
        )

    @classmethod
    def of_many(cls, rows: Sequence[Checklist]) -> "list[ChecklistView]":
        return [cls.of(row) for row in rows]


def _item(item: dict[str, Any]) -> ChecklistItemView:
    name = None if item["assignee"] in ROLES else names.of_user(item["assignee"])
    return ChecklistItemView(**item, assignee_name=name)


class StartedChecklistView(View):
    """The tasks that a checklist has become."""

    tasks: list[TaskView]
