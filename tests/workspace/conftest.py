"""Entries in the books of an office, for the log and the settings to see."""

from datetime import date

from erp.finance.books import default_accounts, ledger
from erp.finance.books.ledger import Leg
from erp.store import events
from tests.conftest import Office


def post_sale(office: Office) -> None:
    """Post a sale of 1.00, with its event."""
    with office.books(write=True):
        legs = [Leg(default_accounts.of("bank"), 100), Leg(default_accounts.of("sales"), -100)]
        entry = ledger.post(date(2026, 3, 1), "Sale", legs, kind="manual")
        events.write("journal_entry.posted", "journal_entry", entry.id, entries=[entry])
