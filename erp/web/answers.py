"""Failures as the envelope: refusals, the framework's errors, storage errors, and everything unexpected."""

import json
import logging
import re
from typing import Any

import falcon
from msgspec.structs import asdict
from peewee import DatabaseError, IntegrityError

from erp.kernel.errors import (
    BadParameter,
    Busy,
    InternalError,
    MethodNotAllowed,
    NoSuchEndpoint,
    NotFound,
    NumberTaken,
    Refusal,
    StorageFull,
    TooLarge,
    Unavailable,
    UnsupportedMediaType,
)
from erp.store.connections import means_damage

log = logging.getLogger("erp.errors")


def envelope(refusal: Refusal, request_id: str) -> dict[str, Any]:
    """The failure envelope."""
    error: dict[str, Any] = {"code": refusal.code, "status": refusal.status, "message": refusal.message}
    if refusal.details or refusal.status == 422:
        error["details"] = [asdict(complaint) for complaint in refusal.details]
    if refusal.remedy is not None:
        error["remedy"] = asdict(refusal.remedy)
    return {"success": False, "error": error | {"requestId": request_id}}


def answer(req: falcon.Request, resp: falcon.Response, refusal: Refusal) -> None:
    """Answer with a refusal."""
    resp.status = falcon.code_to_http_status(refusal.status)
    resp.content_type = falcon.MEDIA_JSON
    resp.data = json.dumps(envelope(refusal, req.context.request_id), ensure_ascii=False).encode()
    for name in ("ETag", "Location"):  # from an answer that was ready when the commit failed
        resp.delete_header(name)
    resp.set_headers(refusal.headers)
    if refusal.status == 401:
        reason = ', error="invalid_token"' if req.auth else ""
        resp.set_header("WWW-Authenticate", f'Bearer realm="erp"{reason}')


def on_refusal(req: falcon.Request, resp: falcon.Response, refusal: Refusal, params: dict[str, Any]) -> None:
    """Answer a broken rule."""
    answer(req, resp, refusal)


def on_framework_error(
    req: falcon.Request, resp: falcon.Response, error: falcon.HTTPError, params: dict[str, Any]
) -> None:
    """Answer an error of Falcon's."""
    answer(req, resp, _as_refusal(error))


def on_storage_error(req: falcon.Request, resp: falcon.Response, error: DatabaseError, params: dict[str, Any]) -> None:
    """Answer that a file cannot be read or written."""
    message = str(error)
    if "locked" in message or "busy" in message:
        return answer(req, resp, Busy())
    log.error("request %s: %s", req.context.request_id, message)
    if "full" in message or "disk I/O" in message:
        return answer(req, resp, StorageFull())
    if means_damage(error) or any(sign in message for sign in ("unable to open", "no such table", "no such column")):
        return answer(req, resp, Unavailable())
    return on_unexpected(req, resp, error, params)


def on_constraint(req: falcon.Request, resp: falcon.Response, error: IntegrityError, params: dict[str, Any]) -> None:
    """Answer that a document number is taken; the rules check every other constraint before the database does."""
    if re.fullmatch(r"UNIQUE constraint failed: \w+\.number", str(error)):
        return answer(req, resp, NumberTaken())
    return on_unexpected(req, resp, error, params)


def on_unexpected(req: falcon.Request, resp: falcon.Response, error: Exception, params: dict[str, Any]) -> None:
    """Answer any other error with one plain sentence; the log has the details."""
    log.error("request %s failed", req.context.request_id, exc_info=error)
    answer(req, resp, InternalError())


def _as_refusal(error: falcon.HTTPError) -> Refusal:
    kinds: list[tuple[type[falcon.HTTPError], type[Refusal]]] = [
        (falcon.HTTPRouteNotFound, NoSuchEndpoint),
        (falcon.HTTPNotFound, NotFound),
        (falcon.HTTPMethodNotAllowed, MethodNotAllowed),
        (falcon.HTTPContentTooLarge, TooLarge),
        (falcon.HTTPUnsupportedMediaType, UnsupportedMediaType),
    ]
    kind = next((refusal for framework, refusal in kinds if isinstance(error, framework)), BadParameter)
    message = error.description if kind is BadParameter else None
    return kind(message or None, headers=dict(error.headers or {}), limit="too many")
