"""Text of a certain form: currencies and countries in use, time zones, days of the year, IBANs, number formats."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, Self
from zoneinfo import available_timezones

import msgspec

from erp.kernel import ibans, places, vat_ids
from erp.kernel.complaints import UNKNOWN_CURRENCY
from erp.kernel.countries import COUNTRIES, IN_ADDRESSES
from erp.kernel.currencies import DIGITS
from erp.kernel.errors import Complaint
from erp.kernel.language import Sentence, says
from erp.store.workspace_settings import NUMBER_FORMAT
from erp.web.scalars import Scalar, Unfit, shaped
from erp.web.schema import Body, known


class Text(str, Scalar):
    """Text of a certain form; `complaint` is the code and the message for text that does not have it."""

    complaint: ClassVar[tuple[str, Sentence]]

    @classmethod
    def read(cls, value: object) -> Self:
        if not isinstance(value, str):
            raise Unfit("wrong_type", says("Must be text."))
        text = cls.tidied(value)
        if not cls.fits(text):
            raise Unfit(*cls.complaint)
        return cls(text)

    @classmethod
    def tidied(cls, text: str) -> str:
        """The text in the spelling that is stored."""
        return text

    @classmethod
    def fits(cls, text: str) -> bool:
        """Whether the text has the form."""
        raise NotImplementedError


class KnownCurrency(Text):
    """A currency in use."""

    json_schema = {"type": "string", "pattern": "^[A-Z]{3}$", "description": "An ISO 4217 code.", "examples": ["EUR"]}
    complaint = UNKNOWN_CURRENCY

    @classmethod
    def fits(cls, text: str) -> bool:
        return text in DIGITS


class KnownCountry(Text):
    json_schema = {"type": "string", "pattern": "^[A-Z]{2}$", "description": "An ISO 3166-1 code.", "examples": ["DE"]}
    complaint = ("unknown_country", says("There is no such country. Use a code such as DE."))

    @classmethod
    def fits(cls, text: str) -> bool:
        return text in COUNTRIES


class AddressCountry(KnownCountry):
    @classmethod
    def fits(cls, text: str) -> bool:
        return text in IN_ADDRESSES


@cache
def _time_zones() -> frozenset[str]:
    return frozenset(available_timezones()) - {"Factory", "localtime"}  # these differ from computer to computer


class TimeZone(Text):
    json_schema = {"type": "string", "description": "An IANA time zone.", "examples": ["Europe/Berlin"]}
    complaint = ("unknown_time_zone", says("There is no such time zone. Use one such as Europe/Berlin."))

    @classmethod
    def fits(cls, text: str) -> bool:
        return text in _time_zones()


class DayOfYear(Text):
    """A day that every year has."""

    json_schema = {"type": "string", "pattern": "^[0-9]{2}-[0-9]{2}$", "description": "MM-DD, other than 02-29."}
    complaint = ("not_a_day", says("Must be a month and day that every year has, such as 04-01."))

    _LAST: ClassVar[str] = "31 28 31 30 31 30 31 31 30 31 30 31"

    @classmethod
    def fits(cls, text: str) -> bool:
        if not re.fullmatch(r"(0[1-9]|1[0-2])-[0-9]{2}", text, re.ASCII):
            return False
        month, day = map(int, text.split("-"))
        return 1 <= day <= int(cls._LAST.split()[month - 1])


class TimeOfDay(Text):
    """A time of day, to the minute."""

    json_schema = {"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$", "examples": ["08:30"]}
    complaint = ("not_a_time", says("Must be a time of day such as 08:30."))

    @classmethod
    def fits(cls, text: str) -> bool:
        return re.fullmatch(r"([01][0-9]|2[0-3]):[0-5][0-9]", text, re.ASCII) is not None


class Iban(Text):
    """A bank account's number; separators are dropped."""

    json_schema = {"type": "string", "maxLength": 42, "description": "An IBAN.", "examples": ["DE89370400440532013000"]}
    complaint = ("not_an_iban", says("This is not a valid IBAN. Check its length and its check digits."))

    @classmethod
    def tidied(cls, text: str) -> str:
        return ibans.tidied(text)

    @classmethod
    def fits(cls, text: str) -> bool:
        return ibans.is_valid(text)


class _BankDigits(Text):
    """A number of a bank; blanks and hyphens are dropped."""

    @classmethod
    def tidied(cls, text: str) -> str:
        return re.sub("[ -]", "", text)


class RoutingNumber(_BankDigits):
    """The ABA number of a bank in the United States, with its check digit."""

    json_schema = {"type": "string", "description": "Nine digits.", "examples": ["021000021"]}
    complaint = ("not_a_routing_number", says("This is not a valid routing number. Check its nine digits."))

    @classmethod
    def fits(cls, text: str) -> bool:
        from stdnum.us import rtn  # here, because few offices pay people in the United States

        return rtn.is_valid(text)


class SortCode(_BankDigits):
    """The code of a branch of a bank in the United Kingdom."""

    json_schema = {"type": "string", "description": "Six digits.", "examples": ["20-00-00"]}
    complaint = ("not_a_sort_code", says("This is not a valid sort code. It has six digits."))

    @classmethod
    def fits(cls, text: str) -> bool:
        return re.fullmatch("[0-9]{6}", text) is not None


