"""What tests of invoices have in common: bodies, and the accounts that an entry was posted to."""

from typing import Any

from erp.finance.books.models import Account, JournalEntry, Posting


def line(price="100.00", quantity="1", **more):
    return {"description": "Consulting", "quantity": quantity, "unitPrice": price, **more}


def invoice(*lines, **more):
    """A new invoice to a new customer, unless one is named."""
    customer = {} if "customerId" in more else {"customer": {"name": "Globex"}}
    return {**customer, "lines": list(lines) or [line()], **more}


def rate(office, percent="20", **more):
    """Make a tax rate; its id."""
    body = {"name": f"Rate of {percent}", "rate": percent, **more}
    made = office.ok("POST", "/finance/tax-rates", body)
    return made["id"]


def customer(office, **more):
    """Make a customer; its id."""
    made = office.ok("POST", "/finance/contacts", {"kind": "customer", "name": "Globex", **more})
    return made["id"]


def posted(office, entry_id):
    """What an entry posted: minor units by the code of the account."""
    with office.books():
        rows: Any = Posting.select(Account.code, Posting.amount).join(Account).where(Posting.entry == entry_id)
        return dict(sorted(rows.tuples()))


def entries(office):
    """How many entries the books have."""
    with office.books():
        return JournalEntry.select().count()


def complaints(error):
    """What a refusal complains of: codes by field."""
    return {detail["field"]: detail["code"] for detail in error["details"]}
