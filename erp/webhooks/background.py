"""The sending threads of the server: one that finds due deliveries, and a few that send, started when there is work."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from queue import SimpleQueue

from erp.kernel.config import Config
from erp.store.router import WORKSPACE
from erp.webhooks.sender import Key, Sender
from erp.webhooks.waking import BELL

FIRST_LOOK = 5
"""Seconds."""

MOST_SENDING = 4
"""Threads; a receiver that keeps one waiting for 15 s does not hold up the others."""

LAST_WAIT = 2
"""Seconds that a stopping server leaves to each thread; a message that was sent and not noted is sent again after the
start.
"""

log = logging.getLogger("erp.webhooks")


@contextmanager
def running(settings: Config, first_look: float = FIRST_LOOK) -> Iterator[None]:
    """Send due deliveries in threads during the block."""
    crew = Crew(Sender(settings))
    WORKSPACE.on_written = BELL.on_written
    looking = threading.Thread(target=crew.look, args=(first_look,), name="webhooks", daemon=True)
    looking.start()
    try:
        yield
    finally:
        crew.end()
        looking.join(LAST_WAIT)
        WORKSPACE.on_written = lambda path: None


class Crew:
    """The threads that send; they keep their connections to files, so they are few and stay."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender
        self._keys: SimpleQueue[Key | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._at_work = 0
        """Number of keys handed out, including waiting ones."""
        self._is_over = False

    def look(self, first_look: float) -> None:
        """Hand out due deliveries, now and at each ring of the bell or each interval."""
        BELL.wait(first_look)
        while not self._is_over:
            try:
                for key in self._sender.ready():
                    self._hand_out(key)
            except Exception:  # the thread goes on after any error
                log.exception("the webhooks could not be looked at")
            BELL.wait(self._sender.seconds_to_next_look())

    def end(self) -> None:
        """Stop, after notes in progress; messages in progress are left alone."""
        self._is_over = True
        self._sender.end()
        BELL.ring()
        for _ in self._threads:
            self._keys.put(None)
        for thread in self._threads:
            thread.join(LAST_WAIT)

    def _hand_out(self, key: Key) -> None:
        with self._lock:
            self._at_work += 1
            is_short = len(self._threads) < min(self._at_work, MOST_SENDING)
        if is_short:
            thread = threading.Thread(target=self._work, name=f"webhooks {len(self._threads) + 1}", daemon=True)
            self._threads.append(thread)
            thread.start()
        self._keys.put(key)

    def _work(self) -> None:
        while (key := self._keys.get()) is not None:
            self._sender.serve(key)
            with self._lock:
                self._at_work -= 1
