"""An office to try things with: the application on data that is thrown away."""

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
    """The application on a folder that is thrown away."""

    def __init__(self, config: Config) -> None:
        from erp.app import create_app

        super().__init__(create_app(config))
        self.config = config

    def linked_from(self, *starts: str) -> dict[str, str]:
        """Get pages and every file that they name, and those name; the text of each."""
        texts: dict[str, str] = {}
        waiting = list(starts)
        while waiting:
            path = waiting.pop()
            if path not in texts:
                texts[path] = self.fetch(path).decode()
                waiting += [urljoin(path, name) for name in named_in(path, texts[path])]
        return texts


@contextmanager
def trial_office() -> Iterator[TrialOffice]:
    """Make the application on a new folder, and remove all of it afterwards."""
    with tempfile.TemporaryDirectory(prefix="erp-selftest-") as folder:
        try:
            yield TrialOffice(Config(data_dir=Path(folder)))
        finally:
            router.close_all()


def named_in(path: str, text: str) -> list[str]:
    """List what a page or a script names, as it names it."""
    if path.startswith("/api/docs/"):
        return []  # the viewer is one script, whose text holds whatever it may show
    return [next(filter(None, names)) for names in NAMED_IN_PAGE.findall(text)]
