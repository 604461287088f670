"""Text from others: its encoding, which files do not tell, and its lines."""

import codecs
from collections.abc import Iterator
from io import BytesIO, TextIOWrapper

from erp.kernel.intake.budget import pieces

LONGEST_LINE = 1 << 20
"""The most characters of a line; a longer one is cut, so that its reader refuses the next piece."""

SAMPLE = 1 << 12
"""Bytes at the beginning of a file that tell whether it is UTF-16."""


def encoding_of(data: bytes) -> str:
    """UTF-8, UTF-16 or, from older programs, Windows-1252."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if unmarked := _unmarked_utf_16(data[:SAMPLE]):
        return unmarked
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for piece in pieces(data):
            decoder.decode(piece)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8-sig"


def _unmarked_utf_16(sample: bytes) -> str | None:
    """UTF-16 without a mark: every second byte of Western text is 0, and no other text has any."""
    if len(sample) % 2 == 0 and 3 * sample[1::2].count(0) > len(sample[1::2]):
        return "utf-16-le"
    if len(sample) % 2 == 0 and 3 * sample[::2].count(0) > len(sample[::2]):
        return "utf-16-be"
    return None


def lines(data: bytes) -> Iterator[str]:
    """The lines of a file from the first one that is not blank, each with a line feed at its end."""
    text = TextIOWrapper(BytesIO(data), encoding_of(data), errors="replace")
    parts = iter(lambda: text.readline(LONGEST_LINE + 1), "")
    for line in parts:
        if line.strip():
            yield line.lstrip()
            break
    yield from parts
