"""The guard: who is calling, in which workspace, and whether the role allows it. It refuses by default.

The checks have a fixed order: Host, cross-site, route, authentication, workspace, role, body.
Membership and role are read from the control file on every request, never from the session.
"""

import json
import logging
import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import falcon
import msgspec

from erp.kernel import clock, roles, scopes, tokens
from erp.kernel.caller import Caller
from erp.kernel.errors import (
    BadParameter,
    Forbidden,
    MalformedJson,
    NotAMember,
    OtherUser,
    Refusal,
    SessionExpired,
    SignInRequired,
    TooLarge,
    TwoFactorRequired,
    Unavailable,
    UnsupportedMediaType,
    WorkspaceArchived,
    WorkspaceConflict,
    WorkspaceRequired,
)
from erp.kernel.language import says
from erp.kernel.roles import Role
from erp.store import control, events
from erp.store.connections import TROUBLE
from erp.store.control import Session
from erp.web import cookies, kiosk_tokens, strict_json
from erp.web.contract import Contract
from erp.web.endpoint import contract_of
from erp.web.schema import Body
from erp.web.transport import uploads

IDLE = timedelta(days=7)
LIFETIME = timedelta(days=30)
TOUCH = timedelta(hours=1)
"""The age at which the note of a session's last use is renewed."""

BODY_LIMIT = 1 << 20

log = logging.getLogger("erp.sessions")

_JSON_TYPE = re.compile(r"application/json\s*(;\s*charset=\"?utf-8\"?\s*)?", re.IGNORECASE)
_BEARER = re.compile(r"(?i:Bearer) +([!-+\--~]{1,200})")
_VERSION = re.compile(r'"([0-9]{1,15})"|W/"([0-9]{1,15})-[0-9a-f]{24}"')
"""A record's version, or the weak tag that begins with it and answers a request with `If-None-Match`."""
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_CALLER = (
    "SELECT s.id, s.kind, s.is_read_only, s.scopes, s.active_workspace_id, s.last_used_at, s.expires_at,"
    " u.id, u.name, u.email, u.time_zone, u.locale, u.is_instance_admin,"
    f" w.status, m.role, {control.LACKS_TWO_FACTOR}, EXISTS (SELECT 1 FROM outbox WHERE workspace_id = w.id)"
    ' FROM session AS s JOIN "user" AS u ON u.id = s.user_id'
    " LEFT JOIN workspace AS w ON w.id = coalesce(?, s.active_workspace_id) AND w.status <> 'creating'"
    f" LEFT JOIN member AS m ON m.workspace_id = w.id AND m.user_id = u.id AND {control.MAY_ENTER}"
    " WHERE s.token_hash = ? AND u.status = 'active'"
)


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
            req.context.body = _read_body(req, contract)
            return
        token = token_of(req)
        if contract.access == "kiosk":
            req.context.caller = _kiosk(token, req.context.request_id)
            req.context.body = _read_body(req, contract)
            return
        body, refusal = _try_body(req, contract)
        is_within = contract.access == "workspace"
        names = _names_of_workspace(req, body, params) if is_within else []
        named = names[0] if names else None
        known = authenticate(token, named, req.context.request_id)
        _check_user(req, known.who)
        req.context.caller = known.who
        _check_kind(contract, known.who)
        if is_within:
            _check_names(names, "workspace_id" in params)
            _enter(contract, known, named)
        if not known.is_noted:
            _touch(known.who)
        if known.who.workspace_id is not None and known.has_mail:
            needs_file = contract.writes and "unavailable" not in contract.also_when  # reading works on a full disk
            deliver = events.deliver if needs_file else events.try_to_deliver
            deliver(known.who.workspace_id)
        if refusal is not None:
            raise refusal
        kind = contract.body
        req.context.body = uploads.arrived(req, kind) if kind and _brings_file(req, kind) else body
        known.who.if_match = _if_match(req)


