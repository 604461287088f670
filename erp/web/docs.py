"""The interactive documentation at /api/docs, which needs no network.

The viewer is Swagger UI from the package offapi. Its files are read without importing the package, which would
load two more viewers. All of it is made or read on the first request: that takes a quarter of a start.
"""

import gzip
import re
import threading
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from falcon import HTTP_NOT_MODIFIED, MEDIA_HTML, MEDIA_JSON, HTTPNotFound, Request, Response

from erp.web.pages.static import File, checksum
from erp.web.transport.compression import LEVEL, accepts_gzip

T = TypeVar("T")

PATH = "/api/docs"
POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
OURS = ("docs.css", "docs.js", "events.html", "webhooks.html")
VIEWERS = ("swagger_bundle.js", "swagger_style.css")


def viewer() -> Path:
    """The folder of the viewer's files."""
    spec = find_spec("offapi")
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError("The package offapi, which holds the documentation's viewer, is not installed.")
    return Path(spec.submodule_search_locations[0])


def once(make: Callable[[], T]) -> Callable[[], T]:
    """A function that makes its value on the first call, once, even if several threads call it together."""
    making, made = threading.Lock(), cache(make)

    def get() -> T:
        with making:
            return made()

    return get


class Documentation(msgspec.Struct, frozen=True):
    """The document and the page that lists its operations, compressed and ready to send."""

    document: bytes
    etag: str
    page: bytes

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> "Documentation":
        """The document, ready to send."""
        plain = msgspec.json.encode(document)
        page = files("erp.web").joinpath("assets", "docs.html").read_text("utf-8")
        parts = {"about": about(document), "operations": operations_list(document)}
        for name, html in parts.items():
            page = page.replace("{" + name + "}", html)
        return cls(gzip.compress(plain, mtime=0), checksum(plain), gzip.compress(page.encode(), mtime=0))

    def send(self, req: Request, resp: Response, packed: bytes, media_type: str) -> None:
        """Answer with compressed text, unpacked for clients that do not accept gzip, unless the reader has it."""
        resp.set_header("ETag", f'W/"{self.etag}"')
        resp.set_header("Vary", "Accept-Encoding")
        resp.cache_control = ["no-cache"]
        if self.etag in (req.if_none_match or ()):
            resp.status = HTTP_NOT_MODIFIED
            return
        resp.content_type = media_type
        if accepts_gzip(req):
            resp.set_header("Content-Encoding", "gzip")
            resp.data = packed
        else:
            resp.data = gzip.decompress(packed)


class DocsPage:
    """The page, served without a redirect."""

    def __init__(self, documentation: Callable[[], Documentation]) -> None:
        self._documentation = documentation

    def on_get(self, req: Request, resp: Response) -> None:
        """Show the documentation."""
        documentation = self._documentation()
        resp.set_header("Content-Security-Policy", POLICY)
        documentation.send(req, resp, documentation.page, MEDIA_HTML)


class OpenApiDocument:
    """The OpenAPI document."""

    def __init__(self, documentation: Callable[[], Documentation]) -> None:
        self._documentation = documentation

    def on_get(self, req: Request, resp: Response) -> None:
        """Get the OpenAPI document, unless the reader already has this version."""
        documentation = self._documentation()
        documentation.send(req, resp, documentation.document, MEDIA_JSON)


class OneOperation:
    """The part of the OpenAPI document that describes one operation: what the viewer needs to show it."""

    def __init__(self, documentation: Callable[[], Documentation]) -> None:
        self._documentation = documentation

    def on_get(self, req: Request, resp: Response, operation_id: str) -> None:
        """Get the part of an operation."""
        documentation = self._documentation()
        part = part_of(gzip.decompress(documentation.document), operation_id)
        if part is None:
            raise HTTPNotFound
        documentation.send(req, resp, gzip.compress(part, LEVEL, mtime=0), MEDIA_JSON)


class DocsFile:
    """The scripts and styles that the page loads."""

    def __init__(self) -> None:
        self._files = once(_files)

    def on_get(self, req: Request, resp: Response, name: str) -> None:
        """Send a file, unless the browser already has it."""
        file = self._files().get(name)
        if file is None:
            raise HTTPNotFound
        resp.set_header("Content-Security-Policy", POLICY)
        file.send(req, resp, "no-cache")


