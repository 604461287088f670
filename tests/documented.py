"""Whether answers keep the rules of WSGI, and are what the documentation says: every answer of every test.

The hook sits in Falcon itself, so that it sees what test clients, servers in this process and clients that are made
from the documentation ask. Clients of a server in another process call `check`.
"""

import functools
import gzip
import re
import wsgiref.validate
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from typing import Any, NamedTuple

import falcon
import falcon.testing
import jsonschema_rs
import msgspec

from erp.app import _router, openapi_document
from erp.web.openapi.operations import shown_path
from erp.web.openapi.schemas import reference

PREFIX = "/api/v1"
TO_TLS = 308
"""The status that sends a reader from http to https, whatever they ask."""
OF_A_BODY = (413, 415)
"""The refusals of a body, which a reader brings although no GET takes one."""
FOUND: list[str] = []
"""Where answers of the running test differ from the documentation."""

validator = wsgiref.validate.validator
IS_CHECKED: ContextVar[bool] = ContextVar("IS_CHECKED", default=True)
"""Whether a request and its answer are held against the rules of WSGI, which takes a tenth of a request's time."""

wsgiref.validate.validator = lambda application: validator(application) if IS_CHECKED.get() else application
ANSWERED: set[tuple[str, str]] = set()
"""The endpoints that have answered and not refused; until then each request is checked."""

ON_EVERY_ANSWER = {
    "access-control-allow-credentials",
    "access-control-allow-origin",
    "access-control-expose-headers",
    "cache-control",
    "connection",
    "content-encoding",
    "content-length",
    "content-security-policy",
    "content-type",
    "cross-origin-opener-policy",
    "cross-origin-resource-policy",
    "date",
    "referrer-policy",
    "server",
    "strict-transport-security",
    "vary",
    "x-content-type-options",
    "x-frame-options",
}
"""Headers that say nothing of an operation, by which no program decides anything."""


class Answer(NamedTuple):
    """An answer as it arrives; content that is None is a file, which is not read."""

    status: int
    headers: dict[str, str]
    content: bytes | None


class Documented(NamedTuple):
    """An answer of an operation as it is documented: its codes if it refuses, and a validator for each media type."""

    codes: set[str]
    headers: dict[str, dict[str, Any]]
    media_types: dict[str, Any]


