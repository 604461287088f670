"""Request bodies of journal entries."""

from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta

from erp.finance.books.dimensions.codes import Dimensions
from erp.finance.books.exchange_rates.bodies import RateOrLatest
from erp.finance.books.models import EntryKind, SourceType
from erp.finance.books.periods import AllowFuture
from erp.web.scalars import Currency, Day, Id, Line, Name, PositiveAmount
from erp.web.schema import Body, Include, RecordQuery


class NewJournalLine(Body):
    """One leg of an entry: a debit or a credit, never both.

    An amount in another currency is given with its value in the base currency (`debit` or `credit`, with `currency` and
    `foreignAmount`), or alone (`currency` with `foreignDebit` or `foreignCredit`): then `exchangeRate` converts it, by
    default the exchange rate of the entry's date.
    """

    account_id: Id
    debit: PositiveAmount | None = None
    credit: PositiveAmount | None = None
    description: Line | None = None
    contact_id: Id | None = None
    project_id: Id | None = None
    currency: Currency | None = None
    foreign_amount: PositiveAmount | None = None
    foreign_debit: PositiveAmount | None = None
    foreign_credit: PositiveAmount | None = None
    exchange_rate: RateOrLatest | None = None
    dimensions: Dimensions | None = None


class NewJournalEntry(Body, kw_only=True):
    date: Day
    description: Name
    reference: Line | None = None
    lines: Annotated[list[NewJournalLine], Meta(min_length=2, max_length=1000)]
    allow_future: AllowFuture = False

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "date": "2026-01-02",
        "description": "The owner pays in the first capital",
        "lines": [{"accountId": "1010", "debit": "5000"}, {"accountId": "3000", "credit": "5000"}],
    }


class TypedJournalLine(NewJournalLine):
    """A line of an unsaved entry."""

    account_id: Id | None = None  # type: ignore[assignment]  # a line that is complete has one


class TypedJournalEntry(Body, kw_only=True):
    """An unsaved journal entry: everything may be missing."""

    date: Day | None = None
    description: Line | None = None
    reference: Line | None = None
    lines: Annotated[list[TypedJournalLine], Meta(max_length=1000)] = []
    allow_future: AllowFuture = False

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "date": "2026-01-03",
        "lines": [{"accountId": "6100", "debit": "800"}, {"accountId": "1010"}],
    }


class JournalReversal(Body):
    date: Annotated[
        Day | None, Meta(description="Of the reversal. Without it, today, or the entry's own date if that is later.")
    ] = None
    reason: Line | None = None
    allow_future: AllowFuture = False

    EXAMPLE: ClassVar[dict[str, Any]] = {"reason": "Posted twice"}


class JournalFilter(RecordQuery):
    """Filter for journal entries."""

    kind: EntryKind | None = None
    account_id: Annotated[Id, Meta(description="An account's id or code.")] | None = None
    contact_id: Annotated[Id, Meta(description="A contact's id.")] | None = None
    source_type: SourceType | None = None
    source_id: Id | None = None
    date_from: Day | None = None
    date_to: Day | None = None
    q: (
        Annotated[
            Line,
            Meta(
                description="Text in the number, the description, the reference or the name of a contact; or the total,"
                " as `5124.16`, `5,124.16` or, with any cents, `5124`."
            ),
        ]
        | None
    ) = None
    include: Include | None = None
    sort: Literal["date", "-date", "number", "-number", "createdAt", "-createdAt"] = "-createdAt"
