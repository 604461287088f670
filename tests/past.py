"""What was made in an installation before, to be copied instead of made again."""

import copy
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from erp.kernel import clock
from erp.store import router

if TYPE_CHECKING:
    from tests.conftest import Installation

T = TypeVar("T")
Steps = tuple[tuple[Any, ...], ...]
NOW = clock.now


@dataclass
class Kept:
    """A folder as something has left it, with what was returned to the test."""

    folder: Path
    installation: "Installation"
    people: int
    made: Any


class Past:
    """What was made `once` in an installation since its first start, as long as nothing else has happened in it."""

    def __init__(self, installation: "Installation", folders: Path, kept: dict[Steps, Kept]) -> None:
        self._installation, self._folders, self._kept = installation, folders, kept
        self._data = installation.config.data_dir
        self._steps: Steps = ()
        self._files = files_in(self._data)

    def is_new(self) -> bool:
        """Whether nothing has happened at all."""
        return self._steps == () and files_in(self._data) == self._files

    def is_all(self) -> bool:
        """Whether nothing else has happened."""
        return instant() is not None and files_in(self._data) == self._files

    def step(self, make: Callable[..., T], given: tuple[Any, ...], names: tuple[Any, ...]) -> T:
        """Copy what was made before from what has the same names, or make and keep it."""
        self._steps = (*self._steps, (instant(), make, *names))
        made: T = self.again() if self._steps in self._kept else self._keep(make(*given))
        self._files = files_in(self._data)
        return made

    def again(self, steps: Steps | None = None) -> Any:
        """Copy what was kept."""
        self._steps = steps or self._steps
        kept = self._kept[self._steps]
        router.close_all()
        shutil.copytree(kept.folder, self._data, dirs_exist_ok=True)
        self._files = files_in(self._data)
        self._installation.people = kept.people
        return copy.deepcopy(kept.made, {id(kept.installation): self._installation})

    def _keep(self, made: T) -> T:
        router.close_all()
        folder = shutil.copytree(self._data, self._folders / f"kept{len(self._kept)}")
        bare = copy.copy(self._installation)
        self._kept[self._steps] = Kept(folder, bare, bare.people, copy.deepcopy(made, {id(self._installation): bare}))
        return made


def instant() -> str | None:
    """When things happen: "" for now, None if a test has a clock of its own."""
    return "" if clock.now is NOW else getattr(clock.now, "instant", None)


def files_in(folder: Path) -> dict[str, tuple[int, int]]:
    """What differs once a file has been written; the traces of a mere reader are left out."""
    found = {}
    for directory, _, names in os.walk(folder):
        for name in names:
            status = Path(directory, name).stat()
            if not name.endswith("-shm") and (status.st_size or not name.endswith("-wal")):
                found[f"{directory}/{name}"] = status.st_size, status.st_mtime_ns
    return found
