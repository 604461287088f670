"""Addresses as QR codes, for telephones that are held to a screen."""

import io
import os
from typing import TextIO

import segno

BLACK_ON_WHITE, USUAL_COLOURS = "\033[30;107m", "\033[0m"


def svg(text: str) -> bytes:
    """Draw a code as an image, with its quiet zone, black on white whatever is around it."""
    out = io.BytesIO()
    _code(text).save(out, kind="svg", light="#fff", omitsize=True, title=text, svgclass=None, lineclass=None, nl=False)
    return out.getvalue()


def drawn_on(screen: TextIO, text: str) -> str:
    """Draw a code in characters, two squares each; empty when the screen is none, or cannot show them."""
    if not screen.isatty() or os.environ.get("TERM") == "dumb" or not _can_write(screen, "▀▄█"):
        return ""
    if os.name == "nt":  # its console is dark unless told otherwise, and may not know how to change colours
        return _plain(text)
    swapped = str.maketrans(" ▀▄█", "█▄▀ ")
    return "\n".join(f"{BLACK_ON_WHITE}{line}{USUAL_COLOURS}" for line in _plain(text).translate(swapped).split("\n"))


def _plain(text: str) -> str:
    """The code on a dark ground: what is light is a block."""
    out = io.StringIO()
    _code(text).terminal(out, border=2, compact=True)
    return out.getvalue().rstrip("\n")


def _code(text: str) -> segno.QRCode:
    return segno.make(text, error="m", micro=False)


def _can_write(screen: TextIO, characters: str) -> bool:
    try:
        characters.encode(screen.encoding)
    except UnicodeEncodeError:
        return False
    return True
