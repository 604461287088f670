"""Reading a JSON body into plain values, strictly.

Numbers stay exact. Duplicate keys, NaN and infinities, nesting deeper than `DEPTH`, numbers of more than
`NUMBER_LENGTH` characters, lone surrogates and NUL are refused. Text is stripped and normalised to NFC here, once,
so that every length that is checked later is the length that is stored; passwords are never stripped.
"""

import json
import re
import unicodedata
from decimal import Decimal
from typing import Any

from erp.kernel.errors import MalformedJson

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
    _check_depth(raw)
    try:
        return _tidy(_DECODER.decode(raw.decode()))
    except UnicodeDecodeError:
        raise MalformedJson("The body is not valid UTF-8.") from None
    except (json.JSONDecodeError, RecursionError) as error:
        where = f" (line {error.lineno}, column {error.colno})" if isinstance(error, json.JSONDecodeError) else ""
        raise MalformedJson(f"The body is not valid JSON{where}.") from None


def clean(text: str, *, verbatim: bool = False) -> str:
    """Strip text and normalise it to NFC.

    Raises:
        MalformedJson: it contains a NUL or half of a surrogate pair, which no file can store.
    """
    if "\0" in text:
        raise MalformedJson("Text cannot contain a NUL character.")
    if not text.isascii():
        if any("\ud800" <= character <= "\udfff" for character in text):
            raise MalformedJson("Text cannot contain half of a surrogate pair.")
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
            raise MalformedJson(f"The body is nested deeper than {DEPTH} levels.")


def _tidy(value: Any) -> Any:
    if type(value) is str:
        return clean(value)
    return [_tidy(item) for item in value] if type(value) is list else value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for key, value in pairs:
        name = clean(key, verbatim=True)
        if name in members:
            raise MalformedJson(f"The body has the field {name[:80]!r} twice.")
        members[name] = clean(value, verbatim=name in VERBATIM) if type(value) is str else _tidy(value)
    return members


def _integer(digits: str) -> int:
    return int(_bounded(digits))


def _decimal(digits: str) -> Decimal:
    return Decimal(_bounded(digits))


def _bounded(digits: str) -> str:
    if len(digits) > NUMBER_LENGTH:
        raise MalformedJson(f"The body contains a number of more than {NUMBER_LENGTH} characters.")
    return digits


def _refuse(constant: str) -> Any:
    raise MalformedJson(f"{constant} is not a JSON number.")


_DECODER = json.JSONDecoder(parse_int=_integer, parse_float=_decimal, parse_constant=_refuse, object_pairs_hook=_object)
