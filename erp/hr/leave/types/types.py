"""Leave types: their grants, and the rules for changing them."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import UNSET

from erp.hr.leave import ledger
from erp.hr.leave.days import DaysText, LeaveDays, SomeLeaveDays, hundredths, shown
from erp.hr.leave.models import LeaveType
from erp.kernel.errors import AlreadyExists, Invalid, UnknownReference
from erp.kernel.language import Noun, Word, says
from erp.store import changes, events
from erp.store.router import WORKSPACE
from erp.web.paging import page
from erp.web.scalars import Id, Name, shaped
from erp.web.schema import Body, Page, RecordQuery, RecordView, Unset, show

Accrual = Literal["none", "yearly", "monthly"]
AllowanceBasis = Annotated[
    Literal["own_week", "calendar"],
    msgspec.Meta(
        description="`own_week`: the allowance is for the office's full week; other weeks get their share. "
        "`calendar`: everyone gets the whole allowance."
    ),
]
InterruptsLeave = Annotated[
    bool,
    msgspec.Meta(
        description="It can be taken during other leave, such as sick leave in a holiday: once approved, it takes the "
        "place of that leave, whose days return to the balance."
    ),
]
Code = Annotated[
    str,
    shaped(
        r"^[a-z0-9][a-z0-9_-]{0,31}$",
        says("Must be 1 to 32 small letters, digits, dashes and underscores; a letter or digit first."),
        examples=["parental"],
    ),
]
Months = Annotated[
    int, msgspec.Meta(ge=1, le=12, description="Carried days expire after these months of the new year.")
]
NoticeDays = Annotated[int, msgspec.Meta(ge=1, le=366, description="Calendar days from the request to the leave.")]
Color = Annotated[str, shaped("^#[0-9a-fA-F]{6}$", says("Must be a color, such as #2f855a."), examples=["#2f855a"])]
Position = Annotated[int, msgspec.Meta(ge=0, le=9999, description="Position in the list, from 0.")]

SEEDED: list[dict[str, Any]] = [
    {"code": "annual", "name": Word("Annual leave"), "is_paid": True, "allowance_days": 2000, "accrual": "yearly"},
    {"code": "sick", "name": Word("Sick leave"), "is_paid": True, "allow_negative": True, "interrupts_leave": True},
    {"code": "unpaid", "name": Word("Unpaid leave"), "is_paid": False, "allow_negative": True},
]
"""Leave types of a new workspace. Sick leave can go below zero: it is never refused."""
_SEEDED_NAMES: dict[str, Word] = {leave_type["name"]: leave_type["name"] for leave_type in SEEDED}


def in_words(name: str) -> str:
    """The name of a leave type in a sentence: one of a new workspace is a word of the program's own."""
    return _SEEDED_NAMES.get(name, name)


class NewLeaveType(Body):
    """A type of leave; its code is made from the name by default."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "name": "Study leave",
        "code": "study",
        "isPaid": True,
        "allowanceDays": "5",
        "accrual": "yearly",
        "carryForwardMaxDays": "2",
        "carryForwardExpiresAfterMonths": 3,
    }

    name: Name
    code: Code | None = None
    is_paid: bool = True
    allowance_days: Annotated[LeaveDays | None, msgspec.Meta(description="0 by default.")] = None
    accrual: Accrual = "yearly"
    allowance_basis: AllowanceBasis = "own_week"
    carry_forward_max_days: Annotated[LeaveDays | None, msgspec.Meta(description="0 by default.")] = None
    carry_forward_expires_after_months: Months | None = None
    allow_negative: bool = False
    interrupts_leave: InterruptsLeave = False
    max_consecutive_days: SomeLeaveDays | None = None
    min_notice_days: NoticeDays | None = None
    color: Color | None = None
    position: Position | None = None


class LeaveTypeChange(Body):
    """Fields of a leave type to change; the others stay as they are, null clears."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"name": "Annual leave", "minNoticeDays": 7}

    name: Name | Unset = UNSET
    code: Code | Unset = UNSET
    is_paid: bool | Unset = UNSET
    allowance_days: LeaveDays | Unset = UNSET
    accrual: Accrual | Unset = UNSET
    allowance_basis: AllowanceBasis | Unset = UNSET
    carry_forward_max_days: LeaveDays | Unset = UNSET
    carry_forward_expires_after_months: Months | Unset | None = UNSET
    allow_negative: bool | Unset = UNSET
    interrupts_leave: InterruptsLeave | Unset = UNSET
    max_consecutive_days: SomeLeaveDays | Unset | None = UNSET
    min_notice_days: NoticeDays | Unset | None = UNSET
    color: Color | Unset | None = UNSET
    position: Position | Unset = UNSET


class LeaveTypeFilter(RecordQuery):
    """Filter for leave types."""

    is_archived: Annotated[bool, msgspec.Meta(description="List archived ones instead.")] = False
    sort: Literal["position", "-position", "name", "-name", "createdAt", "-createdAt"] = "position"


class LeaveTypeView(RecordView):
    """A type of leave and its rules."""

    created_by: str | None
    created_by_name: str | None
    name: str
    code: str
    is_paid: bool
    allowance_days: DaysText
    accrual: Accrual
    allowance_basis: AllowanceBasis
    carry_forward_max_days: DaysText
    carry_forward_expires_after_months: int | None
    allow_negative: bool
    interrupts_leave: InterruptsLeave
    max_consecutive_days: DaysText | None
    min_notice_days: int | None
    color: str | None
    position: int
    archived_at: str | None

    @classmethod
    def of(cls, leave_type: LeaveType) -> "LeaveTypeView":
        most = leave_type.max_consecutive_days
        return show(
            cls,
            leave_type,
            allowance_days=shown(leave_type.allowance_days),
            carry_forward_max_days=shown(leave_type.carry_forward_max_days),
            max_consecutive_days=None if most is None else shown(most),
        )


