"""Letters that the program's own typeface lacks: typefaces of this computer that have them, and the order they go in.

The typefaces of Chinese and Japanese are larger than the whole program, and every system has its own.
"""

import os
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from erp.kernel import config

if TYPE_CHECKING:
    from fpdf import FPDF

NAMES = (
    "NotoSansCJK-Regular.ttc",  # Linux, as all that begin with Noto
    "NotoSansSC-Regular.otf",
    "NotoSansSC-Regular.ttf",
    "NotoSansArabic-Regular.ttf",
    "NotoSansHebrew-Regular.ttf",
    "NotoSansThai-Regular.ttf",
    "NotoSansDevanagari-Regular.ttf",
    "DroidSansFallbackFull.ttf",
    "wqy-microhei.ttc",
    "msyh.ttc",  # Windows: Chinese, Japanese, Korean, Thai, Indian, and Arabic and Hebrew in those after them
    "msjh.ttc",
    "YuGothM.ttc",
    "malgun.ttf",
    "LeelawUI.ttf",
    "Nirmala.ttc",
    "Nirmala.ttf",
    "segoeui.ttf",
    "tahoma.ttf",
    "arial.ttf",
    "simsun.ttc",
    "Arial Unicode.ttf",  # macOS
    "DejaVuSans.ttf",
)
"""Files of typefaces with letters beyond Latin, Greek and Cyrillic, in the order in which they are asked."""

FOLDER = "fonts"
"""The folder in the data folder whose typefaces are asked first, for a computer that has none."""

SUFFIXES = frozenset({".ttf", ".otf", ".ttc"})
_LEFTWARDS = frozenset({"R", "AL"})
_ARABIC = range(0x600, 0x780)


LACKING = "?"
"""In place of a letter that no typeface of this computer has."""


def legible(pdf: "FPDF", text: str) -> str:
    """A text as a document can write it, with further typefaces of this computer where its letters need them."""
    if text.isascii():
        return text
    shown = _writable(pdf, text)
    lacking = _lacking(pdf, shown)
    return "".join(LACKING if ord(letter) in lacking else letter for letter in shown) if lacking else shown


def can_write(pdf: "FPDF", text: str) -> bool:
    """Whether this computer has typefaces with all letters of a text."""
    return not _lacking(pdf, _writable(pdf, text))


def line(pdf: "FPDF", text: str) -> str:
    """The same for a text that stays in one line, its letters in the order in which they are printed."""
    return in_order(legible(pdf, text))


def _writable(pdf: "FPDF", text: str) -> str:
    """A text with its letters joined, as far as the typefaces of this computer have the joined forms."""
    shown = joined(text)
    _complete(pdf, shown)
    if shown != text and _lacking(pdf, shown):
        _complete(pdf, text)
        return shown if _lacking(pdf, text) else text
    return shown


def _complete(pdf: "FPDF", text: str) -> None:
    lacking = _lacking(pdf, text)
    for path in _candidates() if lacking else ():
        available = lacking & _letters(path)
        if available and path.stem.lower() not in pdf.fonts:
            pdf.add_font(path.stem, fname=str(path))
            pdf.set_fallback_fonts([*pdf._fallback_font_ids, path.stem])
            lacking -= available
        if not lacking:
            return


def is_leftwards(text: str) -> bool:
    """Whether any of it is read from right to left."""
    return not text.isascii() and any(unicodedata.bidirectional(letter) in _LEFTWARDS for letter in text)


def in_order(line: str) -> str:
    """The letters of a line from left to right, as they are printed; a text that wraps is cut into its lines before.

    Source: the Unicode Bidirectional Algorithm (UAX #9).
    """
    if not is_leftwards(line):
        return line
    from fpdf.bidi import BidiParagraph

    ordered: str = BidiParagraph(text=line).get_reordered_string()
    return ordered


def joined(text: str) -> str:
    """A text whose Arabic letters have the forms that they take beside each other."""
    if not any(ord(letter) in _ARABIC for letter in text):
        return text
    import arabic_reshaper  # type: ignore[import-untyped]  # here, because few documents name anybody in Arabic

    reshaped: str = arabic_reshaper.reshape(text)
    return reshaped


def _lacking(pdf: "FPDF", text: str) -> set[int]:
    if text.isascii():
        return set()
    letters = {ord(letter) for letter in text if letter not in "\n\xad"}
    for font in pdf.fonts.values():
        letters -= getattr(font, "cmap", {}).keys()
    return letters


@cache
def _letters(path: Path) -> frozenset[int]:
    """The letters of a typeface; none where it cannot be read, or must not be embedded."""
    from fontTools.ttLib import TTFont, TTLibError  # type: ignore[import-untyped]

    try:
        with path.open("rb") as stream, TTFont(stream, fontNumber=0, lazy=True) as font:
            is_restricted = font["OS/2"].fsType & 0xF == 2
            return frozenset() if is_restricted else frozenset(font.getBestCmap() or ())
    except (OSError, TTLibError, KeyError, ValueError):
        return frozenset()


def _candidates() -> Iterator[Path]:
    own = config.current().data_dir / FOLDER
    if own.is_dir():
        yield from sorted(path for path in own.iterdir() if path.suffix.lower() in SUFFIXES)
    yield from _installed()


@cache
def _installed() -> tuple[Path, ...]:
    """The typefaces of `NAMES` that this computer has, in that order."""
    paths: dict[str, Path] = {}
    for folder in _folders():
        for parent, _, names in os.walk(folder):
            for name in names:
                if name in NAMES:
                    paths.setdefault(name, Path(parent, name))
    return tuple(paths[name] for name in NAMES if name in paths)


def _folders() -> Iterable[Path]:
    home = Path.home()
    if sys.platform == "win32":
        return [Path(os.environ.get("WINDIR", r"C:\Windows"), "Fonts"), home / r"AppData\Local\Microsoft\Windows\Fonts"]
    if sys.platform == "darwin":
        return [home / "Library/Fonts", Path("/Library/Fonts"), Path("/System/Library/Fonts")]
    return [home / ".local/share/fonts", Path("/usr/local/share/fonts"), Path("/usr/share/fonts")]
