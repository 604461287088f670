"""The schemas of bodies, views and parameters, as generators of clients need them.

A closed set says that it is text, nothing is null by default, and an amount is a string with a pattern.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from erp.kernel.language import Sentence
from erp.web.contract import BadContract, Contract
from erp.web.scalars import Scalar

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
