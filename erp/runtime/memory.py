"""The memory of the process: what is never loaded, when Python looks for garbage, and what the allocator keeps."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import ModuleType
from typing import Any

LARGE = 1 << 20
M_MMAP_THRESHOLD = -3
M_ARENA_MAX = -8
"""The names of these parameters in glibc's malloc.h."""


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


class Unused(ModuleType):
    """Stands in for a module while a library is imported that names it, but never uses it here."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


@contextmanager
def without(*names: str) -> Iterator[None]:
    """Load none of these modules for what the block imports; afterwards they can be imported as ever.

    Falcon loads asyncio for applications of another kind (ASGI), and a client's cookies for the name of a type: a
    sixth of the memory, and a fifth of the start.
    """
    unused = [name for name in names if name not in sys.modules]
    sys.modules.update({name: Unused(name) for name in unused})
    try:
        yield
    finally:
        for name in unused:
            del sys.modules[name]


def return_free_blocks() -> None:
    """Return to the system what has been used and freed: 4 MiB after the start, 13 MiB after a small backup."""
    _tell_allocator("malloc_trim", 0)


def keep_little() -> None:
    """Return blocks of a megabyte or more to the system when they are freed, and share one heap.

    By default glibc keeps such blocks once it has seen one freed: each thread that had hashed passwords, which takes
    19 MiB, held on to that much. And it gives each thread a heap of its own, with its own free blocks.
    """
    _tell_allocator("mallopt", M_MMAP_THRESHOLD, LARGE)
    _tell_allocator("mallopt", M_ARENA_MAX, 1)


def _tell_allocator(function: str, *words: int) -> None:
    if sys.platform == "linux":
        import ctypes

        with suppress(AttributeError):  # a Linux without glibc
            getattr(ctypes.CDLL(None), function)(*words)
