"""The interactive documentation at /api/docs, which needs no network.

The viewer is Swagger UI from the package offapi. Its files are read without importing the package, which would
load two more viewers, and they are read once, at the start: in the one-file executable they lie in a temporary
folder that a cleaner may delete.
"""

from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path

from falcon import MEDIA_HTML, HTTPNotFound, Request, Response

from erp.web.static import File

PATH = "/api/docs"
POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
OURS = ("docs.css", "docs.js")
VIEWERS = ("swagger_bundle.js", "swagger_style.css")


def viewer() -> Path:
    """The folder of the viewer's files."""
    spec = find_spec("offapi")
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError("The package offapi, which holds the documentation's viewer, is not installed.")
    return Path(spec.submodule_search_locations[0])


class DocsPage:
    """The page, served without a redirect."""

    def __init__(self) -> None:
        self._page = files("erp.web").joinpath("assets", "docs.html").read_bytes()

    def on_get(self, _req: Request, resp: Response) -> None:
        """Show the documentation."""
        resp.set_header("Content-Security-Policy", POLICY)
        resp.content_type = MEDIA_HTML
        resp.data = self._page


class DocsFile:
    """The scripts and styles that the page loads."""

    def __init__(self) -> None:
        assets = files("erp.web").joinpath("assets")
        sources: list[Traversable] = [assets / name for name in OURS]
        sources += [viewer() / name for name in VIEWERS]
        self._files = {source.name: File.of(source.name, source.read_bytes()) for source in sources}

    def on_get(self, req: Request, resp: Response, name: str) -> None:
        """Send a file, unless the browser already has it."""
        file = self._files.get(name)
        if file is None:
            raise HTTPNotFound
        file.send(req, resp, "no-cache")
