"""Journal entries of the books as the bookings of a file."""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from erp.finance.books.dimensions import assigning
from erp.finance.books.dimensions.codes import of_text
from erp.finance.closing.datev import bookings, charts, settings, sheet, store
from erp.finance.closing.datev.bookings import Booking, Position
from erp.finance.closing.datev.charts import Automatic
from erp.finance.closing.datev.documents import Documents
from erp.finance.closing.datev.personal import Personal
from erp.finance.reports import source_documents
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Refusal
from erp.kernel.language import Listed, says
from erp.store import workspace_settings
from erp.store.router import WORKSPACE

MOST_BOOKINGS = 99_999
"""The most bookings that DATEV takes in one file."""

_DUE = ("invoice", "opening")
"""The kinds of entries whose open items have a due date of their own."""


class TooManyBookings(Refusal):
    """DATEV accepts at most 99,999 entries in a file. Shorten the period."""

    status = 422


class AccountCodesCollide(Refusal):
    """DATEV needs account codes of equal length, and in it {codes} become the same. Change one of them."""


class Made(NamedTuple):
    """The bookings of some days, as rows of a file, and their entries."""

    rows: Sequence[sheet.BookingRow]
    entry_ids: Sequence[str]
    personal: Personal


class _Row(NamedTuple):
    entry_id: str
    entry_number: str
    date: str
    description: str
    kind: str
    source_id: str | None
    line: int
    amount: int
    account_id: str
    code: str
    type: str
    contact_id: str | None
    project: str | None
    dimensions: str | None
    number: str | None
    due_date: str | None


def read(where: str, parameters: Mapping[str, Any]) -> Made:
    """The bookings of the entries that a condition of `store` selects.

    Raises:
        Invalid: accounts have codes that DATEV does not take.
        AccountCodesCollide: codes are the same in DATEV's length.
        TooManyBookings: there are more than a file can have.
    """
    rows = [_Row(*row) for row in WORKSPACE.rows(store.POSTINGS.format(where=where), parameters)]
    personal, length = Personal(), settings.account_length()
    _check_codes(rows)
    _check_lengths({row.code for row in rows}, length)
    rules, tax_accounts = automatic(length), {padded(code, length) for (code,) in WORKSPACE.rows(store.TAX_ACCOUNTS)}
    numbers = source_documents.by_source({row.source_id for row in rows})
    documents, fields = Documents({row.entry_id for row in rows}), assigning.of_datev()
    booking_rows: list[sheet.BookingRow] = []
    entries = [[*group] for _, group in groupby(rows, key=attrgetter("entry_id"))]
    for entry in entries:
        positions = [_position(row, personal, length) for row in entry]
        if entry[0].kind == "opening":
            booked = bookings.of_opening(positions, rules, padded(charts.OPENING, length))
        else:
            booked = bookings.of_entry(positions, rules, tax_accounts)
        source = numbers.get(entry[0].source_id)
        document = source.number if source else None
        booking_rows += (_booking_row(booking, entry, document, documents, fields) for booking in booked)
    if len(booking_rows) > MOST_BOOKINGS:
        raise TooManyBookings
    return Made(booking_rows, [entry[0].entry_id for entry in entries], personal)


def automatic(length: int) -> dict[str, Automatic]:
    """The automatic accounts of the workspace's chart in the length of its accounts."""
    accounts = charts.AUTOMATIC[str(workspace_settings.current().datev_chart)]
    return {
        padded(code, length): Automatic(about.percent, padded(about.tax_account, length))
        for code, about in accounts.items()
    }


def _check_codes(rows: Sequence[_Row]) -> None:
    complaints = Complaints()
    for code in sorted({row.code for row in rows}):
        if not re.fullmatch(r"[0-9]{1,8}", code):
            message = says("Account {code} needs a code of at most 8 digits for DATEV.", code=code)
            complaints.add("accounts", "unsuitable_account", message)
    complaints.refuse()


def _check_lengths(codes: Collection[str], length: int) -> None:
    by_padded: defaultdict[str, set[str]] = defaultdict(set)
    for (code,) in WORKSPACE.rows(store.CODES):
        by_padded[padded(code, length)].add(code)
    for code in sorted(codes):
        same = by_padded[padded(code, length)]
        if len(same) > 1:
            raise AccountCodesCollide(codes=Listed.of(sorted(same)))


def padded(code: str, length: int) -> str:
    """A code in DATEV's length, the chart's, padded with zeros at the end."""
    return code.ljust(length, "0")


def _position(row: _Row, personal: Personal, length: int) -> Position:
    own = personal.of(row.account_id, row.contact_id, length)
    return Position(
        account=own or padded(row.code, length),
        amount=row.amount,
        line=row.line,
        is_personal=own is not None,
        bears_tax=row.type in ("income", "expense"),
    )


def _cost_centres(sides: Sequence[_Row], fields: Mapping[str, str]) -> tuple[str, str]:
    """KOST1 and KOST2: the values of the dimensions that claim them; the project in KOST1 where none does."""
    codes = [of_text(row.dimensions) for row in sides]
    first, second = (
        next((own[fields[name]] for own in codes if fields.get(name) in own), "") for name in ("kost1", "kost2")
    )
    project = next((row.project for row in sides if row.project), "")
    return first if "kost1" in fields else project or "", second


def _booking_row(
    booking: Booking,
    entry: Sequence[_Row],
    document: str | None,
    documents: Documents,
    fields: Mapping[str, str],
) -> sheet.BookingRow:
    by_line = {row.line: row for row in entry}
    sides = [by_line[side.line] for side in (booking.first, booking.contra) if side.line in by_line]
    number = next((row.number for row in (*sides, *entry) if row.number), document or entry[0].entry_number)
    bill = documents.of_bill(entry[0].entry_id)
    days = documents.days(entry[0].entry_id, [row.account_id for row in sides])
    due = next((row.due_date for row in sides if row.due_date and row.kind in _DUE), None)
    return sheet.BookingRow(
        amount=booking.amount,
        is_debit=booking.is_debit,
        account=booking.first.account,
        contra=booking.contra.account,
        key=booking.key,
        day=date.fromisoformat(entry[0].date),
        number=bill[0].upper() if bill else number,
        own_number=bill[1] if bill else None,
        service_day=days.service,
        tax_day=days.tax,
        due=None if due is None else date.fromisoformat(due),
        text=entry[0].description,
        cost_centres=_cost_centres(sides[::-1], fields),
    )
