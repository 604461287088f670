"""Secret addresses under which calendar programs read: how they are made and revoked, and whose they are.

One for each kind of calendar, user and workspace. Whoever knows it may read, so it is shown once, and only the
SHA-256 of its secret is kept.
"""

from dataclasses import dataclass
from typing import Literal

from erp.kernel import caller, config, roles, tokens
from erp.kernel.errors import NotFound, Unavailable
from erp.store import events
from erp.store.control import CalendarAddress
from erp.store.router import CONTROL
from erp.web.hosts import link_base
from erp.web.scalars import Instant
from erp.web.schema import View

Kind = Literal["tasks", "leave"]
SUFFIX = ".ics"
"""What calendar programs like an address to end with; the secret counts with it and without."""


class CalendarAddressView(View):
    """Whether the caller has a calendar address, and since when."""

    active: bool
    created_at: Instant | None


class CalendarAddressMade(View):
    """An address just made, with the secret that is not shown again."""

    url: str
    created_at: Instant


@dataclass(frozen=True, slots=True)
class Subscriber:
    """Whose calendar it is: a member of a workspace."""

    user_id: str
    workspace_id: str
    workspace_name: str
    role: roles.Role


def show(kind: Kind) -> CalendarAddressView:
    """Whether the caller has an address."""
    address = _own(kind)
    if address is None:
        return CalendarAddressView(active=False, created_at=None)
    return CalendarAddressView(active=True, created_at=address.created_at)


def make(kind: Kind, path: str) -> CalendarAddressMade:
    """Make an address of the caller's; an older one is dead at once.

    Args:
        path: where the calendar is read, below the server's address; the secret comes after it.
    """
    who = caller.current()
    former = _own(kind)
    if former is not None:
        former.delete_instance()
    secret = tokens.make()
    address = CalendarAddress.add(
        workspace_id=who.workspace_id, user_id=who.user_id, kind=kind, token_hash=tokens.hashed(secret)
    )
    _log("calendar_address.created", address)
    url = f"{link_base(config.current())}{path}/{secret}{SUFFIX}"
    return CalendarAddressMade(url=url, created_at=address.created_at)


def revoke(kind: Kind) -> None:
    """Revoke the caller's address.

    Raises:
        NotFound: there is none.
    """
    address = _own(kind)
    if address is None:
        raise NotFound("You have no such calendar address.")
    address.delete_instance()
    _log("calendar_address.revoked", address)


def find_subscriber(kind: Kind, secret: str, permission: str) -> Subscriber:
    """Whose address a secret is of; the control file is open.

    Args:
        permission: what the subscriber's role has to allow.

    Raises:
        NotFound: it is nobody's, or of somebody who may not read it any more.
        Unavailable: the workspace cannot be opened at the moment.
    """
    rows = CONTROL.rows(_SUBSCRIBER, (tokens.hashed(secret.removesuffix(SUFFIX)), kind))
    if not rows or not roles.allows(rows[0][-1], permission):
        raise NotFound
    user_id, workspace_id, name, status, role = rows[0]
    if status == "unavailable":
        raise Unavailable
    return Subscriber(user_id, workspace_id, name, role)


_SUBSCRIBER = (
    "SELECT u.id, w.id, w.name, w.status, m.role FROM calendar_address AS c"
    " JOIN user AS u ON u.id = c.user_id AND u.status = 'active'"
    " JOIN workspace AS w ON w.id = c.workspace_id AND w.status <> 'creating'"
    " JOIN member AS m ON m.workspace_id = w.id AND m.user_id = u.id AND m.status = 'active'"
    " WHERE c.token_hash = ? AND c.kind = ?"
)


def _own(kind: Kind) -> CalendarAddress | None:
    who = caller.current()
    found: CalendarAddress | None = CalendarAddress.get_or_none(
        CalendarAddress.workspace == who.workspace_id,
        CalendarAddress.user == who.user_id,
        CalendarAddress.kind == kind,
    )
    return found


def _log(event: str, address: CalendarAddress) -> None:
    events.write_later(address.workspace_id, event, "calendar_address", address.id, {"kind": address.kind})
