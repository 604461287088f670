"""The check-list of a lock: open points in the days that are to be locked.

It looks at the days since the fiscal year began, or since the first open day where that is earlier, so that points
accepted with the lock of an earlier year are not asked again.
"""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta

from erp.finance.books import account_balances
from erp.finance.books.periods import DAYS_AHEAD
from erp.finance.closing import asset_findings
from erp.finance.closing.asset_findings import AssetFinding
from erp.finance.closing.searches import BY_DAY, OPENING_ACCOUNT, TAX_RATES_USED, FindingKind, Search
from erp.finance.contacts import tax_rates
from erp.finance.contacts.tax_fit import OtherParty, misfit
from erp.finance.documents.models import PURCHASES
from erp.kernel import money
from erp.kernel.days import ONE_DAY
from erp.kernel.language import Sentence, says
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.web.scalars import Day, Money
from erp.web.schema import View

MOST_RECORDS = 20
"""Number of records of a kind that are named; the count includes all."""

RecordType = Literal["invoice", "payment", "payroll_run", "bank_line", "journal_entry", "account"]


class LockFindingRecord(View):
    """A record that is still open."""

    type: RecordType
    id: str
    number: Annotated[str | None, Meta(description="A draft of an invoice or a credit note has no number.")]
    date: Day
    contact_name: str | None
    text: Annotated[str | None, Meta(description="The text of a bank transaction, a journal entry or an account.")]
    amount: Annotated[Money | None, Meta(description="The total of a document, else the open or unmatched amount.")]
    currency: str | None


class LockFinding(View):
    """The open points of one kind, the earliest first."""

    kind: FindingKind
    message: Sentence
    count: int
    amount: Annotated[Money | None, Meta(description="The sum of all records, where all are in one currency.")]
    currency: str | None
    link: Annotated[str, Meta(description="The address of the list to look at.")]
    records: Annotated[list[LockFindingRecord], Meta(description=f"The first {MOST_RECORDS} of them.")]
    date_from: Annotated[date | None, Meta(description="The first day of the records, where there is one.")] = None
    date_to: Annotated[date | None, Meta(description="The last day of the records, where there is one.")] = None


class FindingCount(View):
    """The number of open records of one kind."""

    kind: FindingKind
    count: int


class Days(NamedTuple):
    """The days that a check-list looks at, both included."""

    since: date
    through: date


def days_through(day: date) -> Days:
    """The days that the check-list of a lock through a day looks at."""
    start, locked = workspace_settings.fiscal_year_start(day), workspace_settings.current().lock_date
    return Days(date.min if locked is None else min(start, locked + timedelta(days=1)), day)


def through(day: date) -> list[LockFinding]:
    """The check-list of a lock through a day; kinds without open points are left out."""
    days = days_through(day)
    rows_by_search = ((search, WORKSPACE.rows(_statement(search), _values(days))) for search in BY_DAY)
    listed = [_finding(search, days, rows) for search, rows in rows_by_search if rows]
    return [*listed, *_misfits(days), *_trial_balance(day), *_opening_account(day), *_of_assets(days)]


def _of_assets(days: Days) -> list[LockFinding]:
    """The open points of fixed assets at the last end of a fiscal year in some days."""
    first = workspace_settings.fiscal_year_start(days.through + ONE_DAY)
    year_end = first - ONE_DAY
    return [_asset_finding(found) for found in asset_findings.at_the_end_of(year_end)] if days.since <= year_end else []


def _asset_finding(found: AssetFinding) -> LockFinding:
    currency = workspace_settings.current().base_currency
    return LockFinding(
        kind=found.kind,
        message=found.message,
        count=found.count,
        amount=money.text(found.amount, currency),
        currency=currency,
        link=found.link,
        records=[_record(row) for row in found.rows[:MOST_RECORDS]],
    )


def by_month(days: Days) -> Mapping[str, Sequence[FindingCount]]:
    """The open points in each month (`YYYY-MM`) of some days, without the future."""
    counts: dict[str, list[FindingCount]] = defaultdict(list)
    for search in BY_DAY:
        if not search.is_ahead:
            for month, count in WORKSPACE.rows(_PER_MONTH.format(search.records), _values(days)):
                counts[month].append(FindingCount(kind=search.kind, count=count))
    return counts


