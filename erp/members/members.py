"""Members: who is in a workspace, with which role; how roles change and how people go."""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal, cast

from msgspec import UNSET

from erp.kernel import caller, roles
from erp.kernel.errors import Forbidden, NotFound, Refusal
from erp.kernel.roles import Role
from erp.members import people, revocation
from erp.store import control, events
from erp.store.control import Member, User
from erp.web.endpoint import endpoint
from erp.web.paging import page
from erp.web.scalars import Instant, Line
from erp.web.schema import Body, ListQuery, Page, RecordView, Unset, View

Status = Literal["active", "suspended"]


class MemberChange(Body):
    """What is to change of a member; a suspended one cannot come in."""

    role: Role | Unset = UNSET
    status: Status | Unset = UNSET

    EXAMPLE: ClassVar[dict[str, Any]] = {"role": "accountant"}


class MemberFilter(ListQuery):
    """Which members, in which order; `q` looks into names and e-mail addresses."""

    q: Line | None = None
    role: Role | None = None
    status: Status | None = None
    sort: Literal["name", "-name", "createdAt", "-createdAt"] = "name"


class PersonView(View):
    """A person."""

    id: str
    email: str
    name: str


class MemberView(RecordView):
    """A person in the workspace."""

    user: PersonView
    role: Role
    status: Status
    employee_id: str | None
    joined_at: Instant

    @classmethod
    def of(cls, row: Any, employee_id: str | None) -> "MemberView":
        """Show a row of `_people`."""
        plain = {name: getattr(row, name) for name in cls.__struct_fields__ if hasattr(row, name)}
        user = PersonView(id=row.user_id, email=row.email, name=row.name)
        return cls(**plain | {"user": user, "employee_id": employee_id})


class LastOwner(Refusal):
    """The last owner stays: make somebody else an owner first."""


def change(id: str, body: MemberChange) -> MemberView:
    """Change a member's role or status.

    Raises:
        NotFound: nobody of that id is in the workspace.
        Forbidden: the old role or the new one is out of the caller's reach.
        LastOwner: no other owner would be left.
    """
    member = _find_to_change(id)
    changes = {name: value for name, value in body.changes().items() if getattr(member, name) != value}
    check_reach(member.role, changes.get("role", member.role))
    if changes:
        _check_owner_left(member, **changes)
        told = {name: {"from": getattr(member, name), "to": value} for name, value in changes.items()}
        member.change(**changes)
        _log("member.updated", member, told)
        revocation.withdraw(
            member.user_id, member.workspace_id, reach=member.role if member.status == "active" else None
        )
    return _shown([_people().where(Member.id == id).get()])[0]


def remove(id: str) -> None:
    """Take a member out of the workspace.

    Raises:
        NotFound: nobody of that id is in the workspace.
        Forbidden: the member's role is out of the caller's reach.
        LastOwner: no other owner would be left.
    """
    member = _find_to_change(id)
    check_reach(member.role)
    _end(member, "member.removed")


def leave() -> None:
    """Take the caller out of the workspace.

    Raises:
        LastOwner: no other owner would be left.
    """
    who = caller.current()
    _end(Member.get(Member.workspace == who.workspace_id, Member.user == who.user_id), "member.left")


def _end(member: Member, event: str) -> None:
    _check_owner_left(member, status="gone")
    member.delete_instance()
    _log(event, member, {"role": member.role})
    revocation.withdraw(member.user_id, member.workspace_id)
    revocation.end_tokens(member.user_id, member.workspace_id)


def _find_to_change(id: str) -> Member:
    found = Member.find(id)
    if found.workspace_id != caller.current().workspace_id:
        raise NotFound("There is no such member.")
    found.check_version()
    return found


def check_reach(*wanted: str) -> None:
    """Refuse to touch a role that the caller does not reach.

    Raises:
        Forbidden: a role is above the caller's own.
    """
    mine = caller.current().role
    assert mine is not None
    if not all(roles.may_grant(mine, cast(Role, role)) for role in wanted):
        raise Forbidden("Nobody gives, changes or takes away a role above their own.")


def _check_owner_left(member: Member, role: str = "owner", status: str = "active") -> None:
    if member.role != "owner" or member.status != "active" or (role, status) == ("owner", "active"):
        return
    others = _people().where(Member.role == "owner", Member.status == "active", User.status == "active")
    if not others.where(Member.id != member.id).exists():
        raise LastOwner


def _log(event: str, member: Member, data: dict[str, Any]) -> None:
    events.write_later(member.workspace_id, event, "member", member.id, {"userId": member.user_id, **data})


def _people() -> Any:
    here = Member.workspace == caller.current().workspace_id
    return Member.select(Member, User.email, User.name).join(User).where(here).objects()


def find_all(query: MemberFilter) -> Page[MemberView]:
    """The members of the workspace."""
    found = _people()
    if query.q:
        found = found.where(User.name.contains(query.q) | User.email.contains(query.q))
    for column, wanted in ((Member.role, query.role), (Member.status, query.status)):
        found = found.where(column == wanted) if wanted else found
    return page(found, query, views=_shown, sort=query.sort, sortable={"name": User.name})


def _shown(rows: Sequence[Any]) -> list[MemberView]:
    """Show rows of `_people`; who has which employee record stands in the workspace's own file.

    Reading takes no lock, so that file may be opened within the control file's transaction.
    """
    workspace_id = caller.current().workspace_id
    assert workspace_id is not None
    with control.open_workspace(workspace_id, write=False):
        employee_ids = people.employee_ids([row.user_id for row in rows])
    return [MemberView.of(row, employee_ids.get(row.user_id)) for row in rows]


class Collection:
    """The members of the active workspace."""

    @endpoint(permission="members.read", store="control")
    def on_get(self, query: MemberFilter) -> Page[MemberView]:
        """List the members of the workspace."""
        return find_all(query)


class Item:
    """One member."""

    @endpoint(permission="members.write", store="control", refuses=(LastOwner,))
    def on_patch(self, id: str, body: MemberChange) -> MemberView:
        """Change a member's role or status.

        Pending invites that she made, but could not make any more, are revoked. Only owners change owners or make
        them; the last owner can be neither demoted nor suspended.
        """
        return change(id, body)

    @endpoint(permission="members.write", store="control", refuses=(LastOwner,))
    def on_delete(self, id: str) -> None:
        """Remove a member from the workspace, at once.

        Pending invites that she made are revoked. Only owners remove owners; the last one stays.
        """
        remove(id)


class Leave:
    """Going by oneself."""

    @endpoint(permission="workspace.read", store="control", session_only=True, refuses=(LastOwner,))
    def on_post(self) -> None:
        """Leave the workspace; its last owner cannot."""
        leave()
