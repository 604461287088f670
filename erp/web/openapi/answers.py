"""The answers of an endpoint: its named envelope, headers, links to possible next requests, and refusals."""

import re
from collections.abc import Iterable
from typing import Any

from erp.kernel.errors import (
    BadParameter,
    Busy,
    CrossSite,
    Forbidden,
    HostRejected,
    IdempotencyMismatch,
    InternalError,
    Invalid,
    MalformedJson,
    NotAMember,
    NotFound,
    NumberTaken,
    OtherUser,
    Refusal,
    SessionExpired,
    SignInRequired,
    StorageFull,
    TooLarge,
    TwoFactorRequired,
    Unavailable,
    UnsupportedMediaType,
    VersionMismatch,
    WorkspaceArchived,
    WorkspaceConflict,
    WorkspaceRequired,
    summary,
)
from erp.web.contract import Contract
from erp.web.openapi.names import plural
from erp.web.openapi.schemas import reference
from erp.web.schema import FILE_TYPES
from erp.web.transport.freshness import has_state

HEADERS: dict[str, dict[str, Any]] = {
    "Content-Disposition": {
        "description": "The name of the file, if the answer is one.",
        "schema": {"type": "string"},
        "example": 'attachment; filename="list.csv"',
    },
    "Content-Language": {
        "description": "The language of the messages, where it is not English.",
        "schema": {"type": "string"},
        "example": "de",
    },
    "Content-Location": {
        "description": "The path at which a page can show the file in a frame for a minute.",
        "schema": {"type": "string"},
    },
    "ETag": {
        "description": "A record's version in quotation marks, for `If-Match`; a weak one is for `If-None-Match`.",
        "schema": {"type": "string"},
        "example": '"3"',
    },
    "Idempotent-Replayed": {
        "description": "`true` if this is the answer to an earlier request with the same `Idempotency-Key`.",
        "schema": {"type": "string", "enum": ["true"]},
    },
    "Location": {"description": "The path of the new record.", "schema": {"type": "string"}},
    "Retry-After": {"description": "After how many seconds to try again.", "schema": {"type": "integer"}},
    "Set-Cookie": {
        "description": "The session's cookie: set, or ended. Its name ends in eight digits of the installation.",
        "schema": {"type": "string"},
    },
    "WWW-Authenticate": {"description": "How to sign in: `Bearer`.", "schema": {"type": "string"}},
    "X-Content-SHA256": {
        "description": "The SHA-256 of a file that is stored, in hexadecimal digits.",
        "schema": {"type": "string"},
    },
    "X-Left-Out": {"description": "The ids of drafts, separated by commas.", "schema": {"type": "string"}},
    "X-Payroll-Warning": {
        "description": "Both sums, where a reversed run had paid the period before.",
        "schema": {"type": "string"},
        "example": "period_paid_before; paidBefore=1700.00; paidNow=2450.00",
    },
    "X-Report-Proof": {
        "description": "The `proof` of a report as JSON, where the answer is its CSV file.",
        "schema": {"type": "string"},
    },
    "X-Request-Id": {
        "description": "The id of this request, as in the server's log.",
        "schema": {"type": "string"},
    },
}
_OF_FILES = ("Content-Location", "X-Content-SHA256", "X-Left-Out", "X-Payroll-Warning", "X-Report-Proof")
"""Headers of a few files, whose endpoints name them in their docstrings."""
_UNCHANGED = ("ETag", "X-Request-Id")
_OF_STATUS = {401: "WWW-Authenticate", 429: "Retry-After", 503: "Retry-After"}
"""The headers that refusals of a status have."""
_PLACEHOLDER = re.compile(r"\{\w+\}")
"""A value that is filled in when a refusal is raised; the documentation shows an ellipsis."""


def takes_if_match(contract: Contract) -> bool:
    """Whether an endpoint accepts If-Match with the version of the record that it changes."""
    by_rule = contract.store and contract.writes and {"id", "workspace_id"} & {*contract.wants}
    return bool(by_rule) or VersionMismatch in contract.refuses


def refusals(contract: Contract, verb: str) -> dict[int, list[type[Refusal]]]:
    """Every refusal that an endpoint may answer with, by status."""
    kinds: list[type[Refusal]] = [BadParameter, HostRejected, CrossSite, InternalError, Busy]
    if contract.access == "kiosk":
        kinds += [SignInRequired, SessionExpired, Forbidden, Unavailable, WorkspaceArchived]
    elif contract.access != "public":
        kinds += [SignInRequired, SessionExpired, Forbidden, OtherUser]
    if contract.access == "workspace":
        kinds += [WorkspaceRequired, WorkspaceConflict, NotAMember, TwoFactorRequired]
        kinds += [Unavailable] if "unavailable" not in contract.also_when else []
        kinds += [WorkspaceArchived] if contract.writes and "archived" not in contract.also_when else []
    if verb != "GET":
        kinds += [MalformedJson, TooLarge, UnsupportedMediaType, Invalid, StorageFull]
        kinds += [IdempotencyMismatch, NumberTaken] if contract.store else []
        kinds += [VersionMismatch] if takes_if_match(contract) else []
    if "id" in contract.wants:
        kinds.append(NotFound)
    by_status: dict[int, list[type[Refusal]]] = {}
    for kind in dict.fromkeys((*kinds, *contract.refuses)):
        by_status.setdefault(kind.status, []).append(kind)
    return by_status


