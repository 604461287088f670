"""Data folders that only last for a moment: their files are fast instead of durable."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from erp.store import tips
from erp.store.connections import HURRIED
from erp.store.router import CONTROL, INDEX, WORKSPACE


@contextmanager
def hurried(folder: Path) -> Iterator[None]:
    """Keep the files of a temporary data folder fast and not durable in the block, and close them at its end."""
    HURRIED.add(folder)
    try:
        yield
    finally:
        for router in (WORKSPACE, CONTROL, INDEX):
            router.let_go(lambda path: Path(path).is_relative_to(folder))
            router.written.difference_update([path for path in [*router.written] if path.is_relative_to(folder)])
        tips.close(folder)
        HURRIED.discard(folder)
