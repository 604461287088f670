"""Runs first in the one-file program, which unpacks itself at each start: what has many small files stays packed.

Time zones are read from their archive, and the names of holidays are unpacked when their library is first imported.
"""

import sys
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any

FOLDER = Path(sys._MEIPASS)  # type: ignore[attr-defined]  # where the launcher has unpacked the program


class Unpacking(MetaPathFinder):
    """Unpacks the names of holidays before their library is found as ever."""

    def find_spec(self, name: str, *_: Any) -> None:
        """Find nothing; what has been unpacked, others find."""
        if name == "holidays":
            from zipfile import ZipFile  # here, because few starts need it

            with ZipFile(FOLDER / "holidays.zip") as packed:
                packed.extractall(FOLDER)


sys.path.append(str(FOLDER / "tzdata.zip"))
sys.meta_path.insert(0, Unpacking())
