"""Sentences for people: English in the code, and in the reader's language where a catalogue has them.

`says("{number} is already void.", number=run.number)` is the English text, which still knows its template and the
values. So one room passes messages on as plain text, and another can translate them. Docstrings of
refusals are such templates too. The catalogues are the files `erp/messages/*.po`; the English sentence is the key.

A text is marked where it is written: `says` for sentences, `Word` for labels and for words in a sentence, `Noun` for
the kind of a record. They take literals only, which `packaging/messages.py` collects. A word that German renders in
two ways has a context: `Word("Code", "account")`. English shows the text without it.
"""

import datetime
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cache, lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Literal, Self

from erp.kernel import countries

Language = Literal["en", "de"]
ENGLISH: Language = "en"
LANGUAGES: tuple[Language, ...] = (ENGLISH, "de")
MISSING, MISSING_HERE = "There is no such {noun}.", "There is no such {noun} in this workspace."

_NOTHING: Mapping[str, Any] = MappingProxyType({})
_DIGITS = re.compile(r"(-?\d+(?:,\d{3})*(?:\.\d+)?)(.*)", re.DOTALL)


class Sentence(str):
    """An English sentence with its template and values."""

    __slots__ = ("template", "values")
    template: str
    values: Mapping[str, object]

    @classmethod
    def of(cls, template: str, values: Mapping[str, object]) -> "Sentence":
        """The sentence of a template."""
        sentence = cls(template.format_map(values) if values else template)
        sentence.template, sentence.values = template, values
        return sentence

    def fill(self, **values: object) -> "Sentence":
        """This sentence with values in its places, which were empty."""
        return Sentence.of(self.template, values)


def says(template: str, /, **values: object) -> Sentence:
    """A sentence from a template with named places, `{number} is already void.`, and what stands in them."""
    return Sentence.of(template, values)


def counted(count: int, one: Sentence, several: Sentence, **values: object) -> Sentence:
    """The sentence for a number of things, which is its `{count}`."""
    return (one if count == 1 else several).fill(count=count, **values)


def verbatim(text: str) -> Sentence:
    """A text that is the same in every language: of the command line, which speaks English alone, or of a library."""
    return Sentence.of(text, {})


class Word(str):
    """A word of the program's own: a label, or a status in a sentence."""

    __slots__ = ("context",)
    context: str

    def __new__(cls, text: str, context: str = "") -> Self:
        """Mark a word, with the context in which German needs a wording of its own."""
        word = super().__new__(cls, text)
        word.context = context
        return word

    @classmethod
    def stored(cls, text: str, context: str) -> "Word":
        """A word that a file has."""
        return cls(text, context)

    @classmethod
    def of(cls, value: str) -> "Word":
        """The word for a value of the API, `written off` for `written_off`; `erp.kernel.value_words` marks them."""
        return Word(value.replace("_", " "))


class Noun(Word):
    """The kind of a record. Each has a whole sentence of its own, since German needs its gender."""

    __slots__ = ()

    def missing(self) -> Sentence:
        """That there is no such record."""
        return says(MISSING.format(noun=self))

    def missing_here(self) -> Sentence:
        """That there is no such record in this workspace."""
        return says(MISSING_HERE.format(noun=self))


MONTHS = (
    *(Word("January"), Word("February"), Word("March"), Word("April")),
    *(Word("May"), Word("June"), Word("July"), Word("August")),
    *(Word("September"), Word("October"), Word("November"), Word("December")),
)
WEEKDAYS = (
    *(Word("Monday"), Word("Tuesday"), Word("Wednesday"), Word("Thursday")),
    *(Word("Friday"), Word("Saturday"), Word("Sunday")),
)


def month(day: datetime.date, language: str = ENGLISH) -> Word:
    """The month of a day in words; in a sentence, which is translated as a whole, in English."""
    return Word(translated(MONTHS[day.month - 1], language))


