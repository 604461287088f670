"""The OpenAPI 3.1 document, made from the contracts."""

import inspect
import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from apispec import APISpec

from erp import __version__
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
    Refusal,
    SessionExpired,
    SignInRequired,
    StorageFull,
    TooLarge,
    Unavailable,
    UnsupportedMediaType,
    VersionMismatch,
    WorkspaceArchived,
    WorkspaceConflict,
    WorkspaceRequired,
    summary,
)
from erp.kernel.wire import wire_name
from erp.web.contract import BadContract, Contract
from erp.web.endpoint import contract_of
from erp.web.scalars import Scalar

VERBS = ("GET", "POST", "PATCH", "DELETE")
REF = "#/components/schemas/{name}"
WORKSPACE_HEADER = {
    "name": "x-workspace-id",
    "in": "header",
    "required": False,
    "description": "The workspace to act in; by default, the one that the session has selected.",
    "schema": {"type": "string", "format": "uuid"},
}
WORKSPACE_FIELD = {
    "type": "string",
    "format": "uuid",
    "description": "The workspace to act in, instead of the header `x-workspace-id`.",
}
IDEMPOTENCY_HEADER = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "1 to 255 visible characters. For 72 hours, a repeated request gets the first answer again.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255},
}
MATCH_HEADER = {
    "name": "If-Match",
    "in": "header",
    "required": False,
    "description": 'The expected version, as in `ETag`: `"3"`.',
    "schema": {"type": "string"},
}
SCHEMES = {
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "The `session.token` of a sign-in, or a named token's `token`. It overrides the cookie.",
    },
    "cookie": {
        "type": "apiKey",
        "in": "cookie",
        "name": "erp_session",
        "description": "Set when you sign in on this page. There is nothing to enter here.",
    },
}
IDS = {
    "workspace_id": "The workspace's id, as `GET /workspace` lists it.",
    "name": "The backup's file name, as the list of backups shows it.",
    "secret": "The last part of the address, as shown when the address was created.",
}
"""Descriptions of path parameters that are not the id of a record."""
PARAMETER = re.compile(r"\{(\w+)\}")
"""A parameter in the template of a path."""
USUAL = {"sort": "The field to sort by. A `-` before it reverses the order."}
"""Descriptions of query parameters whose field has none."""

Area = tuple[str, str, Mapping[str, object]]
"""An area's tag, its description and its routes."""


def document(areas: list[Area], prefix: str, description: str) -> dict[str, Any]:
    """The document of all areas."""
    spec = APISpec(
        title="erp",
        version=__version__,
        openapi_version="3.1.0",
        info={"description": description, "license": {"name": "MIT", "identifier": "MIT"}},
        security=[{"bearer": []}, {"cookie": []}],
        tags=[{"name": tag, "description": text} for tag, text, _ in areas],
    )
    for name, scheme in SCHEMES.items():
        spec.components.security_scheme(name, scheme)
    for name, schema in _schemas(areas).items():
        spec.components.schema(name, schema)
    for *_, routes in areas:
        for path, resource in routes.items():
            spec.path(prefix + _shown(path), operations=_operations(path, resource))
    return spec.to_dict()


def _shown(path: str) -> str:
    """A path with its parameters in camelCase."""
    return PARAMETER.sub(lambda match: wire_name(match[0]), path)


def contracts(areas: list[Area]) -> Iterator[tuple[str, str, str, Contract]]:
    """Every endpoint: its tag, which is the first part of its path, then path, verb and contract."""
    for *_, routes in areas:
        for path, resource in routes.items():
            for verb in VERBS:
                contract = contract_of(resource, verb)
                if contract is not None:
                    yield tag_of(path), path, verb, contract


