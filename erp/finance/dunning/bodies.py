"""Request bodies of reminders: levels, base rates, blocks, runs and letters."""

from typing import Annotated, Any, ClassVar, Literal

from msgspec import UNSET, Meta

from erp.finance.dunning.models import BlockKind, ChargesStatus, ReminderStatus
from erp.web.scalars import Currency, Day, Id, Name, NotNegativeAmount, Number
from erp.web.schema import Body, Query, RecordQuery, Unset


class SignedRate(Number):
    """A base rate, which may be below zero."""

    decimals = 4
    whole_digits = 3
    json_schema: ClassVar[dict[str, Any]] = {
        "type": "string",
        "description": "A percentage a year from -100 to 100, with at most 4 decimals.",
        "examples": ["1.27"],
    }


Position = Annotated[int, Meta(ge=1, le=5, description="Its place among the levels, from 1.")]
DaysAfter = Annotated[
    int,
    Meta(
        ge=1,
        le=365,
        description="Days until it is reached: the first level after the due date, others after the last letter.",
    ),
]
PayWithinDays = Annotated[int, Meta(ge=0, le=365, description="Days from the letter until the new day of payment.")]
Fee = Annotated[
    NotNegativeAmount, Meta(description="In the base currency; letters in another currency ask for no fee.")
]
ChargesInterest = Annotated[bool, Meta(description="Whether its letters ask for default interest.")]
ChargesLumpSum = Annotated[bool, Meta(description="Whether its letters ask businesses for the lump sum.")]


class NewReminderLevel(Body):
    """A level of reminders."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"name": "Last call", "daysAfter": 10, "payWithinDays": 7, "fee": "5.00"}

    name: Name
    days_after: DaysAfter
    pay_within_days: PayWithinDays
    position: Annotated[Position, Meta(description="After the last level when absent.")] | None = None
    fee: Fee | None = None
    charges_interest: ChargesInterest = False
    charges_lump_sum: ChargesLumpSum = False


class ReminderLevelChange(Body):
    """The fields of a level to change."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"fee": "5.00"}

    position: Position | Unset = UNSET
    name: Name | Unset = UNSET
    days_after: DaysAfter | Unset = UNSET
    pay_within_days: PayWithinDays | Unset = UNSET
    fee: Fee | Unset = UNSET
    charges_interest: ChargesInterest | Unset = UNSET
    charges_lump_sum: ChargesLumpSum | Unset = UNSET


class NewBaseRate(Body):
    """The rate that the central bank announces, from a day on."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"validFrom": "2026-01-01", "rate": "1.27"}

    valid_from: Day
    rate: SignedRate


class BaseRateChange(Body):
    """The fields of a base rate to change."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"rate": "1.27"}

    valid_from: Day | Unset = UNSET
    rate: SignedRate | Unset = UNSET


class LevelFilter(RecordQuery):
    pass


class BaseRateFilter(RecordQuery):
    sort: Literal["validFrom", "-validFrom", "createdAt", "-createdAt"] = "-validFrom"


class NewReminderBlock(Body):
    """Why a contact or an invoice is not reminded."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"kind": "disputed", "reason": "Waits for a credit note"}

    kind: BlockKind
    reason: Name
    until: (
        Annotated[Day, Meta(description="The last day without reminders; until it is lifted when absent.")] | None
    ) = None


class ProposalQuery(Query):
    date: Annotated[Day, Meta(description="The day of the letters; today when absent.")] | None = None
    contact_id: str | None = None
    currency: str | None = None


class ChosenLetter(Body):
    """A letter of the proposal."""

    contact_id: Id
    currency: Currency
    level: Annotated[int, Meta(ge=1, le=5, description="Another level than the proposed one.")] | None = None
    item_ids: (
        Annotated[list[Id], Meta(min_length=1, max_length=1000, description="Only these items; all when absent.")]
        | None
    ) = None


class NewReminderRun(Body):
    """The letters to make."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "letters": [{"contactId": "01890a5d-ac96-774b-bcce-b302099a8057", "currency": "EUR"}]
    }

    letters: Annotated[list[ChosenLetter], Meta(min_length=1, max_length=1000)]
    date: Annotated[Day, Meta(description="The day of the letters: today, or an earlier one.")] | None = None
    dry_run: Annotated[bool, Meta(description="Show the letters, and store nothing.")] = False


class ReminderFilter(RecordQuery):
    contact_id: str | None = None
    invoice_id: Annotated[str, Meta(description="Letters that name this invoice.")] | None = None
    level: Annotated[int, Meta(description="Of the letter, from 1.")] | None = None
    status: ReminderStatus | None = None
    charges_status: Annotated[ChargesStatus, Meta(description="Of fee, interest and lump sum.")] | None = None
    is_sent: Annotated[bool, Meta(description="Whether it went out, by mail or marked by hand.")] | None = None
    date_from: Day | None = None
    date_to: Day | None = None
    q: Annotated[str, Meta(max_length=200, description="Text in the number, the name or an item's number.")] | None = (
        None
    )
    sort: Literal["number", "-number", "date", "-date", "createdAt", "-createdAt"] = "-createdAt"


class ReminderUndo(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"reason": "The payment had arrived"}

    reason: Name


class ReminderWaive(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"reason": "Goodwill"}

    reason: Name


ChargePart = Literal["fee", "interest", "lumpSum"]


class ReminderCharges(Body):
    """The parts of a letter's charges to invoice."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"parts": ["interest", "lumpSum"]}

    parts: Annotated[list[ChargePart], Meta(min_length=1, max_length=3, description="All when absent.")] | None = None
