"""Invoiced, received and paid amounts of each month, and the cash at its end: the figures of a chart."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import date
from typing import Annotated

import msgspec
from msgspec import Meta

from erp.kernel import money
from erp.kernel.days import months_later
from erp.kernel.errors import BadParameter
from erp.kernel.language import says
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.scalars import Money, Month
from erp.web.schema import Query, Report, TableFormat, View

USUAL_MONTHS = 12
MOST_MONTHS = 60
CASH = ("bank", "cash")
"""The subtypes of the accounts whose balance is cash."""


class SeriesQuery(Query):
    """The first and the last month, both included."""

    start: Annotated[Month, Meta(description="The first month; without it, twelve months end with `to`.")] | None = (
        msgspec.field(default=None, name="from")
    )
    end: Annotated[Month, Meta(description="The last month; this one when absent.")] | None = msgspec.field(
        default=None, name="to"
    )
    format: TableFormat = "json"


class SeriesMonth(View):
    """A month; `invoiced` includes tax, and `cash` is the balance of bank and cash accounts at its end."""

    month: str
    invoiced: Annotated[Money, Meta(description="Sales invoices, less credit notes.")]
    received: Annotated[Money, Meta(description="Money into bank and cash accounts.")]
    paid: Annotated[Money, Meta(description="Money out of bank and cash accounts.")]
    cash: Money


class Series(Report):
    """The months in order, with all amounts in the base currency."""

    ROW = SeriesMonth

    currency: str
    months: list[SeriesMonth]

    def table(self) -> list[SeriesMonth]:
        return self.months


# The index on accounts and days has the postings; a reversing entry counts with the kind of the reversed one.
_FLOWS = f"""
SELECT month, CASE WHEN (amount > 0) = (reverses_id IS NULL) THEN 'received' ELSE 'paid' END, sum(amount)
FROM (
    SELECT substr(posting.date, 1, 7) AS month, entry.reverses_id AS reverses_id, sum(posting.amount) AS amount
    FROM account {sql.THEN_JOIN} posting ON posting.account_id = account.id AND posting.date BETWEEN :first AND :last
    JOIN journal_entry AS entry ON entry.id = posting.entry_id
    LEFT JOIN journal_entry AS original ON original.id = entry.reverses_id
    WHERE account.subtype IN {CASH}
    AND coalesce(original.kind, entry.kind) NOT IN ('opening', 'transfer', 'revaluation', 'revaluation_reversal')
    GROUP BY entry.id, substr(posting.date, 1, 7), entry.reverses_id
) AS moved
GROUP BY 1, 2
UNION ALL
SELECT substr(posting.date, 1, 7), 'invoiced', sum(posting.amount)
FROM account {sql.THEN_JOIN} posting ON posting.account_id = account.id AND posting.date BETWEEN :first AND :last
JOIN journal_entry AS entry ON entry.id = posting.entry_id
LEFT JOIN journal_entry AS original ON original.id = entry.reverses_id
WHERE account.subtype = 'receivable' AND coalesce(original.kind, entry.kind) = 'invoice'
GROUP BY substr(posting.date, 1, 7)
"""
_HELD = f"""
SELECT month, sum(debit - credit) FROM balance JOIN account ON account.id = account_id
WHERE account.subtype IN {CASH} AND month <= ? GROUP BY month ORDER BY month
"""


def of(query: SeriesQuery) -> Series:
    """The months that a query asks for.

    Raises:
        BadParameter: they end before they begin, or are too many.
    """
    end = query.end or workspace_settings.today().isoformat()[:7]
    start = query.start or _shifted(end, 1 - USUAL_MONTHS)
    months = list(_between(start, end))
    if not 0 < len(months) <= MOST_MONTHS:
        raise BadParameter(says("to: Must be `from` or at most {months} months later.", months=MOST_MONTHS - 1))
    currency = workspace_settings.current().base_currency
    flows, held = _flows(start, end), _held(end)
    return Series(
        currency=currency,
        months=[
            SeriesMonth(
                month=month,
                invoiced=money.text(flows[month]["invoiced"], currency),
                received=money.text(flows[month]["received"], currency),
                paid=money.text(-flows[month]["paid"], currency),
                cash=money.text(sum(amount for other, amount in held.items() if other <= month), currency),
            )
            for month in months
        ],
    )


def _flows(start: str, end: str) -> dict[str, Counter[str]]:
    flows: dict[str, Counter[str]] = defaultdict(Counter)
    for month, name, amount in WORKSPACE.rows(_FLOWS, {"first": start, "last": f"{end}-31"}):
        flows[month][name] = amount
    return flows


def _held(end: str) -> dict[str, int]:
    """The change of each month until the last."""
    return dict(WORKSPACE.rows(_HELD, (end,)))


def _between(start: str, end: str) -> Iterator[str]:
    month = start
    while month <= end:
        yield month
        month = _shifted(month, 1)


def _shifted(month: str, by: int) -> str:
    return months_later(date.fromisoformat(f"{month}-01"), by).isoformat()[:7]


class Resource:
    @endpoint(permission="finance.read", refuses=(BadParameter,))
    def on_get(self, query: SeriesQuery) -> Series:
        """Show invoiced, received and paid amounts by month, and the cash at the end of the month.

        All figures are from the postings, in the base currency. `received` and `paid` are the movements of each entry
        on bank and cash accounts, from anyone; transfers between own accounts, opening balances and revaluations count
        in `cash` alone. A reversal is subtracted in its own month.
        """
        return of(query)
