"""Journal entries for tests, and what entries have posted."""

from typing import Any

from erp.finance.books.models import Account, JournalEntry, Posting
from tests.conftest import Office


def new_entry(
    amount: str = "100.00", *, day: str = "2026-01-15", debit: str = "1010", credit: str = "3000", **fields: Any
) -> dict[str, Any]:
    """The body of a journal entry of two lines."""
    lines = [{"accountId": debit, "debit": amount}, {"accountId": credit, "credit": amount}]
    return {"date": day, "description": "Capital paid in", "lines": lines, **fields}


def entry(office: Office, amount: str = "100.00", **fields: Any) -> dict[str, Any]:
    """A new journal entry; the arguments are those of `new_entry`."""
    shown: dict[str, Any] = office.ok("POST", "/finance/journals", new_entry(amount, **fields))
    return shown


def entry_count(office: Office) -> int:
    """How many journal entries the books have."""
    with office.books():
        return JournalEntry.select().count()


def postings(office: Office, entry_id: str) -> dict[str, tuple[int, str | None]]:
    """The amount in minor units and the contact of each posting of an entry, by the code of its account."""
    with office.books():
        columns = (Account.code, Posting.amount, Posting.contact_id)
        rows: Any = Posting.select(*columns).join(Account).where(Posting.entry == entry_id).order_by(Account.code)
        return {code: (amount, contact_id) for code, amount, contact_id in rows.tuples()}


def posted(office: Office, entry_id: str) -> dict[str, int]:
    """The amounts of an entry in minor units by the code of the account."""
    return {code: amount for code, (amount, _) in postings(office, entry_id).items()}