def _schemas(areas: list[Area]) -> dict[str, Any]:
    kinds: dict[type, None] = {}
    for *_, contract in contracts(areas):
        named = (contract.body, contract.view, contract.grouped, contract.preview)
        kinds |= dict.fromkeys(kind for kind in named if kind)
    _, schemas = msgspec.json.schema_components(list(kinds), schema_hook=_scalar, ref_template=REF)
    if shared := [name for name in schemas if "." in name]:
        raise BadContract(f"two structs have the same name: {shared}")
    for kind in kinds:
        example = getattr(kind, "EXAMPLE", None)
        if example is not None:
            schemas[kind.__name__]["examples"] = [example]
    for *_, contract in contracts(areas):
        if contract.access == "workspace" and contract.body is not None:  # the guard takes it out of the body
            schemas[contract.body.__name__]["properties"]["workspaceId"] = WORKSPACE_FIELD
    return schemas | {"Failure": _FAILURE, "Complaint": _COMPLAINT}


def _scalar(kind: type) -> dict[str, Any]:
    if issubclass(kind, Scalar):
        return kind.json_schema
    raise NotImplementedError(kind)


def tag_of(path: str) -> str:
    """The tag of a path: its first part, no matter which area serves it."""
    return path.split("/")[1]


def _operations(path: str, resource: object) -> dict[str, Any]:
    by_verb = ((verb, contract_of(resource, verb)) for verb in VERBS)
    return {verb.lower(): _operation(path, verb, contract) for verb, contract in by_verb if contract is not None}


def _operation(path: str, verb: str, contract: Contract) -> dict[str, Any]:
    text = inspect.cleandoc(contract.function.__doc__ or "")
    first, _, rest = text.partition("\n\n")
    operation: dict[str, Any] = {
        "tags": [tag_of(path)],
        "operationId": _operation_id(verb, path),
        "summary": " ".join(first.split()),
        "parameters": _parameters(path, verb, contract),
        "responses": _responses(contract, verb),
    }
    if rest:
        operation["description"] = rest
    if contract.access == "public":
        operation["security"] = []
    if contract.permission is not None:
        operation["x-permission"] = contract.permission
    if contract.body is not None:
        media = {"schema": {"$ref": REF.format(name=contract.body.__name__)}}
        operation["requestBody"] = {"required": True, "content": {"application/json": media}}
    return operation


def _operation_id(verb: str, path: str) -> str:
    words = re.sub(r"[^a-z0-9]+", "_", path.lower()).strip("_")
    return f"{verb.lower()}_{words}"


def _parameters(path: str, verb: str, contract: Contract) -> list[dict[str, Any]]:
    parameters: list[dict[str, Any]] = [
        {
            "name": wire_name(name),
            "in": "path",
            "required": True,
            "description": IDS.get(name, "The record's id, as lists and answers show it."),
            "schema": {"type": "string"},
        }
        for name in PARAMETER.findall(path)
    ]
    if contract.query is not None:
        parameters += _query_parameters(contract.query)
    if contract.access == "workspace":
        parameters.append(WORKSPACE_HEADER)
    if contract.takes_idempotency_key and verb == "POST":
        parameters.append(IDEMPOTENCY_HEADER)
    if contract.store and contract.writes and {"id", "workspace_id"} & {*contract.wants}:
        parameters.append(MATCH_HEADER)
    return parameters


def _query_parameters(query: type[msgspec.Struct]) -> list[dict[str, Any]]:
    _, components = msgspec.json.schema_components([query], schema_hook=_scalar, ref_template=REF)
    schema = components[query.__name__]
    required = schema.get("required", [])
    parameters = []
    for name, field in schema["properties"].items():
        field = _without_null(field)
        about = {"description": field.pop("description", USUAL.get(name, ""))}
        parameters.append({"name": name, "in": "query", "required": name in required, "schema": field, **about})
    return parameters


def _without_null(field: dict[str, Any]) -> dict[str, Any]:
    """The schema of a query parameter: a query string cannot say null, which here means that it can be absent."""
    kinds = [kind for kind in field.get("anyOf", ()) if kind != {"type": "null"}]
    if len(kinds) == 1:
        field = kinds[0] | {key: value for key, value in field.items() if key != "anyOf" and value is not None}
    return {"type": "string"} | field if "enum" in field else field


