"""Sentences for people: English in the code, and in the reader's language where a catalogue has them.

`says("{number} is already void.", number=run.number)` is the English text, which still knows its template and the
values. So one room passes messages on as plain text, and another can translate them. Docstrings of
refusals are such templates too. The catalogues are the files `erp/messages/*.po`; the English sentence is the key.
"""

import datetime
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cache, lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

ENGLISH = "en"
LANGUAGES = (ENGLISH, "de")

_NOTHING: Mapping[str, Any] = MappingProxyType({})
_MONTHS = {
    "de": [
        "Januar",
        "Februar",
        "März",
        "April",
        "Mai",
        "Juni",
        "Juli",
        "August",
        "September",
        "Oktober",
        "November",
        "Dezember",
    ],
}
_DIGITS = re.compile(r"(-?)(\d+(?:,\d{3})*)(?:\.(\d+))?(.*)", re.DOTALL)


class Sentence(str):
    """An English sentence with its template and values."""

    __slots__ = ("template", "values")
    template: str
    values: Mapping[str, object]


def says(template: str, /, **values: object) -> str:
    """A sentence from a template with placeholders, `{number} is already void.`, and their values."""
    if isinstance(template, Sentence) and not values:
        return template
    sentence = Sentence(template.format_map(values) if values else template)
    sentence.template, sentence.values = template, values
    return sentence


class Word(str):
    """A word of the program's own in a sentence, such as a status, which the catalogue knows."""

    __slots__ = ()

    @classmethod
    def of(cls, value: str) -> "Word":
        """The word for a value of the API: `written off` for `written_off`."""
        return cls(value.replace("_", " "))


class Digits(str):
    """A decimal as it is written in English, perhaps with its unit: `1250.00 EUR` or `1,250.00 EUR`."""

    __slots__ = ()


class Listed(str):
    """Several things in a row: `a, b and c`."""

    __slots__ = ("items", "last", "separator")
    items: Sequence[object]
    separator: str
    last: str | None

    @classmethod
    def of(cls, items: Sequence[object], last: str | None = None, *, separator: str = ", ") -> "Listed":
        """The items one after the other.

        Args:
            last: the word before the last one: `and` or `or`.
        """
        listed = cls(_joined([str(item) for item in items], separator, last))
        listed.items, listed.separator, listed.last = items, separator, last
        return listed


class Moment(str):
    """An instant as a sentence says it: `22:00 on 3 September`; `erp.kernel.clock.shown` makes them."""

    __slots__ = ("local", "year")
    local: datetime.datetime
    year: str

    @classmethod
    def of(cls, local: datetime.datetime, *, with_year: bool) -> "Moment":
        """An instant in the time zone of its reader."""
        year = f" {local.year}" if with_year else ""
        moment = cls(f"{local:%H:%M} on {local.day} {local:%B}{year}")
        moment.local, moment.year = local, year
        return moment


def params(message: str) -> dict[str, Any]:
    """The values of a message's placeholders, as plain JSON values."""
    return {name: _plain(value) for name, value in _values(message).items()}


def translated(message: str, language: str) -> str:
    """A message in a language; unchanged in English, or without a translation."""
    known = _NOTHING if language == ENGLISH else catalogue(language)
    wording = known.get(getattr(message, "template", message))
    if wording is None:
        return str(message)
    values = _values(message)
    return wording.format_map({name: _shown(value, language) for name, value in values.items()}) if values else wording


@lru_cache(64)
def accepted(header: str | None) -> str | None:
    """The available language that an Accept-Language header prefers; None if it names none."""
    ranked = [(weight, tag) for weight, tag in map(_weighed, (header or "").split(",")) if weight > 0]
    ranked.sort(key=lambda item: -item[0])
    return next((known for _, tag in ranked if (known := spoken(tag))), None)


def spoken(tag: str) -> str | None:
    """The language of a tag such as `de-AT`, if there are messages in it."""
    primary = tag.strip().lower().split("-")[0]
    return primary if primary in LANGUAGES else None


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """The translations of the server's messages into a language, by the English sentence."""
    return {entry.msgid: entry.msgstr for entry in _entries(language) if entry.msgstr}


def of_frontend(language: str) -> Mapping[str, str | list[str]]:
    """The translations of the pages' messages, by the English sentence; a list for plurals."""
    return {
        entry.msgid: entry.msgstr or [entry.msgstr_plural[form] for form in sorted(entry.msgstr_plural)]
        for entry in _entries(language)
        if any(file.startswith("erp/frontend/") for file, _ in entry.occurrences)
    }


def _entries(language: str) -> Sequence[Any]:
    """The entries of a language's file that are translated.

    polib is imported here: a server whose users read English never needs it.
    """
    import polib

    read: Any = polib.pofile(source(language).decode())
    return list(read.translated_entries())


def source(language: str) -> bytes:
    """The file of a language, as it is."""
    return (files("erp") / "messages" / f"{language}.po").read_bytes()


def _weighed(part: str) -> tuple[float, str]:
    tag, _, weight = part.partition(";")
    match = re.fullmatch(r"\s*q=([01](?:\.\d{0,3})?)\s*", weight)
    return (float(match[1]) if match else float(not weight.strip())), tag


def _values(message: str) -> Mapping[str, object]:
    return message.values if isinstance(message, Sentence) else _NOTHING


def _plain(value: object) -> object:
    if isinstance(value, Moment):
        return value.local.astimezone(datetime.UTC).isoformat(timespec="milliseconds")[:-6] + "Z"
    if isinstance(value, Listed):
        return [_plain(item) for item in value.items]
    return value if value is None or isinstance(value, (bool, int)) else str(value)


def _shown(value: object, language: str) -> object:
    if isinstance(value, Moment):
        return _moment(value, language)
    if isinstance(value, Listed):
        known = catalogue(language)
        last = None if value.last is None else str(known.get(value.last, value.last))
        return _joined([str(_shown(item, language)) for item in value.items], value.separator, last)
    if isinstance(value, (Sentence, Word)):
        return translated(value, language)
    if isinstance(value, datetime.date):
        return f"{value:%d.%m.%Y}"
    return _digits(str(value)) if isinstance(value, (Digits, Decimal)) else value


def _joined(items: Sequence[str], separator: str, last: str | None) -> str:
    if last is None or len(items) < 2:
        return separator.join(items)
    return f"{separator.join(items[:-1])} {last} {items[-1]}"


def _moment(value: Moment, language: str) -> str:
    local = value.local
    return f"{local:%H:%M} Uhr am {local.day}. {_MONTHS[language][local.month - 1]}{value.year}"


def _digits(text: str) -> str:
    match = _DIGITS.fullmatch(text)
    if match is None:
        return text
    sign, whole, rest, unit = match.groups(default="")
    grouped = f"{int(whole.replace(',', '')):,}".replace(",", ".")
    return f"{sign}{grouped}{rest and ',' + rest}{unit}"
