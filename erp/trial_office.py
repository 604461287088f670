"""An office to try things with: the application on data that is thrown away, asked without a network."""

import io
import json
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urljoin
from wsgiref.util import setup_testing_defaults

from erp import db
from erp.config import Config

NAMED_IN_PAGE = re.compile(r"""(?:src|href)="([^"#:?]+)"|\bfrom\s+"([^"]+)"|\bimport\s+"([^"]+)\"""")


class Refused(Exception):
    """A request that should succeed does not; the message says how it was answered."""


class TrialOffice:
    """The application on a folder that is thrown away, asked without a network."""

    def __init__(self, config: Config) -> None:
        from erp.app import create_app

        self.config = config
        self.token = ""
        self._app = create_app(config)

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """Send a body and return the data of the answer."""
        return json.loads(self._ask("POST", "/api/v1" + path, json.dumps(body).encode()))["data"]

    def linked_from(self, *starts: str) -> dict[str, str]:
        """Get pages and every file that they name, and those name; the text of each."""
        texts: dict[str, str] = {}
        waiting = list(starts)
        while waiting:
            path = waiting.pop()
            if path not in texts:
                texts[path] = self._ask("GET", path).decode()
                waiting += [urljoin(path, name) for name in named_in(path, texts[path])]
        return texts

    def _ask(self, verb: str, path: str, body: bytes = b"") -> bytes:
        environ: dict[str, Any] = {
            "REQUEST_METHOD": verb,
            "PATH_INFO": path,
            "SERVER_PORT": str(self.config.port),
            "HTTP_HOST": f"localhost:{self.config.port}",
            **({"HTTP_AUTHORIZATION": f"Bearer {self.token}"} if self.token else {}),
            "REMOTE_ADDR": "127.0.0.1",
            "CONTENT_TYPE": "application/json" if body else "",
            "CONTENT_LENGTH": str(len(body)),
            "wsgi.input": io.BytesIO(body),
        }
        setup_testing_defaults(environ)
        said: list[str] = []

        def start_response(status: str, headers: object, problem: object = None) -> Callable[[bytes], object]:
            said.append(status)
            return io.BytesIO().write

        answer = b"".join(self._app(environ, start_response))
        if not said[0].startswith("2"):
            raise Refused(f"{verb} {path} was answered {said[0]}: {answer[:300].decode(errors='replace')}")
        return answer


@contextmanager
def trial_office() -> Iterator[TrialOffice]:
    """Make the application on a new folder, and remove all of it afterwards."""
    with tempfile.TemporaryDirectory(prefix="erp-selftest-") as folder:
        try:
            yield TrialOffice(Config(data_dir=Path(folder)))
        finally:
            db.close_all()


def named_in(path: str, text: str) -> list[str]:
    """List what a page or a script names, as it names it."""
    if path.startswith("/api/docs/"):
        return []  # the viewer is one script, whose text holds whatever it may show
    return [next(filter(None, names)) for names in NAMED_IN_PAGE.findall(text)]