def refusals(contract: Contract, verb: str) -> dict[int, list[type[Refusal]]]:
    """Every refusal that an endpoint may answer with, by status."""
    kinds: list[type[Refusal]] = [BadParameter, HostRejected, CrossSite, InternalError, Busy]
    if contract.access != "public":
        kinds += [SignInRequired, SessionExpired, Forbidden]
    if contract.access == "workspace":
        kinds += [WorkspaceRequired, WorkspaceConflict, NotAMember, Unavailable]
        kinds += [WorkspaceArchived] if contract.writes and not contract.when_archived else []
    if verb != "GET":
        kinds += [MalformedJson, TooLarge, UnsupportedMediaType, Invalid, StorageFull]
        kinds += [VersionMismatch, IdempotencyMismatch, NumberTaken] if contract.store else []
    if "id" in contract.wants:
        kinds.append(NotFound)
    by_status: dict[int, list[type[Refusal]]] = {}
    for kind in dict.fromkeys((*kinds, *contract.refuses)):
        by_status.setdefault(kind.status, []).append(kind)
    return by_status


_PLACEHOLDER = re.compile(r"\{\w+\}")
"""What is filled in when a refusal is raised; the documentation shows an ellipsis."""


def _responses(contract: Contract, verb: str) -> dict[str, Any]:
    content: dict[str, Any] = {"application/json": {"schema": _envelope(contract)}}
    if contract.media_types:
        content = {kind: {"schema": {"type": "string", "contentMediaType": kind}} for kind in contract.media_types}
    if contract.row is not None:
        content["text/csv"] = {"schema": {"type": "string"}}
    answers: dict[str, Any] = {str(contract.status): {"description": "Done.", "content": content}}
    if contract.preview is not None:
        preview = {"schema": _succeeded({"$ref": REF.format(name=contract.preview.__name__)})}
        answers["200"] = {"description": "A preview; nothing was created.", "content": {"application/json": preview}}
    for status, kinds in sorted(refusals(contract, verb).items()):
        codes = "\n".join(f"- `{kind.code}`: {_PLACEHOLDER.sub('…', summary(kind))}" for kind in kinds)
        failure = {"schema": {"$ref": REF.format(name="Failure")}}
        answers[str(status)] = {"description": codes, "content": {"application/json": failure}}
    return answers


def _envelope(contract: Contract) -> dict[str, Any]:
    data: dict[str, Any] = {"type": "object"}
    if contract.view is not None:
        data = {"$ref": REF.format(name=contract.view.__name__)}
    if contract.shape in ("page", "list"):
        data = {"type": "array", "items": data}
    usual = _succeeded(data, **({"page": _PAGE} if contract.shape == "page" else {}))
    if contract.grouped is None:
        return usual
    groups = {"type": "array", "items": {"$ref": REF.format(name=contract.grouped.__name__)}}
    return {"oneOf": [usual, {**_succeeded(groups), "not": {"required": ["page"]}}]}


def _succeeded(data: dict[str, Any], **more: dict[str, Any]) -> dict[str, Any]:
    properties: dict[str, Any] = {"success": {"const": True}, "data": data, **more}
    return {"type": "object", "required": list(properties), "properties": properties}


_PAGE = {
    "type": "object",
    "required": ["limit", "nextCursor"],
    "properties": {
        "limit": {"type": "integer"},
        "nextCursor": {"type": ["string", "null"]},
        "total": {"type": "integer"},
    },
}
_COMPLAINT = {
    "type": "object",
    "required": ["field", "code", "message"],
    "properties": {name: {"type": "string"} for name in ("field", "code", "message")},
}
_REMEDY = {
    "type": "object",
    "description": "A request that can be sent instead, perhaps after changing its body; only where there is one.",
    "required": ["method", "path", "body"],
    "properties": {"method": {"type": "string"}, "path": {"type": "string"}, "body": {"type": "object"}},
}
_FAILURE = {
    "type": "object",
    "required": ["success", "error"],
    "properties": {
        "success": {"const": False},
        "error": {
            "type": "object",
            "required": ["code", "status", "message", "requestId"],
            "properties": {
                "code": {"type": "string"},
                "status": {"type": "integer"},
                "message": {"type": "string"},
                "details": {"type": "array", "items": {"$ref": REF.format(name="Complaint")}},
                "remedy": _REMEDY,
                "requestId": {"type": "string"},
            },
        },
    },
}