def responses(contract: Contract, verb: str, links: dict[str, Any]) -> dict[str, Any]:
    """The answers of an endpoint by status."""
    answers = {str(contract.status): _done(contract, verb, links)}
    if contract.preview is not None:
        answers["200"] = _previewed(contract, contract.preview, verb)
    if has_state(contract):
        answers["304"] = {
            "description": "The answer is still the one that `If-None-Match` names.",
            "headers": _named(*_UNCHANGED),
        }
    for status, kinds in sorted(refusals(contract, verb).items()):
        answers[str(status)] = {
            "description": "\n".join(f"- `{kind.code}`: {_PLACEHOLDER.sub('…', summary(kind))}" for kind in kinds),
            "headers": _named(*filter(None, [_OF_STATUS.get(status)]), "Content-Language", "X-Request-Id"),
            "content": _json(reference("ErrorAnswer")),
        }
    return answers


def _done(contract: Contract, verb: str, links: dict[str, Any]) -> dict[str, Any]:
    done: dict[str, Any] = {
        "description": "Done.",
        "headers": _headers(contract, contract.view, verb),
        "content": _content(contract),
    }
    if is_created(contract):
        done["headers"] |= _named("Location")
    return done | ({"links": links} if links else {})


def _previewed(contract: Contract, preview: type, verb: str) -> dict[str, Any]:
    """The answer with status 200 of an endpoint with a preview: of the preview alone, or of both if it is also done."""
    schema, headers = reference(_answer(preview)), _headers(contract, preview, verb)
    if contract.status != 200:
        return {"description": "A preview; nothing was created.", "headers": headers, "content": _json(schema)}
    return {
        "description": "Done, or a preview if the body asks for one; then nothing was changed.",
        "headers": headers | _headers(contract, contract.view, verb),
        "content": _json({"anyOf": [reference(_name(contract)), schema]}),
    }


def _headers(contract: Contract, view: type | None, verb: str) -> dict[str, Any]:
    names = ["X-Request-Id"]
    if contract.shape == "object" and "version" in getattr(view, "__struct_fields__", ()):
        names.append("ETag")
    if "proof" in getattr(view, "__struct_fields__", ()):
        names.append("X-Report-Proof")
    if "resp" in contract.wants:  # it handles cookies
        names.append("Set-Cookie")
    if contract.media_types or _file_types(contract):
        names.append("Content-Disposition")
    names += [name for name in _OF_FILES if f"`{name}`" in (contract.function.__doc__ or "")]
    if contract.takes_idempotency_key and verb == "POST":
        names.append("Idempotent-Replayed")
    if has_state(contract):
        names.append("ETag")
    return _named(*names)


def is_created(contract: Contract) -> bool:
    """Whether its answer is a new record with an address."""
    return contract.status == 201 and hasattr(contract.view, "id")


def _named(*names: str) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in sorted(names)}


def _content(contract: Contract) -> dict[str, Any]:
    """The media types of an answer, each with its own schema."""
    if contract.media_types:
        return {kind: {"schema": _file(kind)} for kind in contract.media_types}
    return _json(_envelope(contract)) | {kind: {"schema": _file(kind)} for kind in _file_types(contract)}


def _file_types(contract: Contract) -> list[str]:
    """The media types of the files that an answer in JSON can also be."""
    kinds = [media.split(";")[0] for media in contract.file_types.values()]
    return kinds or ([FILE_TYPES[name].split(";")[0] for name in ("csv", "xlsx")] if contract.row is not None else [])


def _file(media_type: str) -> dict[str, Any]:
    is_text = media_type.startswith("text/") or media_type.endswith("xml")
    return {"type": "string"} if is_text else {"type": "string", "format": "binary"}


def _json(schema: dict[str, Any]) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


def _envelope(contract: Contract) -> dict[str, Any]:
    usual = reference(_name(contract))
    if contract.grouped is None:
        return usual
    return {"anyOf": [usual, reference(_list(contract.grouped))]}


def _name(contract: Contract) -> str:
    if contract.view is None:
        return "EmptyAnswer"
    if contract.shape == "page":
        return f"{_noun(contract.view)}ListAnswer"
    return _list(contract.view) if contract.shape == "list" else _answer(contract.view)


