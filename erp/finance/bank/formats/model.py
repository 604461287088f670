"""A statement as read from a file, in any format."""

import re
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal

import msgspec

from erp.kernel.errors import Refusal
from erp.kernel.language import Sentence, says

_NUMBER = re.compile(r"[+-]?(\d{1,15}(\.\d{0,6})?|\.\d{1,6})", re.ASCII)
NO_REFERENCE = ("NONREF", "NOTPROVIDED", "NOT PROVIDED", "NOREF", "")


class NotAStatement(Refusal):
    """The file is not a readable bank statement. Use camt.053 as XML or in a zip file, MT940, or CSV."""

    status = 422


class MappingNeeded(Refusal):
    """Choose the columns of this account's CSV files first."""

    status = 422


class ReadLine(msgspec.Struct, frozen=True):
    """One line: money in, above zero, or money out. `reference` is the bank's own."""

    day: date
    amount: Decimal
    text: str = ""
    value_day: date | None = None
    party: str | None = None
    iban: str | None = None
    reference: str | None = None
    end_to_end: str | None = None


class ReadStatement(msgspec.Struct, frozen=True):
    """The lines of an account, with the balances before and after them if the file has them."""

    lines: Sequence[ReadLine]
    account: str | None = None
    currency: str | None = None
    number: str | None = None
    opening: Decimal | None = None
    closing: Decimal | None = None
    first: date | None = None
    last: date | None = None


def unreadable(message: Sentence) -> NotAStatement:
    """The refusal of a file, with the problem in it."""
    return NotAStatement(message, field="file")


def number(text: str) -> Decimal:
    """A number with a point before its decimals.

    Raises:
        NotAStatement: it is not a number.
    """
    if not _NUMBER.fullmatch(text):
        raise unreadable(says("{text} is not an amount.", text=text[:40] or "-"))
    return Decimal(text)


def day(text: str, form: str) -> date:
    """A day in a form of `strptime`.

    Raises:
        NotAStatement: it is not a day.
    """
    try:
        return datetime.strptime(text, form).date()  # noqa: DTZ007 - a day has no time zone
    except ValueError:
        raise unreadable(says("{text} is not a day.", text=text[:40] or "-")) from None


def known(text: str | None) -> str | None:
    """A reference; None for a bank's word for none."""
    text = (text or "").strip()
    return None if text.upper() in NO_REFERENCE else text[:200]
