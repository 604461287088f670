"""Sessions: each has a token, stored only as its hash; users see and end their own."""

from typing import Any, Literal, Self

import falcon
import msgspec

from erp.auth import cookies
from erp.kernel import caller, clock, tokens
from erp.kernel.errors import NotFound
from erp.kernel.language import says
from erp.store import control
from erp.store.control import Session
from erp.web import origin
from erp.web.endpoint import endpoint
from erp.web.paging import page
from erp.web.schema import ListQuery, Page, View, show
from erp.web.session import IDLE, LIFETIME

MOST_PER_USER = 20


class SessionView(View):
    """A signed-in browser or program."""

    id: str
    kind: Literal["session", "token"]
    name: str | None
    active_workspace_id: str | None
    created_at: str
    last_used_at: str
    expires_at: str | None

    @classmethod
    def of(cls, session: Session, **derived: Any) -> Self:
        """Show a session; `derived` holds what it does not have itself."""
        return show(cls, session, **derived)


class OpenedSessionView(SessionView):
    """A new session, with the token that is not shown again."""

    token: str


class OwnSessionView(SessionView):
    """A session of the caller, and where it was opened."""

    address: str | None
    user_agent: str | None
    is_current: bool


class Device(msgspec.Struct, frozen=True):
    """The address and browser of a request; for `marks` see `erp.auth.devices`."""

    address: str
    user_agent: str | None
    marks: str | None = None
    is_browser: bool = False

    @classmethod
    def of(cls, req: falcon.Request) -> "Device":
        """The device that sent a request."""
        is_browser = not origin.says_nothing(req.get_header("Sec-Fetch-Site"), req.get_header("Origin"))
        return cls(req.remote_addr, (req.user_agent or "")[:200] or None, cookies.marks(req), is_browser)


def start(user_id: str, device: Device, workspace_id: str | None = None) -> tuple[Session, str]:
    """Open a session in the control file, open for writing.

    Of more than twenty in browsers, or of more than twenty elsewhere, the one unused for longest ends: a script that
    signs in again and again signs no one out of their browser.

    Returns:
        The session, and its token.
    """
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
        is_browser=device.is_browser,
    )
    alike = Session.is_browser == device.is_browser
    in_use = _signed_in(user_id).where(alike).order_by(Session.last_used_at.desc(), Session.id.desc())
    end(user_id, alike, Session.id.not_in(in_use.limit(MOST_PER_USER).select(Session.id)))
    return session, token


def end(user_id: str, *which: Any) -> None:
    """End the sessions of a user that meet the conditions; named tokens stay."""
    Session.delete().where(Session.user == user_id, Session.kind == "session", *which).execute()


_NONE = {"session": says("There is no such session."), "token": says("There is no such token.")}


def own(id: str, kind: str) -> Session:
    """A session or token of the caller.

    Raises:
        NotFound: they have none with this id and kind.
    """
    session = Session.find(id)
    if session.user_id != caller.current().user_id or session.kind != kind:
        raise NotFound(_NONE[kind])
    return session


def _signed_in(user_id: str) -> Any:
    return Session.select().where(Session.user == user_id, Session.kind == "session")


class Collection:
    """The caller's sessions."""

    @endpoint(access="user", store="control", session_only=True)
    def on_get(self, query: ListQuery) -> Page[OwnSessionView]:
        """List the sessions in which you are signed in.

        The one that asks is marked. Named tokens are listed at `/auth/tokens`.
        """
        who, now = caller.current(), clock.now()
        live = _signed_in(who.user_id).where(
            Session.expires_at > clock.stamp(now), Session.last_used_at > clock.stamp(now - IDLE)
        )
        return page(live, query, lambda session: OwnSessionView.of(session, is_current=session.id == who.session_id))


class Item:
    """One of the caller's sessions."""

    @endpoint(access="user", session_only=True)
    def on_delete(self, id: str) -> None:
        """End one of your sessions. Its token stops working at once.

        The session that asks can be ended too. Sessions of other users are not found (404).
        """
        with control.write():
            own(id, "session").delete_instance()
