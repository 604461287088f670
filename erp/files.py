"""Files other than databases: putting a finished one in its place."""

import sys
import time
from pathlib import Path

TRIES = 10
PAUSE = 0.05
"""Seconds between tries; a virus scanner on Windows may hold a new file for a moment."""


def replace(new: Path, final: Path) -> None:
    """Give a file the name of another, whose place it takes, in one step.

    Raises:
        PermissionError: it may not be done, or, on Windows, somebody has had the file open for half a second.
    """
    for _ in range(TRIES - 1):
        try:
            new.replace(final)
        except PermissionError:
            if sys.platform != "win32":
                raise
            time.sleep(PAUSE)
        else:
            return
    new.replace(final)
