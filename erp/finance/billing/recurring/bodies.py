"""The bodies and queries of requests about recurring documents."""

from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import UNSET, Meta

from erp.finance.billing.recurring.models import Kind, Mode, Status
from erp.finance.documents.bodies import InvoiceRequest
from erp.finance.journals.bodies import NewJournalLine
from erp.kernel.days import LONGEST_MONTH, Unit
from erp.kernel.language import says
from erp.web.scalars import Day, Line, Name, Scalar, Unfit
from erp.web.schema import Body, Query, RecordQuery, TableFormat, Unset

MOST_PAST = 12
"""Most documents dated before today that a new schedule makes without `allowPast`."""


class DayOfMonth(Scalar):
    """A day of the month by its number, `last` as 31; a shorter month takes its last day."""

    json_schema = {
        "description": "In months and years: the day of the month from 1 to 31, or `last`. A month that is too short "
        "takes its last day. The day of `from` when absent.",
        "anyOf": [{"type": "integer", "minimum": 1, "maximum": LONGEST_MONTH}, {"type": "string", "enum": ["last"]}],
    }

    def __init__(self, number: int) -> None:
        self.number = number

    @classmethod
    def read(cls, value: object) -> "DayOfMonth":
        """Read either form."""
        if value == "last":
            return cls(LONGEST_MONTH)
        if type(value) is not int or not 1 <= value <= LONGEST_MONTH:
            raise Unfit("not_a_day", says("Must be a number from 1 to {last}, or last.", last=LONGEST_MONTH))
        return cls(value)


Every = Annotated[int, Meta(ge=1, le=366)]
Times = Annotated[int, Meta(ge=1, le=10_000, description="The number of occurrences, including any during a pause.")]
DueDays = Annotated[
    int, Meta(ge=0, le=3650, description="Days until an invoice is due; its customer's terms when absent.")
]
RemindDays = Annotated[
    int, Meta(ge=0, le=366, description="Days before the last occurrence when `isEnding` is set, with an event.")
]
From = Annotated[Day, Meta(description="The first occurrence is on this day or, with another `day`, after it.")]
Until = Annotated[Day, Meta(description="The last day on which there can be an occurrence.")]
WITHOUT_DATES = (
    "As for `POST /finance/invoices`, without dates; a new customer is added now. Texts may contain {month}, {year}, "
    "{quarter}, {date}, {from} and {to}."
)


class RecurringJournal(Body, kw_only=True):
    """A journal entry without its date; its texts may contain {month}, {year}, {quarter}, {date}, {from} and {to}."""

    description: Name
    reference: Line | None = None
    lines: Annotated[list[NewJournalLine], Meta(min_length=2, max_length=1000)]


class NewRecurringDocument(Body, kw_only=True):
    """An invoice or a journal entry, and when it is made: every so many days, weeks, months or years."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "name": "Rent",
        "journal": {
            "description": "Rent {month} {year}",
            "lines": [{"accountId": "6100", "debit": "1500.00"}, {"accountId": "1010", "credit": "1500.00"}],
        },
        "every": 1,
        "unit": "month",
        "day": "last",
        "from": "2027-01-31",
    }

    name: Name
    invoice: Annotated[InvoiceRequest, Meta(description=WITHOUT_DATES)] | None = None
    journal: RecurringJournal | None = None
    every: Every = 1
    unit: Unit = "month"
    day: DayOfMonth | None = None
    from_: From = msgspec.field(name="from")
    until: Until | None = None
    times: Times | None = None
    mode: Annotated[Mode, Meta(description="Whether an invoice is issued, or left as a draft.")] = "issue"
    due_days: DueDays | None = None
    remind_days: RemindDays = 30
    allow_past: Annotated[
        bool, Meta(description=f"Accept a schedule that makes more than {MOST_PAST} documents dated before today.")
    ] = False


class RecurringDocumentChange(Body, kw_only=True):
    """The fields to change, for all occurrences that have not been made yet."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"name": "Rent of the office"}

    name: Name | Unset = UNSET
    invoice: Annotated[InvoiceRequest, Meta(description=WITHOUT_DATES)] | Unset | None = UNSET
    journal: RecurringJournal | Unset | None = UNSET
    every: Every | Unset = UNSET
    unit: Unit | Unset = UNSET
    day: DayOfMonth | Unset | None = UNSET
    from_: From | Unset = msgspec.field(name="from", default=UNSET)
    until: Until | Unset | None = UNSET
    times: Times | Unset | None = UNSET
    mode: Mode | Unset = UNSET
    due_days: DueDays | Unset | None = UNSET
    remind_days: RemindDays | Unset = UNSET


class RecurringDocumentFilter(RecordQuery):
    kind: Kind | None = None
    status: Status | None = None
    is_failing: Annotated[bool, Meta(description="Only those whose next occurrence could not be made.")] = False
    is_ending: Annotated[bool, Meta(description="Only those whose last occurrence is near.")] = False
    q: Annotated[str, Meta(max_length=200, description="Text in the name.")] | None = None
    sort: Literal["name", "-name", "createdAt", "-createdAt"] = "name"


class OccurrenceFilter(Query):
    upcoming: Annotated[int, Meta(ge=0, le=100, description="Number of next dates to show.")] = 12
    format: TableFormat = "json"
