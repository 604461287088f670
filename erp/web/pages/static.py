"""The frontend's files, read once at the start and served from memory at addresses that contain their checksum.

It also serves `icons.svg` and the texts in other languages: `messages/de.json` has the texts that all screens share,
and `messages/de/work/time/week.json` the further ones of one screen. These, and the page of each screen, are made at
the first request for them.

The modules import each other by relative names, so one checksum over all files precedes the names: a browser can
keep a file for ever, and a new version of the program has new addresses. A page loads them joined: `joined/app.js` has
what all screens need, `joined/finance/bank/list.js` the further ones of one screen. With `?modules=plain` it loads them
one by one, for work on the pages.

The page names a stylesheet a component, in the order in which they count. They are sent as one file, `sheet.css`: a
first view with forty requests more would take far longer.
"""

import base64
import gzip
import posixpath
import re
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, cached_property, wraps
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath

import msgspec
from falcon import HTTP_NOT_FOUND, HTTP_NOT_MODIFIED, HTTPNotFound, Request, Response

from erp.kernel import language
from erp.web.cookies import has_session
from erp.web.pages import joined, wording
from erp.web.pages.sprite import source, sprite
from erp.web.transport import compression

PACKAGE = files("erp")
PATH = "/static"
POLICY = (
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
EARLY = "early.js"
"""The script that stands in the page itself: it asks the first questions before any file is there."""
INDEX = "index.html"
APP = joined.APP
HOME = "office/home/page.js"
JOINED = "joined/"
ICONS = "icons.svg"
SHEET = "sheet.css"
CHECKED_BY = "deno.json"
"""The settings of the tool that checks the pages; they are not one of them."""
_TRANSLATED = tuple(spoken for spoken in language.LANGUAGES if spoken != language.ENGLISH)
MEDIA_TYPES = {  # not the system's table: on Windows other programs change it
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
}
PICTURES = (MEDIA_TYPES[".png"], MEDIA_TYPES[".webp"])
"""Kinds of files that are compressed already."""
_IMPORT = re.compile(r'^(?:import|export)\b[^;]*?from "(\.[^"]+)";', re.MULTILINE)
_ANY_IMPORT = re.compile(r'(?:^(?:import|export)\b[^;]*?from |\(await import\()"(\.[^"]+)"', re.MULTILINE)
_MESSAGES = re.compile(r"messages/(\w+)(?:/(.+))?\.json")
_LINK = rb'<link rel="stylesheet" href="\{static\}/([^"]+)">\s*'
_SHEETS = re.compile(rb"(?:%s)+" % _LINK)
_SCREEN = re.compile(r'screen\("(/[^"]*)", "([^"]+)"')


class File(msgspec.Struct, frozen=True):
    """A file in memory, ready to send."""

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
        resp.append_header("Vary", "Accept-Encoding")
        if self.media_type not in PICTURES and compression.accepts_gzip(req):
            resp.set_header("Content-Encoding", "gzip")
            resp.data = _packed(self.content)
        else:
            resp.data = self.content


def found_once(find: Callable[[str], File | None]) -> Callable[[str], File | None]:
    """Remember each file that is found by its name, and no name without one: strangers make up as many as they like."""
    known: dict[str, File] = {}

    @wraps(find)
    def remembered(name: str) -> File | None:
        file = known.get(name) or find(name)
        if file is not None:
            known[name] = file
        return file

    return remembered


@cache
def _packed(content: bytes) -> bytes:
    """A text as gzip, made when it is first asked for."""
    return gzip.compress(content, mtime=0)


def checksum(content: bytes) -> str:
    """The first 128 bits of the content's SHA-256."""
    return sha256(content).hexdigest()[:32]


@contextmanager
def folder(name: str = "frontend") -> Iterator[Traversable]:
    """A folder of files; a program that unpacks itself has them in an archive, which is there sooner."""
    packed = PACKAGE / f"{name}.zip"
    if packed.is_file():
        with packed.open("rb") as file, zipfile.ZipFile(file) as archive:
            yield zipfile.Path(archive)
    else:
        yield PACKAGE / name


@cache
def frontend() -> tuple[str, dict[str, File]]:
    """The common checksum of the frontend's files, and the files by name; `index.html` contains their address."""
    with folder() as tree:
        contents = dict(sorted(_contents(tree)))
    parts = [name.encode() + b"\0" + content for name, content in contents.items()]
    made_of = [joined.FORM, _icon_names().encode(), source(), *map(language.source, _TRANSLATED)]
    version = checksum(b"".join([*parts, *made_of]))
    contents[SHEET] = b"\n".join(contents[name.decode()] for name in re.findall(_LINK, contents[INDEX]))
    page = _SHEETS.sub(f'<link rel="stylesheet" href="{{static}}/{SHEET}">\n    '.encode(), contents[INDEX])
    contents[INDEX] = page.replace(b"{static}", f"{PATH}/{version}".encode())
    return version, {name: File.of(name, content) for name, content in contents.items()}


@cache
def icons() -> File:
    """The drawings of the icons that `icons.txt` names."""
    return File.of(ICONS, sprite(_icon_names().split()))


def _icon_names() -> str:
    with folder() as tree:
        return (tree / "icons.txt").read_text("utf-8")


@found_once
def messages(name: str) -> File | None:
    """The texts of the pages in a language.

    `messages/de.json` has the texts that all screens share, `messages/de/work/time/week.json` the further ones of one.
    """
    asked = _MESSAGES.fullmatch(name)
    module = f"{asked[2]}.js" if asked and asked[2] else APP
    if not asked or asked[1] not in _TRANSLATED or module not in frontend()[1]:
        return None
    known = () if module == APP else _scripts(APP)
    return File.of(name, msgspec.json.encode(wording.in_language(asked[1], _scripts(module), known=known)))


def _modules() -> dict[str, str]:
    """The text of each module, by its name."""
    return {name: file.content.decode() for name, file in frontend()[1].items() if name.endswith(".js")}


@cache
def _base() -> list[str]:
    """The modules that all screens have: the components, without those in folders of `ui/`, and the first screen."""
    modules = _modules()
    components = [name for name in modules if posixpath.dirname(name) == "ui"]
    return joined.needed(modules, [*components, HOME, APP])


@found_once
def together(name: str) -> File | None:
    """The file of a joined module, with all that it needs beyond the base; `joined/app.js` is the base."""
    module, modules = name.removeprefix(JOINED), _modules()
    if not name.startswith(JOINED) or module not in modules:
        return None
    if module == APP:
        return File.of(name, joined.base_file(modules, _base()).encode())
    further = joined.needed(modules, [module], known=_base())
    address = f"{PATH}/{frontend()[0]}/{JOINED}{APP}"
    return File.of(name, joined.further_file(modules, further, address).encode())


def _scripts(name: str) -> list[str]:
    """A module and all that it imports, at once or when it is asked for."""
    return [frontend()[1][module].content.decode() for module in _reached(name, {}, _ANY_IMPORT)]


def _contents(folder: Traversable, prefix: str = "") -> list[tuple[str, bytes]]:
    contents: list[tuple[str, bytes]] = []
    for entry in folder.iterdir():
        if entry.is_dir():
            contents += _contents(entry, f"{prefix}{entry.name}/")
        elif PurePosixPath(entry.name).suffix in MEDIA_TYPES and entry.name != CHECKED_BY:
            contents.append((prefix + entry.name, entry.read_bytes()))
    return contents


def screens() -> dict[str, str]:
    """The module of each screen, by its path as a Falcon template; `routes.js` lists them."""
    lines = _SCREEN.findall(frontend()[1]["routes.js"].content.decode())
    return {re.sub(r":(\w+)", r"{\1}", path): f"{name}.js" for path, name in lines}


def _reached(name: str, seen: dict[str, None], imports: re.Pattern[str] = _IMPORT) -> dict[str, None]:
    """A module and all that it imports, in that order."""
    if name not in seen and name in frontend()[1]:
        seen[name] = None
        for other in imports.findall(frontend()[1][name].content.decode()):
            _reached(posixpath.normpath(posixpath.join(posixpath.dirname(name), other)), seen, imports)
    return seen


class Page:
    """The page of a screen, with the list of the scripts that it needs, so that the browser fetches them together."""

    def __init__(self, screen: str) -> None:
        self._screen = screen

    @cached_property
    def _page(self) -> File:
        own = [] if self._screen in _base() else [self._screen]
        return _page_with(self._screen, [JOINED + name for name in (APP, *own)])

    @cached_property
    def _page_inside(self) -> File:
        """The page for a browser with a session: it asks who is signed in at once, which saves a round trip."""
        return File.of(INDEX, self._page.content.replace(b"<script data-", b"<script data-session data-", 1))

    @cached_property
    def _plain_page(self) -> File:
        return _page_with(self._screen, [*_reached(self._screen, _reached(APP, {}))])

    def on_get(self, req: Request, resp: Response, **params: str) -> None:
        """Show the page, or that there is nothing, where a sign of the address has no meaning: no id has such a one."""
        if any("%" in value or "\ufffd" in value for value in params.values()):
            nowhere().show_missing(resp)
            return
        resp.set_header("Content-Security-Policy", policy())
        is_plain = req.get_param("modules") == "plain"
        page = self._plain_page if is_plain else self._page_inside if has_session(req) else self._page
        page.send(req, resp, "no-cache")

    def show_missing(self, resp: Response) -> None:
        """Show the page at an address that has no screen."""
        resp.set_header("Content-Security-Policy", policy())
        resp.status, resp.content_type = HTTP_NOT_FOUND, self._page.media_type
        resp.data, resp.cache_control = self._page.content, ["no-store"]


def _page_with(screen: str, scripts: list[str]) -> File:
    """The page of a screen that loads these scripts, the first of which starts it."""
    version, files = frontend()
    addresses = [f"{PATH}/{version}/{name}" for name in scripts]
    about = {"files": f"{PATH}/{version}", "languages": " ".join(_TRANSLATED), "screen": screen.removesuffix(".js")}
    attributes = " ".join(f'data-{name}="{text}"' for name, text in about.items())
    early = f"<script {attributes}>{_early()}</script>"
    links = "\n".join(f'<link rel="modulepreload" href="{address}">' for address in addresses)
    page = files[INDEX].content.decode().replace("<!-- early -->", early).replace("<!-- modules -->", links)
    page = page.replace(f'{PATH}/{version}/{APP}"></script>', f'{addresses[0]}"></script>')
    return File.of(INDEX, page.encode())


@cache
def _early() -> str:
    """The script in the page, without its comments."""
    lines = frontend()[1][EARLY].content.decode().splitlines()
    return "\n".join(line for line in lines if not line.startswith("//"))


@cache
def policy() -> str:
    """The policy of the page, which runs no script of a text but its own one."""
    digest = base64.b64encode(sha256(_early().encode()).digest()).decode()
    return f"{POLICY}; script-src 'self' 'sha256-{digest}'"


@cache
def nowhere() -> Page:
    """The page that says that there is nothing at an address."""
    return Page("office/nowhere.js")


class StaticFile:
    """The scripts and styles of the page."""

    def __init__(self) -> None:
        self._version, self._files = frontend()

    def on_get(self, req: Request, resp: Response, version: str, name: str) -> None:
        """Send a file, if it is from the current version."""
        file = self._files.get(name) or (icons() if name == ICONS else together(name) or messages(name))
        if version != self._version or name == INDEX or file is None:
            raise HTTPNotFound
        file.send(req, resp, "public", "max-age=31536000", "immutable")
