"""Request bodies of projects, checked as a whole: all complaints come at once."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import UNSET

from erp.finance.contacts import contacts
from erp.kernel.complaints import Complaints, refuse_any
from erp.kernel.language import says
from erp.kernel.wire import wire_name
from erp.members import people
from erp.projects import rates
from erp.projects.codes import FORM
from erp.projects.models import Project
from erp.projects.states import Status
from erp.projects.task_keys import LOOSE
from erp.store import changes, workspace_settings
from erp.web.scalars import Day, Id, Name, Note, NotNegativeAmount
from erp.web.schema import Body, Unset

Billing = Literal["non_billable", "hourly", "fixed"]
Code = Annotated[
    str,
    msgspec.Meta(
        description="2 to 8 capital letters and digits, a letter first; the keys of the project's tasks begin with it.",
        examples=["WEB"],
        extra_json_schema={"pattern": f"^{FORM.pattern}$"},
    ),
]
Minutes = Annotated[int, msgspec.Meta(ge=0, le=1_000_000_000)]
Tags = Annotated[list[Annotated[str, msgspec.Meta(min_length=1, max_length=50)]], msgspec.Meta(max_length=50)]
Members = Annotated[list[Id], msgspec.Meta(max_length=200, description="Users who work on it, each named once.")]


class NewProject(Body):
    """A project; rates, prices and amounts are in the base currency.

    Without a code it gets one made from its name. Without `billing` it is `fixed` if it has a fixed price,
    else `hourly` if it has a rate, else `non_billable`.
    """

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "name": "Website relaunch",
        "description": "New pages, new shop, the old addresses kept alive.",
        "status": "active",
        "startDate": "2026-03-02",
        "dueDate": "2026-06-30",
        "billing": "hourly",
        "hourlyRate": "95.00",
        "budgetMinutes": 12000,
        "budgetAmount": "19000.00",
        "tags": ["web"],
    }

    name: Name
    code: Code | None = None
    description: Note | None = None
    customer_id: Id | None = None
    owner_user_id: Id | None = None
    member_user_ids: Members = []
    status: Literal["planned", "active"] = "planned"
    start_date: Day | None = None
    due_date: Day | None = None
    billing: Billing | None = None
    hourly_rate: NotNegativeAmount | None = None
    fixed_price: NotNegativeAmount | None = None
    budget_minutes: Minutes | None = None
    budget_amount: NotNegativeAmount | None = None
    tags: Tags = []


class ProjectChange(Body):
    """Fields of a project to change. Fields left out stay, null clears, lists are replaced as a whole."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"name": "Website relaunch, part one", "dueDate": "2026-07-31"}

    name: Name | Unset = UNSET
    code: Code | Unset = UNSET
    description: Note | Unset | None = UNSET
    customer_id: Id | Unset | None = UNSET
    owner_user_id: Id | Unset | None = UNSET
    member_user_ids: Members | Unset = UNSET
    status: Status | Unset = UNSET
    start_date: Day | Unset | None = UNSET
    due_date: Day | Unset | None = UNSET
    billing: Billing | Unset = UNSET
    hourly_rate: NotNegativeAmount | Unset | None = UNSET
    fixed_price: NotNegativeAmount | Unset | None = UNSET
    budget_minutes: Minutes | Unset | None = UNSET
    budget_amount: NotNegativeAmount | Unset | None = UNSET
    tags: Tags | Unset = UNSET
    force: Annotated[bool, msgspec.Meta(description="Complete the project even though it has open tasks.")] = False


def columns(body: NewProject | ProjectChange, project: Project | None = None) -> dict[str, Any]:
    """A body as columns; for an existing project, only those that differ.

    Raises:
        UnknownReference: one field names a record that is not in this workspace.
        Invalid: with a complaint for every field that is wrong.
    """
    complaints = Complaints()
    sent = body.changes()
    sent.pop("force", None)
    values = _columns(sent, complaints)
    if project is not None:
        values = changes.differing(project, values)
    _check_references(values, complaints)
    if "member_user_ids" in values:
        _check_members(sent["member_user_ids"], project.member_user_ids if project else [], complaints)
    _check_dates(values, project, complaints)
    if values.get("code") is not None:
        _check_code(values["code"], complaints)
    complaints.refuse()
    return values


def _columns(sent: Mapping[str, Any], complaints: Complaints) -> dict[str, Any]:
    values = dict(sent)
    currency = workspace_settings.current().base_currency
    if "hourly_rate" in values:
        values["hourly_rate"] = rates.read(values["hourly_rate"], complaints)
    for name in ("fixed_price", "budget_amount"):
        if values.get(name) is not None:
            values[name] = complaints.minor(values[name], currency, wire_name(name))
    if "tags" in values:
        values["tags"] = list(dict.fromkeys(values["tags"]))
    if "member_user_ids" in values:
        values["member_user_ids"] = sorted(values["member_user_ids"])
    return values


def _check_references(values: Mapping[str, Any], complaints: Complaints) -> None:
    if values.get("customer_id") is not None:
        with complaints.gathered():
            contacts.refer(values["customer_id"], "customerId", "customer")
    with complaints.gathered():
        refuse_any(people.look_up({"ownerUserId": values.get("owner_user_id")}), "member")


def _check_members(named: list[str], present: list[str], complaints: Complaints) -> None:
    """Check that new members are in the workspace; a former member may stay on the project."""
    fields = {f"memberUserIds[{index}]": user_id for index, user_id in enumerate(named)}
    for index, user_id in enumerate(named):
        if user_id in named[:index]:
            complaints.add(f"memberUserIds[{index}]", "duplicate", "Name each member only once.")
    with complaints.gathered():
        new = {field: user_id for field, user_id in fields.items() if user_id not in present}
        refuse_any(people.look_up(new), "member")


def _check_code(code: str, complaints: Complaints) -> None:
    if FORM.fullmatch(code) is None:
        complaints.add("code", "bad_format", "Must be 2 to 8 capital letters and digits, a letter first, such as WEB.")
    elif code == LOOSE:
        complaints.add(
            "code", "reserved", says("{code} is reserved for tasks without a project. Choose another code.", code=LOOSE)
        )


def _check_dates(values: Mapping[str, Any], project: Project | None, complaints: Complaints) -> None:
    start, due = (values.get(name, getattr(project, name, None)) for name in ("start_date", "due_date"))
    if start is None or due is None or start <= due:
        return
    if {"start_date", "due_date"} & values.keys():
        named = "dueDate" if "due_date" in values else "startDate"
        complaints.add(
            named, "before_start", says("The due date, {due}, is before the start, {start}.", due=due, start=start)
        )
