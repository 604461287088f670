"""A limit on expensive work that requests do at the same time, so that it never occupies all worker threads."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Semaphore

from erp.kernel.errors import Busy
from erp.kernel.language import Sentence


class Slots:
    """A few slots for expensive work, with a short queue in front of them."""

    def __init__(self, places: int, queue: int = 2, patience: float = 1.0, *, refusal: Sentence | None = None) -> None:
        """Create `places` slots, for which at most `queue` callers wait `patience` seconds."""
        self._free = Semaphore(places)
        self._queue = Semaphore(queue)
        self._patience = patience
        self._refusal = refusal

    @contextmanager
    def take(self) -> Iterator[None]:
        """Hold a slot.

        Raises:
            Busy: the queue is full, or no slot came free in time.
        """
        if not self._enter():
            raise Busy(self._refusal)
        try:
            yield
        finally:
            self._free.release()

    def _enter(self) -> bool:
        if self._free.acquire(blocking=False):
            return True
        if not self._queue.acquire(blocking=False):
            return False
        try:
            return self._free.acquire(timeout=self._patience)
        finally:
            self._queue.release()
