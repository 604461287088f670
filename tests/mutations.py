"""Files changed in places as no program writes them: bytes, numbers, texts and elements, also of packed parts."""

import io
import re
import zipfile
import zlib
from collections.abc import Callable, Sequence
from random import Random

NUMBERS = (
    *(
        b"0",
        b"-1",
        b"1",
        b"99999999999999999999999999999999",
        b"0.000000000000000000001",
        b"1e400",
        b"NaN",
        b"Infinity",
    ),
    *(b"1,1,1", b"2026-02-30", b"0000-00-00", b"9999-12-31", b"260230", b"\xd9\xa3", b"", b" ", b"A" * 5000),
)
BYTES = (b"\0", b"\xff", b"<", b">", b"&", b'"', b"'", b";", b",", b":", b"\n", b"\r", b"\x1a", b"\xef\xbb\xbf", b"?20")
_NUMBER = re.compile(rb"\d+(?:[.,]\d+)?")
_TEXT = re.compile(rb"(?<=>)[^<>]+(?=<)")
_ELEMENT = re.compile(rb"<([\w:]+)(?: [^<>]*)?>[^<>]*</\1>")
Change = Callable[[Random, bytes], bytes]


def changed(random: Random, samples: Sequence[bytes]) -> bytes:
    """One of the samples after a few changes."""
    content = random.choice(samples)
    if content.startswith(b"PK") and random.random() < 0.8:
        content = _in_zip(random, content)
    elif b"/FlateDecode" in content and random.random() < 0.8:
        content = _in_pdf(random, content)
    else:
        content = _several(random, content)
    if random.random() < 0.05:
        other = random.choice(samples)
        content = content[: random.randrange(len(content) + 1)] + other[random.randrange(len(other)) :]
    return content


def _several(random: Random, content: bytes) -> bytes:
    for _ in range(random.choice((1, 1, 2, 3, 8))):
        content = random.choice(CHANGES)(random, content)
    return content


def _place(random: Random, content: bytes) -> int:
    return random.randrange(len(content) + 1)


def _slice(random: Random, content: bytes) -> tuple[int, int]:
    start = _place(random, content)
    return start, min(len(content), start + random.choice((1, 4, 40, 400)))


def flip(random: Random, content: bytes) -> bytes:
    if not content:
        return content
    place = random.randrange(len(content))
    return content[:place] + bytes([content[place] ^ 1 << random.randrange(8)]) + content[place + 1 :]


def insert(random: Random, content: bytes) -> bytes:
    place = _place(random, content)
    return content[:place] + random.choice((*BYTES, random.randbytes(4))) + content[place:]


def delete(random: Random, content: bytes) -> bytes:
    start, end = _slice(random, content)
    return content[:start] + content[end:]


def repeat(random: Random, content: bytes) -> bytes:
    start, end = _slice(random, content)
    return content[:end] + content[start:end] * random.choice((1, 2, 50, 2000)) + content[end:]


def move(random: Random, content: bytes) -> bytes:
    start, end = _slice(random, content)
    rest = content[:start] + content[end:]
    place = _place(random, rest)
    return rest[:place] + content[start:end] + rest[place:]


def truncate(random: Random, content: bytes) -> bytes:
    return content[: _place(random, content)]


def _by(pattern: re.Pattern[bytes], other: Callable[[Random, bytes], bytes]) -> Change:
    """Replace one of the matches of a pattern."""

    def change(random: Random, content: bytes) -> bytes:
        matches = [*pattern.finditer(content)]
        if not matches:
            return content
        match = random.choice(matches)
        return content[: match.start()] + other(random, match[0]) + content[match.end() :]

    return change


number = _by(_NUMBER, lambda random, old: random.choice(NUMBERS))
text = _by(_TEXT, lambda random, old: random.choice((*NUMBERS, old[:1000] * 500)))
element = _by(_ELEMENT, lambda random, old: random.choice((b"", old * 2, old[:1000] * 300, b"<x>" * 500 + old)))
CHANGES: Sequence[Change] = (flip, insert, delete, repeat, move, truncate, number, number, text, element)


def _in_zip(random: Random, content: bytes) -> bytes:
    """Change one of the packed files, and pack them again."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    chosen = random.choice([*parts])
    parts[chosen] = _several(random, parts[chosen])
    if random.random() < 0.1:
        del parts[random.choice([*parts])]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return packed.getvalue()


def _in_pdf(random: Random, content: bytes) -> bytes:
    """Change the file that is packed in a PDF of `worst_files`."""
    start, end = content.index(b"stream\n") + 7, content.index(b"\nendstream")
    return content[:start] + zlib.compress(_several(random, zlib.decompress(content[start:end]))) + content[end:]
