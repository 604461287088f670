"""The users of the installation, and whether they can sign in."""

from typing import Annotated, Any, ClassVar, Literal

from msgspec import UNSET, Meta
from peewee import fn

from erp.auth.two_factor import factors
from erp.auth.two_factor.factors import NotOn
from erp.kernel import caller
from erp.kernel.errors import Refusal, SignInRequired
from erp.members import revocation
from erp.store import events, sql
from erp.store.control import Member, PasswordReset, SecondFactor, Session, User
from erp.web.endpoint import endpoint
from erp.web.paging import page
from erp.web.scalars import Instant, Line
from erp.web.schema import Body, Page, RecordQuery, RecordView, Unset, show

Status = Literal["active", "disabled"]

EVENTS = {"active": "user.active", "disabled": "user.disabled"}


class UserFilter(RecordQuery):
    """Filter for users; `q` searches names and e-mail addresses."""

    q: Line | None = None
    status: Status | None = None
    sort: Literal["email", "-email", "name", "-name", "lastSeenAt", "-lastSeenAt", "createdAt", "-createdAt"] = "email"


class UserStatusChange(Body):
    """Whether the user can sign in."""

    status: Status | Unset = UNSET

    EXAMPLE: ClassVar[dict[str, Any]] = {"status": "disabled"}


class InstallationUserView(RecordView):
    """A user, for the instance admin."""

    email: str
    name: str
    status: Status
    is_instance_admin: bool
    has_two_factor: Annotated[bool, Meta(description="Whether they also sign in with a code of an app.")]
    workspaces: Annotated[int, Meta(description="Number of workspaces that they are a member of.")]
    last_seen_at: Annotated[
        Instant | None,
        Meta(description="Last use of the server by them or one of their scripts, to the hour; null if not signed in."),
    ]

    @classmethod
    def of(cls, row: Any) -> "InstallationUserView":
        """Show a row of `_select`."""
        return show(cls, row, last_seen_at=row.last_seen_at or None, has_two_factor=bool(row.has_two_factor))


class DisablingOneself(Refusal):
    """You cannot deactivate yourself. Ask another server administrator."""


_WORKSPACES = Member.select(fn.COUNT(Member.id)).where(Member.user == User.id)
_FACTORS = SecondFactor.select(fn.COUNT(SecondFactor.id)).where(
    SecondFactor.id == User.id, SecondFactor.confirmed_at.is_null(False)
)
_LAST_SEEN = fn.COALESCE(Session.select(fn.MAX(Session.last_used_at)).where(Session.user == User.id), "")


def search(query: UserFilter) -> Page[InstallationUserView]:
    users = _select()
    if query.q:
        users = users.where(sql.positional(sql.contains(("name", "email"), query.q)))
    if query.status:
        users = users.where(User.status == query.status)
    sortable = {"email": User.email_key, "name": User.name, "lastSeenAt": _LAST_SEEN}
    return page(users, query, InstallationUserView.of, sort=query.sort, sortable=sortable)


def change(id: str, body: UserStatusChange) -> User:
    """Enable or disable a user; the row has what `InstallationUserView` shows.

    Raises:
        NotFound: there is no such user.
        DisablingOneself: it is the caller; so one instance admin always remains.
        SignInRequired: the caller was disabled a moment ago.
    """
    _check_caller_is_active()
    user = User.find_to_change(id)
    status = body.changes().get("status", user.status)
    if status != user.status:
        if status == "disabled" and user.id == caller.current().user_id:
            raise DisablingOneself
        _withdraw_access(user)
        user.change(status=status)
        _log(user, EVENTS[status])
    return _row(user)


def _row(user: User) -> User:
    """The user with what `InstallationUserView` shows beyond their own columns."""
    row: User = _select().where(User.id == user.id).get()
    return row


def _check_caller_is_active() -> None:
    """The guard admits both of two admins who disable each other at the same moment; here the second is refused."""
    me = (User.id == caller.current().user_id) & User.is_instance_admin & (User.status == "active")
    if not User.select().where(me).exists():
        raise SignInRequired


def _withdraw_access(user: User) -> None:
    """End sessions, tokens, links and addresses; also on enabling, for requests that were under way when disabled."""
    for secret in (Session, PasswordReset):
        secret.delete().where(secret.user == user.id).execute()
    revocation.end_calendar_addresses(user.id)
    revocation.withdraw(user.id)


def _log(user: User, event: str) -> None:
    """Log the change in every workspace of the user."""
    for member in Member.select().where(Member.user == user.id):
        events.write_later(member.workspace_id, event, "user", user.id, {"memberId": member.id})


def _select() -> Any:
    derived = _WORKSPACES.alias("workspaces"), _LAST_SEEN.alias("last_seen_at"), _FACTORS.alias("has_two_factor")
    return User.select(User, *derived)


class Collection:
    @endpoint(access="instance", store="control", session_only=True)
    def on_get(self, query: UserFilter) -> Page[InstallationUserView]:
        """List the users of the installation, in any workspace or none.

        Only administrators of the installation can read it. Each has their workspaces, the time of the last visit, and
        whether the account is disabled.
        """
        return search(query)


class Item:
    def _read(self, id: str) -> InstallationUserView:
        return InstallationUserView.of(_row(User.find(id)))

    @endpoint(access="instance", store="control", session_only=True, refuses=(DisablingOneself,), reads=_read)
    def on_patch(self, id: str, body: UserStatusChange) -> InstallationUserView:
        """Disable or enable a user.

        Disabling ends all of their sessions and named tokens at once, voids links to set a password and secret calendar
        addresses, and revokes their pending invites. They stay a member of their workspaces, and keep their records.
        The only owner of a workspace can also be disabled: the other members go on working, and the owner can be
        enabled again to hand the workspace over. Make a link to set a password after enabling. You cannot disable
        yourself.
        """
        return InstallationUserView.of(change(id, body))


class TwoFactor:
    @endpoint(access="instance", store="control", session_only=True, refuses=(NotOn,))
    def on_post(self, id: str) -> InstallationUserView:
        """Let a user sign in with the password alone, after losing phone and recovery codes.

        Their sessions end. Another administrator's second factor is reset on the server only, with `erp user
        reset-two-factor`.
        """
        factors.reset_by_admin(id)
        return InstallationUserView.of(_row(User.find(id)))
