"""QR codes: addresses for phones that are held up to a screen, and transfers for banking apps."""

import io
import os
import re
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from segno import QRCode

QUIET_ZONE = 4
BLACK_ON_WHITE, USUAL_COLOURS = "\033[30;107m", "\033[0m"


def svg(text: str) -> bytes:
    """A code as an image, with its quiet zone, black on white whatever surrounds it."""
    out = io.BytesIO()
    _code(text).save(out, kind="svg", light="#fff", omitsize=True, title=text, svgclass=None, lineclass=None, nl=False)
    return out.getvalue()


def transfer(text: str) -> list[bytes]:
    """The rows of a code for a banking app (EPC069-12: error correction M), a byte a square, with its quiet zone."""
    import segno

    code = segno.make(text, error="m", micro=False, boost_error=False, encoding="utf-8")
    return [bytes(row) for row in code.matrix_iter(border=QUIET_ZONE)]


def path(rows: list[bytes]) -> str:
    """The dark squares of a code as the path of an SVG, one unit a square."""
    runs = ((x.start(), x.end(), y) for y, row in enumerate(rows) for x in re.finditer(rb"\x01+", row))
    return "".join(f"M{start} {y}h{end - start}v1h{start - end}z" for start, end, y in runs)


def drawn_on(screen: TextIO, text: str) -> str:
    """A code in characters of two squares each; empty if the output is not a terminal or cannot show them."""
    if not screen.isatty() or os.environ.get("TERM") == "dumb" or not _can_write(screen, "▀▄█"):
        return ""
    if os.name == "nt":  # its console is dark by default, and may not be able to change colours
        return _plain(text)
    swapped = str.maketrans(" ▀▄█", "█▄▀ ")
    return "\n".join(f"{BLACK_ON_WHITE}{line}{USUAL_COLOURS}" for line in _plain(text).translate(swapped).split("\n"))


def _plain(text: str) -> str:
    """The code on a dark background: its light squares are blocks."""
    out = io.StringIO()
    _code(text).terminal(out, border=2, compact=True)
    return out.getvalue().rstrip("\n")


def _code(text: str) -> "QRCode":
    import segno  # here, because a code is drawn only for those who share with a network

    return segno.make(text, error="m", micro=False)


def _can_write(screen: TextIO, characters: str) -> bool:
    try:
        characters.encode(screen.encoding)
    except UnicodeEncodeError:
        return False
    return True
