"""A thread of the server that does something again and again until it stops."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def running(name: str, work: Callable[[threading.Event], None], last_wait: float) -> Iterator[None]:
    """Work in a thread during the block.

    Args:
        work: called with an event that is set when it is time to stop.
        last_wait: how many seconds the end of the block waits for it.
    """
    ending = threading.Event()
    thread = threading.Thread(target=work, args=(ending,), name=name, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ending.set()
        thread.join(last_wait)
