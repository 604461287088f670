"""The command with which a service starts this same program, anywhere, with the typed settings."""

import sys
import unicodedata
from collections.abc import Mapping
from pathlib import Path

import msgspec

import erp
from erp.kernel.config import OPTIONS, program
from erp.kernel.errors import Refusal
from erp.kernel.language import verbatim

DATA_DIR = "--data-dir="
ALWAYS = ("data_dir", "no_browser")
"""The settings of every service."""


class CannotInstall(Refusal):
    """The service cannot be installed."""


class Launch(msgspec.Struct, frozen=True):
    """A command line, its working folder, and the data directory that it serves."""

    words: tuple[str, ...]
    folder: Path
    data_dir: Path


def plan(data_dir: Path, flags: Mapping[str, object]) -> Launch:
    """Write the command line that starts this program as a server in the background.

    Args:
        flags: the settings as they were typed.

    Raises:
        CannotInstall: a path contains characters that a service's file cannot.
    """
    folder = _own_folder()
    words = (*program(), "serve", "--no-browser", f"{DATA_DIR}{data_dir}", *_typed(flags))
    for word in (*words, str(folder)):
        _check(word)
    return Launch(words, folder, data_dir)


def _own_folder() -> Path:
    if getattr(sys, "frozen", False):
        return Path(sys.executable).absolute().parent
    assert erp.__file__ is not None
    return Path(erp.__file__).absolute().parent.parent


def _typed(flags: Mapping[str, object]) -> list[str]:
    words = []
    for name, value in flags.items():
        option = OPTIONS[name]
        if name in ALWAYS:
            continue
        values = value if isinstance(value, list) else [value]
        words += [option.flag] if option.is_switch else [f"{option.flag}={text}" for text in values]
    return words


def _check(word: str) -> None:
    if any(unicodedata.category(sign) in ("Cc", "Cs") or _is_noncharacter(ord(sign)) for sign in word):
        raise CannotInstall(
            verbatim(f"A service cannot use {word!r}. It contains characters that cannot be written to a file.")
        )


def _is_noncharacter(code: int) -> bool:
    """Whether Unicode never assigns the code point (U+FDD0 to U+FDEF, U+…FFFE, U+…FFFF); XML and systemd refuse it."""
    return code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF
