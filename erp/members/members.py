"""Members: the people in a workspace and their roles; changing and removing them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, cast

from msgspec import UNSET, Meta
from peewee import fn

from erp.kernel import caller, clock, roles
from erp.kernel.errors import Forbidden, NotFound, Refusal
from erp.kernel.language import says
from erp.kernel.roles import Role
from erp.kernel.wire import wire_name
from erp.members import people, revocation
from erp.store import control, events, sql
from erp.store.control import CalendarAddress, Member, SecondFactor, User
from erp.web.endpoint import endpoint
from erp.web.paging import page
from erp.web.scalars import Instant, Line
from erp.web.schema import Body, Page, RecordQuery, RecordView, Unset, View, show

Status = Literal["active", "suspended"]
Action = Literal["activate", "change_role", "remove", "suspend"]


class MemberChange(Body):
    """Changes to a member; a suspended member cannot use the workspace."""

    role: Role | Unset = UNSET
    status: Status | Unset = UNSET

    EXAMPLE: ClassVar[dict[str, Any]] = {"role": "accountant"}


class MemberFilter(RecordQuery):
    """A filter of members, and their order; `q` searches names and e-mail addresses."""

    q: Line | None = None
    role: Role | None = None
    status: Status | None = None
    sort: Literal["name", "-name", "createdAt", "-createdAt"] = "name"


class MemberUserView(View):
    """The user who is a member."""

    id: str
    email: str
    name: str


class MemberView(RecordView):
    """A member of the workspace."""

    user: MemberUserView
    role: Role
    status: Status
    employee_id: str | None
    has_two_factor: Annotated[
        bool | None,
        Meta(description="Whether they sign in with a code of an app as well; only those who change members see it."),
    ]
    joined_at: Instant
    access_ends_at: Annotated[Instant | None, Meta(description="When it ends, or has ended, because they leave.")]
    can: Annotated[list[Action], Meta(description="Actions on the member open to you now.")]

    @classmethod
    def of(cls, row: Any, employee_id: str | None, can: list[Action]) -> "MemberView":
        """Show a row of `_with_users`."""
        user = show(MemberUserView, row, id=row.user_id)
        has_two_factor = bool(row.has_two_factor) if caller.may("members.write") else None
        return show(cls, row, user=user, employee_id=employee_id, has_two_factor=has_two_factor, can=can)


class LastOwner(Refusal):
    """A workspace needs at least one owner. Give another member the role Owner first."""


def change(id: str, body: MemberChange) -> Member:
    """Change a member's role or status.

    Raises:
        NotFound: the workspace has no member with this id.
        Forbidden: the old role or the new one is above the caller's own.
        LastOwner: no owner would be left.
    """
    member = _find_to_change(id)
    values = body.changes() | ({"access_ends_at": None} if body.status == "active" else {})
    changes = {name: value for name, value in values.items() if getattr(member, name) != value}
    check_reach(member.role, changes.get("role", member.role))
    if changes:
        _check_owner_left(member, changes.get("role", "owner"), changes.get("status", "active"))
        _update(member, changes)
        reach = member.role if member.status == "active" else None
        revocation.withdraw(member.user_id, member.workspace_id, reach=reach)
        if member.status == "suspended":
            revocation.end_calendar_addresses(member.user_id, CalendarAddress.workspace == member.workspace_id)
    return member


def _update(member: Member, changes: Mapping[str, str | None]) -> None:
    data = {wire_name(name): {"from": getattr(member, name), "to": value} for name, value in changes.items()}
    member.change(**changes)
    _log("member.updated", member, data)


def end_access(user_id: str, at: str | None) -> str | None:
    """Let a member's access to the open workspace end at an instant, or, without one, go on.

    The last owner's goes on, and an owner's ends only by an owner.

    Returns:
        When it ends; None if it goes on, or the user is no member.
    """
    who = caller.current()
    with control.write():
        member = Member.find_by(workspace_id=who.workspace_id, user_id=user_id)
        if member is None:
            return None
        if member.role == "owner" and at and (who.role != "owner" or not _active_owners() - {member.id}):
            at = None
        if member.access_ends_at != at:
            _update(member, {"access_ends_at": at})
        if at is not None and at <= clock.stamp():
            revocation.withdraw(user_id, member.workspace_id)
    assert who.workspace_id is not None
    events.deliver_here(who.workspace_id)
    return at


def remove(id: str) -> None:
    """Remove a member from the workspace.

    Raises:
        NotFound: the workspace has no member with this id.
        Forbidden: the member's role is above the caller's own.
        LastOwner: no owner would be left.
    """
    member = _find_to_change(id)
    check_reach(member.role)
    _end(member, "member.removed")


def check_removal(member: Member) -> None:
    """Refuse to remove a member whom the caller may not remove.

    Raises:
        Forbidden: the member's role is above the caller's own.
        LastOwner: no owner would be left.
    """
    check_reach(member.role)
    _check_owner_left(member, status="gone")


def leave() -> None:
    """Remove the caller from the workspace.

    Raises:
        LastOwner: no owner would be left.
    """
    who = caller.current()
    _end(Member.get(Member.workspace == who.workspace_id, Member.user == who.user_id), "member.left")


def _end(member: Member, event: str) -> None:
    _check_owner_left(member, status="gone")
    member.delete_instance()
    _log(event, member, {"role": member.role})
    revocation.withdraw(member.user_id, member.workspace_id)
    revocation.end_tokens(member.user_id, member.workspace_id)


def _find(id: str) -> Member:
    member = Member.find(id)
    if member.workspace_id != caller.current().workspace_id:
        raise NotFound(says("There is no such member."))
    return member


def _find_to_change(id: str) -> Member:
    member = _find(id)
    member.check_version()
    return member


def check_reach(*affected: str) -> None:
    """Refuse to grant, change or remove roles above the caller's own, and any role by a token with scopes.

    Raises:
        Forbidden: a role is above the caller's own, or would give more than the token's scopes.
    """
    who = caller.current()
    assert who.role is not None
    if who.scopes is not None:
        raise Forbidden(says("A token with scopes cannot change who may do what. Use one without scopes."))
    if not all(roles.may_grant(who.role, cast(Role, role)) for role in affected):
        raise Forbidden(says("You cannot grant, change or remove a role above your own."))


def _check_owner_left(
    member: Member, role: str = "owner", status: str = "active", owners: set[str] | None = None
) -> None:
    if member.role != "owner" or member.status != "active" or (role, status) == ("owner", "active"):
        return
    if not (_active_owners() if owners is None else owners) - {member.id}:
        raise LastOwner


def _active_owners() -> set[str]:
    """The ids of the members who own the workspace and can use it."""
    lasting = (Member.status == "active") & Member.access_ends_at.is_null()
    owners = _with_users().where(Member.role == "owner", lasting, User.status == "active")
    return {owner.id for owner in owners}


def _actions(member: Member, owners: set[str]) -> list[Action]:
    """The actions that the caller may take on a member, by the same checks as when they are taken."""

    def ending(status: str, role: str = "owner") -> None:
        check_reach(member.role)
        _check_owner_left(member, role, status, owners)

    checks: dict[Action, Callable[[], object]] = {
        "change_role": lambda: ending("active", "member"),
        "remove": lambda: ending("gone"),
    }
    if member.status == "suspended" or member.access_ends_at is not None:
        checks["activate"] = lambda: check_reach(member.role)
    if member.status == "active":
        checks["suspend"] = lambda: ending("suspended")
    return caller.allowed("members.write", checks)


def _log(event: str, member: Member, data: dict[str, Any]) -> None:
    events.write_later(member.workspace_id, event, "member", member.id, {"userId": member.user_id, **data})


_FACTORS = SecondFactor.select(fn.COUNT(SecondFactor.id)).where(
    SecondFactor.id == Member.user, SecondFactor.confirmed_at.is_null(False)
)


def _with_users() -> Any:
    """The members of the workspace, as rows with the e-mail address, name and second factor of their user."""
    here = Member.workspace == caller.current().workspace_id
    factor = _FACTORS.alias("has_two_factor")
    return Member.select(Member, User.email, User.name, factor).join(User).where(here).objects()


def search(query: MemberFilter) -> Page[MemberView]:
    """The members of the workspace that fit the filter."""
    rows = _with_users()
    if query.q:
        rows = rows.where(sql.positional(sql.contains(("name", "email"), query.q)))
    if query.role:
        rows = rows.where(Member.role == query.role)
    if query.status:
        rows = rows.where(Member.status == query.status)
    return page(rows, query, views=_views, sort=query.sort, sortable={"name": User.name})


def _view(member: Member) -> MemberView:
    (view,) = _views([_with_users().where(Member.id == member.id).get()])
    return view


def _views(rows: Sequence[Any]) -> list[MemberView]:
    """Show rows of `_with_users` with their employee records, which are in the workspace's own file.

    Reading takes no lock, so that file can be opened within the control file's transaction.
    """
    workspace_id = caller.current().workspace_id
    assert workspace_id is not None
    with control.open_workspace(workspace_id, write=False):
        employee_ids = people.employee_ids([row.user_id for row in rows])
    owners = _active_owners()
    return [MemberView.of(row, employee_ids.get(row.user_id), _actions(row, owners)) for row in rows]


class Collection:
    """The members of the selected workspace."""

    @endpoint(permission="members.read", store="control")
    def on_get(self, query: MemberFilter) -> Page[MemberView]:
        """List the members of the workspace.

        Any member can read the list, with roles and the dates of joining.
        """
        return search(query)


class Item:
    def _read(self, id: str) -> MemberView:
        return _view(_find(id))

    @endpoint(permission="members.write", store="control", refuses=(LastOwner,), reads=_read)
    def on_patch(self, id: str, body: MemberChange) -> MemberView:
        """Change a member's role or status.

        Pending invites that the member created, but could no longer create, are revoked. Only owners can appoint or
        change owners. The last owner can be neither demoted nor suspended.
        """
        return _view(change(id, body))

    @endpoint(permission="members.write", store="control", refuses=(LastOwner,))
    def on_delete(self, id: str) -> None:
        """Remove a member from the workspace, with immediate effect.

        Pending invites that they created are revoked. Only owners can remove owners; the last owner stays.
        """
        remove(id)


class Leave:
    @endpoint(permission="workspace.read", store="control", session_only=True, refuses=(LastOwner,))
    def on_post(self) -> None:
        """Leave the workspace. The last owner cannot leave.

        Records you created stay. Your sessions and tokens can no longer act in the workspace. To come back, you need a
        new invite.
        """
        leave()
