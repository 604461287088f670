"""Sentences as a file stores them: the template and its values, so that each reader has them in their own language."""

import json
import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from erp.kernel.language import Digits, Listed, Sentence, Word

_TEMPLATE = re.compile(r"(?:[^{}]|\{\w+\})*")
"""Only plain names stand in places: a file from elsewhere could ask for attributes."""


def dump(text: str) -> str:
    """A sentence, or a text of people, as JSON."""
    return json.dumps(_plain(text), ensure_ascii=False)


def load(stored: str) -> str:
    """The sentence or text of such JSON."""
    text = _restored(json.loads(stored))
    assert isinstance(text, str)
    return text


def _plain(value: object) -> object:
    if isinstance(value, Sentence):
        return {"says": value.template, "values": {name: _plain(one) for name, one in value.values.items()}}
    if isinstance(value, Word):
        return {"word": str(value), "context": value.context}
    if isinstance(value, Digits):
        return {"digits": str(value)}
    if isinstance(value, Listed):
        items = [_plain(item) for item in value.items]
        return {"items": items, "last": value.last and str(value.last), "separator": value.separator}
    return {"day": value.isoformat()} if isinstance(value, date) else value


def _restored(value: object) -> object:
    if not isinstance(value, dict):
        return value
    return next(restore(value) for mark, restore in _RESTORED.items() if mark in value)


def _sentence(stored: Mapping[str, Any]) -> Sentence:
    template = stored["says"]
    if not _TEMPLATE.fullmatch(template):
        raise ValueError(template)
    return Sentence.of(template, {name: _restored(value) for name, value in stored["values"].items()})


def _listed(stored: Mapping[str, Any]) -> Listed:
    items = [_restored(item) for item in stored["items"]]
    return Listed.of(items, stored["last"], separator=stored["separator"])


_RESTORED: Mapping[str, Callable[[Mapping[str, Any]], object]] = {
    "says": _sentence,
    "word": lambda stored: Word.stored(stored["word"], stored["context"]),
    "digits": lambda stored: Digits(stored["digits"]),
    "items": _listed,
    "day": lambda stored: date.fromisoformat(stored["day"]),
}
