"""The automatic accounts of DATEV's charts, and the accounts to which these post tax.

Only accounts of the two usual rates are here, as far as the charts have them without gaps.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec

ChartName = Literal["skr03", "skr04"]

NUMBERS: Mapping[str, str] = {"skr03": "03", "skr04": "04"}
"""The name of a chart in the header of a file."""


OPENING = "9000"
"""The account of opening balances in both charts; nothing stays on it."""


class Automatic(msgspec.Struct, frozen=True):
    """An account that splits a gross amount automatically: its percentage, and the account that gets the tax."""

    percent: int
    tax_account: str


def _range(first: int, last: int, percent: int, tax_account: str) -> dict[str, Automatic]:
    return {str(code): Automatic(percent, tax_account) for code in range(first, last + 1)}


KEYS: Mapping[str, Mapping[str, Automatic]] = {
    "skr03": {
        "2": Automatic(7, "1771"),
        "3": Automatic(19, "1776"),
        "8": Automatic(7, "1571"),
        "9": Automatic(19, "1576"),
    },
    "skr04": {
        "2": Automatic(7, "3801"),
        "3": Automatic(19, "3806"),
        "8": Automatic(7, "1401"),
        "9": Automatic(19, "1406"),
    },
}
"""The tax keys of the two usual rates: 2 and 3 for output tax, 8 and 9 for input tax."""

AUTOMATIC: Mapping[str, Mapping[str, Automatic]] = {
    "skr03": {
        **_range(8300, 8309, 7, "1771"),
        **_range(8400, 8409, 19, "1776"),
        **_range(8731, 8731, 7, "1771"),
        **_range(8736, 8736, 19, "1776"),
        **_range(3300, 3309, 7, "1571"),
        **_range(3400, 3409, 19, "1576"),
        **_range(3731, 3731, 7, "1571"),
        **_range(3736, 3736, 19, "1576"),
    },
    "skr04": {
        **_range(4300, 4309, 7, "3801"),
        **_range(4400, 4409, 19, "3806"),
        **_range(4731, 4731, 7, "3801"),
        **_range(4736, 4736, 19, "3806"),
        **_range(5300, 5309, 7, "1401"),
        **_range(5400, 5409, 19, "1406"),
        **_range(5731, 5731, 7, "1401"),
        **_range(5736, 5736, 19, "1406"),
    },
}
"""Automatic accounts by chart and code."""
