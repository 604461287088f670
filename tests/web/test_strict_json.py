"""Reading bodies: exact, and nothing that a file could not keep."""

import json
import unicodedata
from contextlib import suppress
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from erp.kernel.errors import MalformedJson
from erp.web import strict_json
from erp.web.scalars import Amount, Day, Scalar, Unfit


def test_numbers_stay_exact() -> None:
    read = strict_json.read(b'{"a": 12345678901234567.89, "b": 0.1, "c": 9007199254740993}')
    assert read == {"a": Decimal("12345678901234567.89"), "b": Decimal("0.1"), "c": 9007199254740993}


def test_text_is_stripped_and_composed_but_passwords_keep_their_blanks() -> None:
    decomposed = b'{"name": "  Zoe\\u0308 ", "password": " e\\u0301 ", "tags": [" a "]}'
    assert strict_json.read(decomposed) == {"name": "Zoë", "password": " é ", "tags": ["a"]}


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"nope",
        b'{"a": NaN}',
        b'{"a": -Infinity}',
        b'{"a": 1, "a": 2}',
        b'{"b": {"a": 1, "a": 1}}',
        b'{"caf\xc3\xa9": 1, "cafe\xcc\x81": 2}',
        b'{"a": "\\ud800"}',
        b'{"a": "\\udc00\\ud800"}',
        b'{"a": "\\u0000"}',
        b'{"\\u0000": 1}',
        b'["\\ud800"]',
        b'{"a": "\x01"}',
        b'{"a": "\xff"}',
        b"\xef\xbb\xbf{}",
        b'{"a": 1' + b"0" * 10_000 + b"}",
        b'{"a": 0.' + b"1" * 100 + b"}",
        b'{"a": 1e99999999999999999999}',
        b'{"a" :1, "a": 2}',
        b'{"a": 1, "b": {"c:": ["d"], "c:": ["e"]}}',
        b"[" * 50_000,
        b"[" * 33 + b"]" * 33,
        b'{"a":' * 33 + b"1" + b"}" * 33,
    ],
)
def test_what_is_not_strict_json_is_refused(body: bytes) -> None:
    with pytest.raises(MalformedJson):
        strict_json.read(body)


def test_nesting_up_to_the_limit_is_read() -> None:
    assert strict_json.read(b"[" * 32 + b"]" * 32) is not None


def test_brackets_inside_text_do_not_count_as_nesting() -> None:
    assert strict_json.read(b'{"a": "' + b"[{" * 100 + b'\\"[["}') == {"a": "[{" * 100 + '"[['}


def test_a_hostile_string_is_passed_over_in_one_go() -> None:
    """A pattern that goes back would take minutes for this."""
    with pytest.raises(MalformedJson):
        strict_json.read(b"[" * 40 + b'"' + b'\\"' * 250_000)


def test_the_name_of_a_field_is_taken_as_it_is_written() -> None:
    assert strict_json.read(b'{"a": 1, " a": 2, " password": " x "}') == {"a": 1, " a": 2, " password": "x"}


def test_a_surrogate_pair_is_one_character() -> None:
    assert strict_json.read(b'{"a": "\\ud83d\\ude00"}') == {"a": "😀"}


_TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"))
_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**30), 10**30) | _TEXT,
    lambda values: st.lists(values) | st.dictionaries(st.sampled_from(["a", "b:", "é"]), values),
)


@given(_VALUES, st.booleans())
def test_text_is_tidied_wherever_it_is_and_however_it_is_written(value: Any, escaped: bool) -> None:
    assert strict_json.read(json.dumps(value, ensure_ascii=escaped).encode()) == _tidied(value)


def _tidied(value: Any) -> Any:
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value).strip()
    if isinstance(value, dict):
        return {name: _tidied(member) for name, member in value.items()}
    return [_tidied(item) for item in value] if isinstance(value, list) else value


@given(st.binary(max_size=200))
def test_no_bytes_make_it_fail_in_another_way(body: bytes) -> None:
    with suppress(MalformedJson):
        value = strict_json.read(body)
        assert _tidied(value) == value


@pytest.mark.parametrize("kind", [Amount, Day])
def test_numbers_and_dates_do_not_come_with_blanks_around_them(kind: type[Scalar]) -> None:
    (value,) = strict_json.read(b'[" 2026-01-31 "]' if kind is Day else b'[" 1.00"]')
    with pytest.raises(Unfit):
        kind.read(value)
