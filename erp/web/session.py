"""The guard: who is calling, in which workspace, and whether the role allows it. It refuses by default.

The checks have a fixed order: Host, cross-site, route, authentication, workspace, role, body.
Membership and role are read from the control file on every request, never from the session.
"""

import re
from datetime import timedelta
from typing import Any

import falcon

from erp.kernel import clock, config, roles, tokens
from erp.kernel.caller import Caller
from erp.kernel.errors import (
    BadParameter,
    Forbidden,
    MalformedJson,
    NotAMember,
    Refusal,
    SessionExpired,
    SignInRequired,
    TooLarge,
    Unavailable,
    UnsupportedMediaType,
    WorkspaceArchived,
    WorkspaceConflict,
    WorkspaceRequired,
)
from erp.store import control, events
from erp.store.control import Session
from erp.store.router import CONTROL
from erp.web import strict_json
from erp.web.contract import Contract
from erp.web.endpoint import contract_of

IDLE = timedelta(days=7)
LIFETIME = timedelta(days=30)
TOUCH = timedelta(hours=1)
"""How old the note of a session's last use must be before it is renewed."""

BODY_LIMIT = 1 << 20

_JSON_TYPE = re.compile(r"application/json\s*(;\s*charset=\"?utf-8\"?\s*)?", re.IGNORECASE)
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_SESSION = (
    "SELECT s.id, s.kind, s.is_read_only, s.active_workspace_id, s.last_used_at, s.expires_at,"
    " u.id, u.name, u.email, u.time_zone, u.locale, u.is_instance_admin"
    " FROM session AS s JOIN \"user\" AS u ON u.id = s.user_id WHERE s.token_hash = ? AND u.status = 'active'"
)
_MEMBER = (
    "SELECT w.status, m.role, EXISTS (SELECT 1 FROM outbox WHERE workspace_id = w.id)"
    " FROM workspace AS w JOIN member AS m ON m.workspace_id = w.id"
    " WHERE w.id = ? AND m.user_id = ? AND m.status = 'active' AND w.status <> 'creating'"
)


def cookie_name() -> str:
    """The session cookie's name; under TLS, one that only this host can set."""
    return "__Host-erp_session" if is_secure() else "erp_session"


def is_secure() -> bool:
    """Whether the office reaches this server through TLS."""
    return (config.current().public_url or "").startswith("https:")


class Guard:
    """Falcon middleware that lets a request through to its endpoint, or refuses it."""

    def process_resource(
        self, req: falcon.Request, resp: falcon.Response, resource: object, params: dict[str, str]
    ) -> None:
        """Authenticate, find the workspace, check the role, read the body."""
        contract = contract_of(resource, req.method)
        if contract is None:
            return
        if contract.access == "public":
            req.context.body = _read_body(req)
            return
        token = token_of(req)
        with control.read():
            who, last_used_at = authenticate(token, req.context.request_id)
            req.context.caller = who
            _check_kind(contract, who)
            body, refusal = _try_body(req)
            within = contract.access == "workspace"
            awaiting = _enter(contract, who, _named_workspace(req, body, params)) if within else None
        _touch(who, last_used_at)
        if awaiting is not None:
            events.deliver(awaiting)
        if refusal is not None:
            raise refusal
        req.context.body = body
        who.if_match = _if_match(req)


def token_of(req: falcon.Request) -> str | None:
    """The token that a request presents: in the Authorization header if there is one, else in the cookie.

    Raises:
        SignInRequired: the header is present, but is not exactly one bearer token.
    """
    header = req.get_header("Authorization")
    if header is None:
        values = req.get_cookie_values(cookie_name())
        return values[0] if values else None
    match = re.fullmatch(r"(?i:Bearer) +([!-+\--~]{1,200})", header)
    if match is None:
        raise SignInRequired
    return match[1]


