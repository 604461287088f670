"""What breaks the rules of OpenAPI in a document; `openapi-spec-validator` needs a hundred times as long to say it."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
from openapi_spec_validator.schemas.utils import get_schema_content

OPENAPI = jsonschema_rs.Draft202012Validator(dict(get_schema_content("3.1")))
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def faults_of(document: dict[str, Any]) -> list[str]:
    """What breaks the rules of OpenAPI: its own schema, that of schemas, and what no schema can say."""
    schemas = document["components"]["schemas"]
    found = [error.message for error in OPENAPI.iter_errors(document)]
    found += [f"{name} is no schema" for name, each in schemas.items() if not is_schema(each)]
    found += [f"{ref} leads nowhere" for ref in sorted(refs_in(document)) if not leads_somewhere(document, ref)]
    found += refused_values(document)
    ids: Counter[str] = Counter()
    for path, item in document["paths"].items():
        for operation in item.values():
            ids[operation["operationId"]] += 1
            found += [f"{path}: {fault}" for fault in faults_of_parameters(path, operation["parameters"])]
    return found + [f"{id} is the name of two operations" for id, count in ids.items() if count > 1]


def faults_of_parameters(path: str, parameters: list[dict[str, Any]]) -> Iterator[str]:
    names = [(each["in"], each["name"]) for each in parameters]
    if len(names) > len(set(names)):
        yield "two parameters have the same name"
    if {name for place, name in names if place == "path"} != set(re.findall(r"{(\w+)}", path)):
        yield "its parameters are not those of its path"
    yield from (f"{each['name']} has no schema" for each in parameters if not is_schema(each["schema"]))


def refused_values(document: dict[str, Any]) -> Iterator[str]:
    """The schemas that refuse their own examples, or what they take when nothing is sent."""
    here = jsonschema_rs.Registry([("urn:document", document)], draft=jsonschema_rs.Draft202012)
    for node in objects_in(document):
        values = [*node.get("examples", ()), *([node["default"]] if "default" in node else ())]
        if values and is_schema(node):
            schema = json.loads(json.dumps(node).replace('"#/', '"urn:document#/'))
            validator = jsonschema_rs.validator_for(schema, registry=here, validate_formats=True)
            yield from (f"{node} refuses its own {value}" for value in values if not validator.is_valid(value))


def is_schema(node: dict[str, Any]) -> bool:
    return jsonschema_rs.meta.is_valid({"$schema": DIALECT, **node})


def objects_in(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
    inner = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    for each in inner:
        yield from objects_in(each)


def refs_in(document: dict[str, Any]) -> set[str]:
    return {node["$ref"] for node in objects_in(document) if isinstance(node.get("$ref"), str)}


def leads_somewhere(document: Any, ref: str) -> bool:
    for name in ref.removeprefix("#/").split("/"):
        if name not in document:
            return False
        document = document[name]
    return ref.startswith("#/")
