"""Values in requests and answers that JSON has no type for: amounts, quantities, days, instants.

Each checks its text by regular expression first, because the decimal and date parsers of the standard library
accept more than a business document should (other alphabets' digits, exponents, spaces).
"""

import datetime
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Self

import msgspec

from erp.kernel.days import FIRST_DAY, LAST_DAY
from erp.kernel.language import Sentence, says


class Unfit(ValueError):
    """A value is not what its field needs: a code for programs, a sentence for people."""

    def __init__(self, code: str, message: Sentence) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Scalar:
    """A value with its own reader."""

    json_schema: ClassVar[dict[str, Any]]

    @classmethod
    def read(cls, value: object) -> Any:
        """Read a plain JSON value.

        Raises:
            Unfit: the value does not have the form.
        """
        raise NotImplementedError


def dec_hook(kind: Any, value: object) -> object:
    """Read one of our own scalars: every type that msgspec does not know is one."""
    return kind.read(value)


_NUMBERS_TOO = " A JSON number is accepted too, and read exactly."


class Number(Decimal, Scalar):
    """A decimal, sent as a string or a JSON number, and read exactly."""

    decimals: ClassVar[int] = 6
    whole_digits: ClassVar[int] = 17
    sign: ClassVar[str] = "any"
    json_schema: ClassVar[dict[str, Any]] = {"type": "string", "description": "A decimal."}

    _PATTERN: ClassVar[re.Pattern[str]] = re.compile(r"(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?")
    _fits: ClassVar[Callable[[str], object]]
    """A match of the usual, valid text; `read` finds the fault of any other."""

    def __init_subclass__(cls) -> None:
        """Document the digits; clients send a string, since a generated type must be one, yet a number is read too."""
        sign = "-?" if cls.sign in ("any", "not_zero") else ""
        pattern = f"^{sign}(0|[1-9][0-9]{{0,{cls.whole_digits - 1}}})(\\.[0-9]{{1,{cls.decimals}}})?$"
        not_zero = "(?=-?[0.]*[1-9])" if cls.sign in ("positive", "not_zero") else ""
        cls._fits = re.compile(not_zero + pattern.replace("(", "(?:")).fullmatch
        if cls.json_schema.get("type") == "string":
            text = cls.json_schema["description"].removesuffix(_NUMBERS_TOO)
            cls.json_schema = {**cls.json_schema, "pattern": pattern, "description": text + _NUMBERS_TOO}

    @classmethod
    def read(cls, value: object) -> Self:
        if type(value) is str and cls._fits(value):
            return cls(value)
        match = cls._PATTERN.fullmatch(cls._text(value))
        if match is None:
            raise Unfit("not_a_number", says('Must be a decimal such as "12.50".'))
        if len(match[2]) > cls.whole_digits:
            raise Unfit(
                "out_of_range", says("Must have at most {digits} digits before the point.", digits=cls.whole_digits)
            )
        if len(match[3] or "") > cls.decimals:
            raise Unfit("too_many_decimals", says("Must have at most {decimals} decimals.", decimals=cls.decimals))
        number = cls(match[0])
        cls._check_sign(number)
        return number

    @classmethod
    def _text(cls, value: object) -> str:
        if type(value) is Decimal and abs(value.adjusted()) < 40:
            return f"{value:f}"
        if type(value) is int or type(value) is str:
            return str(value)[:64]
        return ""

    @classmethod
    def _check_sign(cls, number: Decimal) -> None:
        if cls.sign == "positive" and number <= 0:
            raise Unfit("not_positive", says("Must be greater than 0."))
        if cls.sign == "not_negative" and number < 0:
            raise Unfit("negative", says("Must not be less than 0."))
        if cls.sign == "not_zero" and number == 0:
            raise Unfit("zero", says("Must not be 0."))


def _number(**keywords: object) -> dict[str, Any]:
    return {"type": "string", **keywords}


class Amount(Number):
    """An amount of money in the currency's major unit."""

    json_schema = _number(description="An amount in the major unit, with at most the currency's decimals.")


class PositiveAmount(Amount):
    """An amount of money above zero."""

    sign = "positive"
    json_schema = _number(description="An amount above 0, with at most the currency's decimals.")


class NotNegativeAmount(Amount):
    """An amount of money, zero or above."""

    sign = "not_negative"
    json_schema = _number(description="An amount of 0 or more, with at most the currency's decimals.")


class UnitPrice(Number):
    """A price of one unit, which may have more decimals than the currency."""

    whole_digits = 12
    json_schema = _number(description="A price in the major unit, with at most 6 decimals.")


class Quantity(Number):
    """A quantity other than zero."""

    sign = "not_zero"
    whole_digits = 12
    json_schema = _number(description="A quantity other than 0, with at most 6 decimals.")


class PositiveQuantity(Number):
    """A quantity above zero."""

    sign = "positive"
    whole_digits = 12
    json_schema = _number(description="A quantity above 0, with at most 6 decimals.")


