"""A statement as read from a file, in any format."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Literal

import msgspec

from erp.kernel.errors import Invalid, Refusal
from erp.kernel.intake import amounts
from erp.kernel.intake.budget import go_on
from erp.kernel.language import Sentence, says

MOST_LINES, MOST_STATEMENTS = 50_000, 1_000
"""The most lines and statements of a file."""
NO_REFERENCE = ("NONREF", "NOTPROVIDED", "NOT PROVIDED", "NOREF", "")

Reason = Literal["other_currency", "zero", "pending", "no_day"]
"""Why a row of a table is left out."""


class NotAStatement(Refusal):
    """The file is not a readable bank statement. Use camt.053 or camt.052 as XML or in a zip file, MT940, or CSV."""

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
    left_out: Mapping[Reason, int] = {}


class Lines:
    """Counts the lines and the statements of a file."""

    def __init__(self) -> None:
        self._lines = self._statements = 0

    def add_line(self) -> None:
        """Count a line.

        Raises:
            Invalid: there are too many.
            Busy: the server is stopping.
        """
        go_on()
        self._lines += 1
        if self._lines > MOST_LINES:
            raise _too_long(says("Must have at most {most:,} transactions. Export fewer days.", most=MOST_LINES))

    def add_statement(self) -> None:
        """Count a statement; refuses as `add_line` does."""
        self._statements += 1
        if self._statements > MOST_STATEMENTS:
            raise _too_long(says("Must have at most {most:,} statements. Export fewer days.", most=MOST_STATEMENTS))


def _too_long(message: Sentence) -> Invalid:
    return Invalid.one("file", "too_long", message)


def unreadable(message: Sentence) -> NotAStatement:
    """The refusal of a file, with the problem in it."""
    return NotAStatement(message, field="file")


def number(text: str) -> Decimal:
    """A number with a point before its decimals.

    Raises:
        NotAStatement: it is not a number.
    """
    value = amounts.number(text)
    if value is None:
        raise unreadable(says("{text} is not an amount.", text=text[:40] or "-"))
    return value


@lru_cache(maxsize=1024)  # `strptime` is slow, and lines of a day follow each other
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
