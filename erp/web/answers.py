"""Failures as the envelope: refusals, the framework's errors, storage errors, and everything unexpected."""

import json
import logging
import re
from typing import Any

import falcon
from msgspec.structs import asdict
from peewee import DatabaseError, IntegrityError

from erp.kernel import language
from erp.kernel.caller import Caller
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
    Unavailable,
    UnsupportedMediaType,
)
from erp.store.connections import means_damage
from erp.web.pages import static

log = logging.getLogger("erp.errors")


def envelope(refusal: Refusal, request_id: str, spoken: str = language.ENGLISH) -> dict[str, Any]:
    """The failure envelope, with its sentences in a language."""
    error: dict[str, Any] = {"code": refusal.code, "status": refusal.status, **_said(refusal.message, spoken)}
    if refusal.details or refusal.status == 422:
        error["details"] = [
            {"field": complaint.field, "code": complaint.code, **_said(complaint.message, spoken)}
            for complaint in refusal.details
        ]
    if refusal.remedy is not None:
        error["remedy"] = asdict(refusal.remedy)
    return {"success": False, "error": error | {"requestId": request_id}}


def _said(message: str, spoken: str) -> dict[str, Any]:
    """A message, with the values of its placeholders, if it has any."""
    params = language.params(message)
    return {"message": language.translated(message, spoken), **({"params": params} if params else {})}


def language_of(req: falcon.Request) -> str:
    """The language of an answer's sentences: the user's own, else the one that the request asks for, else English."""
    return _preferred(req.context.caller) or language.accepted(req.get_header("Accept-Language")) or language.ENGLISH


def _preferred(who: Caller | None) -> str | None:
    """The language that a user has chosen; every user starts with `en`, which is therefore no choice."""
    return None if who is None or who.locale == language.ENGLISH else language.spoken(who.locale)


def answer(req: falcon.Request, resp: falcon.Response, refusal: Refusal) -> None:
    """Answer with a refusal in the reader's language."""
    spoken = language_of(req)
    resp.status = falcon.code_to_http_status(refusal.status)
    resp.content_type = falcon.MEDIA_JSON
    resp.data = json.dumps(envelope(refusal, req.context.request_id, spoken), ensure_ascii=False).encode()
    for name in ("ETag", "Location"):  # from an answer that was ready when the commit failed
        resp.delete_header(name)
    resp.set_headers(refusal.headers)
    if spoken != language.ENGLISH:
        resp.set_header("Content-Language", spoken)
        resp.append_header("Vary", "Accept-Language")
    if refusal.status == 401:
        reason = ', error="invalid_token"' if req.auth else ""
        resp.set_header("WWW-Authenticate", f'Bearer realm="erp"{reason}')


def on_refusal(req: falcon.Request, resp: falcon.Response, refusal: Refusal, params: dict[str, Any]) -> None:
    """Answer a broken rule."""
    answer(req, resp, refusal)


def on_framework_error(
    req: falcon.Request, resp: falcon.Response, error: falcon.HTTPError, params: dict[str, Any]
) -> None:
    """Answer an error of Falcon's; a browser that asks for a missing page gets a page that says so."""
    if isinstance(error, falcon.HTTPNotFound) and _wants_page(req):
        static.nowhere().show_missing(resp)
    else:
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


def _wants_page(req: falcon.Request) -> bool:
    """Whether a person follows a link; programs and scripts of pages ask for no HTML."""
    return req.method == "GET" and "text/html" in req.accept and not req.path.startswith("/api/v1")


def _as_refusal(error: falcon.HTTPError) -> Refusal:
    kinds: list[tuple[type[falcon.HTTPError], type[Refusal]]] = [
        (falcon.HTTPRouteNotFound, NoSuchEndpoint),
        (falcon.HTTPNotFound, NotFound),
        (falcon.HTTPMethodNotAllowed, MethodNotAllowed),
        (falcon.HTTPUnsupportedMediaType, UnsupportedMediaType),
    ]
    kind = next((refusal for framework, refusal in kinds if isinstance(error, framework)), BadParameter)
    message = language.verbatim(error.description) if kind is BadParameter and error.description else None
    return kind(message, headers=dict(error.headers or {}))
