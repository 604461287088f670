"""The workspaces that a user is an active member of."""

from collections.abc import Collection, Iterable
from typing import Annotated, Any, Literal

import msgspec
from peewee import PeeweeException, fn

from erp.kernel import clock, roles, scopes
from erp.kernel.errors import NotAMember, Refusal
from erp.kernel.roles import Permission, Role
from erp.store import control
from erp.store.control import Member, SecondFactor, Workspace
from erp.store.router import CONTROL, WORKSPACE
from erp.web.scalars import Day
from erp.web.schema import View, show
from erp.web.text_scalars import TimeApproval, Weekday

_OF_USER = (
    f"SELECT w.id, w.name, w.status, m.role, {control.LACKS_TWO_FACTOR}, w.is_sample"
    " FROM workspace AS w JOIN member AS m ON m.workspace_id = w.id"
    f" WHERE m.user_id = ? AND {control.MAY_ENTER} AND w.status <> 'creating' ORDER BY w.name, w.id"
)

_PERMISSIONS = {role: sorted(names) for role, names in roles.PERMISSIONS.items()}

Status = Literal["active", "archived", "unavailable"]


class MembershipView(View):
    """A workspace of the caller, with their role in it."""

    id: str
    name: str
    status: Status
    role: Role
    lacks_two_factor: Annotated[
        bool, msgspec.Meta(description="Whether you cannot enter it before you switch two-factor sign-in on.")
    ]
    is_sample: Annotated[bool, msgspec.Meta(description="Whether its data is made up, to look around in.")]

    @classmethod
    def of(cls, row: Any) -> "MembershipView":
        """Show a row of `select_of_user`."""
        return show(cls, row, lacks_two_factor=bool(row.lacks_two_factor))


class ScreenSettingsView(View):
    """The settings of a workspace that decide how its screens look; `GET /workspace/{workspaceId}` shows all."""

    legal_name: str | None
    base_currency: str
    country: str | None
    time_zone: str
    fiscal_year_start: str
    weekend: list[Weekday]
    prices_include_tax: bool
    payment_terms_days: int
    payroll_four_eyes: bool
    bill_approval: bool
    lock_date: Day | None
    time_approval: TimeApproval
    managers_see_margin: bool
    share_links: bool


class ActiveWorkspaceView(MembershipView):
    """The selected workspace, with what the caller may do there and what its screens need."""

    permissions: list[Permission]
    settings: Annotated[
        ScreenSettingsView | None, msgspec.Meta(description="Null while the workspace's file cannot be read.")
    ]
    employee_id: Annotated[str | None, msgspec.Meta(description="The caller's employee record there, if any.")]
    last_change: Annotated[
        int | None,
        msgspec.Meta(
            description="The number of the newest event, from which `GET /workspace/changes?after=` tells what is new."
            " Null while the workspace's file cannot be read."
        ),
    ]


_FACTS = ("prices_include_tax", "payroll_four_eyes", "bill_approval", "managers_see_margin", "share_links")
_INSIDE = (
    f"SELECT {', '.join(ScreenSettingsView.__struct_fields__)}, (SELECT id FROM employee WHERE user_id = ?),"
    " (SELECT coalesce(max(seq), 0) FROM event) FROM settings"
)


_CONFIRMED = SecondFactor.select(SecondFactor.id).where(
    SecondFactor.id == Member.user, SecondFactor.confirmed_at.is_null(False)
)
_LACKS = Workspace.requires_two_factor & ~fn.EXISTS(_CONFIRMED)


def select_of_user(user_id: str) -> Any:
    """A select of the workspaces that a user can enter, as plain rows with their role there."""
    return (
        Workspace.select(Workspace, Member.role, _LACKS.alias("lacks_two_factor"))
        .join(Member)
        .where(Member.user == user_id, Member.has_access(), Workspace.status != "creating")
        .objects()
    )


def of_user(user_id: str) -> list[MembershipView]:
    """All workspaces that a user can enter, by name."""
    return of_rows(CONTROL.rows(_OF_USER, (user_id, clock.stamp())))


def of_rows(rows: Iterable[tuple[Any, ...]]) -> list[MembershipView]:
    """Workspaces from their id, name, status, role, whether the user lacks a second factor, and whether it is a sample.

    Rows without an id are of none.
    """
    return [
        MembershipView(id, name, status, role, bool(lacks), bool(is_sample))
        for id, name, status, role, lacks, is_sample in rows
        if id
    ]


def names_of(user_id: str) -> list[str]:
    """The names of all workspaces that a user can enter."""
    return [name for _, name, *_ in CONTROL.rows(_OF_USER, (user_id, clock.stamp()))]


def find(user_id: str, workspace_id: str) -> MembershipView:
    """The membership of a user in a workspace.

    Raises:
        NotAMember: they are not an active member of it, or there is no such workspace.
    """
    for membership in of_user(user_id):
        if membership.id == workspace_id:
            return membership
    raise NotAMember


def active(
    workspaces: Iterable[MembershipView],
    workspace_id: str | None,
    user_id: str,
    limits: Collection[str] | None = None,
) -> ActiveWorkspaceView | None:
    """The selected one of a user's workspaces, whose file is not open; None if they can no longer enter it.

    Args:
        limits: the scopes of the caller's token, if it has any.
    """
    for membership in workspaces:
        if membership.id == workspace_id:
            settings, employee_id, last_change = _inside(membership, user_id)
            return ActiveWorkspaceView(
                **msgspec.structs.asdict(membership),
                permissions=[each for each in _PERMISSIONS[membership.role] if scopes.allow(limits, each)],
                settings=settings,
                employee_id=employee_id,
                last_change=last_change,
            )
    return None


def _inside(membership: MembershipView, user_id: str) -> tuple[ScreenSettingsView | None, str | None, int | None]:
    """A workspace's settings for its screens, the user's employee there and the newest event, from its file.

    A file that cannot be read keeps no one from signing in.
    """
    nothing = None, None, None
    if membership.status == "unavailable":
        return nothing
    try:
        ((*columns, employee_id, seq),) = WORKSPACE.look_up(control.workspace_path(membership.id), _INSIDE, (user_id,))
    except (Refusal, PeeweeException):
        return nothing
    values = dict(zip(ScreenSettingsView.__struct_fields__, columns, strict=True))
    facts = {name: bool(values[name]) for name in _FACTS}
    settings = ScreenSettingsView(**{**values, **facts, "weekend": msgspec.json.decode(values["weekend"])})
    return settings, employee_id, seq