_PER_MONTH = "SELECT substr(day, 1, 7), count(*) FROM ({}) AS found GROUP BY substr(day, 1, 7)"
_FIRST = (
    "SELECT found.*, count(*) OVER (),"
    " CASE WHEN min(currency) OVER () = max(currency) OVER () THEN sum(amount) OVER () END"
    " FROM ({records}) AS found ORDER BY day, id LIMIT {most}"
)


def _statement(search: Search) -> str:
    return _FIRST.format(records=search.records, most=MOST_RECORDS)


def _values(days: Days) -> dict[str, str]:
    ahead = workspace_settings.today() + timedelta(days=DAYS_AHEAD)
    currency = workspace_settings.current().base_currency
    return {"since": str(days.since), "through": str(days.through), "ahead": str(ahead), "base": currency}


def _finding(search: Search, days: Days, rows: Sequence[Sequence[Any]]) -> LockFinding:
    *_, count, total = rows[0]
    currency = None if total is None else rows[0][7]
    return LockFinding(
        kind=search.kind,
        message=search.message,
        count=count,
        amount=None if currency is None else money.text(total, currency),
        currency=currency,
        link=search.link,
        records=[_record(row) for row in rows],
        date_from=None if search.is_ahead or days.since == date.min else days.since,
        date_to=None if search.is_ahead else days.through,
    )


def _record(row: Sequence[Any]) -> LockFindingRecord:
    type, id, number, day, contact_name, text, amount, currency, *_ = row
    return LockFindingRecord(
        type=type,
        id=id,
        number=number,
        date=day,
        contact_name=contact_name,
        text=text,
        amount=None if amount is None else money.text(amount, currency),
        currency=currency,
    )


def _misfits(days: Days) -> list[LockFinding]:
    """Documents that may be in a wrong box of the return."""
    rows = _misfit_rows(_values(days))
    if not rows:
        return []
    amounts, currencies = [row[6] for row in rows], {row[7] for row in rows}
    currency = currencies.pop() if len(currencies) == 1 else None
    return [
        LockFinding(
            kind="tax_rate_misfit",
            message=says("Tax rates of documents hardly fit the country or the VAT number of the contact. Check them."),
            count=len(rows),
            amount=None if currency is None else money.text(sum(amounts), currency),
            currency=currency,
            link="/api/v1/finance/invoices",
            records=[_record(row) for row in rows[:MOST_RECORDS]],
        )
    ]


def _misfit_rows(days: Mapping[str, str]) -> list[Sequence[Any]]:
    """Documents whose tax rates hardly fit the other party, by its particulars in the document; the earliest first."""
    home = workspace_settings.current().country
    if home is None:
        return []
    used = WORKSPACE.rows(TAX_RATES_USED, days)
    rates, _ = tax_rates.look_up({rate_id: rate_id for *_, rate_id in used})
    unfit: dict[str, Sequence[Any]] = {}
    for *columns, kind, customer, rate_id in used:
        party = json.loads(customer or "{}")
        other = OtherParty.of(party.get("vat_id"), party.get("address"))
        if misfit(rates[rate_id], other, home, is_purchase=kind in PURCHASES):
            unfit[columns[1]] = columns
    return [*unfit.values()]


def _trial_balance(day: date) -> list[LockFinding]:
    """The difference of debits and credits: 0, unless another program has written to the file."""
    difference = sum(amount for (amount,) in account_balances.of_all(day).values())
    if not difference:
        return []
    message = says("Debits and credits of the trial balance are not equal. Check the file of the workspace.")
    return [_balance("trial_balance", message, difference, day, "/api/v1/finance/reports/trial-balance", [])]


def _opening_account(day: date) -> list[LockFinding]:
    """The balance of the account of opening balances, which is 0 once all of them are entered."""
    for id, code, name in WORKSPACE.rows(OPENING_ACCOUNT):
        amount = account_balances.of_account(id, through=day)
        if amount:
            message = says("The account of opening balances, {code}, is not at zero. Complete them.", code=code)
            base = workspace_settings.current().base_currency
            row = ("account", id, code, day.isoformat(), None, name, amount, base)
            return [_balance("opening_account", message, amount, day, f"/api/v1/finance/accounts/{id}/ledger", [row])]
    return []


def _balance(
    kind: FindingKind, message: Sentence, amount: int, day: date, path: str, rows: Sequence[Sequence[Any]]
) -> LockFinding:
    currency = workspace_settings.current().base_currency
    return LockFinding(
        kind=kind,
        message=message,
        count=1,
        amount=money.text(amount, currency),
        currency=currency,
        link=f"{path}?dateTo={day.isoformat()}",
        records=[_record(row) for row in rows],
    )
