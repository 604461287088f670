"""Whether a file has changed, whichever program wrote it, without reading it.

SQLite tells a connection when another one has committed to its file (`PRAGMA data_version`), but the number means
nothing to any other connection. So a single connection watches each file for all threads; it writes nothing.
"""

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

FILES = 32
"""The most files watched at once; the least recently used one is dropped."""


class Watchers:
    """The connections that watch the files of a kind."""

    def __init__(self) -> None:
        self._connections: OrderedDict[str, Any] = OrderedDict()
        self._names: dict[str, str] = {}
        self._asking = threading.Lock()

    def state(self, path: str, open: Callable[[], Any]) -> str:
        """A text that differs once the file has changed; a later read is at least as new.

        Args:
            open: opens a connection to the file, where none watches it.
        """
        with self._asking:
            connection = self._connections.pop(path, None)
            if connection is None:
                connection, self._names[path] = open(), secrets.token_hex(4)
            # Fetched whole, because a statement that has not ended would hold on to an old state of the file.
            ((version,),) = connection.execute("PRAGMA data_version").fetchall()
            while len(self._connections) >= FILES:
                self._connections.popitem(last=False)[1].close()
            self._connections[path] = connection  # not where the statement has failed
            return f"{self._names[path]}.{version}"

    def let_go(self, is_meant: Callable[[str], bool]) -> None:
        """Stop watching some files; their connections are closed when this returns, whichever thread closes them."""
        with self._asking:
            for path in [*filter(is_meant, self._connections)]:
                self._connections.pop(path).close()
