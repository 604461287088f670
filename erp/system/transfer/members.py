"""Who of the members that a workspace had elsewhere is a member here: whoever has the same e-mail address."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from erp.auth import users
from erp.kernel import roles
from erp.kernel.errors import NotFound, Refusal
from erp.store import control
from erp.store.control import User
from erp.system.backups.manifest import MemberEntry
from erp.system.transfer.registration import Seat


class NoOwner(Refusal):
    """Nobody here could own the workspace: make a user first (`erp user create`), or name one with --owner."""


def seats(people: Sequence[MemberEntry], owner_email: str | None) -> list[Seat]:
    """The members that the workspace gets here; the others of those people are left behind.

    Several who bear one address are one person, with the highest of their roles. Where no owner could sign in, and
    where one is named, that user is one, else the first administrator of this installation.

    Raises:
        NotFound: the owner that is named is no user, or may not sign in.
        NoOwner: no owner is found.
    """
    with control.read():
        found: dict[str, Seat] = {}
        can_sign_in: set[str] = set()
        for user, seat in _matched(people):
            found[user.id] = _joined(found.get(user.id), seat)
            can_sign_in |= {user.id} if user.status == "active" else set()
        owner = _owner(owner_email, [seat for seat in found.values() if seat.user_id in can_sign_in])
    if owner is not None:
        seat = found.get(owner.id) or Seat(owner.id, owner.name, owner.email, "owner")
        found[owner.id] = replace(seat, role="owner", status="active")
    return list(found.values())


def _matched(people: Sequence[MemberEntry]) -> Iterator[tuple[User, Seat]]:
    for person in people:
        user = users.find_by_email(person.email) if person.email and person.role in roles.ROLES else None
        if user is not None:
            status = "suspended" if person.status == "suspended" else "active"
            yield user, Seat(user.id, user.name, user.email, str(person.role), status, (person.user_id,))


def _joined(one: Seat | None, other: Seat) -> Seat:
    if one is None:
        return other
    role = min(one.role, other.role, key=[*map(str, roles.ROLES)].index)
    status = "active" if "active" in (one.status, other.status) else "suspended"
    return replace(one, role=role, status=status, former_ids=one.former_ids + other.former_ids)


def _owner(email: str | None, present: Sequence[Seat]) -> User | None:
    """Who is to be made an owner, if anybody needs to."""
    if email is not None:
        return _named(email)
    if any((seat.role, seat.status) == ("owner", "active") for seat in present):
        return None
    admins = User.select().where(User.is_instance_admin, User.status == "active").order_by(User.created_at, User.id)
    admin: User | None = admins.first()
    if admin is None:
        raise NoOwner
    return admin


def _named(email: str) -> User:
    user = users.find_by_email(email)
    if user is None or user.status != "active":
        raise NotFound(f"Nobody who can sign in here has the e-mail address {email}.")
    return user
