"""The pages' files, read once at the start and served from memory at addresses that bear their checksum.

The modules name each other relatively, so one checksum over all of them stands before their names: a browser keeps
what it has for ever, and a new version of the program is another address.
"""

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath

from falcon import HTTP_NOT_MODIFIED, HTTPNotFound, Request, Response

PATH = "/static"
POLICY = (
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'"
)
INDEX = "index.html"
MEDIA_TYPES = {  # not those of the system: on Windows other programs change them
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


@dataclass(frozen=True, slots=True)
class File:
    """A file in memory, as it is sent."""

    content: bytes
    media_type: str
    etag: str

    @classmethod
    def of(cls, name: str, content: bytes) -> "File":
        """Mark content with its type and checksum."""
        return cls(content, MEDIA_TYPES[PurePosixPath(name).suffix], checksum(content))

    def send(self, req: Request, resp: Response, *cache_control: str) -> None:
        """Send the file, unless the browser still has it."""
        resp.etag = self.etag
        resp.cache_control = list(cache_control)
        if self.etag in (req.if_none_match or ()):
            resp.status = HTTP_NOT_MODIFIED
            return
        resp.content_type = self.media_type
        resp.data = self.content


def checksum(content: bytes) -> str:
    """What content is known by."""
    return sha256(content).hexdigest()[:32]


@cache
def frontend() -> tuple[str, dict[str, File]]:
    """Read the pages' files: their common checksum, and each by its name; `index.html` knows where they are."""
    contents = dict(sorted(_contents(files("erp") / "frontend")))
    version = checksum(b"".join(name.encode() + b"\0" + content for name, content in contents.items()))
    contents[INDEX] = contents[INDEX].replace(b"{static}", f"{PATH}/{version}".encode())
    return version, {name: File.of(name, content) for name, content in contents.items()}


def _contents(folder: Traversable, prefix: str = "") -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for entry in folder.iterdir():
        if entry.is_dir():
            found += _contents(entry, f"{prefix}{entry.name}/")
        elif PurePosixPath(entry.name).suffix in MEDIA_TYPES:
            found.append((prefix + entry.name, entry.read_bytes()))
    return found


class Home:
    """The page at the address that people type; what stands behind the `#` decides what it shows."""

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
        """Send a file of this very version of the pages."""
        if version != self._version or name == INDEX or name not in self._files:
            raise HTTPNotFound
        self._files[name].send(req, resp, "public", "max-age=31536000", "immutable")
