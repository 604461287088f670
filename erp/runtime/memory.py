"""The memory of the process: when Python looks for garbage, and what the allocator keeps."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

LARGE = 1 << 20
M_MMAP_THRESHOLD = -3
"""The name of that parameter in glibc's malloc.h."""


@contextmanager
def starting() -> Iterator[None]:
    """Look for no garbage in the block, nor ever in what it has left.

    What a start imports and builds is there to stay: to search it again and again took a fifth of the start.
    """
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        gc.enable()


def return_large_blocks() -> None:
    """Return blocks of a megabyte or more to the system when they are freed.

    By default glibc keeps such blocks once it has seen one freed: each thread that had hashed passwords, which takes
    19 MiB, held on to that much.
    """
    if sys.platform == "linux":
        import ctypes

        with suppress(AttributeError):  # a Linux without glibc
            ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE)
