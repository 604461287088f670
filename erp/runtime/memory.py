"""The memory of the process: modules that are never loaded, garbage collection, and the allocator."""

import gc
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from types import ModuleType
from typing import Any

LARGE = 1 << 20
M_MMAP_THRESHOLD = -3
M_ARENA_MAX = -8
"""The names of these parameters in glibc's malloc.h."""


@contextmanager
def starting() -> Iterator[None]:
    """Collect no garbage in the block, nor the objects that it leaves.

    The imports and objects of a start are there to stay: to search them again and again took a fifth of the start.
    """
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        gc.enable()


class Unused(ModuleType):
    """Replaces a module that an imported library names, but never uses here."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


@contextmanager
def without(*names: str) -> Iterator[None]:
    """Keep these modules from loading during the block; afterwards they can be imported as usual.

    Falcon loads asyncio for applications of another kind (ASGI), and a client's cookies for the name of a type: a sixth
    of the memory, and a fifth of the start.
    """
    with _replaced({name: Unused(name) for name in names}):
        yield


@contextmanager
def hidden(*names: str) -> Iterator[None]:
    """Let these modules seem not to be installed during the block.

    Peewee loads the driver of each database that it finds: the one for PostgreSQL takes 7 MiB.
    """
    with _replaced(dict.fromkeys(names)):  # Python's own sign of a module that cannot be imported
        yield


@contextmanager
def _replaced(modules: Mapping[str, ModuleType | None]) -> Iterator[None]:
    """Give these modules, unless they are loaded already, to those who import them during the block."""
    unloaded = {name: module for name, module in modules.items() if name not in sys.modules}
    sys.modules.update(unloaded)  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name in unloaded:
            del sys.modules[name]


def return_free_blocks() -> None:
    """Return freed memory to the system: 4 MiB after the start, 13 MiB after a small backup."""
    _tell_allocator("malloc_trim", 0)


def keep_little() -> None:
    """Return freed blocks of a megabyte or more to the system, and share one heap.

    By default glibc keeps such blocks once it has seen one freed: each thread that had hashed passwords, which takes 19
    MiB, held on to that much. And it gives each thread a heap of its own, with its own free blocks.
    """
    _tell_allocator("mallopt", M_MMAP_THRESHOLD, LARGE)
    _tell_allocator("mallopt", M_ARENA_MAX, 1)


def _tell_allocator(function: str, *words: int) -> None:
    if sys.platform == "linux":
        import ctypes

        with suppress(AttributeError):  # a Linux without glibc
            getattr(ctypes.CDLL(None), function)(*words)
