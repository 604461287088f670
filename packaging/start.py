"""Runs first in the executable, where what has many small files is in archives.

Time zones are read from theirs. The one file unpacks the names of holidays when their library is first imported.
"""

import sys
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any

FOLDER = Path(sys._MEIPASS)  # type: ignore[attr-defined]  # where the program's files are
HOLIDAYS = FOLDER / "holidays.zip"


class Unpacking(MetaPathFinder):
    """Unpacks the names of holidays before their library is found as ever."""

    def find_spec(self, name: str, *_: Any) -> None:
        """Find nothing; what has been unpacked, others find."""
        if name == "holidays":
            from zipfile import ZipFile  # here, because few starts need it

            with ZipFile(HOLIDAYS) as packed:
                packed.extractall(FOLDER)


sys.path.append(str(FOLDER / "tzdata.zip"))
if HOLIDAYS.exists():
    sys.meta_path.insert(0, Unpacking())
