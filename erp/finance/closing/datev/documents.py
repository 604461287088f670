"""Days and numbers of the invoices and bills behind entries, as far as a booking has them beside its own."""

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from erp.finance.closing.datev import store
from erp.finance.reports.tax.counting.counted import basis_on
from erp.store import sql
from erp.store.router import WORKSPACE


class Days(NamedTuple):
    """The day of the service, and the day that the tax return counts, where their months are not the entry's."""

    service: date | None = None
    tax: date | None = None


class Documents:
    """The documents of entries."""

    def __init__(self, entry_ids: Iterable[str]) -> None:
        ids = sql.array(entry_ids)
        self._bills = {entry_id: (supplier, own) for entry_id, supplier, own in WORKSPACE.rows(store.BILLS, (ids,))}
        self._days = {
            (entry_id, account_id): _days(entry_day, service, tax, is_sale=not kind.startswith("purchase"))
            for entry_id, account_id, kind, entry_day, service, tax in WORKSPACE.rows(store.DAYS, {"ids": ids})
        }

    def of_bill(self, entry_id: str) -> tuple[str, str] | None:
        """The supplier's number of a bill, and our own; None where there is no such number."""
        return self._bills.get(entry_id)

    def days(self, entry_id: str, account_ids: Iterable[str]) -> Days:
        """The days of the lines on one of these accounts, or else of the document."""
        for account_id in account_ids:
            if (entry_id, account_id) in self._days:
                return self._days[entry_id, account_id]
        return self._days.get((entry_id, None), Days())


def _days(entry_day: str, service: str | None, tax: str | None, *, is_sale: bool) -> Days:
    is_paid_for = is_sale and tax is not None and basis_on(tax) == "cash"
    return Days(_of_other_month(service, entry_day), None if is_paid_for else _of_other_month(tax, entry_day))


def _of_other_month(day: str | None, entry_day: str) -> date | None:
    return None if day is None or day[:7] == entry_day[:7] else date.fromisoformat(day)
