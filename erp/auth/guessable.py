"""Passwords that are guessed first: the most common ones, patterns of the keyboard, and the user's own words.

The common ones are the 30,000 of the package zxcvbn (MIT). Its file is read as text, without importing the package,
which would build tables of 15 MB; it is read when the first new password is judged.
"""

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

from erp.kernel.language import Sentence, says

MOST_ADDED = 8
"""As many characters as a date has; with more of them beside it, a known word makes a password no worse."""
LONGEST_BLOCK = 6
SHORTEST_WORD = 3
SHORTEST_RUN = 3

COMMON = says("This password is among the first that attackers try. Use three or more unrelated words.")
PATTERN = says("Repeated or neighbouring characters are easy to guess. Use three or more unrelated words.")
PERSONAL = says(
    "Your name, e-mail address or workspace is easy to guess, also with digits added. Use "
    "three or more unrelated words."
)

ROWS = (
    *("abcdefghijklmnopqrstuvwxyz", "01234567890"),
    *("qwertyuiop", "asdfghjkl", "zxcvbnm"),
    *("qwertzuiopü", "asdfghjklöä", "yxcvbnm"),
    *("azertyuiop", "qsdfghjklm", "wxcvbn"),
)
FORWARD = {pair for row in ROWS for pair in pairwise(row)}
BACKWARD = {(after, before) for before, after in FORWARD}
EITHER = [FORWARD, BACKWARD]

_LISTED = re.compile(r'"passwords": "([^"]*)"')
_NO_LETTERS = re.compile(r"[\W\d_]+")
_AROUND = re.compile(r"^[\W\d_]+|[\W\d_]+$")


def why(password: str, personal: Iterable[str]) -> Sentence | None:
    """The reason why a password is easy to guess, with better advice; None if it is hard to guess.

    Args:
        personal: the user's e-mail address, name and names of workspaces.
    """
    typed = password.casefold()
    if _is_repeated(typed) or _is_run(typed):
        return PATTERN
    if _is_personal(typed, personal):
        return PERSONAL
    bare = _AROUND.sub("", typed)
    if is_common(typed) or (len(typed) - len(bare) <= MOST_ADDED and is_common(bare)):
        return COMMON
    return None


def is_common(word: str) -> bool:
    """Whether it is one of the most common passwords."""
    hashed, hashes = hash(word), common()
    index = bisect_left(hashes, hashed)
    return index < len(hashes) and hashes[index] == hashed


@cache
def common() -> "array[int]":
    """The hashes of the most common passwords in order; the passwords themselves would take 5 MiB from now on."""
    spec = find_spec("zxcvbn")
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError("The package zxcvbn, which holds the most common passwords, is not installed.")
    text = Path(spec.submodule_search_locations[0], "frequency_lists.py").read_text("utf-8")
    listed = _LISTED.search(text)
    if listed is None:
        raise ValueError("The list of the most common passwords is not where it is expected.")
    return array("q", sorted(map(hash, listed[1].split(","))))


def _is_repeated(typed: str) -> bool:
    """Whether a short block is repeated: aaaaaaaaaa, abcabcabcabc, hallo1hallo1."""
    blocks = range(1, min(LONGEST_BLOCK, len(typed) // 2) + 1)
    return any(typed[length:] == typed[:-length] for length in blocks)


def _is_run(typed: str) -> bool:
    """Whether it has few runs along the alphabet, the digits or a row of keys, in either direction: qwertz12345."""
    once = [typed[0], *(after for before, after in pairwise(typed) if before != after)]
    runs, directions = 1, EITHER
    for pair in pairwise(once):
        directions = [way for way in directions if pair in way]
        if not directions:
            runs, directions = runs + 1, EITHER
    return runs <= len(typed) // SHORTEST_RUN


def _is_personal(typed: str, personal: Iterable[str]) -> bool:
    """Whether it consists of the user's own words, with a few digits and signs between and around them."""
    known, letters = [text.casefold() for text in personal], _NO_LETTERS.sub("", typed)
    if typed in known:
        return True
    if not letters or len(typed) - len(letters) > MOST_ADDED:
        return False
    words = {word for text in known for word in _NO_LETTERS.split(text) if len(word) >= SHORTEST_WORD}
    for word in sorted(words, key=len, reverse=True):
        letters = letters.replace(word, "")
    return not letters
