"""Reading a JSON body into plain values, strictly.

Numbers stay exact. Duplicate keys, NaN and infinities, nesting deeper than `DEPTH`, numbers of more than
`NUMBER_LENGTH` characters, lone surrogates and NUL are refused. Text is stripped and normalised to NFC here, once,
so that every length that is checked later is the length that is stored; passwords are never stripped.
"""

import json
import re
import unicodedata
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from typing import Any

import msgspec

from erp.kernel.errors import MalformedJson
from erp.kernel.language import says

DEPTH = 32
NUMBER_LENGTH = 40
VERBATIM = frozenset({"password", "currentPassword", "newPassword"})
"""Fields whose text is taken as typed, except for NFC (NIST SP 800-63B §3.1.1.2)."""


class Trimmed(str):
    """Text that had spaces around it, which have been removed; a number or a date that had them is refused."""

    __slots__ = ()


_STRINGS = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
"""Strings, matched without backtracking: a pattern that backtracks takes an hour for 1 MiB of `\\"`."""


def read(raw: bytes) -> Any:
    """Read a body.

    Raises:
        MalformedJson: it is not JSON, or JSON that is refused here.
    """
    value = _read_tidy(raw)
    return _read_any(raw) if value is None else value


def _read_tidy(raw: bytes) -> Any:
    """The value of a body that needs no change and no refusal, as nearly all do; None for any other, and for null.

    Without backslashes there are no NULs and no surrogates. A duplicate name leaves fewer names than colons.
    """
    try:
        if b"\\" in raw or not (raw.isascii() or unicodedata.is_normalized("NFC", raw.decode())):
            return None
        value = _FAST_DECODER.decode(raw)
        return value if _count_names((value,), DEPTH) == raw.count(b":") else None
    except (ValueError, RecursionError, MalformedJson):
        return None


def _count_names(values: Iterable[Any], levels: int) -> int:
    """The number of names in the objects among some values, nested ones included.

    Args:
        levels: the number of further levels of nesting that are allowed.

    Raises:
        ValueError: there are more levels, a text has blanks around it, or a number may be too long.
    """
    if levels < 0:
        raise ValueError("levels")
    names = 0
    for value in values:
        kind = type(value)
        if kind is str:
            if value.strip() is not value:
                raise ValueError("blanks")
        elif kind is dict:
            names += len(value) + _count_names(value.values(), levels - 1)
        elif kind is list:
            names += _count_names(value, levels - 1)
        elif kind is int and value.bit_length() > 64:
            raise ValueError("a long number")
    return names


def _read_any(raw: bytes) -> Any:
    _check_depth(raw)
    try:
        return _tidy(_DECODER.decode(raw.decode()))
    except UnicodeDecodeError:
        raise MalformedJson(says("The body is not valid UTF-8.")) from None
    except (json.JSONDecodeError, RecursionError) as error:
        if isinstance(error, RecursionError):
            raise MalformedJson from None
        message = says("The body is not valid JSON (line {line}, column {column}).")
        raise MalformedJson(message.fill(line=error.lineno, column=error.colno)) from None


def clean(text: str, *, verbatim: bool = False) -> str:
    """Strip text and normalise it to NFC.

    Raises:
        MalformedJson: it contains a NUL or half of a surrogate pair, which no file can store.
    """
    if "\0" in text:
        raise MalformedJson(says("Text cannot contain a NUL character."))
    if not text.isascii():
        if any("\ud800" <= character <= "\udfff" for character in text):
            raise MalformedJson(says("Text cannot contain half of a surrogate pair."))
        text = unicodedata.normalize("NFC", text)
    stripped = text.strip()
    return text if verbatim or len(stripped) == len(text) else Trimmed(stripped)


def _check_depth(raw: bytes) -> None:
    if raw.count(b"[") + raw.count(b"{") <= DEPTH:
        return
    depth = 0
    for mark in re.findall(rb"[\[\]{}]", _STRINGS.sub(b"", raw)):
        depth += 1 if mark in b"[{" else -1
        if depth > DEPTH:
            raise MalformedJson(says("The body is nested deeper than {most} levels.", most=DEPTH))


def _tidy(value: Any) -> Any:
    if type(value) is str:
        return clean(value)
    return [_tidy(item) for item in value] if type(value) is list else value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for key, value in pairs:
        name = clean(key, verbatim=True)
        if name in members:
            raise MalformedJson(says("The body has the field {name!r} twice.", name=name[:80]))
        members[name] = clean(value, verbatim=name in VERBATIM) if type(value) is str else _tidy(value)
    return members


def _integer(digits: str) -> int:
    return int(_bounded(digits))


def _decimal(digits: str) -> Decimal:
    try:
        return Decimal(_bounded(digits))
    except InvalidOperation:
        raise MalformedJson(says("The body contains a number whose exponent is too large.")) from None


def _bounded(digits: str) -> str:
    if len(digits) > NUMBER_LENGTH:
        raise MalformedJson(says("The body contains a number of more than {most} characters.", most=NUMBER_LENGTH))
    return digits


def _refuse(constant: str) -> Any:
    raise MalformedJson(says("{constant} is not a JSON number.", constant=constant))


_DECODER = json.JSONDecoder(parse_int=_integer, parse_float=_decimal, parse_constant=_refuse, object_pairs_hook=_object)
_FAST_DECODER = msgspec.json.Decoder(float_hook=_decimal)
