"""Sessions: opened with a new token, of which only the hash is kept; a user sees and ends her own."""

from dataclasses import dataclass
from typing import Any, Self

import falcon

from erp.kernel import caller, clock, tokens
from erp.kernel.errors import NotFound
from erp.store import control
from erp.store.control import Session
from erp.web.endpoint import endpoint
from erp.web.paging import page
from erp.web.schema import ListQuery, Page, View
from erp.web.session import IDLE, LIFETIME

MOST_PER_USER = 20


class SessionView(View):
    """A signed-in browser or program."""

    id: str
    kind: str
    name: str | None
    active_workspace_id: str | None
    created_at: str
    last_used_at: str
    expires_at: str | None

    @classmethod
    def of(cls, session: Session, **more: Any) -> Self:
        """Show a session; a field that it has not itself comes as `more`."""
        own = {name: getattr(session, name) for name in cls.__struct_fields__ if name not in more}
        return cls(**own, **more)


class OpenedSessionView(SessionView):
    """A session that has just been opened, with its token, which is never shown again."""

    token: str


class OwnSessionView(SessionView):
    """A session of the caller, and where it was opened."""

    address: str | None
    user_agent: str | None
    current: bool


@dataclass(frozen=True, slots=True)
class Device:
    """Where a request comes from."""

    address: str
    user_agent: str | None

    @classmethod
    def of(cls, req: falcon.Request) -> "Device":
        """The device that sent a request."""
        return cls(req.remote_addr, (req.user_agent or "")[:200] or None)


def start(user_id: str, device: Device, workspace_id: str | None = None) -> OpenedSessionView:
    """Open a session in the control file, open for writing; beyond twenty the user's oldest ends."""
    now = clock.now()
    token = tokens.make()
    session = Session.add(
        token_hash=tokens.hashed(token),
        user=user_id,
        active_workspace_id=workspace_id,
        last_used_at=clock.stamp(now),
        expires_at=clock.stamp(now + LIFETIME),
        address=device.address,
        user_agent=device.user_agent,
    )
    newest = _signed_in(user_id).order_by(Session.id.desc()).limit(MOST_PER_USER)
    end(user_id, Session.id.not_in(newest.select(Session.id)))
    return OpenedSessionView.of(session, token=token)


def end(user_id: str, *which: Any) -> None:
    """End those of a user's sign-ins for which the conditions hold; named tokens stay."""
    Session.delete().where(Session.user == user_id, Session.kind == "session", *which).execute()


def own(id: str, kind: str) -> Session:
    """A session or token of the caller.

    Raises:
        NotFound: she has none of that id and kind.
    """
    found = Session.find(id)
    if found.user_id != caller.current().user_id or found.kind != kind:
        raise NotFound(f"There is no such {kind}.")
    return found


def _signed_in(user_id: str) -> Any:
    return Session.select().where(Session.user == user_id, Session.kind == "session")


class Collection:
    """The caller's sign-ins."""

    @endpoint(access="user", store="control", session_only=True)
    def on_get(self, query: ListQuery) -> Page[OwnSessionView]:
        """List where you are signed in."""
        who, now = caller.current(), clock.now()
        alive = _signed_in(who.user_id).where(
            Session.expires_at > clock.stamp(now), Session.last_used_at > clock.stamp(now - IDLE)
        )
        return page(alive, query, lambda found: OwnSessionView.of(found, current=found.id == who.session_id))


class Item:
    """One of the caller's sign-ins."""

    @endpoint(access="user", session_only=True)
    def on_delete(self, id: str) -> None:
        """End a sign-in of yours; its token is dead at once."""
        with control.write():
            own(id, "session").delete_instance()