def search(query: LeaveTypeFilter) -> Page[LeaveTypeView]:
    """The leave types in use, or the archived ones."""
    select = LeaveType.select().where(LeaveType.archived_at.is_null(not query.is_archived))
    sortable = {"position": LeaveType.position, "name": LeaveType.name}
    return page(select, query, LeaveTypeView.of, sort=query.sort, sortable=sortable)


def seeds() -> Iterator[dict[str, Any]]:
    """The rows of the leave types that a workspace starts with, in order."""
    usual: dict[str, Any] = {"allowance_days": 0, "accrual": "none", "allowance_basis": "own_week"}
    usual |= {"allow_negative": False, "interrupts_leave": False}
    return (usual | values | {"position": position} for position, values in enumerate(SEEDED))


def named(name: str, field: str) -> LeaveType:
    """The leave type whose id or code a field holds, archived ones included.

    Raises:
        UnknownReference: there is no such leave type in this workspace.
    """
    leave_type = LeaveType.find_or_none(name) or LeaveType.find_by(code=name)
    if leave_type is None:
        raise UnknownReference(field, Noun("leave type"))
    return leave_type


def refer(id: Id | None, field: str = "leaveTypeId") -> LeaveType:
    """Find the leave type whose id or code a field holds, or the first in use.

    Raises:
        UnknownReference: there is no such leave type in this workspace.
        Invalid: it is archived, or none is named and none is in use.
    """
    if id is None:
        first = next(iter(ledger.types_in_use()), None)
        if first is None:
            raise Invalid.one(field, "required", says("No active leave types. Create one first."))
        return first
    leave_type = named(id, field)
    if leave_type.archived_at is not None:
        raise Invalid.one(field, "archived", says("This leave type is archived. Choose another one."))
    return leave_type


def add(new: NewLeaveType) -> LeaveType:
    """Add a leave type, at the end of the list by default.

    Raises:
        AlreadyExists: another leave type has its code.
        Invalid: carried days are to expire, but none are carried over.
    """
    values = _columns(new.changes())
    values["code"] = new.code or _code_of(new.name)
    values |= {name: values[name] or 0 for name in ("allowance_days", "carry_forward_max_days")}
    if new.position is None:
        ((values["position"],),) = WORKSPACE.rows("SELECT coalesce(max(position) + 1, 0) FROM leave_type")
    _check(values, values)
    leave_type = LeaveType.add(**values)
    events.write("leave_type.created", "leave_type", leave_type.id, _event_data(leave_type))
    return leave_type


def change(id: str, body: LeaveTypeChange) -> LeaveType:
    """Change a leave type. Written grants stay; later ones follow the new rules.

    Raises:
        AlreadyExists: another leave type has its code.
        Invalid: carried days are to expire, but none are carried over.
    """
    leave_type = LeaveType.find_to_change(id)
    values = changes.differing(leave_type, _columns(body.changes()))
    after = {name: values.get(name, getattr(leave_type, name)) for name in LeaveTypeChange.__struct_fields__}
    _check(values, after, id)
    if not values:
        return leave_type
    changed, before = changes.before_and_after(leave_type, values), ledger.rules(leave_type)
    if {"accrual", "allowance_basis", "allowance_days"} & values.keys():
        ledger.settle_open(leave_type)
    leave_type.change(**values)
    ledger.correct_future_grants(leave_type, before)
    events.write("leave_type.updated", "leave_type", id, {"name": leave_type.name, "changes": changed})
    return leave_type


def remove(id: str) -> None:
    """Delete a leave type that was never used.

    Raises:
        InUse: there are applications or ledger entries of it.
    """
    leave_type = LeaveType.find_to_change(id)
    changes.delete(
        leave_type,
        says("This leave type has been used and cannot be deleted. Archive the leave type instead."),
        _event_data,
    )


def archive(id: str) -> LeaveType:
    """Archive a leave type: no one can request it, and it grants nothing in later years."""
    return changes.archive(LeaveType.find_to_change(id), _event_data)


def unarchive(id: str) -> LeaveType:
    """Unarchive a leave type, so that it can be used again."""
    return changes.unarchive(LeaveType.find_to_change(id), _event_data)


def _event_data(leave_type: LeaveType) -> dict[str, str]:
    return {"name": leave_type.name, "code": leave_type.code}


def _columns(values: dict[str, Any]) -> dict[str, Any]:
    return {name: hundredths(value) if isinstance(value, LeaveDays) else value for name, value in values.items()}


def _check(values: Mapping[str, Any], after: Mapping[str, Any], id: str | None = None) -> None:
    """Refuse values that do not fit; `after` is the leave type as it will be."""
    if after["carry_forward_expires_after_months"] is not None and not after["carry_forward_max_days"]:
        message = says("No days are carried over, because the maximum is 0.")
        raise Invalid.one("carryForwardExpiresAfterMonths", "nothing_carried", message)
    same_code = "SELECT 1 FROM leave_type WHERE code = ? AND id IS DISTINCT FROM CAST(? AS TEXT)"
    if "code" in values and WORKSPACE.rows(same_code, (values["code"], id)):
        raise AlreadyExists(says("Another leave type already has the code {code}.", code=values["code"]), field="code")


def _code_of(name: str) -> str:
    """A free code made from a name: `Study leave` gives study-leave."""
    base = "-".join("".join(c if c.isascii() and c.isalnum() else " " for c in name.lower()).split())[:28] or "leave"
    codes = {code for (code,) in WORKSPACE.rows("SELECT code FROM leave_type")}
    return next(code for n in range(1, len(codes) + 2) if (code := base if n == 1 else f"{base}-{n}") not in codes)
