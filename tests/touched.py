"""The tests of what has changed since the last commit on main, for `.ci/check`: `python -m tests.touched` lists them.

Tests mirror the rooms, so a changed file of `erp/ROOM/` leads to the tests of `tests/ROOM/`. pytest-testmon would know
more exactly which tests run which lines, but only after a whole run under its tracer in each checkout, and not for SQL,
JavaScript and messages, nor for tests that start the program as another process.
"""

import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.paths import ROOT

ALWAYS = ("tests/test_source.py", "tests/test_rooms.py")
BY_BEGINNING = {
    ".ci/": ("tests/test_packaging.py",),
    ".github/": ("tests/test_packaging.py", "tests/docs"),
    "CHANGELOG.md": ("tests/docs",),
    "README.md": ("tests/docs",),
    "build.spec": ("tests/test_packaging.py",),
    "erp/frontend/": (
        "tests/frontend/test_core.py",
        "tests/kernel/test_messages.py",
        "tests/web/test_frontend.py",
        "tests/web/test_static.py",
    ),
    "erp/messages/": ("tests/kernel/test_messages.py", "tests/kernel/test_language.py"),
    "packaging/": ("tests/test_installer.py", "tests/test_manifests.py", "tests/test_packaging.py"),
    "pyproject.toml": ("tests/test_packaging.py",),
}
"""The tests of what no folder of tests mirrors; those of `tests/frontend` run in a browser, which is not quick."""


def changed(root: Path = ROOT) -> list[str]:
    """The files that differ from the last commit that this branch shares with main, new ones included."""
    tracked = _git(root, "diff", "--name-only", "--no-renames", _base(root))
    return tracked + _git(root, "ls-files", "--others", "--exclude-standard")


def _base(root: Path) -> str:
    for main in ("main", "origin/main"):
        if found := _git(root, "merge-base", "HEAD", main, is_sure=False):
            return found[0]
    return "HEAD"


def _git(root: Path, *words: str, is_sure: bool = True) -> list[str]:
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=is_sure)
    return done.stdout.split("\n")[:-1]


def to_run(paths: Iterable[str], root: Path = ROOT) -> list[str]:
    """The test files of changed files, and those that hold for the whole source."""
    found = {test for path in paths for test in _tests_of(root, path)}
    return sorted(found | set(ALWAYS))


def _tests_of(root: Path, path: str) -> Iterator[str]:
    for beginning, tests in BY_BEGINNING.items():
        if path.startswith(beginning):
            yield from tests
    top, *inner = Path(path).parts
    if Path(path).match("test_*.py"):
        yield from [path] if (root / path).is_file() else []
    elif top in ("erp", "tests") and inner[:-1] and inner[0] != "frontend":
        yield from _of_room(root, Path(*inner[:-1]))


def _of_room(root: Path, room: Path) -> Iterator[str]:
    """The tests of a room, or of the one around it if it has none of its own; rooms inside it are not touched."""
    while room.parts and not (root / "tests" / room).is_dir():
        room = room.parent
    if room.parts:
        for test in (root / "tests" / room).rglob("test_*.py"):
            name = test.relative_to(root / "tests")
            inside = [folder for folder in name.parents if room in folder.parents]
            if not any((root / "erp" / folder).is_dir() for folder in inside):
                yield f"tests/{name.as_posix()}"


if __name__ == "__main__":
    sys.stdout.writelines(f"{test}\n" for test in to_run(changed()))