def authenticate(token: str | None, request_id: str) -> tuple[Caller, str]:
    """The caller that a token stands for, and when its last use was noted; the control file is open.

    Raises:
        SignInRequired: there is no token, or it is not (or no longer) known.
        SessionExpired: the session has been idle for too long, or is too old.
    """
    if token is None:
        raise SignInRequired
    rows = CONTROL.rows(_SESSION, (tokens.hashed(token),))
    if not rows:
        raise SignInRequired
    session_id, kind, read_only, workspace_id, last_used_at, expires_at, *user = rows[0]
    _check_age(kind, last_used_at, expires_at)
    user_id, name, email, time_zone, locale, is_admin = user
    who = Caller(
        user_id=user_id,
        name=name,
        email=email,
        time_zone=time_zone,
        locale=locale,
        is_instance_admin=bool(is_admin),
        session_id=session_id,
        session_kind=kind,
        read_only=bool(read_only),
        active_workspace_id=workspace_id,
        request_id=request_id,
    )
    return who, last_used_at


def _check_age(kind: str, last_used_at: str, expires_at: str | None) -> None:
    now = clock.now()
    if expires_at is not None and clock.stamp(now) >= expires_at:
        raise SessionExpired
    if kind == "session" and clock.stamp(now - IDLE) >= last_used_at:
        raise SessionExpired


def _touch(who: Caller, last_used_at: str) -> None:
    """Note that the session is in use, at most once an hour."""
    now = clock.now()
    if clock.stamp(now - TOUCH) >= last_used_at:
        with control.write():
            Session.update(last_used_at=clock.stamp(now)).where(Session.id == who.session_id).execute()


def _check_kind(contract: Contract, who: Caller) -> None:
    if contract.access == "instance":
        _check_administers(who)
    if contract.session_only and who.session_kind == "token":
        raise Forbidden("A named token cannot do this. Sign in instead.")
    if contract.writes and who.read_only:
        raise Forbidden("This token is read-only.")


def _check_administers(who: Caller) -> None:
    if who.session_kind == "token":
        raise Forbidden("A named token never administers the installation. Sign in as an instance admin instead.")
    if not who.is_instance_admin:
        raise Forbidden("Only an instance admin can do this.")


def _named_workspace(req: falcon.Request, plain: Any, params: dict[str, str]) -> str | None:
    header = req.get_header("x-workspace-id")
    in_body = plain.pop("workspaceId", None) if isinstance(plain, dict) else None
    named = [name for name in (header, in_body, params.get("workspace_id")) if name is not None]
    if any(not isinstance(name, str) or not _UUID.fullmatch(name) for name in (header, in_body) if name is not None):
        raise BadParameter("Name the workspace by its id.")
    if len(set(named)) > 1:
        raise WorkspaceConflict
    return named[0] if named else None


def _enter(contract: Contract, who: Caller, named: str | None) -> str | None:
    """Let the caller into the workspace; return its id if events wait for it in the control file."""
    if who.session_kind == "token" and named not in (None, who.active_workspace_id):
        raise Forbidden("This token works only in its own workspace.")
    workspace_id = named or who.active_workspace_id
    if workspace_id is None:
        raise WorkspaceRequired
    rows = CONTROL.rows(_MEMBER, (workspace_id, who.user_id))
    if not rows:
        raise NotAMember
    status, role, has_mail = rows[0]
    who.workspace_id, who.role = workspace_id, role
    if status == "unavailable":
        raise Unavailable
    if contract.permission is None or not roles.allows(role, contract.permission):
        raise Forbidden(roles.lacking(role, contract.permission) if contract.permission else None)
    if status == "archived" and contract.writes and not contract.when_archived:
        raise WorkspaceArchived
    return workspace_id if has_mail else None


def _if_match(req: falcon.Request) -> int | None:
    header = req.get_header("If-Match")
    if header is None or header == "*":
        return None
    match = re.fullmatch(r'"([0-9]{1,15})"', header)
    if match is None:
        raise BadParameter('If-Match must be a version such as "3".')
    return int(match[1])


def _try_body(req: falcon.Request) -> tuple[Any, Refusal | None]:
    """Read the body, which may name the workspace; its refusal is raised only once the caller has been let in."""
    try:
        return _read_body(req), None
    except (MalformedJson, UnsupportedMediaType) as refusal:
        return None, refusal


def _read_body(req: falcon.Request) -> Any:
    if (req.content_length or 0) > BODY_LIMIT:
        raise TooLarge(limit=BODY_LIMIT)
    raw = req.bounded_stream.read(BODY_LIMIT + 1)
    if not raw:
        return {}
    if not _JSON_TYPE.fullmatch(req.content_type or ""):
        raise UnsupportedMediaType
    return strict_json.read(raw)
