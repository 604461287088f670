"""The operations of a path: names, parameters, body, answers, and links from what is created to its address."""

import inspect
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import msgspec

from erp.kernel.wire import wire_name
from erp.web import several
from erp.web.contract import Contract
from erp.web.endpoint import contract_of
from erp.web.hints import hints
from erp.web.openapi.answers import is_created, responses, takes_if_match
from erp.web.openapi.names import operation_id
from erp.web.openapi.schemas import of_query, reference
from erp.web.openapi.tags import tag_of
from erp.web.schema import Body, array_of
from erp.web.transport.freshness import has_state
from erp.web.transport.uploads import FORM, TAKEN

VERBS = ("GET", "POST", "PUT", "PATCH", "DELETE")
WORKSPACE_HEADER = {
    "name": "x-workspace-id",
    "in": "header",
    "required": False,
    "description": "The workspace to act in; by default, the one that the session has selected.",
    "schema": {"type": "string"},
}
USER_HEADER = {
    "name": "x-user-id",
    "in": "header",
    "required": False,
    "description": "The user who is meant; if another one is signed in, 409 `other_user`.",
    "schema": {"type": "string"},
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
NONE_MATCH_HEADER = {
    "name": "If-None-Match",
    "in": "header",
    "required": False,
    "description": "The `ETag` of the answer before: if it would be the same again, 304.",
    "schema": {"type": "string"},
}
BY_FILE = (
    "The file may also be the body itself, with its own media type and the other fields in the query string, or a part"
    " of a form whose other parts are those fields."
)
IDS = {
    "workspace_id": "The workspace's id, as `GET /workspace` lists it.",
    "code": "The code, as the list shows it.",
    "kind": "The kind of person: `employee`, `contact` or `user`.",
    "name": "The backup's file name, as the list of backups shows it.",
    "secret": "The last part of the address, as shown when the address was created.",
    "year": "The year, such as 2026.",
}
"""Descriptions of path parameters that are not the id of a record."""
PARAMETER = re.compile(r"\{(\w+)\}")
"""A parameter in the template of a path."""
USUAL = {
    "actorUserId": "The user who made the change.",
    "category": "The VAT category, by its letter in UNCL 5305.",
    "format": "`csv` and `xlsx` answer a table, as `Accept` with their types does.",
    "isOverdue": "Whether it is past its due date and not fully paid.",
    "q": "Text to search for.",
    "resourceId": "The id of the record that was changed.",
    "resourceType": "The kind of record that was changed, such as `invoice`.",
    "sort": "The field to sort by. A `-` before it reverses the order.",
    "sourceId": "The id of the record that an entry was posted for.",
    "sourceType": "The kind of record that an entry was posted for, such as `invoice`.",
    "tag": "One of the tags.",
}
"""Descriptions of query parameters whose field has none, where the name does not say all."""


def shown_path(path: str) -> str:
    """A path with its parameters in camelCase."""
    return PARAMETER.sub(lambda match: wire_name(match[0]), path)


def operations(path: str, resource: object, routes: Mapping[str, object]) -> dict[str, Any]:
    """The operations of a path by verb in lower case; `routes` has the paths that they can link to."""
    by_verb = ((verb, contract_of(resource, verb)) for verb in VERBS)
    return {
        verb.lower(): _operation(path, verb, contract, routes) for verb, contract in by_verb if contract is not None
    }


def _operation(path: str, verb: str, contract: Contract, routes: Mapping[str, object]) -> dict[str, Any]:
    text = inspect.cleandoc(contract.function.__doc__ or "")
    first, _, rest = text.partition("\n\n")
    operation: dict[str, Any] = {
        "tags": [tag_of(path)],
        "operationId": _name(path, verb, contract, routes[path]),
        "summary": " ".join(first.split()),
        "parameters": _parameters(path, verb, contract),
        "responses": responses(contract, verb, _links(path, contract, routes)),
    }
    if rest:
        operation["description"] = rest
    if contract.access == "public":
        operation["security"] = []
    if contract.permission is not None:
        operation["x-permission"] = contract.permission
    if contract.body is not None:
        content = {"application/json": {"schema": reference(contract.body.__name__)}}
        if contract.body.UPLOAD:
            content |= _uploaded(contract.body)
            operation["description"] = " ".join(filter(None, (rest, BY_FILE)))
        elif contract.body.FILES:
            content |= _files(contract.body)
            operation["description"] = " ".join(filter(None, (rest, BY_FILE)))
        operation["requestBody"] = {"required": _is_required(contract.body), "content": content}
    return operation


def _is_required(body: type[Body]) -> bool:
    """Whether a request without a body is refused for want of a field or a file."""
    return bool(body.UPLOAD or body.FILES) or any(field.required for field in msgspec.structs.fields(body))


def _uploaded(body: type[Body]) -> dict[str, Any]:
    """The contents of a body that is a file of any size up to the limit, or a form with one."""
    part = {"type": "string", "contentMediaType": "application/octet-stream"}
    form = {"type": "object", "properties": {"upload": part, **_beside(body, ["file"])}, "required": ["upload"]}
    return {**{media: {"schema": part} for media in sorted(TAKEN - {FORM})}, FORM: {"schema": form}}


def _files(body: type[Body]) -> dict[str, Any]:
    """The contents of a body that is a file, or a form with one."""
    part = {"type": "string", "contentMediaType": "application/octet-stream"}
    others = _beside(body, body.FILES.values())
    form = {"type": "object", "properties": {"upload": part, **others}, "required": ["upload"]}
    return {**{media: {"schema": {"type": "string"}} for media in body.FILES}, FORM: {"schema": form}}


def _beside(body: type[Body], files: Collection[str]) -> dict[str, Any]:
    """The other fields of a form with a file, but for lists."""
    fields = (field for field in msgspec.structs.fields(body) if field.default_factory is msgspec.NODEFAULT)
    return {field.encode_name: {"type": "string"} for field in fields if field.encode_name not in files}


def _name(path: str, verb: str, contract: Contract, resource: object) -> str:
    return operation_id(verb, shown_path(path), contract, is_thing=contract_of(resource, "GET") is not None)


def _links(path: str, contract: Contract, routes: Mapping[str, object]) -> dict[str, Any]:
    """Links from a new record to the endpoint that shows it, at the address in its `Location`."""
    if not is_created(contract):
        return {}
    _, _, collection = (contract.collection or path).rpartition("/v1")
    inside = re.compile(re.escape(collection) + r"/\{\w+\}")
    for target in filter(inside.fullmatch, routes):
        shown = contract_of(routes[target], "GET")
        if shown is not None and shown.shape == "object":
            *outer, own = map(wire_name, PARAMETER.findall(target))
            return {
                "show": {
                    "operationId": _name(target, "GET", shown, routes[target]),
                    "parameters": {name: f"$request.path.{name}" for name in outer} | {own: "$response.body#/data/id"},
                    "description": "Show what was created.",
                }
            }
    return {}


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
    if contract.access not in ("public", "kiosk"):
        parameters.append(USER_HEADER)
    if contract.access == "workspace":
        parameters.append(WORKSPACE_HEADER)
    if contract.takes_idempotency_key and verb == "POST":
        parameters.append(IDEMPOTENCY_HEADER)
    if takes_if_match(contract):
        parameters.append(MATCH_HEADER)
    if has_state(contract):
        parameters.append(NONE_MATCH_HEADER)
    return parameters


def _query_parameters(query: type[msgspec.Struct]) -> list[dict[str, Any]]:
    schema, types = of_query(query), hints(query)
    required = schema.get("required", [])
    parameters: list[dict[str, Any]] = []
    for name, field in schema["properties"].items():
        field = _without_null(field)
        field |= array_of(types[name]) or {}
        text = field.pop("description", USUAL.get(name))
        if name in several.filters(query):
            parameters += _several(name, field, text)
            continue
        about = {"description": text} if text else {}
        parameters.append({"name": name, "in": "query", "required": name in required, "schema": field, **about})
    return parameters


def _several(name: str, field: dict[str, Any], text: str | None) -> Iterator[dict[str, Any]]:
    """The parameters of a filter with several values, and of the values that are left out."""
    values = {key: value for key, value in field.items() if key != "default"}
    if values.get("type") != "array":
        values = {"type": "array", "items": values}
    separated = " or separated by commas" if several.takes_commas(name) else ""
    usual = f"One or several, repeated{separated}."
    described = text if text and text.startswith("One or several") else f"{text} {usual}" if text else usual
    schema = values | {"maxItems": several.MOST}
    yield {"name": name, "in": "query", "required": False, "schema": schema, "description": described}
    out = f"Leaves out the records that `{name}` would choose."
    yield {"name": f"{several.NOT}{name}", "in": "query", "required": False, "schema": schema, "description": out}


def _without_null(field: dict[str, Any]) -> dict[str, Any]:
    """The schema of a query parameter: a query string cannot say null, which here means that it can be absent."""
    kinds: list[dict[str, Any]] = [kind for kind in field.get("anyOf", ()) if kind != {"type": "null"}]
    if len(kinds) == 1:
        return kinds[0] | {key: value for key, value in field.items() if key != "anyOf"}
    return dict(field)
