"""Views of batches for DATEV."""

from datetime import date
from typing import Annotated

from msgspec import Meta

from erp.finance.closing.datev import store
from erp.finance.closing.datev.models import DatevStack
from erp.finance.closing.datev.reading import ReadBooking
from erp.finance.closing.datev.receiving import Received
from erp.kernel import money
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.web.scalars import Money
from erp.web.schema import RecordView, View, show


class DatevStackView(RecordView):
    """Journal entries that went to the tax advisor in a file, or came from there."""

    created_by: str | None
    created_by_name: str | None
    date_from: str
    date_to: str
    entries: Annotated[int, Meta(description="Number of journal entries in it.")]

    received_as: Annotated[str | None, Meta(description="The file from the tax advisor; null for a batch made here.")]

    @classmethod
    def of(cls, stack: DatevStack) -> "DatevStackView":
        return show(cls, stack, date_from=str(stack.date_from), date_to=str(stack.date_to))


class ReceivedBookingView(View):
    """A booking of the tax advisor as the file has it, with DATEV's accounts."""

    date: date
    text: str
    debit: Annotated[str, Meta(description="The account that is debited.")]
    credit: Annotated[str, Meta(description="The account that is credited.")]
    amount: Money

    @classmethod
    def of(cls, booking: ReadBooking, currency: str) -> "ReceivedBookingView":
        debit, credit = (booking.account, booking.contra) if booking.amount > 0 else (booking.contra, booking.account)
        amount = money.text(abs(money.minor(booking.amount, currency)), currency)
        return cls(date=booking.day, text=booking.text, debit=debit, credit=credit, amount=amount)


class ReceivedBookingsView(View):
    """Bookings of the tax advisor that were posted, or would be in a dry run."""

    dry_run: bool
    bookings: int
    entries: list[ReceivedBookingView]
    total: Annotated[Money, Meta(description="The sum of their amounts, tax included.")]
    stack: Annotated[DatevStackView | None, Meta(description="Null in a dry run.")]

    @classmethod
    def of(cls, received: Received) -> "ReceivedBookingsView":
        base = workspace_settings.current().base_currency
        return cls(
            dry_run=received.stack is None,
            bookings=len(received.bookings),
            entries=[ReceivedBookingView.of(booking, base) for booking in received.bookings],
            total=money.text(received.total, base),
            stack=None if received.stack is None else DatevStackView.of(received.stack),
        )


class DatevChangeView(View):
    """A journal entry that was posted into the days of a batch after the batch was made."""

    id: str
    number: str
    date: str
    description: str
    total: Annotated[Money, Meta(description="The sum of its debits.")]
    created_at: str


def stacks() -> list[DatevStackView]:
    """All batches, the latest first."""
    return [DatevStackView.of(stack) for stack in DatevStack.fetch("SELECT * FROM datev_stack ORDER BY id DESC")]


def changes() -> list[DatevChangeView]:
    """The entries of the days of earlier batches that the tax advisor lacks."""
    base = workspace_settings.current().base_currency
    return [
        DatevChangeView(
            id=id, number=number, date=date, description=text, total=money.text(total, base), created_at=created_at
        )
        for id, number, date, text, total, created_at in WORKSPACE.rows(store.LATER)
    ]
