"""The cash forecast: bank and cash accounts, if open items are paid when they are due."""

from collections.abc import Iterator
from datetime import date
from typing import Annotated, NamedTuple

from msgspec import Meta

from erp.finance.books import open_items
from erp.finance.contacts import heads
from erp.finance.reports.cash_flow import cash_at
from erp.finance.reports.period import ReportDate, plain
from erp.finance.reports.table import links
from erp.finance.reports.table.tree import Column, Figure, ReportTree, Row, Tree
from erp.kernel.errors import BadParameter
from erp.kernel.language import Word, says
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.scalars import Day


class ForecastQuery(ReportDate):
    """The day to look ahead from, and the last one shown."""

    date_to: Annotated[Day, Meta(description="The last due date to show; all of them when absent.")] | None = None


class _Due(NamedTuple):
    """The open amount of an item: above zero for money to come, below for money to pay."""

    due: str
    contact_id: str
    contact: str
    number: str
    document_type: str
    document_id: str
    currency: str
    amount: int
    base: int


COLUMNS = (
    Column(key="due_date", label=Word("Due date"), kind="date"),
    Column(key="number", label=Word("Document"), kind="text"),
    Column(key="foreign", label=Word("In its currency"), adds_up=False),
    Column(key="amount", label=Word("Amount")),
    Column(key="balance", label=Word("Balance", "money"), adds_up=False),
)


def of(query: ForecastQuery) -> ReportTree:
    """The forecast that a query asks for.

    Raises:
        BadParameter: it ends before it begins.
    """
    day = plain(query.date or workspace_settings.today())
    until = plain(query.date_to) if query.date_to else None
    if until is not None and until < day:
        raise BadParameter(says("dateTo: Must not be before date."))
    title, heading = Word("Cash forecast"), Word("Contact")
    tree = Tree("cash_forecast", title, COLUMNS, heading=heading, since=day if until else None, until=until or day)
    held = cash_at(day)
    cash = Figure(held, links.to("/reports/balance-sheet", date=day))
    tree.line(Word("Cash and bank"), {"due_date": str(day), "balance": cash}, level=0, key="opening")
    rows = []
    for row in _rows(day, until):
        held += row.minor("amount")
        row.cells["balance"] = Figure(held)
        rows.append(tree.add(row))
    total = tree.sum(Word("Total"), rows, key="total")
    total.cells["balance"] = Figure(held)
    return tree.view(query)


class Ahead(NamedTuple):
    """The overdue items, which the forecast takes as paid on its first day, and the cash at the end of days."""

    overdue: int
    balances: list[tuple[date, int]]


def ahead(held: int, day: date, until: date) -> Ahead:
    """The cash at the end of a day, and at the end of each later day with due items, as the forecast has it.

    Args:
        held: the balance of bank and cash accounts before it.
    """
    due = dict(WORKSPACE.rows(_BY_DAY, {"day": day.isoformat(), "until": until.isoformat()}))
    overdue = due.pop(_OVERDUE, 0)
    held, balances = held + overdue, []
    for text in sorted({day.isoformat(), *due}):
        held += due.get(text, 0)
        balances.append((date.fromisoformat(text), held))
    return Ahead(overdue, balances)


def _rows(day: date, until: date | None) -> Iterator[Row]:
    base = workspace_settings.current().base_currency
    parameters = {"day": day.isoformat(), "until": str(until or "9999")}
    for item in (_Due(*row) for row in WORKSPACE.rows(_OPEN, parameters)):
        link = links.document(item.document_type, item.document_id)
        foreign = Figure(item.amount, link, item.currency) if item.currency != base else None
        yield Row(
            kind="line",
            key="overdue" if item.due < day.isoformat() else None,
            label=item.contact,
            level=1,
            link=links.to(f"/contacts/{item.contact_id}"),
            cells={"due_date": item.due, "number": item.number, "foreign": foreign, "amount": Figure(item.base, link)},
        )


_OPEN = f"""
SELECT * FROM (
    SELECT due_date, contact.id AS contact_id, contact.name, number, document_type, document_id, open_item.currency,
        {open_items.OPEN_AT} AS open_then, {open_items.OPEN_BASE_AT} AS open_base_then
    FROM open_item {heads.join("open_item.contact_id")}
    WHERE {open_items.MAY_BE_OPEN_AT} AND due_date <= :until
) AS item WHERE open_then <> 0 OR open_base_then <> 0 ORDER BY due_date, number
"""

_OVERDUE = ""
_BY_DAY = f"""
SELECT day, sum(base) FROM (
    SELECT CASE WHEN due_date < :day THEN '{_OVERDUE}' ELSE due_date END AS day, {open_items.OPEN_BASE_AT} AS base
    FROM open_item WHERE {open_items.MAY_BE_OPEN_AT} AND due_date <= :until
) AS due GROUP BY day
"""


class Resource:
    @endpoint(permission="finance.read", refuses=(BadParameter,))
    def on_get(self, query: ForecastQuery) -> ReportTree:
        """Show the expected money, if everything is paid when it is due.

        It begins with the balance of bank and cash accounts on `date`; then follow the items open at the end of that
        day, by due date: overdue ones first, credits at their amount. Amounts are above zero for money in.
        """
        return of(query)
