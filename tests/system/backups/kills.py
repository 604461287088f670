"""Kills a piece of work at every line of some modules, as a crash would: nothing of Python's own runs after it."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import pytest

from erp.store import router

DIED = 9

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system cannot copy a process")


def killed_at_every_line(
    folder: Path, modules: list[ModuleType], work: Callable[[], Any], every: int = 1
) -> Iterator[int]:
    """Do the work again and again, each time on the same files, each time killed a little later; until it ends.

    Args:
        folder: is put back as it was before each time.
        every: how many lines later.

    Yields:
        The number of lines after which it was killed; the last time it was not.
    """
    router.close_all()
    saved = folder.with_name(f"{folder.name}-as-it-was")
    shutil.copytree(folder, saved)
    lines, code = 0, DIED
    while code == DIED:
        lines += every
        shutil.rmtree(folder)
        shutil.copytree(saved, folder)
        code = _run({module.__file__ or "" for module in modules}, work, lines)
        yield lines
        router.close_all()
    assert code == 0, "the work failed"
    assert lines > every, "it was never killed"


def _run(files: set[str], work: Callable[[], Any], lines: int) -> int:
    child = os.fork()
    if child == 0:
        try:
            sys.settrace(_Fuse(files, lines).call)
            work()
            os._exit(0)
        except BaseException:  # noqa: BLE001 - nothing of the test itself may run in the child
            os._exit(1)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


class _Fuse:
    def __init__(self, files: set[str], lines: int) -> None:
        self._files, self._left = files, lines

    def call(self, frame: FrameType, event: str, argument: Any) -> Any:
        return self.line if frame.f_code.co_filename in self._files else None

    def line(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            self._left -= 1
            if self._left == 0:
                os._exit(DIED)
        return self.line
