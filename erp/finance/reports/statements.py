"""Statements of account: what a contact was invoiced and what was paid, day by day."""

from collections.abc import Iterator
from typing import Any

from erp.finance.contacts.models import Contact
from erp.finance.reports.period import ReportPeriod, bounds
from erp.kernel import money
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.scalars import Day, Money
from erp.web.schema import Report, View


class StatementLine(View):
    """A posting to receivables (debit: invoiced) or payables (credit: billed by the supplier)."""

    date: str
    entry_id: str
    number: str
    description: str
    reference: str | None
    debit: Money
    credit: Money
    balance: Money


class StatementView(Report):
    """A contact's postings with the balance before, after each, and at the end."""

    ROW = StatementLine

    contact_id: str
    name: str
    currency: str
    date_from: Day | None
    date_to: Day | None
    opening: Money
    lines: list[StatementLine]
    closing: Money

    def table(self) -> list[StatementLine]:
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


def of(contact: Contact, period: ReportPeriod) -> StatementView:
    """Make the statement of a contact.

    Raises:
        BadParameter: the period ends before it begins.
    """
    start, end = bounds(period)
    ((opening,),) = WORKSPACE.rows(_OPENING, (contact.id, start))
    currency = workspace_settings.current().base_currency
    rows = WORKSPACE.rows(_LINES, (contact.id, start, end))
    return StatementView(
        contact_id=contact.id,
        name=contact.name,
        currency=currency,
        date_from=period.date_from,
        date_to=period.date_to,
        opening=money.text(opening, currency),
        lines=list(_lines(rows, opening, currency)),
        closing=money.text(opening + sum(row[-1] for row in rows), currency),
    )


def _lines(rows: list[tuple[Any, ...]], balance: int, currency: str) -> Iterator[StatementLine]:
    for date, entry_id, number, description, reference, amount in rows:
        balance += amount
        yield StatementLine(
            date=date,
            entry_id=entry_id,
            number=number,
            description=description,
            reference=reference,
            debit=money.text(max(amount, 0), currency),
            credit=money.text(max(-amount, 0), currency),
            balance=money.text(balance, currency),
        )


class Statement:
    @endpoint(permission="finance.read")
    def on_get(self, id: str, query: ReportPeriod) -> StatementView:
        """Show what was invoiced and paid, with a running balance.

        Every posting to receivables and payables that bears the contact, by date, in the base currency: a debit is
        what the contact owes, a credit what it is owed. `opening` is the balance before the first day.
        """
        return of(Contact.find(id), query)
