"""Text as it is searched: without case and accents, so that `muller` finds Müller and `strasse` finds Straße."""

import unicodedata

_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ħ": "h", "ı": "i", "ŋ": "n"}
)
"""Letters that Unicode does not take apart; `ß` becomes `ss` by itself."""


def fold(text: str) -> str:
    """The text without case and accents."""
    if text.isascii():
        return text.lower()
    parts = unicodedata.normalize("NFKD", text).casefold()
    return "".join(part for part in parts if not unicodedata.combining(part)).translate(_LETTERS)


def words(text: str, most: int = 8) -> list[str]:
    """The folded words of a text; what is beyond the last counts as one."""
    return fold(text).split(None, most - 1)
