"""Leave types: kinds of leave, what they grant, and the rules of changing them."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import UNSET

from erp.hr.leave import ledger
from erp.hr.leave.days import LeaveDays, SomeLeaveDays, hundredths
from erp.hr.leave.models import LeaveType
from erp.kernel.errors import AlreadyExists, Complaint, Invalid, UnknownReference
from erp.store import changes, events
from erp.store.router import WORKSPACE
from erp.web.scalars import Id, Name
from erp.web.schema import Body, Unset

Accrual = Literal["none", "yearly", "monthly"]
Code = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9_-]{0,31}$", examples=["parental"])]
Months = Annotated[int, msgspec.Meta(ge=1, le=12, description="Months of the new year after which carried days lapse.")]
NoticeDays = Annotated[int, msgspec.Meta(ge=1, le=366, description="Calendar days from the request to the leave.")]
Color = Annotated[str, msgspec.Meta(pattern="^#[0-9a-fA-F]{6}$", examples=["#2f855a"])]
Place = Annotated[int, msgspec.Meta(ge=0, le=9999, description="Its place in the list.")]

SEEDED: list[dict[str, Any]] = [
    {"code": "annual", "name": "Annual leave", "paid": True, "allowance_days": 2000, "accrual": "yearly"},
    {"code": "sick", "name": "Sick leave", "paid": True, "allow_negative": True},
    {"code": "unpaid", "name": "Unpaid leave", "paid": False, "allow_negative": True},
]
"""What a workspace starts with; nobody is refused to be ill."""


class NewLeaveType(Body):
    """A kind of leave; without a code it gets one from its name."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "name": "Study leave",
        "code": "study",
        "paid": True,
        "allowanceDays": "5",
        "accrual": "yearly",
        "carryForwardMaxDays": "2",
        "carryForwardExpiresAfterMonths": 3,
    }

    name: Name
    code: Code | None = None
    paid: bool = True
    allowance_days: Annotated[LeaveDays | None, msgspec.Meta(description="0 when absent.")] = None
    accrual: Accrual = "yearly"
    carry_forward_max_days: Annotated[LeaveDays | None, msgspec.Meta(description="0 when absent.")] = None
    carry_forward_expires_after_months: Months | None = None
    allow_negative: bool = False
    max_consecutive_days: SomeLeaveDays | None = None
    min_notice_days: NoticeDays | None = None
    color: Color | None = None
    position: Place | None = None


