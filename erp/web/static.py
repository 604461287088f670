"""The frontend's files, read once at the start and served from memory at addresses that contain their checksum.

Its messages in other languages are `messages/de.json` and the like beside them, made when first asked for.

The modules import each other by relative names, so one checksum over all files precedes the names: a browser can
keep a file for ever, and a new version of the program has new addresses.
"""

from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath

import msgspec
from falcon import HTTP_NOT_MODIFIED, HTTPNotFound, Request, Response

from erp.kernel import language

PATH = "/static"
POLICY = (
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'"
)
INDEX = "index.html"
_TRANSLATED = tuple(spoken for spoken in language.LANGUAGES if spoken != language.ENGLISH)
MEDIA_TYPES = {  # not those of the system: on Windows other programs change them
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}


class File(msgspec.Struct, frozen=True):
    """A file in memory, as it is sent."""

    content: bytes
    media_type: str
    etag: str

    @classmethod
    def of(cls, name: str, content: bytes) -> "File":
        """Content with its media type and checksum."""
        return cls(content, MEDIA_TYPES[PurePosixPath(name).suffix], checksum(content))

    def send(self, req: Request, resp: Response, *cache_control: str) -> None:
        """Send the file, unless the browser already has it."""
        resp.etag = self.etag
        resp.cache_control = list(cache_control)
        if self.etag in (req.if_none_match or ()):
            resp.status = HTTP_NOT_MODIFIED
            return
        resp.content_type = self.media_type
        resp.data = self.content


def checksum(content: bytes) -> str:
    """The first 128 bits of the content's SHA-256."""
    return sha256(content).hexdigest()[:32]


@cache
def frontend() -> tuple[str, dict[str, File]]:
    """The common checksum of the frontend's files, and the files by name; `index.html` contains their address."""
    contents = dict(sorted(_contents(files("erp") / "frontend")))
    parts = [name.encode() + b"\0" + content for name, content in contents.items()]
    version = checksum(b"".join([*parts, *map(language.source, _TRANSLATED)]))
    contents[INDEX] = contents[INDEX].replace(b"{static}", f"{PATH}/{version}".encode())
    return version, {name: File.of(name, content) for name, content in contents.items()}


@cache
def messages(name: str) -> File | None:
    """The frontend's messages in a language: the wording by the English one, a list where the number decides."""
    spoken = name.removeprefix("messages/").removesuffix(".json")
    if name != f"messages/{spoken}.json" or spoken not in _TRANSLATED:
        return None
    return File.of(name, msgspec.json.encode(language.of_frontend(spoken)))


def _contents(folder: Traversable, prefix: str = "") -> list[tuple[str, bytes]]:
    contents: list[tuple[str, bytes]] = []
    for entry in folder.iterdir():
        if entry.is_dir():
            contents += _contents(entry, f"{prefix}{entry.name}/")
        elif PurePosixPath(entry.name).suffix in MEDIA_TYPES:
            contents.append((prefix + entry.name, entry.read_bytes()))
    return contents


class Home:
    """The page at the address that people type; the part after the `#` decides what it shows."""

    def __init__(self) -> None:
        self._page = frontend()[1][INDEX]

    def on_get(self, req: Request, resp: Response) -> None:
        """Show the page."""
        resp.set_header("Content-Security-Policy", POLICY)
        self._page.send(req, resp, "no-cache")


class StaticFile:
    """The scripts and styles of the page."""

    def __init__(self) -> None:
        self._version, self._files = frontend()

    def on_get(self, req: Request, resp: Response, version: str, name: str) -> None:
        """Send a file, if it is from the current version."""
        file = self._files.get(name) or messages(name)
        if version != self._version or name == INDEX or file is None:
            raise HTTPNotFound
        file.send(req, resp, "public", "max-age=31536000", "immutable")
