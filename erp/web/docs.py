"""The interactive documentation at /api/docs, which needs no network.

The viewer is Swagger UI from the package offapi. Its files are read without importing the package, which would
load two more viewers. All of it is made or read on the first request: that takes a quarter of a start.
"""

import gzip
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
from erp.web.transport.compression import accepts_gzip

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
    """The compressed document and the page that shows it, ready to send."""

    document: bytes
    etag: str
    page: bytes

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> "Documentation":
        """The document, ready to send."""
        plain = msgspec.json.encode(document)
        page = files("erp.web").joinpath("assets", "docs.html").read_text("utf-8")
        return cls(
            document=gzip.compress(plain, mtime=0),
            etag=checksum(plain),
            page=page.replace("{operations}", operations_list(document)).encode(),
        )


class DocsPage:
    """The page, served without a redirect."""

    def __init__(self, documentation: Callable[[], Documentation]) -> None:
        self._documentation = documentation

    def on_get(self, _req: Request, resp: Response) -> None:
        """Show the documentation."""
        resp.set_header("Content-Security-Policy", POLICY)
        resp.content_type = MEDIA_HTML
        resp.data = self._documentation().page


def operations_list(document: Mapping[str, Any]) -> str:
    """All operations as HTML by tag, for readers without a script."""
    from html import escape

    by_tag: dict[str, list[str]] = {tag["name"]: [] for tag in document["tags"]}
    for path, item in document["paths"].items():
        for verb, operation in item.items():
            words = f"<code>{verb.upper()} {escape(path)}</code> {escape(operation['summary'])}"
            by_tag.setdefault(operation["tags"][0], []).append(f"<li>{words}</li>")
    groups = (
        f"<details><summary>{escape(tag)} ({len(items)})</summary>\n<ul>\n" + "\n".join(items) + "\n</ul>\n</details>"
        for tag, items in by_tag.items()
    )
    return "\n".join(groups)


class OpenApiDocument:
    """The OpenAPI document; it is unpacked for the few clients that do not accept gzip."""

    def __init__(self, documentation: Callable[[], Documentation]) -> None:
        self._documentation = documentation

    def on_get(self, req: Request, resp: Response) -> None:
        """Get the OpenAPI document, unless the reader already has this version."""
        documentation = self._documentation()
        resp.set_header("ETag", f'W/"{documentation.etag}"')
        resp.set_header("Vary", "Accept-Encoding")
        resp.cache_control = ["no-cache"]
        if documentation.etag in (req.if_none_match or ()):
            resp.status = HTTP_NOT_MODIFIED
            return
        resp.content_type = MEDIA_JSON
        if accepts_gzip(req):
            resp.set_header("Content-Encoding", "gzip")
            resp.data = documentation.document
        else:
            resp.data = gzip.decompress(documentation.document)


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