class LeaveTypeChange(Body):
    """Fields of a leave type to change; those left out stay, null clears."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"name": "Annual leave", "minNoticeDays": 7}

    name: Name | Unset = UNSET
    code: Code | Unset = UNSET
    paid: bool | Unset = UNSET
    allowance_days: LeaveDays | Unset = UNSET
    accrual: Accrual | Unset = UNSET
    carry_forward_max_days: LeaveDays | Unset = UNSET
    carry_forward_expires_after_months: Months | Unset | None = UNSET
    allow_negative: bool | Unset = UNSET
    max_consecutive_days: SomeLeaveDays | Unset | None = UNSET
    min_notice_days: NoticeDays | Unset | None = UNSET
    color: Color | Unset | None = UNSET
    position: Place | Unset = UNSET


def seeds() -> Iterator[dict[str, Any]]:
    """The rows of the leave types that a workspace starts with, in their order."""
    usual = {"allowance_days": 0, "accrual": "none", "allow_negative": False}
    return (usual | facts | {"position": place} for place, facts in enumerate(SEEDED))


def refer(id: Id | None, field: str = "leaveTypeId") -> LeaveType:
    """Find the leave type that a field names, or the first of the list.

    Raises:
        UnknownReference: there is none in this workspace.
        Invalid: it is archived, or none is named and there is none in use.
    """
    if id is None:
        usual = next(iter(ledger.types_in_use()), None)
        if usual is None:
            raise Invalid.one(field, "required", "There is no leave type in use.")
        return usual
    found = LeaveType.find_or_none(id)
    if found is None:
        raise UnknownReference(field, "leave type")
    if found.archived_at is not None:
        raise Invalid.one(field, "archived", "This leave type is archived.")
    return found


def add(new: NewLeaveType) -> LeaveType:
    """Add a leave type, at the end of the list unless it names its place.

    Raises:
        AlreadyExists: another one has its code.
        Invalid: carried days are to lapse, but none are carried.
    """
    values = _columns(new.changes())
    values["code"] = new.code or _code_of(new.name)
    values |= {name: values[name] or 0 for name in ("allowance_days", "carry_forward_max_days")}
    if new.position is None:
        ((values["position"],),) = WORKSPACE.rows("SELECT coalesce(max(position) + 1, 0) FROM leave_type")
    _check(values, values)
    made = LeaveType.add(**values)
    events.write("leave_type.created", "leave_type", made.id, _facts(made))
    return made


def change(id: str, wanted: LeaveTypeChange) -> LeaveType:
    """Change a leave type; what it granted so far stays, what it grants next follows the new rules.

    Raises:
        AlreadyExists: another one has its code.
        Invalid: carried days are to lapse, but none are carried.
    """
    kind = LeaveType.find_to_change(id)
    values = changes.differing(kind, _columns(wanted.changes()))
    _check(values, {name: values.get(name, getattr(kind, name)) for name in LeaveTypeChange.__struct_fields__}, id)
    if not values:
        return kind
    told, before = changes.before_and_after(kind, values), ledger.rules(kind)
    if {"accrual", "allowance_days"} & values.keys():
        ledger.settle_open(kind)
    kind.change(**values)
    ledger.grant_ahead(kind, before)
    events.write("leave_type.updated", "leave_type", id, {"name": kind.name, "changes": told})
    return kind


def remove(id: str) -> None:
    """Delete a leave type that was never used.

    Raises:
        InUse: somebody has, or had, days of it.
    """
    kind = LeaveType.find_to_change(id)
    changes.delete(kind, "People have days of this leave type, so it has to stay; archive it instead.")
    events.write("leave_type.deleted", "leave_type", id, _facts(kind))


def archive(id: str) -> LeaveType:
    """Archive a leave type: nobody can ask for it, and it grants nothing in later years.

    Raises:
        InvalidTransition: it is archived already.
    """
    kind = LeaveType.find_to_change(id)
    changes.archive(kind, "The leave type", _facts(kind))
    return kind


def unarchive(id: str) -> LeaveType:
    """Take an archived leave type back into use.

    Raises:
        InvalidTransition: it is not archived.
    """
    kind = LeaveType.find_to_change(id)
    changes.unarchive(kind, "The leave type", _facts(kind))
    return kind


def _facts(kind: LeaveType) -> dict[str, str]:
    return {"name": kind.name, "code": kind.code}


def _columns(values: dict[str, Any]) -> dict[str, Any]:
    return {name: hundredths(each) if isinstance(each, LeaveDays) else each for name, each in values.items()}


def _check(values: Mapping[str, Any], whole: Mapping[str, Any], id: str | None = None) -> None:
    """Refuse what does not fit; `whole` is the leave type as it will be."""
    if whole["carry_forward_expires_after_months"] is not None and not whole["carry_forward_max_days"]:
        field = "carryForwardExpiresAfterMonths"
        raise Invalid([Complaint(field, "nothing_carried", "No days are carried over: carryForwardMaxDays is 0.")])
    taken = "SELECT 1 FROM leave_type WHERE code = ? AND id IS NOT ?"
    if "code" in values and WORKSPACE.rows(taken, (values["code"], id)):
        raise AlreadyExists(f"Another leave type has the code {values['code']}.", field="code")


def _code_of(name: str) -> str:
    """A free code made from a name: `Study leave` gives study-leave."""
    base = "-".join("".join(c if c.isascii() and c.isalnum() else " " for c in name.lower()).split())[:28] or "leave"
    taken = {code for (code,) in WORKSPACE.rows("SELECT code FROM leave_type")}
    return next(code for n in range(1, len(taken) + 2) if (code := base if n == 1 else f"{base}-{n}") not in taken)
