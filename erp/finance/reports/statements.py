"""Statements of account: what a contact was invoiced and what was paid, by date."""

from collections.abc import Iterator
from typing import Any

from erp.finance.contacts.models import Contact
from erp.finance.reports.period import ReportPeriod, bounds
from erp.finance.reports.table import sides
from erp.kernel import money
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.scalars import Day, Money
from erp.web.schema import Report, View


class ContactStatementLine(View):
    """A posting to receivables or payables: a debit is what the contact owes, a credit what it is owed."""

    date: str
    entry_id: str
    number: str
    description: str
    reference: str | None
    debit: Money
    credit: Money
    balance: Money


class ContactStatement(Report):
    """A contact's postings, with the balance before the first, after each, and at the end."""

    ROW = ContactStatementLine

    contact_id: str
    name: str
    currency: str
    date_from: Day | None
    date_to: Day | None
    opening: Money
    lines: list[ContactStatementLine]
    closing: Money

    def table(self) -> list[ContactStatementLine]:
        """The postings."""
        return self.lines


_OF_CONTACT = (
    " FROM posting AS p JOIN account AS a ON a.id = p.account_id JOIN journal_entry AS e ON e.id = p.entry_id"
    " WHERE p.contact_id = ? AND a.subtype IN ('receivable', 'payable')"
)
_OPENING = f"SELECT coalesce(sum(p.amount), 0) {_OF_CONTACT} AND p.date < ?"
_LINES = (
    f"SELECT e.date, e.id, e.number, coalesce(p.description, e.description), e.reference, p.amount {_OF_CONTACT}"
    " AND p.date BETWEEN ? AND ? ORDER BY e.date, e.fiscal_year, e.seq, p.line"
)


def of(contact: Contact, period: ReportPeriod) -> ContactStatement:
    """The statement of a contact.

    Raises:
        BadParameter: the period ends before it begins.
    """
    start, end = bounds(period)
    ((opening,),) = WORKSPACE.rows(_OPENING, (contact.id, start))
    currency = workspace_settings.current().base_currency
    rows = WORKSPACE.rows(_LINES, (contact.id, start, end))
    return ContactStatement(
        contact_id=contact.id,
        name=contact.name,
        currency=currency,
        date_from=period.date_from,
        date_to=period.date_to,
        opening=money.text(opening, currency),
        lines=list(_lines(rows, opening, currency)),
        closing=money.text(opening + sum(row[-1] for row in rows), currency),
    )


def _lines(rows: list[tuple[Any, ...]], balance: int, currency: str) -> Iterator[ContactStatementLine]:
    for date, entry_id, number, description, reference, amount in rows:
        balance += amount
        yield ContactStatementLine(
            date=date,
            entry_id=entry_id,
            number=number,
            description=description,
            reference=reference,
            balance=money.text(balance, currency),
            **sides(amount, currency),
        )


class Resource:
    @endpoint(permission="finance.read")
    def on_get(self, id: str, query: ReportPeriod) -> ContactStatement:
        """Show what a contact was invoiced and what was paid, with a running balance.

        Lists every posting to receivables and payables that names the contact, by date, in the base currency: a debit
        is what the contact owes, a credit what it is owed. `opening` is the balance before the first day.
        """
        return of(Contact.find(id), query)