def _files() -> dict[str, File]:
    assets = files("erp.web").joinpath("assets")
    sources: list[Traversable] = [assets / name for name in OURS]
    sources += [viewer() / name for name in VIEWERS]
    return {source.name: File.of(source.name, source.read_bytes()) for source in sources}


def _escaped(text: str) -> str:
    from html import escape  # here, because few servers are asked for the documentation

    return escape(text)


def about(document: Mapping[str, Any]) -> str:
    """The description of the whole API as HTML: paragraphs, with code between backticks."""
    text = re.sub("`(.+?)`", r"<code>\1</code>", _escaped(document["info"]["description"].strip()))
    return "\n".join(f"<p>{paragraph}</p>" for paragraph in text.split("\n\n"))


def operations_list(document: Mapping[str, Any]) -> str:
    """All operations as HTML by tag, each with the words by which the search finds it."""
    by_tag: dict[str, list[str]] = {tag["name"]: [] for tag in document["tags"]}
    for path, item in document["paths"].items():
        for verb, operation in item.items():
            by_tag.setdefault(operation["tags"][0], []).append(_listed(path, verb, operation, document["components"]))
    descriptions = {tag["name"]: tag["description"] for tag in document["tags"]}
    return "\n".join(
        f"<details><summary>{_escaped(tag)} ({len(items)})</summary>\n"
        f"<p>{_escaped(descriptions.get(tag, ''))}</p>\n<ul>\n" + "\n".join(items) + "\n</ul>\n</details>"
        for tag, items in by_tag.items()
        if items
    )


def _listed(path: str, verb: str, operation: Mapping[str, Any], components: Mapping[str, Any]) -> str:
    operation_id, done = (
        operation["operationId"],
        [answer for status, answer in operation["responses"].items() if status < "3"],
    )
    names = {parameter["name"] for parameter in operation["parameters"]} | {operation_id}
    _add_fields([operation.get("requestBody"), done], components, set(), names)
    return (
        f'<li data-words="{_escaped(" ".join(sorted(names)))}"><details id="{operation_id}"><summary>'
        f"<code>{verb.upper()} {_escaped(path)}</code> {_escaped(operation['summary'])}</summary></details></li>"
    )


def _add_fields(node: Any, components: Mapping[str, Any], seen: set[str], names: set[str]) -> None:
    """Add the names of all fields of a schema and of the schemas inside it."""
    if isinstance(node, list):
        for inner in node:
            _add_fields(inner, components, seen, names)
    elif isinstance(node, dict):
        reference = node.get("$ref")
        if isinstance(reference, str):
            *_, kind, name = reference.split("/")
            if reference not in seen:
                seen.add(reference)
                _add_fields(components[kind][name], components, seen, names)
        names.update(node["properties"] if isinstance(node.get("properties"), dict) else ())
        for inner in node.values():
            _add_fields(inner, components, seen, names)


class _Document(msgspec.Struct):
    """An OpenAPI document, its parts unread."""

    openapi: str
    info: msgspec.Raw
    security: msgspec.Raw
    paths: dict[str, dict[str, msgspec.Raw]]
    components: dict[str, dict[str, msgspec.Raw]]


class _Operation(msgspec.Struct, rename="camel"):
    operation_id: str


_WHOLE = msgspec.json.Decoder(_Document)
_NAMED = msgspec.json.Decoder(_Operation)


def _id_of(operation: msgspec.Raw) -> str:
    return _NAMED.decode(operation).operation_id


_REFERENCE = re.compile(rb'"#/components/(\w+)/([^"]+)"')


def part_of(document: bytes, operation_id: str) -> bytes | None:
    """The document of one operation alone, with all that it refers to; None if there is no such operation."""
    whole = _WHOLE.decode(document)
    every = ((path, verb, raw) for path, item in whole.paths.items() for verb, raw in item.items())
    path, verb, operation = next((each for each in every if _id_of(each[2]) == operation_id), ("", "", None))
    if operation is None:
        return None
    components: dict[str, dict[str, msgspec.Raw]] = {"securitySchemes": whole.components["securitySchemes"]}
    unread = [bytes(operation)]
    while unread:
        for kind, name in _REFERENCE.findall(unread.pop()):
            of_kind, inner = components.setdefault(kind.decode(), {}), whole.components[kind.decode()][name.decode()]
            if name.decode() not in of_kind:
                of_kind[name.decode()] = inner
                unread.append(bytes(inner))
    return msgspec.json.encode(
        _Document(whole.openapi, whole.info, whole.security, {path: {verb: operation}}, components)
    )
