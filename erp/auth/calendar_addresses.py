"""Secret addresses that calendar programs read: creating, revoking and resolving them.

There is one for each kind of calendar, user and workspace. Anyone who knows it can read the calendar. It is
therefore shown once, and only the SHA-256 of its secret is stored.
"""

from typing import Literal

import msgspec

from erp.kernel import caller, clock, config, roles, tokens
from erp.kernel.errors import NotFound, Unavailable
from erp.kernel.language import says
from erp.store import control, events
from erp.store.control import CalendarAddress
from erp.store.router import CONTROL
from erp.web.endpoint import endpoint
from erp.web.hosts import link_base
from erp.web.scalars import Instant
from erp.web.schema import View

Kind = Literal["tasks", "leave"]
SUFFIX = ".ics"
"""The ending that calendar programs expect of an address; the secret is accepted with it and without."""


class CalendarAddressView(View):
    """Whether the caller has a calendar address, and since when."""

    is_active: bool
    created_at: Instant | None


class CreatedCalendarAddressView(View):
    """A new calendar address, with the secret that is not shown again."""

    url: str
    created_at: Instant


class Subscriber(msgspec.Struct, frozen=True):
    """The member of a workspace whose calendar it is."""

    user_id: str
    workspace_id: str
    workspace_name: str
    role: roles.Role


def show(kind: Kind) -> CalendarAddressView:
    """Whether the caller has an address."""
    address = _own(kind)
    if address is None:
        return CalendarAddressView(is_active=False, created_at=None)
    return CalendarAddressView(is_active=True, created_at=address.created_at)


def make(kind: Kind, path: str) -> CreatedCalendarAddressView:
    """Create the caller's address; an earlier one stops working at once.

    Args:
        path: the path of the calendar on this server; the secret follows it.

    Raises:
        SampleData: the workspace's data is made up.
    """
    control.refuse_sample()
    who = caller.current()
    earlier = _own(kind)
    if earlier is not None:
        earlier.delete_instance()
    secret = tokens.make()
    address = CalendarAddress.add(
        workspace_id=who.workspace_id, user_id=who.user_id, kind=kind, token_hash=tokens.hashed(secret)
    )
    _log("calendar_address.created", address)
    url = f"{link_base(config.current())}{path}/{secret}{SUFFIX}"
    return CreatedCalendarAddressView(url=url, created_at=address.created_at)


def revoke(kind: Kind) -> None:
    """Revoke the caller's address.

    Raises:
        NotFound: they have none.
    """
    address = _own(kind)
    if address is None:
        raise NotFound(says("You have no calendar address of this kind."))
    address.delete_instance()
    _log("calendar_address.revoked", address)


def find_subscriber(kind: Kind, secret: str, permission: str) -> Subscriber:
    """The member whose address has this secret; the control file is open.

    Args:
        permission: one that the subscriber's role must have.

    Raises:
        NotFound: no address has this secret, or its owner may no longer read the calendar.
        Unavailable: the workspace cannot be opened at the moment.
    """
    rows = CONTROL.rows(_SUBSCRIBER, (clock.stamp(), tokens.hashed(secret.removesuffix(SUFFIX)), kind))
    if not rows or not roles.allows(rows[0][-1], permission):
        raise NotFound
    user_id, workspace_id, name, status, role = rows[0]
    if status == "unavailable":
        raise Unavailable
    return Subscriber(user_id, workspace_id, name, role)


_SUBSCRIBER = (
    "SELECT u.id, w.id, w.name, w.status, m.role FROM calendar_address AS c"
    " JOIN \"user\" AS u ON u.id = c.user_id AND u.status = 'active'"
    " JOIN workspace AS w ON w.id = c.workspace_id AND w.status <> 'creating'"
    f" JOIN member AS m ON m.workspace_id = w.id AND m.user_id = u.id AND {control.MAY_ENTER}"
    " WHERE c.token_hash = ? AND c.kind = ?"
)


def _own(kind: Kind) -> CalendarAddress | None:
    who = caller.current()
    return CalendarAddress.find_by(workspace_id=who.workspace_id, user_id=who.user_id, kind=kind)


class OwnCalendarAddressView(View):
    """A secret address at which one of the caller's calendars can be read."""

    id: str
    kind: Kind
    workspace_id: str
    workspace_name: str
    created_at: Instant


class Collection:
    """The caller's calendar addresses."""

    @endpoint(access="user", store="control", session_only=True)
    def on_get(self) -> list[OwnCalendarAddressView]:
        """List your secret calendar addresses in all workspaces.

        Anyone who knows one can read that calendar without signing in. They end when you change your password.
        """
        rows = CONTROL.rows(_OWN, (caller.current().user_id,))
        return [OwnCalendarAddressView(*row) for row in rows]


_OWN = (
    "SELECT c.id, c.kind, w.id, w.name, c.created_at FROM calendar_address AS c"
    " JOIN workspace AS w ON w.id = c.workspace_id WHERE c.user_id = ? ORDER BY w.name, w.id, c.kind"
)


class Item:
    """One of the caller's calendar addresses."""

    @endpoint(access="user", session_only=True)
    def on_delete(self, id: str) -> None:
        """End one of your calendar addresses. It stops working at once.

        Programs that subscribed to it get a 404 from then on. Addresses of other users are not found.
        """
        with control.write():
            address = CalendarAddress.find(id)
            if address.user_id != caller.current().user_id:
                raise NotFound(says("There is no such calendar address."))
            address.delete_instance()
            _log("calendar_address.revoked", address)


def _log(event: str, address: CalendarAddress) -> None:
    events.write_later(address.workspace_id, event, "calendar_address", address.id, {"kind": address.kind})