def token_of(req: falcon.Request) -> str | None:
    """The token that a request presents: in the Authorization header if there is one, else in the cookie.

    Raises:
        SignInRequired: the header is present, but is not exactly one bearer token.
    """
    header = req.env.get("HTTP_AUTHORIZATION")
    if header is None:
        return cookies.sent(req, cookies.SESSION)
    match = _BEARER.fullmatch(header)
    if match is None:
        raise SignInRequired
    return match[1]


def _kiosk(token: str | None, request_id: str) -> Caller:
    """The kiosk that calls.

    Raises:
        Forbidden: a user calls.
        SignInRequired: neither does.
    """
    kiosk = kiosk_tokens.find(token, request_id)
    if kiosk is None:
        authenticate(token, None, request_id)
        raise Forbidden(says("Only a kiosk can do this, with its own token."))
    return kiosk


class Known(msgspec.Struct, frozen=True):
    """A caller, and the workspace that they name or have selected, as the control file has them.

    Without such a workspace, `status` is None; if the caller is not an active member of it, `role` is None. `is_noted`:
    the session's last use was noted less than `TOUCH` ago.
    """

    who: Caller
    is_noted: bool
    status: str | None
    role: Role | None
    lacks_two_factor: bool
    has_mail: bool


def authenticate(token: str | None, workspace: object, request_id: str) -> Known:
    """The caller with this token.

    Args:
        workspace: the workspace that the request names, if any.

    Raises:
        SignInRequired: there is no token, or it is not (or no longer) known.
        Forbidden: it is the token of a kiosk.
        SessionExpired: the session has been idle for too long, or is too old.
    """
    if token is None:
        raise SignInRequired
    named = workspace if isinstance(workspace, str) else None
    rows = control.look_up(_CALLER, (named, clock.stamp(), tokens.hashed(token)))
    if not rows:
        if kiosk_tokens.find(token, request_id) is not None:
            raise Forbidden(says("The token of a kiosk is only for clocking in and out there."))
        raise SignInRequired
    session_id, kind, read_only, limits, selected, last_used_at, expires_at, *rest = rows[0]
    *user, status, role, lacks, has_mail = rest
    is_noted = _check_age(kind, last_used_at, expires_at)
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
        scopes=None if limits is None else tuple(json.loads(limits)),
        active_workspace_id=selected,
        request_id=request_id,
    )
    return Known(who, is_noted, status, role, bool(lacks), bool(has_mail))


def _check_age(kind: str, last_used_at: str, expires_at: str | None) -> bool:
    """Refuse a session that is too old; return whether its last use was noted less than `TOUCH` ago."""
    now = clock.now()
    if expires_at is not None and clock.stamp(now) >= expires_at:
        raise SessionExpired
    is_noted = clock.stamp(now - TOUCH) < last_used_at
    if not is_noted and kind == "session" and clock.stamp(now - IDLE) >= last_used_at:
        raise SessionExpired
    return is_noted


def _touch(who: Caller) -> None:
    """Note that the session is in use, at most once an hour; if it cannot be noted, work goes on."""
    try:
        with control.note():
            Session.update(last_used_at=clock.stamp()).where(Session.id == who.session_id).execute()
    except TROUBLE as problem:
        log.warning("the last use of a session could not be noted: %s", problem)


def _check_user(req: falcon.Request, who: Caller) -> None:
    """Refuse a page whose user is no more the one who is signed in in its browser."""
    if req.env.get("HTTP_X_USER_ID", who.user_id) != who.user_id:
        raise OtherUser


def _check_kind(contract: Contract, who: Caller) -> None:
    if contract.access == "instance":
        _check_administers(who)
    if contract.session_only and who.session_kind == "token":
        raise Forbidden(says("An access token cannot do this. Sign in instead."))
    if contract.writes and who.read_only:
        raise Forbidden(says("This token is read-only."))


