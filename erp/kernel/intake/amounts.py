"""Amounts as people and other programs write them."""

import re
from collections import Counter
from collections.abc import Iterable
from decimal import Decimal
from typing import Literal

_NUMBER = re.compile(r"[+-]?(\d{1,15}(\.\d{0,6})?|\.\d{1,6})", re.ASCII)
_SIGNS = str.maketrans("\u2212", "-", "$€£¥'’")


def tidied(text: str) -> str:
    """A number without spaces and signs of currencies; one in brackets is below zero."""
    plain = "".join(text.split()).translate(_SIGNS)
    return f"-{plain[1:-1]}" if plain.startswith("(") and plain.endswith(")") else plain


def plain(text: str, decimal_sign: str) -> str:
    """A number with a decimal point, a sign in front, and no marks between thousands."""
    number = tidied(text).replace("." if decimal_sign == "," else ",", "").replace(decimal_sign, ".")
    return number[-1] + number[:-1] if number.endswith(("-", "+")) else number


def number(plain: str) -> Decimal | None:
    """The value of a number with a decimal point; None for other text, as for 1e999999, which fills a megabyte."""
    return Decimal(plain) if _NUMBER.fullmatch(plain) else None


def decimal_sign(cells: Iterable[str], otherwise: Literal[".", ","]) -> Literal[".", ","]:
    """The last mark of most amounts; the other way where three digits follow it everywhere."""
    marks = Counter(mark for cell in cells for mark in re.findall(r"([.,])\d{1,2}[-+]?$", tidied(cell)))
    return "," if marks[","] > marks["."] else "." if marks["."] else otherwise
