"""The caller of a request: the user, the session, the workspace and the role."""

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import TypeVar

import msgspec

from erp.kernel import roles, scopes
from erp.kernel.errors import Forbidden, Refusal
from erp.kernel.roles import Role

A = TypeVar("A", bound=str)


class Caller(msgspec.Struct, kw_only=True):
    """The person or program that a request acts for.

    `workspace_id`, `role` and `is_workspace_archived` are set when the request acts in a workspace. `if_match` is the
    version that the caller expects of the record it changes; `match_checked` says that a rule has compared it. `scopes`
    limit a named token; None do not.
    `time_zone` is the user's own, if any; `erp.members.people.zone` gives the one that applies.
    """

    user_id: str
    name: str
    email: str
    time_zone: str | None = None
    locale: str = "en"
    is_instance_admin: bool = False
    session_id: str = ""
    session_kind: str = "session"
    read_only: bool = False
    scopes: tuple[str, ...] | None = None
    active_workspace_id: str | None = None
    workspace_id: str | None = None
    role: Role | None = None
    is_workspace_archived: bool = False
    request_id: str = ""
    if_match: int | None = None
    match_checked: bool = False


_CALLER: ContextVar[Caller] = ContextVar("caller")


def current() -> Caller:
    """The caller of the current request; LookupError outside of one."""
    return _CALLER.get()


def may(permission: str) -> bool:
    """Whether the caller's role in the workspace includes a permission, and so do the scopes of their token, if any."""
    who = current()
    return who.role is not None and roles.allows(who.role, permission) and scopes.allow(who.scopes, permission)


def may_change(permission: str) -> bool:
    """Whether the caller may change anything by a permission: not in an archived workspace, nor by a token to read."""
    who = current()
    is_open = not who.read_only and not who.is_workspace_archived
    return is_open and may(permission) and scopes.allow(who.scopes, permission, writes=True)


def allowed(permission: str, checks: Mapping[A, Callable[[], object]]) -> list[A]:
    """The names of the actions that the record's state and the caller's rights allow, as `can` shows them.

    Args:
        permission: needed for all of the actions.
        checks: by the name of an action, the check that refuses it.
    """
    if not may_change(permission):
        return []
    return passing(checks)


def passing(checks: Mapping[A, Callable[[], object]]) -> list[A]:
    """The actions, by name, whose check refuses nothing."""
    return sorted(name for name, check in checks.items() if _passes(check))


def _passes(check: Callable[[], object]) -> bool:
    try:
        check()
    except Refusal:
        return False
    return True


def refusal(permission: str) -> Forbidden:
    """The refusal of a caller whose role in the workspace, or whose token, lacks a permission; it names both."""
    role = current().role
    if role is not None and roles.allows(role, permission):
        return Forbidden(scopes.lacking(permission, writes=False))
    return Forbidden(role and roles.lacking(role, permission))


class acting:  # noqa: N801 - it reads as a verb: `with caller.acting(…)`
    """Act for a caller within the block."""

    __slots__ = ("_caller", "_token")

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def __enter__(self) -> Caller:
        self._token = _CALLER.set(self._caller)
        return self._caller

    def __exit__(self, *_: object) -> None:
        _CALLER.reset(self._token)
