"""The members of an imported workspace: its former members who have a user with the same e-mail address here."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from erp.auth import users
from erp.kernel import roles
from erp.kernel.errors import NotFound, Refusal
from erp.kernel.language import verbatim
from erp.store import control
from erp.store.control import User
from erp.system.backups.manifest import MemberEntry
from erp.system.transfer.registration import LocalMember


class NoOwner(Refusal):
    """No user here can own the workspace. Create one with `erp user create`, or name one with --owner."""


def match(people: Sequence[MemberEntry], owner_email: str | None) -> list[LocalMember]:
    """The members that the workspace gets here; all other people are left behind.

    People with one address become one member, with the highest of their roles. A named user becomes an owner. Without a
    named user and an owner who can sign in, the first instance admin of this installation becomes one.

    Raises:
        NotFound: the named owner is not a user, or cannot sign in.
        NoOwner: there is no owner and no instance admin.
    """
    with control.read():
        members: dict[str, LocalMember] = {}
        can_sign_in: set[str] = set()
        for user, member in _matches(people):
            members[user.id] = _merged(members.get(user.id), member)
            can_sign_in |= {user.id} if user.status == "active" else set()
        owner = _missing_owner(owner_email, [member for member in members.values() if member.user_id in can_sign_in])
    if owner is not None:
        member = members.get(owner.id) or LocalMember(owner.id, owner.name, owner.email, role="owner")
        members[owner.id] = replace(member, role="owner", status="active")
    return list(members.values())


def _matches(people: Sequence[MemberEntry]) -> Iterator[tuple[User, LocalMember]]:
    for person in people:
        user = users.find_by_email(person.email) if person.email and person.role in roles.ROLES else None
        if user is not None:
            yield (
                user,
                LocalMember(
                    user_id=user.id,
                    name=user.name,
                    email=user.email,
                    role=str(person.role),
                    status="suspended" if person.status == "suspended" else "active",
                    former_ids=(person.user_id,),
                ),
            )


def _merged(member: LocalMember | None, other: LocalMember) -> LocalMember:
    if member is None:
        return other
    role = min(member.role, other.role, key=[*map(str, roles.ROLES)].index)
    status = "active" if "active" in (member.status, other.status) else "suspended"
    return replace(member, role=role, status=status, former_ids=member.former_ids + other.former_ids)


def _missing_owner(email: str | None, members: Sequence[LocalMember]) -> User | None:
    """The user to make an owner, if that is necessary."""
    if email is not None:
        return _named(email)
    if any((member.role, member.status) == ("owner", "active") for member in members):
        return None
    admins = User.select().where(User.is_instance_admin, User.status == "active").order_by(User.created_at, User.id)
    admin: User | None = admins.first()
    if admin is None:
        raise NoOwner
    return admin


def _named(email: str) -> User:
    user = users.find_by_email(email)
    if user is None or user.status != "active":
        raise NotFound(verbatim(f"No active user here has the e-mail address {email}."))
    return user
