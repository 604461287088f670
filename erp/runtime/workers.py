"""The threads that answer requests. They take turns: as long as requests are short, one thread answers all of them."""

import threading
import time
from _thread import LockType
from typing import Any

from waitress.task import ThreadedTaskDispatcher

PATIENCE, MOST_PATIENCE = 0.001, 0.005
"""For how many seconds, at least and at most, the thread whose turn it is may be busy with one request."""
USUAL = 3
"""How many times as long as half of the requests a request may take, within these bounds."""


class Waiting:
    """What `threading.Condition` does for the queue, but for whom it wakes: the thread that waits for the least time.

    Measured with one client: in turns, each of four threads comes back to connections and memory that the processor
    has forgotten, which costs a third of a small request.
    """

    def __init__(self, lock: LockType) -> None:
        self._lock = lock
        self._bells: list[LockType] = []

    def wait(self, seconds: float = -1) -> None:
        """Give the lock away until another thread calls `notify`, or for some seconds."""
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

    def notify(self) -> None:
        """Wake the thread that began to wait last, if any waits."""
        if self._bells:
            self._bells.pop().release()

    def notify_all(self) -> None:
        """Wake every thread that waits."""
        while self._bells:
            self.notify()


class Workers(ThreadedTaskDispatcher):  # type: ignore[misc]
    """A fixed number of threads with one queue.

    One thread has the turn, and answers what is queued until nothing is. While something is queued, another one
    watches, and takes the turn as soon as a request takes long: a report, a password, a disk that is slow. Measured
    with 16 clients: threads that share short requests pass the interpreter's lock to and fro instead, which costs a
    fifth of the requests and doubles the longest times. What is long depends on the machine and on what is asked for:
    on one half as fast, where most requests took longer than a fixed limit, it cost half of the requests.
    """

    def __init__(self, threads: int) -> None:
        super().__init__()
        self.queue_cv = Waiting(self.lock)
        self._turn: int | None = None
        self._taken = 0
        self.patience = PATIENCE
        self._is_watched = False
        self.set_thread_count(threads)

    def add_task(self, task: Any) -> None:
        """Queue a request."""
        with self.lock:
            self.queue.append(task)
            self._let_one_look()

    def handler_thread(self, thread_no: int) -> None:
        """Answer requests until told to stop."""
        while task := self._next(thread_no):
            began = time.perf_counter()
            try:
                task.service()
            except BaseException:
                self.logger.exception("Exception when servicing %r", task)
            self.learn(time.perf_counter() - began)

    def learn(self, seconds: float) -> None:
        """Grow more or less patient by what a request has taken, so that half of the requests take `USUAL` times less.

        Unlike the mean, this does not follow the few that take a hundred times as long.
        """
        step = 1.05 if USUAL * seconds > self.patience else 0.95
        self.patience = min(max(self.patience * step, PATIENCE), MOST_PATIENCE)

    def _next(self, thread_no: int) -> Any | None:
        """Wait for a request that is this thread's to answer; None if the thread is to end."""
        with self.lock:
            while not self.stop_count:
                if self.queue and self._turn in (None, thread_no):
                    return self._take(thread_no)
                if self._turn == thread_no:
                    self._turn = None
                if not self.queue or self._is_watched:
                    self.queue_cv.wait()
                elif self._is_stuck():
                    return self._take(thread_no)
            self.stop_count -= 1
            self.threads.discard(thread_no)
            self.thread_exit_cv.notify()
            return None

    def _take(self, thread_no: int) -> Any:
        self._turn, self._taken = thread_no, self._taken + 1
        task = self.queue.popleft()
        if self.queue:
            self._let_one_look()
        return task

    def _is_stuck(self) -> bool:
        """Watch for a moment; whether something is queued and nothing was taken."""
        self._is_watched, taken = True, self._taken
        self.queue_cv.wait(self.patience)
        self._is_watched = False
        return bool(self.queue) and self._taken == taken

    def _let_one_look(self) -> None:
        """Wake a thread: to take the turn if no one has it, else to watch if no one does."""
        if self._turn is None or not self._is_watched:
            self.queue_cv.notify()