def watch() -> None:
    """Hold every answer of this process against the documentation from now on."""
    respond = falcon.App.__call__

    def responding(self: Any, env: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        begun: list[Any] = []

        def start(*began: Any) -> Any:
            begun[:] = began
            return start_response(*began)

        body = respond(self, env, start)
        status, headers = begun[:2]
        content = b"".join(body) if isinstance(body, list) else None
        check(env["REQUEST_METHOD"], env["PATH_INFO"], int(status[:3]), headers, content)
        return body

    falcon.App.__call__ = responding  # type: ignore[method-assign]


def check_did_not_fail(answer: falcon.testing.Result) -> None:
    """Whatever a test sends, an endpoint never fails, though the documentation says how that would look."""
    assert answer.status_code < 500 or answer.status_code in (503, 507), answer.text


def check(verb: str, path: str, status: int, headers: Iterable[tuple[str, str]], content: bytes | None) -> None:
    """Note where an answer differs from the documentation; the test fails at its end."""
    is_stray_body = verb in ("GET", "HEAD") and status in OF_A_BODY
    if path.startswith(f"{PREFIX}/") and verb != "OPTIONS" and status != TO_TLS and not is_stray_body:
        answer = Answer(status, {name.lower(): value for name, value in headers}, content)
        endpoint = endpoint_of("GET" if verb == "HEAD" else verb, path)
        FOUND.extend(f"{verb} {path} {status}: {fault}" for fault in faults_of(endpoint, verb == "HEAD", answer))


def faults_of(endpoint: tuple[str, str] | None, is_head: bool, answer: Answer) -> Iterator[str]:
    documented = documented_answer(endpoint, answer.status)
    if documented is None:
        yield f"the status is not documented; the body is {(answer.content or b'')[:300]!r}"
        return
    yield from faults_of_headers(documented, answer.headers)
    whole = answer.headers.get("content-type", "")
    media_type = whole if whole in documented.media_types else whole.partition(";")[0]
    if answer.status == 304 or is_head:
        return
    if media_type not in documented.media_types:
        yield f"the media type {media_type!r} is not documented"
    elif answer.content is not None and media_type == "application/json":
        yield from faults_of_body(documented, answer)


def faults_of_headers(documented: Documented, headers: dict[str, str]) -> Iterator[str]:
    if unknown := headers.keys() - documented.headers.keys() - ON_EVERY_ANSWER:
        yield f"headers are not documented: {sorted(unknown)}"
    for name, header in documented.headers.items():
        if name in headers and not is_value(headers[name], header["schema"]):
            yield f"the header {name} is {headers[name]!r}"
        elif name not in headers and header.get("required"):
            yield f"the header {name} is missing"


def is_value(text: str, schema: dict[str, Any]) -> bool:
    """Whether the text of a header is a value of its schema."""
    if schema["type"] == "integer":
        return text.isdecimal()
    return bool(text) and text in schema.get("enum", [text])


def faults_of_body(documented: Documented, answer: Answer) -> Iterator[str]:
    assert answer.content is not None
    packed = answer.headers.get("content-encoding") == "gzip"
    body = msgspec.json.decode(gzip.decompress(answer.content) if packed else answer.content)
    schema = documented.media_types["application/json"]
    if not schema.is_valid(body):
        for fault in schema.iter_errors(body):
            yield f"{'.'.join(map(str, fault.instance_path))}: {fault.message[:300]}"
    elif documented.codes and body["error"]["code"] not in documented.codes:
        yield f"the code {body['error']['code']} is not documented"


def endpoint_of(verb: str, path: str) -> tuple[str, str] | None:
    """The verb and the path, with names for its ids, as the documentation has them."""
    found = _router().find(path.partition("?")[0].rstrip("/"))
    endpoint = (verb.lower(), shown_path(found[3])) if found and found[3] else None
    return endpoint if endpoint and endpoint[0] in document()["paths"].get(endpoint[1], ()) else None


@functools.cache
def document() -> dict[str, Any]:
    """The OpenAPI document, made once for all tests of a process: that takes two seconds."""
    return openapi_document()


@functools.cache
def documented_answer(endpoint: tuple[str, str] | None, status: int) -> Documented | None:
    """What the documentation says of an answer; what no operation answers is a refusal of any code."""
    if endpoint is None:
        headers = {name.lower(): header for name, header in document()["components"]["headers"].items()}
        return Documented(
            set(),
            headers | {"allow": {"schema": {"type": "string"}}},
            {"application/json": validator_of(reference("ErrorAnswer"))},
        )
    verb, path = endpoint
    answer = document()["paths"][path][verb]["responses"].get(str(status))
    if answer is None:
        return None
    headers = {name.lower(): header_of(each) for name, each in answer.get("headers", {}).items()}
    schemas = {kind: validator_of(each["schema"]) for kind, each in answer.get("content", {}).items()}
    codes = set(re.findall(r"^- `(\w+)`", answer["description"], re.MULTILINE)) if status >= 400 else set()
    return Documented(codes, headers, schemas)


def header_of(header: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = document()["components"]["headers"][header["$ref"].rpartition("/")[2]]
    return found


def validator_of(schema: dict[str, Any]) -> Any:
    """A validator of a schema of the document, which takes no field that the document does not have."""
    anchored = msgspec.json.decode(msgspec.json.encode(schema).replace(b'"#/', b'"urn:document#/'))
    return jsonschema_rs.validator_for(anchored, registry=closed_document(), validate_formats=True)


@functools.cache
def closed_document() -> jsonschema_rs.Registry:
    closed_schemas = {name: closed(schema) for name, schema in document()["components"]["schemas"].items()}
    resource = {"components": {"schemas": closed_schemas}}
    return jsonschema_rs.Registry([("urn:document", resource)], draft=jsonschema_rs.Draft202012)


def closed(node: Any) -> Any:
    """A schema whose objects have no other fields than it names."""
    if isinstance(node, list):
        return [closed(each) for each in node]
    if not isinstance(node, dict):
        return node
    inner = {name: closed(each) for name, each in node.items()}
    return {"additionalProperties": False, **inner} if isinstance(node.get("properties"), dict) else inner
