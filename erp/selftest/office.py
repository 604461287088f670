"""An office to try things with: the application on temporary data."""

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urljoin

from erp.kernel.config import Config
from erp.store import router
from erp.web.client import Client

NAMED_IN_PAGE = re.compile(r"""(?:src|href)="([^"#:?]+)"|\bfrom\s+"([^"]+)"|\bimport\s+"([^"]+)\"""")


class TrialOffice(Client):
    """The application on a temporary folder."""

    def __init__(self, config: Config) -> None:
        from erp.app import create_app

        super().__init__(create_app(config))
        self.config = config

    def linked_from(self, *starts: str) -> dict[str, str]:
        """Fetch pages and every file that they name, directly or through others; text by path.

        Of a picture, the text is its length.
        """
        texts: dict[str, str] = {}
        queue = list(starts)
        while queue:
            path = queue.pop()
            if path not in texts:
                content = self.fetch(path)
                texts[path] = str(len(content)) if path.endswith((".png", ".webp")) else content.decode()
                queue += [urljoin(path, name) for name in named_in(path, texts[path])]
        return texts


@contextmanager
def trial_office() -> Iterator[TrialOffice]:
    """The application on a new folder that is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="erp-selftest-") as folder:
        try:
            yield TrialOffice(Config(data_dir=Path(folder)))
        finally:
            router.close_all()


def named_in(path: str, text: str) -> list[str]:
    """The files that a page or a script names, as it writes them."""
    if path.startswith("/api/docs/"):
        return []  # the viewer is one script, whose text contains anything it could show
    return [next(filter(None, names)) for names in NAMED_IN_PAGE.findall(text)]
