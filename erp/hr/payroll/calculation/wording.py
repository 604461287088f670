"""Amounts, days and hours of a payslip: exact fractions, their rounding, and their words."""

from fractions import Fraction

from erp.hr.payroll.calculation.values import LineRounding
from erp.kernel import money
from erp.kernel.currencies import DIGITS
from erp.kernel.language import ENGLISH, Digits, grouped

HUNDRED_PERCENT = 100 * money.MICRO
_LARGEST = 2**63 - 1


def rounded(value: Fraction, mode: LineRounding = "half_up") -> int:
    """Round to a whole minor unit; ties go away from zero, or towards it by `half_down`; `down` always truncates."""
    if mode == "half_up":
        return money.divide(value.numerator, value.denominator)
    size = abs(value)
    whole = size.numerator // size.denominator
    if mode == "half_down" and size - whole > Fraction(1, 2):
        whole += 1
    return whole if value >= 0 else -whole


def micro(value: Fraction) -> int | None:
    """A number in millionths; None if it is larger than a column holds."""
    scaled = rounded(value * money.MICRO)
    return scaled if abs(scaled) <= _LARGEST else None


def major(minor: int | Fraction, currency: str) -> Fraction:
    """Minor units in the currency's major unit."""
    return Fraction(minor) / Fraction(10 ** DIGITS[currency])


def amount(value: int | Fraction, currency: str) -> Digits:
    """An amount with thousands separators: 3,600.00."""
    return Digits(grouped(money.text(rounded(Fraction(value)), currency), ENGLISH))


def rate(value: int | Fraction, currency: str) -> Digits:
    """A price of one hour, given in minor units; with more decimals than the currency has where it needs them."""
    return Digits(money.price_text(rounded(major(value, currency) * money.MICRO), currency))


def decimal(value: int | Fraction) -> Digits:
    """A number with at most six decimals, without trailing zeros."""
    return Digits(money.plain(rounded(Fraction(value) * money.MICRO)))


def percent(rate: int) -> Digits:
    """A percentage: 12.5 %."""
    return Digits(f"{money.plain(rate)} %")


def days(hundredths: int) -> Digits:
    """Days without trailing zeros: 8, 2.5."""
    return Digits(money.plain(hundredths, 100))


def hours(minutes: int | Fraction) -> str:
    """Working time: 46 h, 7 h 30 min."""
    if minutes < 60:
        return f"{decimal(minutes)} min"
    full, rest = divmod(minutes, 60)
    return f"{full} h {decimal(rest)} min" if rest else f"{full} h"
