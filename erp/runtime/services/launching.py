"""How a service starts this very program, wherever it lies, with the settings that it was installed with."""

import sys
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import erp
from erp.kernel.config import OPTIONS
from erp.kernel.errors import Refusal

DATA_DIR = "--data-dir="
ALWAYS = ("data_dir", "no_browser")
"""The settings that every service is given, whatever was typed."""


class CannotInstall(Refusal):
    """The service cannot be installed."""


@dataclass(frozen=True)
class Launch:
    """A command line, the folder that it is run in, and the data directory that it serves."""

    words: tuple[str, ...]
    folder: Path
    data_dir: Path


def plan(data_dir: Path, flags: Mapping[str, object]) -> Launch:
    """Write the command line that starts this program as a server without a person.

    Args:
        flags: the settings that were typed, as they were typed.

    Raises:
        CannotInstall: a path holds what no service's file can.
    """
    starter, folder = _this_program()
    words = (*starter, "serve", "--no-browser", f"{DATA_DIR}{data_dir}", *_typed(flags))
    for word in (*words, str(folder)):
        _check(word)
    return Launch(words, folder, data_dir)


def _this_program() -> tuple[tuple[str, ...], Path]:
    program = Path(sys.executable).absolute()
    if getattr(sys, "frozen", False):
        return (str(program),), program.parent
    assert erp.__file__ is not None
    return (str(program), "-m", "erp"), Path(erp.__file__).absolute().parent.parent


def _typed(flags: Mapping[str, object]) -> list[str]:
    found = []
    for name, value in flags.items():
        option = OPTIONS[name]
        if name in ALWAYS:
            continue
        values = value if isinstance(value, list) else [value]
        found += [option.flag] if option.is_switch else [f"{option.flag}={each}" for each in values]
    return found


def _check(word: str) -> None:
    if any(unicodedata.category(sign) in ("Cc", "Cs") or _is_noncharacter(ord(sign)) for sign in word):
        raise CannotInstall(f"A service cannot be given {word!r}: it holds characters that cannot be written.")


def _is_noncharacter(code: int) -> bool:
    """Whether it stands for nothing and never will; such a text is refused by XML and by systemd."""
    return code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF
