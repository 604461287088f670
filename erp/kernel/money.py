"""Money: how amounts are read, shown, rounded, converted and split.

Amounts are integers in the currency's minor unit (ISO 4217); quantities, unit prices and percentages are
integers in millionths. There are no binary floats here, nor anywhere else. Ties round half away from zero
unless a mode is named.
"""

import decimal
from collections.abc import Sequence
from decimal import Decimal
from typing import Literal

from erp.kernel.currencies import DIGITS
from erp.kernel.language import Digits

LIMIT = 9_999_999_999_999_999
"""The largest amount of a posting or a document, in minor units, of either sign."""

MICRO = 1_000_000
"""Scale of quantities, unit prices and percentages: six decimals."""

PRICE_LIMIT = 10**12 * MICRO
"""A unit price is nearer to zero than this."""

RATE_SCALE = 10**12
"""Scale of exchange rates: twelve decimals."""

Rounding = Literal["half_up", "half_even", "half_down", "up", "down", "floor", "ceiling"]

_EXACT = decimal.Context(prec=100)


class TooManyDecimals(ValueError):
    """The amount has more decimals than its currency."""


class OutOfRange(ValueError):
    """The amount is larger than the books can hold."""


def divide(numerator: int, denominator: int) -> int:
    """Divide integers and round the quotient half away from zero."""
    if denominator < 0:
        numerator, denominator = -numerator, -denominator
    quotient = (2 * abs(numerator) + denominator) // (2 * denominator)
    return -quotient if numerator < 0 else quotient


def round_to(value: Decimal, digits: int, mode: Rounding = "half_up") -> Decimal:
    """Round to a number of decimals; `half_up` is away from zero at a tie."""
    return value.quantize(Decimal(1).scaleb(-digits), rounding=f"ROUND_{mode.upper()}", context=_EXACT)


def round_to_step(amount: int, step: int) -> int:
    """Round minor units to the nearest multiple of `step`, as cash rounding does."""
    return divide(amount, step) * step


def scaled(value: Decimal, scale: int) -> int:
    """An exact decimal as an integer of `1/scale`; the caller has bounded its decimals."""
    result = _EXACT.multiply(value, Decimal(scale))
    whole = int(result)
    if whole != result:
        raise TooManyDecimals
    return whole


def minor(value: Decimal, currency: str) -> int:
    """An amount in the major unit as minor units.

    Raises:
        TooManyDecimals: it has more decimals than the currency, zeros included.
        OutOfRange: the amount is beyond ±`LIMIT`.
    """
    digits = DIGITS[currency]
    exponent = value.as_tuple().exponent
    if isinstance(exponent, int) and -exponent > digits:
        raise TooManyDecimals
    result = scaled(value, 10**digits)
    if abs(result) > LIMIT:
        raise OutOfRange
    return result


def text(amount: int, currency: str) -> str:
    """An amount as answers show it: in the major unit, with exactly the currency's decimals."""
    form, unit = _SHOWN[currency]
    shown: str = form % divmod(abs(amount), unit)
    return f"-{shown}" if amount < 0 else shown


def shown(amount: int, currency: str) -> Digits:
    """An amount as a sentence says it: `1250.00 EUR`."""
    return Digits(f"{text(amount, currency)} {currency}")


def plain(value: int, scale: int = MICRO) -> str:
    """A scaled integer as a decimal string without trailing zeros."""
    if value % scale == 0:
        return str(value // scale)
    return _decimal_text(value, len(str(scale)) - 1).rstrip("0")


def price_text(price: int, currency: str) -> str:
    """A unit price in millionths as text: with the currency's decimals, and more only where they are not zero."""
    step = 10 ** (6 - DIGITS[currency])
    return plain(price) if price % step else text(price // step, currency)


def price(amount: int, currency: str) -> int:
    """An amount in minor units as a unit price in millionths."""
    step: int = 10 ** (6 - DIGITS[currency])
    return amount * step


def convert(amount: int, rate: int, currency: str, base: str) -> int:
    """Minor units of `currency` as minor units of `base`; `rate` is base per 1, scaled by `RATE_SCALE`."""
    return divide(amount * rate * 10 ** DIGITS[base], RATE_SCALE * 10 ** DIGITS[currency])


def spread(total: int, weights: Sequence[int]) -> list[int]:
    """Split a total in proportion to weights, to the last unit.

    The largest remainders get the units that rounding down leaves over; of equal remainders, the first.
    Weights that are all zero share equally. A negative weight gets a share of the other sign;
    the sum of the weights must then be above zero.
    """
    if not weights:
        return []
    shares = list(weights) if any(weights) else [1] * len(weights)
    whole = sum(shares)
    size = abs(total)
    parts = [size * share // whole for share in shares]
    remainders = [size * share % whole for share in shares]
    by_remainder = sorted(range(len(shares)), key=remainders.__getitem__, reverse=True)
    for i in by_remainder[: size - sum(parts)]:
        parts[i] += 1
    return [-part for part in parts] if total < 0 else parts


def _decimal_text(value: int, digits: int) -> str:
    if not digits:
        return str(value)
    shown: str = _FORMS[digits] % divmod(abs(value), 10**digits)
    return f"-{shown}" if value < 0 else shown


_FORMS = {digits: f"%d.%0{digits}d" for digits in range(1, 19)}
"""Formats of a number by its decimals; measured: two thirds of the time of slicing its digits."""
_SHOWN = {currency: (_FORMS[digits] if digits else "%d%.0s", 10**digits) for currency, digits in DIGITS.items()}
"""The same by currency, with the minor units in a major one; without decimals the rest, which is 0, is left out."""
