"""The words of a bank line, and the numbers and names that are found in them."""

import re
from collections.abc import Iterable, Iterator, Sequence

LONG = 7
"""Letters and digits from which on a number is found with other spaces and hyphens, too."""
SHORTEST_NAME = 4

_OTHERS = re.compile(r"[^A-Z0-9]+")


class Text:
    """All words of a line, in capitals."""

    def __init__(self, text: str, end_to_end: str | None = None, party: str | None = None) -> None:
        self.end_to_end = (end_to_end or "").upper()
        self.all = " ".join(part for part in (text, end_to_end, party) if part).upper()
        self.words = _words(self.all)
        self.dense = "".join(self.words)

    def names(self, number: str | None) -> bool:
        """Whether it has a number: as a word, or a long one with other spaces and hyphens."""
        if not number:
            return False
        dense = _dense(number)
        if dense is not None and dense in self.dense:
            return True
        return re.search(rf"(?<![A-Z0-9]){re.escape(number.upper())}(?![A-Z0-9])", self.all) is not None

    def has_name(self, name: str | None) -> bool:
        """Whether it has a name of at least four letters."""
        return name is not None and len(name) >= SHORTEST_NAME and name.upper() in self.all

    def has(self, text: str) -> bool:
        """Whether it has the text of a rule, in any case of letters."""
        return text.upper() in self.all


class Numbers:
    """Finds the numbers in a text, without trying each of them."""

    def __init__(self, numbers: Iterable[tuple[str | None, int]]) -> None:
        """Take numbers, each with the position of its record in a list."""
        self._by_key: dict[str | tuple[str, ...], list[tuple[str, int]]] = {}
        for number, position in numbers:
            if number:
                for key in _keys(number):
                    self._by_key.setdefault(key, []).append((number, position))
        self._words = sorted({len(key) for key in self._by_key if isinstance(key, tuple)})
        self._letters = sorted({len(key) for key in self._by_key if isinstance(key, str)})

    def within(self, text: Text) -> set[int]:
        """The positions of the records of which the text names a number."""
        return {
            position
            for key in _cuts(text, self._words, self._letters)
            for number, position in self._by_key.get(key, ())
            if text.names(number)
        }


class Names:
    """Finds the names in a text, without trying each of them."""

    def __init__(self, names: Iterable[tuple[str | None, int]]) -> None:
        """Take names, each with the position of its record in a list."""
        self._by_start: dict[str, dict[str, list[int]]] = {}
        for name, position in names:
            if name is not None and len(name) >= SHORTEST_NAME:
                alike = self._by_start.setdefault(name.upper()[:SHORTEST_NAME], {})
                alike.setdefault(name.upper(), []).append(position)

    def within(self, text: Text) -> set[int]:
        """The positions of the records whose names the text has."""
        starts = {text.all[at : at + SHORTEST_NAME] for at in range(len(text.all) - SHORTEST_NAME + 1)}
        alike = (entry for start in starts for entry in self._by_start.get(start, {}).items())
        return {position for name, positions in alike if name in text.all for position in positions}


def _words(text: str) -> tuple[str, ...]:
    return tuple(word for word in _OTHERS.split(text) if word)


def _dense(number: str) -> str | None:
    """The letters and digits of a number, if there are enough to know it by them."""
    dense = _OTHERS.sub("", number.upper())
    return dense if len(dense) >= LONG and any(map(str.isdigit, dense)) else None


def _keys(number: str) -> Iterator[str | tuple[str, ...]]:
    yield _words(number.upper())
    if (dense := _dense(number)) is not None:
        yield dense


def _cuts(text: Text, words: Sequence[int], letters: Sequence[int]) -> Iterator[str | tuple[str, ...]]:
    """Every run of so many words, and of so many letters."""
    for length in words:
        for at in range(len(text.words) - length + 1):
            yield text.words[at : at + length]
    for length in letters:
        for at in range(len(text.dense) - length + 1):
            yield text.dense[at : at + length]
