"""Named tokens: sessions of scripts, each in one workspace."""

import datetime
from collections.abc import Sequence
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from erp.auth import sessions
from erp.auth.sessions import SessionView
from erp.kernel import caller, clock, tokens
from erp.kernel.complaints import Complaints
from erp.kernel.days import LAST_DAY
from erp.kernel.errors import Invalid, NotAMember
from erp.kernel.language import says
from erp.kernel.scopes import SCOPES, Scope
from erp.members import memberships
from erp.store import control
from erp.store.control import Session
from erp.web.endpoint import endpoint
from erp.web.paging import page
from erp.web.scalars import Id, Name
from erp.web.schema import Body, ListQuery, Page


class NewToken(Body):
    """A named token to create."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "name": "Nightly export",
        "workspaceId": "0199d6a2-7c00-7000-8000-000000000001",
        "scopes": ["finance:read"],
    }

    name: Name
    workspace_id: Id
    expires_at: Annotated[datetime.datetime, Meta(tz=True, description="Left out: it never expires.")] | None = None
    is_read_only: bool = False
    scopes: (
        Annotated[
            list[Scope],
            Meta(min_length=1, max_length=len(SCOPES), description="Areas that it may read or change; all by default."),
        ]
        | None
    ) = None


class TokenView(SessionView):
    """A named token; `activeWorkspaceId` is the one workspace that it acts in."""

    is_read_only: bool
    scopes: Annotated[list[Scope] | None, Meta(description="Null: all areas.")]


class CreatedTokenView(TokenView):
    """A new named token, with the secret that is not shown again."""

    token: str


def make(new: NewToken) -> tuple[Session, str]:
    """Create a named token of the caller; the control file is open for writing.

    Returns:
        The session, and the token itself.

    Raises:
        Invalid: it would expire in the past, or too late.
        NotAMember: the caller is not in that workspace.
    """
    who = caller.current()
    expires_at = None if new.expires_at is None else _end(new.expires_at)
    memberships.find(who.user_id, new.workspace_id)
    token = tokens.make()
    session = Session.add(
        token_hash=tokens.hashed(token),
        user=who.user_id,
        kind="token",
        name=new.name,
        active_workspace_id=new.workspace_id,
        is_read_only=new.is_read_only,
        scopes=None if new.scopes is None else sorted(set(new.scopes)),
        last_used_at=clock.stamp(),
        expires_at=expires_at,
    )
    return session, token


def check_names(field: str, names: Sequence[str]) -> None:
    """See that the caller has named tokens with these names.

    Raises:
        Invalid: with a complaint for every name that none of them has.
    """
    known = {token.name for token in _own()}
    complaints = Complaints()
    for index, name in enumerate(names):
        if name not in known:
            message = says("You have no access token {name!r}.", name=name)
            complaints.add(f"{field}[{index}]", "unknown_reference", message)
    complaints.refuse()


def end_all_but(names: Sequence[str]) -> None:
    """End the caller's named tokens except those with one of the names; the control file is open for writing."""
    for token in list(_own()):
        if token.name not in names:
            token.delete_instance()


def _own() -> Any:
    return Session.select().where(Session.user == caller.current().user_id, Session.kind == "token")


def _end(instant: datetime.datetime) -> str:
    if instant <= clock.now():
        raise Invalid.one("expiresAt", "not_in_future", says("Must be in the future."))
    if instant.date() > LAST_DAY:
        raise Invalid.one("expiresAt", "out_of_range", says("Must not be after {year}.", year=LAST_DAY.year))
    return clock.stamp(instant)


class Collection:
    """The caller's named tokens."""

    @endpoint(access="user", store="control", session_only=True)
    def on_get(self, query: ListQuery) -> Page[TokenView]:
        """List your named tokens, including expired ones.

        The tokens of other users are never listed, and secrets are shown only when a token is created.
        """
        return page(_own(), query, TokenView.of)

    @endpoint(access="user", status=201, shows_secret=True, session_only=True, refuses=(NotAMember,))
    def on_post(self, body: NewToken) -> CreatedTokenView:
        """Create a named token for a script.

        It has your permissions in one workspace only, and always acts there. `scopes` limit it to areas: `finance:read`
        reads the books, `finance:write` changes them too, and without scopes it may do all that you may. An
        `isReadOnly` token can only read. It has no idle limit, and cannot create tokens, select a workspace, change
        passwords or administer the installation. It ends when you change your password, unless you keep it by name.
        `token` is shown only once.
        Replace the example's `workspaceId` with the id of one of your workspaces: `GET /workspace` lists them.
        """
        with control.write():
            session, token = make(body)
        return CreatedTokenView.of(session, token=token)


class Item:
    """One of the caller's named tokens."""

    @endpoint(access="user", store="control", session_only=True)
    def on_get(self, id: str) -> TokenView:
        """Show one of your named tokens, without its secret.

        It shows what the token may do, its last use and its end. Tokens of other users are not found (404).
        """
        return TokenView.of(sessions.own(id, "token"))

    @endpoint(access="user", session_only=True)
    def on_delete(self, id: str) -> None:
        """Revoke one of your named tokens. It stops working at once.

        Revoking cannot be undone: the script that uses the token needs a new one. Tokens of other users are not found
        (404).
        """
        with control.write():
            sessions.own(id, "token").delete_instance()
