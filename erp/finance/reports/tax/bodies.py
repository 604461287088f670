"""Request bodies of filed VAT returns."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta

from erp.finance.books.periods import AllowFuture
from erp.kernel import clock
from erp.kernel.errors import Complaint
from erp.kernel.language import says
from erp.web.scalars import Day, Id, Line, Note
from erp.web.schema import Body, RecordQuery, are_reversed


class NewTaxReturn(Body, kw_only=True):
    """A return that was filed for some days."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "dateFrom": f"{clock.now() - timedelta(days=70):%Y-%m}-01",
        "dateTo": f"{clock.now() - timedelta(days=70):%Y-%m}-28",
        "reference": "Transfer ticket 2026-01",
    }

    date_from: Day
    date_to: Day
    form: Annotated[str, Meta(max_length=50, description="By default the one in the settings.")] | None = None
    reference: Annotated[Line, Meta(description="The tax office's answer, such as a transfer ticket.")] | None = None
    note: Note | None = None
    lock: Annotated[bool, Meta(description="Also lock the books through the last day.")] = False
    lock_reason: (
        Annotated[Line, Meta(description="The reason, needed while the check-list of the lock has findings.")] | None
    ) = None
    dry_run: Annotated[bool, Meta(description="Only show the figures, and store nothing.")] = False

    def check(self) -> Iterator[Complaint]:
        if are_reversed(self.date_from, self.date_to):
            message = says("Must not be before the first day, {first}.", first=self.date_from)
            yield Complaint("dateTo", "too_early", message)


class Settlement(Body):
    """The posting of a return's tax to one account."""

    EXAMPLE: ClassVar[dict[str, Any]] = {}

    date: (
        Annotated[Day, Meta(description="When absent, the last day of the return, or today if that is locked.")] | None
    ) = None
    account_id: (
        Annotated[
            Id,
            Meta(description="An account's id or code; else the default account `tax_settlement` or `tax`."),
        ]
        | None
    ) = None
    allow_future: AllowFuture = False


class SettlementUndo(Body):
    """The day on which a VAT payable entry is reversed."""

    EXAMPLE: ClassVar[dict[str, Any]] = {}

    date: Annotated[Day, Meta(description="When absent, today.")] | None = None


class TaxReturnFilter(RecordQuery):
    """Filter for filed VAT returns."""

    form: Annotated[str, Meta(description="Only those in this form, such as `de-ustva`.")] | None = None
    date_from: Annotated[Day, Meta(description="Only those that end on this day or later.")] | None = None
    date_to: Annotated[Day, Meta(description="Only those that begin on this day or earlier.")] | None = None
    sort: Literal["dateFrom", "-dateFrom", "createdAt", "-createdAt"] = "-dateFrom"
