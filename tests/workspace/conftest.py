"""Entries in the books of an office, for the log and the settings to see."""

from datetime import date

from erp.finance.books import ledger
from erp.finance.books.ledger import Leg
from erp.store import events
from tests.conftest import Office


def post_sale(office: Office) -> None:
    """Post a sale of 1.00, with its event."""
    with office.books(write=True):
        legs = [Leg(ledger.default_account("bank"), 100), Leg(ledger.default_account("sales"), -100)]
        entry = ledger.post(date(2026, 3, 1), "Sale", legs, kind="manual")
        events.write("journal_entry.posted", "journal_entry", entry.id, entries=[entry])