class Bic(Text):
    """A bank's code; blanks are dropped.

    Source: ISO 9362, eight or eleven signs.
    """

    json_schema = {"type": "string", "maxLength": 20, "description": "A BIC.", "examples": ["COBADEFFXXX"]}
    complaint = ("not_a_bic", says("This is not a valid BIC. It has 8 or 11 characters, for example COBADEFFXXX."))

    @classmethod
    def tidied(cls, text: str) -> str:
        return text.replace(" ", "").upper()

    @classmethod
    def fits(cls, text: str) -> bool:
        return re.fullmatch(r"[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?", text, re.ASCII) is not None


class VatId(Text):
    """A VAT id; one of the EU is checked by the rules of its country."""

    json_schema = {
        "type": "string",
        "maxLength": 50,
        "description": "A VAT id with the prefix of its country; blanks are dropped.",
        "examples": ["DE123456788"],
    }
    complaint = (
        "not_a_vat_id",
        says(
            "This is not a valid VAT number. Check the country prefix (for example DE), the length "
            "and the check digits."
        ),
    )

    @classmethod
    def tidied(cls, text: str) -> str:
        return vat_ids.tidied(text)

    @classmethod
    def fits(cls, text: str) -> bool:
        return vat_ids.is_valid(text)


class NumberFormat(Text):
    """The form of the numbers of a series."""

    json_schema = {
        "type": "string",
        "maxLength": 40,
        "description": "Text with `{seq}` (or `{seq:5}`, padded); `{year}` before it restarts the series each year.",
        "examples": ["INV-{year}-{seq:5}"],
    }
    complaint = (
        "bad_format",
        says("Must contain {seq} or {seq:5} once, {year} at most once and before it, and have at most 40 characters."),
    )

    @classmethod
    def fits(cls, text: str) -> bool:
        return len(text) <= 40 and text.isprintable() and NUMBER_FORMAT.fullmatch(text) is not None


class PunchRounding(Body):
    """Rounding of punch times to multiples of `step` minutes, up, down or to the nearest."""

    step: Annotated[int, msgspec.Meta(ge=1, le=60)]
    mode: Literal["nearest", "up", "down"] = "nearest"


LINE_PLACES = ("project", "task", "key", "person", "date", "note")
"""The places of the text of a line that bills time."""


STEPS = (1, 5, 6, 10, 15, 30, 60)


class TimeBilling(Body):
    """A rule for billing logged time; a missing field comes from the next of project, contact and workspace."""

    step_minutes: Annotated[
        Annotated[int, msgspec.Meta(ge=1, le=60)] | None,
        msgspec.Meta(
            description="1, which is the default, 5, 6, 10, 15, 30 or 60: billed minutes are multiples of it."
        ),
    ] = None
    per: Annotated[
        Literal["log", "day", "line"] | None,
        msgspec.Meta(description="Rounded by log, by person and day, or by line, which is the default."),
    ] = None
    mode: Annotated[
        Literal["nearest", "up", "down"] | None,
        msgspec.Meta(description="Rounded to the nearest step, which is the default, or up or down; ties go up."),
    ] = None
    line_text: Annotated[
        Annotated[str, msgspec.Meta(min_length=1, max_length=500)] | None,
        msgspec.Meta(
            description="Text of a line, with the places `{project}`, `{task}`, `{key}`, `{person}`, `{date}` and"
            " `{note}`; by default `{task}`."
        ),
    ] = None
    time_sheet: Annotated[bool | None, msgspec.Meta(description="Whether the invoice has a time sheet; false.")] = None

    def check(self) -> Iterable[Complaint]:
        if isinstance(self.step_minutes, int) and self.step_minutes not in STEPS:
            yield Complaint("stepMinutes", "not_one_of", says("Must be 1, 5, 6, 10, 15, 30 or 60."))
        yield from places.misfits(self.line_text, LINE_PLACES, "lineText")

    @classmethod
    def of(cls, stored: Any) -> "TimeBilling | None":
        """The value that a record stores, if it sets anything."""
        return msgspec.convert(stored, known(cls)) if stored else None

    def kept(self) -> dict[str, Any]:
        """The fields that are set, as stored."""
        return {name: value for name, value in msgspec.to_builtins(self).items() if value is not None}


TimeApproval = Literal["off", "week", "week_in_month"]
"""Whether people submit their time: not at all, by the week, or by its parts in each month."""


class TimeLock(Body):
    """Days whose time can no longer be changed."""

    closes_after_days: (
        Annotated[int, msgspec.Meta(ge=1, le=365, description="Days after which time closes; null: never.")] | None
    ) = None
    by_books: Annotated[bool, msgspec.Meta(description="Whether time closes with the books.")] = False


class Nacha(Body):
    """The originator of NACHA files, as its bank in the United States has told it."""

    company_id: Annotated[
        str,
        shaped(
            "^[A-Za-z0-9]{1,10}$",
            says("Must be 1 to 10 letters and digits."),
            description="Often 1 and the tax number.",
        ),
    ]
    originating_routing: RoutingNumber


Weekday = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

TaxNumber = Annotated[str, msgspec.Meta(max_length=50)]
"""The number by which a tax office knows a business."""