def month_and_year(day: datetime.date) -> Sentence:
    """The month of a day with its year in words: `January 2026`."""
    return says("{month} {year}", month=month(day), year=day.year)


def weekday(day: datetime.date) -> Word:
    """The day of the week in words."""
    return WEEKDAYS[day.weekday()]


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
        moment = cls(f"{local:%H:%M} on {local.day} {month(local)}{year}")
        moment.local, moment.year = local, year
        return moment


def params(message: str) -> dict[str, Any]:
    """The values of a message's placeholders, as plain JSON values."""
    return {name: _plain(value) for name, value in _values(message).items()}


def translated(message: str, language: str) -> str:
    """A message in a language, else in English, with days and amounts as people write them in it."""
    known = _NOTHING if language == ENGLISH else catalogue(language)
    wording = known.get(key(getattr(message, "template", message), getattr(message, "context", "")))
    values = _values(message)
    if wording is None:
        wording, language = (message.template if isinstance(message, Sentence) else str(message)), ENGLISH
    return wording.format_map({name: _shown(value, language) for name, value in values.items()}) if values else wording


@lru_cache(64)
def accepted(header: str | None) -> str | None:
    """The available language that an Accept-Language header prefers; None if it names none."""
    ranked = [(weight, tag) for weight, tag in map(_weighed, (header or "").split(",")) if weight > 0]
    ranked.sort(key=lambda item: -item[0])
    return next((known for _, tag in ranked if (known := spoken(tag))), None)


def spoken(tag: str) -> Language | None:
    """The language of a tag such as `de-AT`, if there are messages in it."""
    primary = tag.strip().lower().split("-")[0]
    return next((known for known in LANGUAGES if known == primary), None)


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """The translations of messages into a language, by their keys."""
    return {of: wording for of, wording in wordings(language).items() if isinstance(wording, str)}


@cache
def wordings(language: str) -> Mapping[str, str | list[str]]:
    """All that is translated into a language, by its keys: a list where the number decides."""
    return {
        key(entry.msgid, entry.msgctxt): entry.msgstr or [form for _, form in sorted(entry.msgstr_plural.items())]
        for entry in entries(language)
    }


def key(text: str, context: str | None) -> str:
    """The English text, and before it the context if it has one, as in compiled catalogues of gettext."""
    return f"{context}\4{text}" if context else text


def entries(language: str) -> Sequence[Any]:
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
        return str(value) if language == ENGLISH else _moment(value, language)
    if isinstance(value, Listed):
        known = _NOTHING if language == ENGLISH else catalogue(language)
        last = None if value.last is None else str(known.get(value.last, value.last))
        return _joined([str(_shown(item, language)) for item in value.items], value.separator, last)
    if isinstance(value, (Sentence, Word)):
        return translated(value, language)
    if isinstance(value, datetime.date):
        return _day(value) if language == ENGLISH else countries.date_text(value, "DE")
    return _digits(str(value), language) if isinstance(value, (Digits, Decimal)) else value


def _joined(items: Sequence[str], separator: str, last: str | None) -> str:
    if last is None or len(items) < 2:
        return separator.join(items)
    return f"{separator.join(items[:-1])} {last} {items[-1]}"


def _moment(value: Moment, language: str) -> str:
    local = value.local
    return f"{local:%H:%M} Uhr am {local.day}. {month(local, language)}{value.year}"


def _day(day: datetime.date) -> str:
    """A day as English readers of any country take it: `29 Oct 2026`."""
    return f"{day.day} {MONTHS[day.month - 1][:3]} {day.year}"


def _digits(text: str, language: str) -> str:
    match = _DIGITS.fullmatch(text)
    return text if match is None else f"{grouped(match[1].replace(',', ''), language)}{match[2]}"


def grouped(number: str, language: str) -> str:
    """A decimal with signs between its thousands: `1,250.00`, in German `1.250,00`."""
    text = f"{Decimal(number):,f}"
    return text if language == ENGLISH else text.translate(_SWAPPED)


_SWAPPED = str.maketrans(",.", ".,")
