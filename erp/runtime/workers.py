"""The threads that answer requests. They take turns: as long as requests are short, one thread answers all of them."""

import threading
from _thread import LockType
from typing import Any

from waitress.task import ThreadedTaskDispatcher

PATIENCE = 0.002
"""Seconds that the thread whose turn it is may be busy with one request while others are queued.

A request behind three sign-ins waits three times as long. Measured with 16 clients: at 5 ms a mixed load is a few
percent faster, and lists beside 20 sign-ins can take 28 ms instead of 7.
"""


class Waiting:
    """A `threading.Condition` for the queue that wakes the thread with the shortest wait.

    Measured with one client: in turns, each of four threads comes back to connections and memory that the processor has
    forgotten, which costs a third of a small request.
    """

    def __init__(self, lock: LockType) -> None:
        self._lock = lock
        self._bells: list[LockType] = []

    def wait(self, seconds: float = -1) -> None:
        """Release the lock until another thread calls `notify`, or for some seconds."""
        bell = threading.Lock()
        bell.acquire()
        self._bells.append(bell)
        self._lock.release()
        try:
            bell.acquire(timeout=seconds)
        finally:
            self._lock.acquire()
            if bell in self._bells:
                self._bells.remove(bell)

    def notify(self) -> bool:
        """Wake the thread that began to wait last; return whether any waits."""
        is_waiting = bool(self._bells)
        if is_waiting:
            self._bells.pop().release()
        return is_waiting

    def notify_all(self) -> None:
        """Wake every thread that waits."""
        while self.notify():
            pass


class Workers(ThreadedTaskDispatcher):  # type: ignore[misc]
    """A fixed number of threads with one queue.

    One thread has the turn, and answers the queued requests. Meanwhile the loop that reads from the connections waits,
    and gives the turn to another thread if a request takes long: a report, a password, a disk that is slow. Measured
    with 16 clients: threads that share short requests pass the interpreter's lock to and fro instead, which costs a
    fifth of the requests and doubles the longest times; a loop that reads meanwhile costs an eighth.
    """

    def __init__(self, threads: int) -> None:
        super().__init__()
        self.queue_cv, self._emptied = Waiting(self.lock), Waiting(self.lock)
        self._turn: int | None = None
        self._taken = 0
        self._is_called = False
        self.set_thread_count(threads)

    def add_task(self, task: Any) -> None:
        """Queue a request."""
        with self.lock:
            self.queue.append(task)
            self._call()

    def catch_up(self) -> bool:
        """Let the threads answer queued requests, at most for `PATIENCE`; return whether the loop can sleep now."""
        with self.lock:
            if not self.queue or (self._turn is None and len(self.queue) == 1):
                return True
            taken = self._taken
            self._emptied.wait(PATIENCE)
            if self.queue and self._taken == taken:
                self._turn = None
                self._call()
            return not self.queue

    def handler_thread(self, thread_no: int) -> None:
        """Answer requests until told to stop."""
        while task := self._next(thread_no):
            try:
                task.service()
            except BaseException:
                self.logger.exception("Exception when servicing %r", task)

    def _next(self, thread_no: int) -> Any | None:
        """Wait for a request for this thread; None if the thread is to end."""
        with self.lock:
            while not self.stop_count:
                if self.queue and self._turn in (None, thread_no):
                    return self._take(thread_no)
                if self._turn == thread_no:
                    self._turn = None
                self.queue_cv.wait()
                self._is_called = False
            self.stop_count -= 1
            self.threads.discard(thread_no)
            self.thread_exit_cv.notify()
            return None

    def _take(self, thread_no: int) -> Any:
        self._turn, self._taken = thread_no, self._taken + 1
        task = self.queue.popleft()
        if not self.queue:
            self._emptied.notify()
        return task

    def _call(self) -> None:
        """Wake a thread to take the turn, if no one has it; only one is called at a time."""
        if self._turn is None and not self._is_called:
            self._is_called = self.queue_cv.notify()
