"""The schemas of bodies, views and parameters, as generators of clients need them.

A closed set says that it is text, nothing is null by default, and an amount is a string with a pattern. A field of an
answer is required unless it may be left out. The defaults of bodies are told in words, because generators of clients
take a field with a default for one that must be sent.
"""

from collections.abc import Sequence
from typing import Any, get_args

import msgspec

from erp.kernel.language import Sentence
from erp.web.contract import BadContract, Contract
from erp.web.hints import may_be_left_out
from erp.web.scalars import Scalar
from erp.web.schema import Body, View

REF = "#/components/schemas/{name}"


def reference(name: str) -> dict[str, str]:
    """A reference to a schema of the document."""
    return {"$ref": REF.format(name=name)}


WORKSPACE_FIELD = {
    "type": "string",
    "description": "The workspace to act in, instead of the header `x-workspace-id`.",
}


def of(contracts: Sequence[Contract]) -> dict[str, Any]:
    """The schemas of all bodies and views by name, those inside them included."""
    kinds: dict[type, None] = {}
    for contract in contracts:
        named = (contract.body, contract.view, contract.grouped, contract.sums, contract.preview)
        kinds |= dict.fromkeys(kind for kind in named if kind)
    schemas = _components(list(kinds))
    if shared := [name for name in schemas if "." in name]:
        raise BadContract(f"two structs have the same name: {shared}")
    for struct in _structs(tuple[tuple(kinds)], {}).values():  # type: ignore[misc]  # made at run time
        _settle_defaults(struct, schemas[struct.__name__])
    for kind in kinds:
        example = getattr(kind, "EXAMPLE", None)
        if example is not None:
            schemas[kind.__name__]["examples"] = [example]
    for contract in contracts:
        if contract.access == "workspace" and contract.body is not None:  # the guard takes it out of the body
            schemas[contract.body.__name__]["properties"]["workspaceId"] = WORKSPACE_FIELD
    return schemas


def of_query(query: type[msgspec.Struct]) -> dict[str, Any]:
    """The schema of a query, whose fields are the parameters."""
    schema: dict[str, Any] = _components([query])[query.__name__]
    return schema


def _components(kinds: list[type]) -> dict[str, Any]:
    _, schemas = msgspec.json.schema_components(kinds, schema_hook=_scalar, ref_template=REF)
    return {name: _plain(schema) for name, schema in schemas.items()}


def _structs(hint: Any, found: dict[str, type[msgspec.Struct]]) -> dict[str, type[msgspec.Struct]]:
    """The structs in a type and in their fields, by name."""
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct) and hint.__name__ not in found:
        found[hint.__name__] = hint
        for field in msgspec.structs.fields(hint):
            _structs(field.type, found)
    for inner in get_args(hint):
        _structs(inner, found)
    return found


def _settle_defaults(kind: type[msgspec.Struct], schema: dict[str, Any]) -> None:
    fields = msgspec.structs.fields(kind)
    if issubclass(kind, View):
        schema["required"] = [field.encode_name for field in fields if not may_be_left_out(field.type)]
    for property in schema["properties"].values():
        default = property.pop("default", None)
        if default and issubclass(kind, Body):
            about = property.get("description", "")
            property["description"] = f"{about} By default `{msgspec.json.encode(default).decode()}`.".strip()


def _scalar(kind: type) -> dict[str, Any]:
    if issubclass(kind, Scalar):
        return kind.json_schema
    if issubclass(kind, Sentence):
        return {"type": "string"}
    raise NotImplementedError(kind)


def _plain(schema: Any) -> Any:
    """A schema without `default: null`, in which every closed set says that it is text."""
    if isinstance(schema, list):
        return [_plain(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {name: _plain(value) for name, value in schema.items() if not (name == "default" and value is None)}
    return _typed_set(plain) if isinstance(plain.get("enum"), list) else plain


def _typed_set(schema: dict[str, Any]) -> dict[str, Any]:
    options = [option for option in schema["enum"] if option is not None]
    if "type" in schema or not all(isinstance(option, str) for option in options):
        return schema
    typed = {"type": "string", "enum": options}
    rest = {name: value for name, value in schema.items() if name != "enum"}
    if len(options) < len(schema["enum"]):
        return {"anyOf": [typed, {"type": "null"}], **rest}
    return {**typed, **rest}
