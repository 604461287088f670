"""The users of the installation: who they are, and whether they may come in."""

from typing import Annotated, Any, ClassVar, Literal

from msgspec import UNSET, Meta
from peewee import fn

from erp.kernel import caller
from erp.kernel.errors import Refusal, SignInRequired
from erp.members import revocation
from erp.store import events
from erp.store.control import CalendarAddress, Member, PasswordReset, Session, User
from erp.web.endpoint import endpoint
from erp.web.paging import page
from erp.web.scalars import Instant, Line
from erp.web.schema import Body, ListQuery, Page, RecordView, Unset

Status = Literal["active", "disabled"]

EVENTS = {"active": "user.enabled", "disabled": "user.disabled"}


class UserFilter(ListQuery):
    """Which users, in which order; `q` looks into names and e-mail addresses."""

    q: Line | None = None
    status: Status | None = None
    sort: Literal["email", "-email", "name", "-name", "lastSeenAt", "-lastSeenAt", "createdAt", "-createdAt"] = "email"


class UserStatusChange(Body):
    """Whether the user may come in."""

    status: Status | Unset = UNSET

    EXAMPLE: ClassVar[dict[str, Any]] = {"status": "disabled"}


class InstallationUserView(RecordView):
    """A user as whoever looks after the installation sees her."""

    email: str
    name: str
    status: Status
    is_instance_admin: bool
    workspaces: Annotated[int, Meta(description="How many she is a member of.")]
    last_seen_at: Annotated[
        Instant | None,
        Meta(
            description="When she, or a script of hers, last used the server, to the hour; null if signed in nowhere."
        ),
    ]

    @classmethod
    def of(cls, row: Any) -> "InstallationUserView":
        """Show a row of `_people`."""
        plain = {name: getattr(row, name) for name in cls.__struct_fields__}
        return cls(**plain | {"last_seen_at": row.last_seen_at or None})


class DisablingOneself(Refusal):
    """Nobody disables herself; another instance admin can."""


_WORKSPACES = Member.select(fn.COUNT(Member.id)).where(Member.user == User.id)
_LAST_SEEN = fn.COALESCE(Session.select(fn.MAX(Session.last_used_at)).where(Session.user == User.id), "")


def find_all(query: UserFilter) -> Page[InstallationUserView]:
    """The users of the installation."""
    found = _people()
    if query.q:
        found = found.where(User.name.contains(query.q) | User.email.contains(query.q))
    if query.status:
        found = found.where(User.status == query.status)
    sortable = {"email": User.email_key, "name": User.name, "lastSeenAt": _LAST_SEEN}
    return page(found, query, InstallationUserView.of, sort=query.sort, sortable=sortable)


def change(id: str, body: UserStatusChange) -> InstallationUserView:
    """Let a user in, or keep her out.

    Raises:
        NotFound: there is no such user.
        DisablingOneself: it is the caller, so that somebody is left who looks after the installation.
        SignInRequired: the caller was disabled a moment ago.
    """
    _check_still_in()
    user = User.find_to_change(id)
    wanted = body.changes().get("status", user.status)
    if wanted != user.status:
        if wanted == "disabled":
            _check_may_be_disabled(user)
        _end_all(user)
        user.change(status=wanted)
        _log(user, EVENTS[wanted])
    return InstallationUserView.of(_people().where(User.id == id).get())


def _check_still_in() -> None:
    """Of two admins who disable each other at the same moment the guard let in both."""
    me = (User.id == caller.current().user_id) & User.is_instance_admin & (User.status == "active")
    if not User.select().where(me).exists():
        raise SignInRequired


def _check_may_be_disabled(user: User) -> None:
    if user.id == caller.current().user_id:
        raise DisablingOneself


def _end_all(user: User) -> None:
    """End everything by which a user could come in; once more when she may again, for requests of hers under way."""
    for secret in (Session, PasswordReset, CalendarAddress):
        secret.delete().where(secret.user == user.id).execute()
    revocation.withdraw(user.id)


def _log(user: User, event: str) -> None:
    """Tell every workspace that she is a member of."""
    for member in Member.select().where(Member.user == user.id):
        events.write_later(member.workspace_id, event, "user", user.id, {"memberId": member.id})


def _people() -> Any:
    return User.select(User, _WORKSPACES.alias("workspaces"), _LAST_SEEN.alias("last_seen_at"))


class Collection:
    """The users of the installation."""

    @endpoint(access="instance", store="control", session_only=True)
    def on_get(self, query: UserFilter) -> Page[InstallationUserView]:
        """List the users of the installation, whichever workspaces they are in."""
        return find_all(query)


class Item:
    """One user."""

    @endpoint(access="instance", store="control", session_only=True, refuses=(DisablingOneself,))
    def on_patch(self, id: str, body: UserStatusChange) -> InstallationUserView:
        """Disable a user, or let her in again.

        All her sign-ins and named tokens end at once, links to set a password and her secret calendar addresses are
        void, and invites that she made and nobody used yet are revoked. She stays a member of her workspaces, and what
        she did stays hers. The only owner of a workspace can be disabled too: the others there go on working, and she
        can be let in again to hand it over; a link to set a password is made after that. Nobody disables herself.
        """
        return change(id, body)
