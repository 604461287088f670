"""The search `q` in the books: texts, names of contacts, and amounts as people write them."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from erp.kernel.money import LIMIT
from erp.store import sql
from erp.store.sql import Condition

_AMOUNT = re.compile(r"-?(\d{1,3}(?:[.,' \u00a0\u202f]\d{3})+|\d+)(?:[.,](\d{1,4}))?")
_SEPARATORS = str.maketrans("", "", ".,' \u00a0\u202f")

CONTACT_NAMED = (
    f"contact_id IN (SELECT id FROM contact WHERE {sql.holds('name')}"
    f" OR head_id IN (SELECT id FROM contact WHERE {sql.holds('name')}))"
)
"""The condition that the contact's present name has a word."""


class Reading(NamedTuple):
    """A text read as an amount: whole units, and the digits after the decimal sign, None where there is none."""

    whole: int
    fraction: str | None

    def between(self, digits: int) -> tuple[int, int] | None:
        """The minor units that it can mean in a currency of so many decimals; without a decimal sign, all of them."""
        unit = 10**digits
        if self.fraction is None:
            low, high = self.whole * unit, self.whole * unit + unit - 1
        elif len(self.fraction.rstrip("0")) > digits:
            return None
        else:
            low = high = self.whole * unit + int(self.fraction[:digits].ljust(digits, "0") or 0)
        return (low, high) if high <= LIMIT else None


def readings(text: str) -> list[Reading]:
    """The amounts that a text can mean: `5,124.16` one, `5,124` two, a word none."""
    match = _AMOUNT.fullmatch(text.strip())
    if match is None:
        return []
    whole, fraction = match[1].translate(_SEPARATORS), match[2]
    readings = [Reading(int(whole), fraction)]
    parts = re.split("[.,]", match[1])
    if fraction is None and len(parts) == 2:
        readings.append(Reading(int(parts[0]), parts[1]))
    return readings


def found(
    text: str, texts: Sequence[str], amounts: Sequence[str], *, currency: str = "currency", also: Sequence[str] = ()
) -> Condition:
    """The condition that a row has each word of a text in some columns, or the written amount.

    Args:
        amounts: SQL of amounts in minor units; their sign does not matter.
        currency: SQL of the currency that they are in.
        also: other conditions that find it, with a word as `:contained`, such as `CONTACT_NAMED`.
    """
    of_texts = sql.contains(texts, text, also=also, meaning=lambda word: _amounts(word, amounts, currency))
    clauses = [of_texts.sql, *_amounts(text, amounts, currency)]
    return Condition(f"({' OR '.join(clauses)})", of_texts.parameters)


def _amounts(text: str, amounts: Sequence[str], currency: str) -> Iterator[str]:
    for reading in readings(text) if amounts else ():
        for digits, is_in in sql.of_digits(currency):
            between = reading.between(digits)
            if between is not None:
                low, high = between
                among = " OR ".join(f"abs({amount}) BETWEEN {low} AND {high}" for amount in amounts)
                yield f"(({among}) AND {is_in})"
