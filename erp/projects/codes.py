"""Codes: the short names of projects, and the prefixes of their task keys."""

import re
import unicodedata
from collections.abc import Container
from itertools import count

FORM = re.compile(r"[A-Z][A-Z0-9]{1,7}")
LONGEST = 8

USUAL = "PROJ"
"""The code of a project whose name has too few Latin letters to make one."""


def make(name: str, taken: Container[str]) -> str:
    """Make a code from a name, with a number appended where the plain one is taken.

    Several words give their initials, a single one its first three letters; numbers are ignored.
    """
    stem = _stem(name)
    if stem not in taken:
        return stem
    numbered = (f"{stem[: LONGEST - len(str(number))]}{number}" for number in count(2))
    return next(code for code in numbered if code not in taken)


def _stem(name: str) -> str:
    latin = unicodedata.normalize("NFKD", name.upper()).encode("ascii", "ignore").decode().upper()
    words = re.findall("[A-Z][A-Z0-9]*", latin)
    initials = "".join(word[0] for word in words)[:4]
    beginning = "".join(words)[:3]
    return next((code for code in (initials, beginning) if FORM.fullmatch(code)), USUAL)
