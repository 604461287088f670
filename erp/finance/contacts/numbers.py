"""The numbers of customers and suppliers (debtors and creditors in DATEV): each is assigned once, for good.

The counters are separate from the contacts, so that the number of a deleted contact is never assigned again.
"""

from collections.abc import Mapping
from typing import NamedTuple

from erp.finance.contacts.models import Contact
from erp.finance.contacts.store import Side
from erp.store import workspace_settings
from erp.store.router import WORKSPACE


class Series(NamedTuple):
    """A series of numbers: its counter, its column, and its first and last number."""

    counter: str
    column: str
    first: int
    last: int

    def at(self, position: int) -> str | None:
        """The number at a place, counted from 1; None after the end of the series."""
        number = self.first + position - 1
        return str(number) if number <= self.last else None


SERIES: Mapping[Side, Series] = {
    "customer": Series("debtor", "debtor_number", 10_001, 69_999),
    "supplier": Series("creditor", "creditor_number", 70_001, 99_999),
}
"""DATEV has room for these: 59,999 customers and 29,999 suppliers."""

IS_NUMBERED = " OR ".join(f"'%' || {series.column} || '%' = :contained" for series in SERIES.values())
"""The condition that a word is the whole of a contact's number: parts of a number would find hundreds of contacts."""


def take(kind: str, contact: Contact | None = None) -> dict[str, str | None]:
    """Take the missing numbers of a contact of a kind, by column; None after the end of a series."""
    return {
        series.column: series.at(workspace_settings.count_on(series.counter))
        for side, series in SERIES.items()
        if kind in (side, "both") and (contact is None or getattr(contact, series.column) is None)
    }


def assigned() -> dict[tuple[str, Side], str]:
    rows = WORKSPACE.rows(_GIVEN)
    return {(id, side): number for id, *numbers in rows for side, number in zip(SERIES, numbers, strict=True) if number}


def upcoming(side: Side, ahead: int) -> str | None:
    """The number that a contact would get after as many others; None after the end of the series."""
    ((last,),) = WORKSPACE.rows(_LAST, (SERIES[side].counter,))
    return SERIES[side].at(last + 1 + ahead)


_GIVEN = "SELECT id, debtor_number, creditor_number FROM contact"
_LAST = "SELECT coalesce(max(last), 0) FROM number_counter WHERE series = ? AND fiscal_year = 0"
