"""Request bodies of projects, checked as a whole: all complaints come at once."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Literal, Self

import msgspec
from msgspec import UNSET

from erp.finance.contacts import contacts
from erp.kernel import money
from erp.kernel.complaints import REQUIRED, Complaints, refuse_any
from erp.kernel.errors import Complaint
from erp.kernel.language import Noun, says
from erp.kernel.wire import wire_name
from erp.members import people
from erp.projects import rates
from erp.projects.codes import FORM
from erp.projects.models import Project
from erp.projects.states import Status
from erp.projects.task_keys import LOOSE
from erp.store import changes, workspace_settings
from erp.web.scalars import Day, Id, Name, Note, NotNegativeAmount, Percent, Unfit
from erp.web.schema import Body, Unset, are_reversed
from erp.web.text_scalars import Text, TimeBilling

Billing = Literal["non_billable", "hourly", "fixed"]
Minutes = Annotated[int, msgspec.Meta(ge=0, le=1_000_000_000)]
Markup = Annotated[Percent, msgspec.Meta(description="Percentage that a customer pays on top of billed expenses.")]
Tags = Annotated[list[Annotated[str, msgspec.Meta(min_length=1, max_length=50)]], msgspec.Meta(max_length=50)]
Members = Annotated[list[Id], msgspec.Meta(max_length=200, description="Users who work on it, each named once.")]


class Code(Text):
    """The code of a project."""

    json_schema = {
        "type": "string",
        "pattern": f"^{FORM.pattern}$",
        "description": "2 to 8 capital letters and digits, a letter first; the keys of the project's tasks begin with"
        " it.",
        "examples": ["WEB"],
    }
    complaint = ("bad_format", says("Must be 2 to 8 capital letters and digits, a letter first, such as WEB."))

    @classmethod
    def read(cls, value: object) -> Self:
        code = super().read(value)
        if code == LOOSE:
            message = says("{code} is reserved for tasks without a project. Choose another code.", code=LOOSE)
            raise Unfit("reserved", message)
        return code

    @classmethod
    def fits(cls, text: str) -> bool:
        return FORM.fullmatch(text) is not None


RateFrom = Annotated[
    Day,
    msgspec.Meta(description="The first day of the new hourly rate; today by default, or all time if it is the first."),
]


def reversed_dates(start: object, due: object, field: str = "dueDate") -> Iterator[Complaint]:
    """The complaint about a due date before the start, of a project or a task."""
    if are_reversed(start, due):
        message = says("The due date, {due}, is before the start, {start}.", due=due, start=start)
        yield Complaint(field, "before_start", message)


def lacks_rate(rate: object, begins: object) -> Iterator[Complaint]:
    """The complaint about a first day without the hourly rate that begins on it."""
    if begins is not UNSET and rate is UNSET:
        yield Complaint("hourlyRate", *REQUIRED)


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
    expense_markup_percent: Markup | None = None
    time_billing: TimeBilling | None = None
    tags: Tags = []

    def check(self) -> Iterator[Complaint]:
        return reversed_dates(self.start_date, self.due_date)


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
    hourly_rate_from: RateFrom | Unset = UNSET
    fixed_price: NotNegativeAmount | Unset | None = UNSET
    budget_minutes: Minutes | Unset | None = UNSET
    budget_amount: NotNegativeAmount | Unset | None = UNSET
    expense_markup_percent: Markup | Unset | None = UNSET
    time_billing: TimeBilling | Unset | None = UNSET
    tags: Tags | Unset = UNSET
    force: Annotated[bool, msgspec.Meta(description="Complete the project even though it has open tasks.")] = False

    def check(self) -> Iterator[Complaint]:
        yield from reversed_dates(self.start_date, self.due_date)
        yield from lacks_rate(self.hourly_rate, self.hourly_rate_from)


def columns(body: NewProject | ProjectChange, project: Project | None = None) -> dict[str, Any]:
    """A body as columns; for an existing project, only those that differ.

    Raises:
        UnknownReference: one field names a record that is not in this workspace.
        Invalid: with a complaint for every field that is wrong.
    """
    complaints = Complaints()
    sent = body.changes()
    for name in ("force", "hourly_rate_from"):
        sent.pop(name, None)
    values = _columns(sent, complaints)
    if project is not None:
        values = changes.differing(project, values)
    _check_references(values, complaints)
    if "member_user_ids" in values:
        _check_members(sent["member_user_ids"], project.member_user_ids if project else [], complaints)
    if project is not None and {"start_date", "due_date"} & values.keys():
        start, due = (values.get(name, getattr(project, name)) for name in ("start_date", "due_date"))
        complaints.items += reversed_dates(start, due, "dueDate" if "due_date" in values else "startDate")
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
    if "expense_markup_percent" in values:
        values["expense_markup_percent"] = money.scaled(values["expense_markup_percent"] or Decimal(0), money.MICRO)
    if values.get("time_billing") is not None:
        values["time_billing"] = values["time_billing"].kept() or None
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
        refuse_any(people.look_up({"ownerUserId": values.get("owner_user_id")}), Noun("member"))


def _check_members(named: list[str], present: list[str], complaints: Complaints) -> None:
    """Check that new members are in the workspace; a former member may stay on the project."""
    fields = {f"memberUserIds[{index}]": user_id for index, user_id in enumerate(named)}
    for index, user_id in enumerate(named):
        if user_id in named[:index]:
            complaints.add(f"memberUserIds[{index}]", "duplicate", says("Choose each member only once."))
    with complaints.gathered():
        new = {field: user_id for field, user_id in fields.items() if user_id not in present}
        refuse_any(people.look_up(new), Noun("member"))
