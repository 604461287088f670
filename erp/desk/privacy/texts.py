"""Personal values in texts and JSON: recognised as whole words, and replaced."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

ERASED = "erased"
"""The text in place of an erased value."""

ID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
"""The id of a record or a user within a text."""

LEAST = 3
"""Letters of a personal value; shorter ones, such as a country, tell of no one."""


def pattern(values: Iterable[str]) -> re.Pattern[str] | None:
    """A pattern for these values as whole words; None without any."""
    longest_first = sorted({value for value in values if len(value) >= LEAST}, key=len, reverse=True)
    if not longest_first:
        return None
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")


def leaves(value: object) -> Iterator[str]:
    """The texts within a value; of JSON in a text, the texts in it."""
    if isinstance(value, str):
        document = parsed(value)
        if isinstance(document, (dict, list)):
            yield from leaves(document)
        else:
            yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from leaves(part)
    elif isinstance(value, list):
        for part in value:
            yield from leaves(part)


def replaced(value: Any, change: Callable[[Any], Any]) -> Any:
    """A value of JSON with each text, number and fact in it changed; null and names of members stay."""
    if isinstance(value, dict):
        return {name: replaced(part, change) for name, part in value.items()}
    if isinstance(value, list):
        return [replaced(part, change) for part in value]
    return None if value is None else change(value)


def within(text: str, change: Callable[[Any], Any]) -> str:
    """A text with `change` applied; if it is JSON, to what is in it."""
    document = parsed(text)
    if isinstance(document, (dict, list)):
        return json.dumps(replaced(document, change), ensure_ascii=False, separators=(",", ":"))
    return str(change(text))


def parsed(text: str) -> object:
    """The value of JSON in a text; None if it is another text."""
    if not text.startswith(("{", "[")):
        return None
    try:
        return json.loads(text)
    except ValueError:
        return None