def _noun(view: type) -> str:
    return view.__name__.removesuffix("View")


def _answer(view: type) -> str:
    return f"{_noun(view)}Answer"


def _list(view: type) -> str:
    return f"{plural(_noun(view))}Answer"


def envelopes(contracts: Iterable[Contract]) -> dict[str, Any]:
    """The schemas of all answers by name."""
    schemas = {**_FIXED}
    for contract in contracts:
        if contract.media_types:
            continue
        schemas[_name(contract)] = _schema(contract)
        if contract.grouped is not None:
            schemas[_list(contract.grouped)] = _succeeded(_many(contract.grouped), "All groups.")
        if contract.preview is not None:
            schemas[_answer(contract.preview)] = _succeeded(reference(contract.preview.__name__), "A preview.")
    return schemas


def _schema(contract: Contract) -> dict[str, Any]:
    if contract.view is None:
        return _succeeded({"type": "object"}, "It is done, and there is nothing to show.")
    if contract.shape == "page":
        return _succeeded(_many(contract.view), "One page of a list.", page=_page(contract))
    if contract.shape == "list":
        return _succeeded(_many(contract.view), "A whole list.")
    return _succeeded(reference(contract.view.__name__), "An answer that succeeded.")


def _page(contract: Contract) -> dict[str, Any]:
    if contract.sums is None:
        return reference("PageInfo")
    sums = _many(contract.sums) | {"description": "The sums of all that match, if the request says `total`."}
    plain = _FIXED["PageInfo"]
    return {**plain, "properties": {**plain["properties"], "sums": sums}}


def _many(view: type) -> dict[str, Any]:
    return {"type": "array", "items": reference(view.__name__)}


def _succeeded(data: dict[str, Any], description: str, **more: dict[str, Any]) -> dict[str, Any]:
    properties: dict[str, Any] = {"success": {"type": "boolean", "const": True}, "data": data, **more}
    return {"type": "object", "description": description, "required": list(properties), "properties": properties}


def _text(description: str) -> dict[str, Any]:
    return {"type": "string", "description": description}


MESSAGE = (
    "A sentence for people, in their language: `Accept-Language` asks for one, and a user's `locale` goes before it."
)
_PARAMS = {
    "type": "object",
    "additionalProperties": True,
    "description": (
        "The values of the named places in the message, such as the number of a document, for clients that word it"
        " themselves. Days and instants are as in fields, amounts decimal strings, perhaps with their currency. Left"
        " out where there is none."
    ),
}

_FIXED: dict[str, Any] = {
    "PageInfo": {
        "type": "object",
        "description": "Which page of a list this is.",
        "required": ["limit", "nextCursor"],
        "properties": {
            "limit": {"type": "integer", "description": "The most records that a page has."},
            "nextCursor": {
                "anyOf": [{"type": "string"}, {"type": "null"}],
                "description": "The `cursor` of the next page; null on the last one.",
            },
            "total": {"type": "integer", "description": "How many records there are, if the request says `total`."},
        },
    },
    "Complaint": {
        "type": "object",
        "description": "A fault in one field.",
        "required": ["field", "code", "message"],
        "properties": {
            "field": _text("The field, such as `lines[0].quantity`."),
            "code": _text("For programs; it never changes its meaning."),
            "message": _text(MESSAGE),
            "params": _PARAMS,
        },
    },
    "Error": {
        "type": "object",
        "description": "Why a request was refused.",
        "required": ["code", "status", "message", "requestId"],
        "properties": {
            "code": _text("For programs; it never changes its meaning. Each endpoint lists its own."),
            "status": {"type": "integer", "description": "The status of the answer."},
            "message": _text(f"The fault, and how to mend it. {MESSAGE}"),
            "params": _PARAMS,
            "details": {
                "type": "array",
                "items": reference("Complaint"),
                "description": "Every field that is wrong; always there with status 422.",
            },
            "remedy": reference("Remedy"),
            "requestId": _text("The id of this request, as in the server's log."),
        },
    },
    "Remedy": {
        "type": "object",
        "description": "A request that can be sent instead, perhaps after changing its body; only where there is one.",
        "required": ["method", "path", "body"],
        "properties": {
            "method": {"type": "string", "enum": ["GET", "POST"], "description": "The verb."},
            "path": _text("The address without the host."),
            "body": {"type": "object", "description": "The body to send."},
        },
    },
    "ErrorAnswer": {
        "type": "object",
        "description": "A refusal. Nothing was changed.",
        "required": ["success", "error"],
        "properties": {"success": {"type": "boolean", "const": False}, "error": reference("Error")},
    },
}
"""The schemas that answers of every endpoint share."""
