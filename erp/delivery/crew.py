"""The threads of a sender: one that finds due messages, and a few that send, started when there is work."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from erp.delivery.sender import Sender
from erp.store.router import WORKSPACE

FIRST_LOOK = 5
"""Seconds."""

MOST_SENDING = 4
"""Threads; a receiver that keeps one waiting for 15 s does not hold up the others."""

LAST_WAIT = 2
"""Seconds that a stopping server leaves to each thread. After the next start, a webhook gets again what was sent and
not noted; such mail is unsure.
"""

log = logging.getLogger("erp.delivery")


@contextmanager
def running(sender: Sender[Any], first_look: float = FIRST_LOOK) -> Iterator[None]:
    """Send due messages in threads during the block, and let writes ring the sender's bell."""
    crew, before = Crew(sender), WORKSPACE.on_written

    def on_written(path: Path) -> None:
        before(path)
        sender.bell.on_written(path)

    WORKSPACE.on_written = on_written
    looking = threading.Thread(target=crew.look, args=(first_look,), name=sender.name, daemon=True)
    looking.start()
    try:
        yield
    finally:
        crew.end()
        looking.join(LAST_WAIT)
        WORKSPACE.on_written = before


class Crew:
    """The threads that send; they keep their connections to files, so they are few and stay."""

    def __init__(self, sender: Sender[Any]) -> None:
        self._sender = sender
        self._keys: SimpleQueue[Any] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._at_work = 0
        """Number of keys handed out, including waiting ones."""
        self._is_over = False

    def look(self, first_look: float) -> None:
        """Hand out due deliveries, now and at each ring of the bell or each interval."""
        self._sender.bell.wait(first_look)
        while not self._is_over:
            try:
                for key in self._sender.ready():
                    self._hand_out(key)
            except Exception:  # the thread goes on after any error
                log.exception("the %s could not be looked at", self._sender.name)
            self._sender.bell.wait(self._sender.seconds_to_next_look())

    def end(self) -> None:
        """Stop, after notes in progress; messages in progress are left alone."""
        self._is_over = True
        self._sender.end()
        self._sender.bell.ring()
        for _ in self._threads:
            self._keys.put(None)
        for thread in self._threads:
            thread.join(LAST_WAIT)

    def _hand_out(self, key: Any) -> None:
        with self._lock:
            self._at_work += 1
            is_short = len(self._threads) < min(self._at_work, MOST_SENDING)
        if is_short:
            thread = threading.Thread(
                target=self._work, name=f"{self._sender.name} {len(self._threads) + 1}", daemon=True
            )
            self._threads.append(thread)
            thread.start()
        self._keys.put(key)

    def _work(self) -> None:
        while (key := self._keys.get()) is not None:
            self._sender.serve(key)
            with self._lock:
                self._at_work -= 1