class Percent(Number):
    """A percentage from 0 to 100."""

    decimals = 4
    sign = "not_negative"
    json_schema = _number(description="A percentage from 0 to 100, with at most 4 decimals.")

    @classmethod
    def read(cls, value: object) -> Self:
        number = super().read(value)
        if number > 100:
            raise Unfit("out_of_range", says("Must not be more than 100."))
        return number


class PayPercent(Percent):
    """A percentage with the decimals that tables of taxes and contributions have."""

    decimals = 6
    json_schema = {**Percent.json_schema, "description": "A percentage from 0 to 100, with at most 6 decimals."}


class ExchangeRate(Number):
    """The value of one unit of a foreign currency in the base currency."""

    decimals = 12
    whole_digits = 6
    sign = "positive"
    json_schema = _number(description="Base currency for one unit of the foreign one, with at most 12 decimals.")


class Day(datetime.date, Scalar):
    json_schema = {"type": "string", "format": "date", "description": "A day from 1900-01-01 to 2199-12-31."}

    _PATTERN: ClassVar[re.Pattern[str]] = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")

    @classmethod
    def read(cls, value: object) -> Self:
        if type(value) is not str or not cls._PATTERN.fullmatch(value):
            raise Unfit("not_a_date", says("Must be a date such as 2026-01-31."))
        try:
            day = cls.fromisoformat(value)
        except ValueError:
            raise Unfit("not_a_date", says("There is no such day.")) from None
        if not FIRST_DAY <= day <= LAST_DAY:
            raise Unfit("out_of_range", says("Must be a day from 1900-01-01 to 2199-12-31."))
        return day


class Moment(datetime.datetime, Scalar):
    """An instant, sent with its offset from UTC, stored in UTC to the millisecond."""

    json_schema = {
        "type": "string",
        "format": "date-time",
        "description": "An instant with its offset from UTC, such as 2026-01-31T09:30:00+01:00.",
    }

    _PATTERN: ClassVar[re.Pattern[str]] = re.compile(
        r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?(Z|[+-][0-9]{2}:[0-9]{2})"
    )

    @classmethod
    def read(cls, value: object) -> Self:
        if type(value) is not str or not cls._PATTERN.fullmatch(value):
            raise Unfit("not_an_instant", says("Must be an instant with its offset, such as 2026-01-31T08:30:00Z."))
        try:
            instant = cls.fromisoformat(value).astimezone(datetime.UTC)
        except (ValueError, OverflowError):
            raise Unfit("not_an_instant", says("There is no such instant.")) from None
        if not FIRST_DAY <= instant.date() <= LAST_DAY:
            raise Unfit("out_of_range", says("Must be an instant from 1900 to 2199."))
        return instant.replace(microsecond=instant.microsecond // 1000 * 1000)


def shaped(pattern: str, expected: Sentence, **more: Any) -> msgspec.Meta:
    """A text with a pattern, in an `Annotated`; `expected` is said of any other text."""
    return msgspec.Meta(pattern=pattern, extra={"expected": expected}, **more)


Name = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
"""A line of text that is not empty."""

Line = Annotated[str, msgspec.Meta(max_length=200)]
"""A line of text."""

Note = Annotated[str, msgspec.Meta(max_length=4000)]
"""Text of several lines."""

Id = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
"""The identifier of a record."""

_ATOM = r"[^@\s.\x00-\x1f\x7f]+"
Email = Annotated[
    str,
    shaped(
        rf"^{_ATOM}(\.{_ATOM})*@{_ATOM}(\.{_ATOM})*$",
        says("Must be an e-mail address, such as anna@example.com."),
        max_length=254,
    ),
]
"""An e-mail address."""

Currency = Annotated[
    str,
    shaped(
        "^[A-Z]{3}$",
        says("Must be the three letters of a currency, such as EUR."),
        description="An ISO 4217 code.",
        examples=["EUR"],
    ),
]
"""A currency's code; the rule checks whether it is in use, with `erp.kernel.currencies`."""

Country = Annotated[
    str,
    shaped(
        "^[A-Z]{2}$",
        says("Must be the two letters of a country, such as DE."),
        description="An ISO 3166-1 code.",
        examples=["DE"],
    ),
]
"""A country's code; the rule checks whether it is known."""

_FIGURE = {"pattern": r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?$"}

Month = Annotated[
    str, shaped("^(19|20|21)[0-9]{2}-(0[1-9]|1[0-2])$", says("Must be a month, such as 2026-03."), examples=["2026-03"])
]

Money = Annotated[
    str,
    msgspec.Meta(
        description="An amount with exactly the currency's decimals.", examples=["12.50"], extra_json_schema=_FIGURE
    ),
]
"""An amount in an answer."""

Figure = Annotated[str, msgspec.Meta(description="A decimal.", examples=["1.5"], extra_json_schema=_FIGURE)]
"""A quantity, percentage, rate or price in an answer."""

Instant = Annotated[str, msgspec.Meta(description="RFC 3339 in UTC.", examples=["2026-01-31T08:30:00.000Z"])]
"""An instant in an answer."""