def _check_administers(who: Caller) -> None:
    if who.session_kind == "token":
        raise Forbidden(
            says("An access token cannot administer the server. Sign in as a server administrator instead.")
        )
    if not who.is_instance_admin:
        raise Forbidden(says("Only server administrators can do this."))


def _names_of_workspace(req: falcon.Request, plain: Any, params: dict[str, str]) -> list[Any]:
    """The workspaces that the request names: in its body, in a header, in its path."""
    in_body = plain.pop("workspaceId", None) if isinstance(plain, dict) else None
    names = (in_body, req.env.get("HTTP_X_WORKSPACE_ID"), params.get("workspace_id"))
    return [name for name in names if name is not None]


def _check_names(names: Sequence[Any], is_in_path: bool) -> None:
    sent = names[:-1] if is_in_path else names
    if any(not isinstance(name, str) or not _UUID.fullmatch(name) for name in sent):
        raise BadParameter(says("Name the workspace by its id."))
    if len(set(names)) > 1:
        raise WorkspaceConflict


def _enter(contract: Contract, known: Known, named: str | None) -> None:
    """Let the caller into the workspace."""
    who = known.who
    if who.session_kind == "token" and named not in (None, who.active_workspace_id):
        raise Forbidden(says("This token works only in its own workspace."))
    workspace_id = named or who.active_workspace_id
    if workspace_id is None:
        raise WorkspaceRequired
    if known.role is None:
        raise NotAMember
    if known.lacks_two_factor:
        raise TwoFactorRequired
    who.workspace_id, who.role, who.is_workspace_archived = workspace_id, known.role, known.status == "archived"
    if known.status == "unavailable" and "unavailable" not in contract.also_when:
        raise Unavailable
    _check_rights(contract, who, known.role)


def _check_rights(contract: Contract, who: Caller, role: Role) -> None:
    permission = contract.permission
    if permission is None or not roles.allows(role, permission):
        raise Forbidden(roles.lacking(role, permission) if permission else None)
    if not scopes.allow(who.scopes, permission, writes=contract.writes):
        raise Forbidden(scopes.lacking(permission, writes=contract.writes))
    if who.is_workspace_archived and contract.writes and "archived" not in contract.also_when:
        raise WorkspaceArchived


def _if_match(req: falcon.Request) -> int | None:
    header = req.env.get("HTTP_IF_MATCH")
    if header is None or header == "*":
        return None
    match = _VERSION.fullmatch(header)
    if match is None:
        raise BadParameter(says('If-Match must be a version such as "3".'))
    return int(match[1] or match[2])


def _try_body(req: falcon.Request, contract: Contract) -> tuple[Any, Refusal | None]:
    """Read the body, which may name the workspace; its refusal is raised only once the caller has been let in."""
    try:
        return _read_body(req, contract), None
    except (MalformedJson, TooLarge, UnsupportedMediaType) as refusal:
        return None, refusal


def _read_body(req: falcon.Request, contract: Contract) -> Any:
    length = req.content_length
    if not length or (contract.body is not None and _brings_file(req, contract.body)):
        return {}
    if length > BODY_LIMIT:
        raise _too_large(contract)
    raw = req.bounded_stream.read(BODY_LIMIT + 1)
    if not raw:
        return {}
    if _JSON_TYPE.fullmatch(req.content_type or ""):
        return strict_json.read(raw)
    if contract.body is not None and contract.body.FILES:
        return uploads.read(req, raw, contract.body)
    raise UnsupportedMediaType


def _brings_file(req: falcon.Request, kind: type[Body]) -> bool:
    """Whether the body is a file, which is read only once the caller has been let in."""
    return kind.UPLOAD and uploads.is_file(req)


def _too_large(contract: Contract) -> TooLarge:
    """The refusal, with the body's own advice where it has some."""
    message = contract.body.SMALLER if contract.body is not None else None
    return TooLarge(message, limit=BODY_LIMIT)
