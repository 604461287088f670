"""Opening balances: the balances of accounts at the start of the books, and the open items of contacts.

They can be entered again until the books are locked: the earlier entry is reversed on its own date, and replaced.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from msgspec.structs import replace

from erp.finance.books import accounts, default_accounts, ledger, open_items, periods
from erp.finance.books.ledger import Entry, ItemTerms, Leg
from erp.finance.books.models import JournalEntry
from erp.finance.closing import comparison, opening_sheet
from erp.finance.closing.opening_bodies import (
    NewOpeningBalances,
    OpeningBalancesView,
    OpeningItem,
    OpeningLine,
    OpeningMonth,
    OpeningView,
)
from erp.finance.closing.opening_sheet import ReadTable
from erp.finance.contacts import heads, tax_rates
from erp.finance.journals import lines as journal_lines
from erp.finance.journals.bodies import NewJournalLine
from erp.kernel import money
from erp.kernel.complaints import Complaints
from erp.kernel.errors import UnknownReference
from erp.kernel.language import Word, says
from erp.store import events, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint

TEXT = says("Opening balances")
_LIVE = (
    "SELECT * FROM journal_entry AS entry WHERE kind = 'opening'"
    " AND NOT EXISTS (SELECT 1 FROM journal_entry AS mirror WHERE mirror.reverses_id = entry.id)"
    " ORDER BY id DESC LIMIT 1"
)


def enter(body: NewOpeningBalances, table: ReadTable | None) -> OpeningBalancesView:
    """Post the opening balances, in place of earlier ones; or only check them.

    Raises:
        Invalid: with a complaint for every wrong line, and for an account whose items do not sum to its balance.
        PeriodLocked: the day, or the day of the replaced opening balances, is in the locked period.
        StillSettled: an item of the replaced ones is settled.
    """
    complaints = Complaints()
    with complaints.gathered():
        periods.check_not_ahead(body.date, "date")
    before = current()
    rows, months = _split(opening_sheet.read(body, table, complaints))
    if body.source is not None:
        _check_day(body, before, complaints)
        rows = _unknown(rows, before)
    new = _legs(rows, body.date, complaints)
    balances = comparison.read(months, body.date, complaints)
    complaints.refuse()
    present = [] if body.source is None or before is None else _present(before)
    difference = -sum(leg.amount for leg in (*present, *new))
    rest = [Leg(default_accounts.of("opening_balance"), difference)] if difference else []
    periods.check_open(body.date, "date")
    if before is not None:
        periods.check_open(before.date, "date")
    outcome = OpeningBalancesView.of(body, new, difference, comparisons=len(balances), replaced=before)
    if body.dry_run or (body.source is not None and not new):
        return outcome
    if body.source is None:
        comparison.keep(balances)
    return replace(outcome, journal_entry_id=_post(body, [*present, *new, *rest], before).id)


def current() -> JournalEntry | None:
    """The entry of the opening balances in force."""
    return next(iter(JournalEntry.fetch(_LIVE)), None)


def _post(body: NewOpeningBalances, legs: Sequence[Leg], before: JournalEntry | None) -> Entry:
    entries = []
    if before is not None:
        entries.append(
            ledger.reverse(
                before.id, before.date, says("Replacement of {number}, opening balances", number=before.number)
            )
        )
    entry = ledger.post(body.date, TEXT, legs, kind="opening")
    data = {"number": entry.number, "date": body.date.isoformat(), "replaces": before and before.number}
    events.write("journal_entry.posted", "journal_entry", entry.id, data, entries=[*entries, entry])
    return entry


def _check_day(body: NewOpeningBalances, before: JournalEntry | None, complaints: Complaints) -> None:
    if before is not None and before.date != body.date:
        message = says("The opening balances are as of {day}. Import open invoices for the same day.", day=before.date)
        complaints.add("date", "other_day", message)


def _unknown(rows: "Rows", before: JournalEntry | None) -> "Rows":
    """The items that the opening balances in force do not have."""
    items = open_items.of_entry(before.id) if before is not None else []
    known = {(item.account_id, heads.of(item.contact_id), item.number, item.document_date) for item in items}
    return {
        path: row
        for path, row in rows.items()
        if isinstance(row, OpeningItem)
        and (row.account_id, heads.of(row.contact_id), row.number, row.document_date) not in known
    }


def _present(before: JournalEntry) -> list[Leg]:
    """The legs of the opening balances in force, but for the difference."""
    terms = {
        item.line: ItemTerms(item.due_date, item.document_date, item.number, item.tax_rate_id)
        for item in open_items.of_entry(before.id)
    }
    columns = (
        "account_id",
        "amount",
        "contact_id",
        "project_id",
        "description",
        "currency",
        "foreign_amount",
        "dimensions",
    )
    return [
        Leg(**dict(zip(columns, row, strict=True)), is_inherited=True, terms=terms.get(line, ItemTerms()))
        for line, *row in WORKSPACE.rows(_PRESENT, (before.id,))
        if row[0] != default_accounts.of("opening_balance")
    ]


_PRESENT = (
    "SELECT line, account_id, amount, contact_id, project_id, description, currency, foreign_amount, dimensions"
    " FROM posting WHERE entry_id = ? ORDER BY line"
)
Rows = Mapping[str, OpeningLine | OpeningItem]
"""The balances of accounts and the items of contacts, by their places in the request."""


def _split(rows: opening_sheet.Rows) -> tuple[Rows, Mapping[str, OpeningMonth]]:
    """The rows to post, and the rows for comparison."""
    months = {path: row for path, row in rows.items() if isinstance(row, OpeningMonth)}
    return {path: row for path, row in rows.items() if not isinstance(row, OpeningMonth)}, months


def _legs(rows: Rows, day: date, complaints: Complaints) -> list[Leg]:
    """The legs of all but the accounts of contacts, which consist of their items."""
    refs, _ = accounts.look_up({f"{path}.accountId": row.account_id for path, row in rows.items()})
    by_items = {
        path
        for path, row in rows.items()
        if isinstance(row, OpeningLine) and (account := refs.get(f"{path}.accountId")) and account.needs_contact
    }
    posted = {path: _journal_line(row) for path, row in rows.items() if path not in by_items}
    legs = journal_lines.read(posted, day, complaints)
    _check_items(rows, legs, refs, complaints)
    terms = _terms(rows, complaints)
    _check_sums({path: rows[path] for path in by_items}, legs, refs, complaints)
    return [replace(leg, terms=terms[path]) if path in terms else leg for path, leg in legs.items()]


def _journal_line(row: OpeningLine | OpeningItem) -> NewJournalLine:
    line = NewJournalLine(
        account_id=row.account_id,
        debit=row.debit,
        credit=row.credit,
        currency=row.currency,
        foreign_amount=row.foreign_amount,
    )
    if isinstance(row, OpeningItem):
        line.contact_id, line.description = row.contact_id, f"{row.number} of {row.document_date}"
    return line


def _check_items(rows: Rows, legs: Mapping[str, Leg], refs: Mapping[str, Any], complaints: Complaints) -> None:
    for path in legs:
        row, account = rows[path], refs.get(f"{path}.accountId")
        if isinstance(row, OpeningItem) and account is not None and not account.needs_contact:
            message = says(
                "Account {code} is neither receivable nor payable. Enter its balance without documents.",
                code=account.code,
            )
            complaints.add(f"{path}.accountId", "unsuitable_account", message)


def _terms(rows: Rows, complaints: Complaints) -> dict[str, ItemTerms]:
    """The terms of the open items: the old number, both dates, and the tax rate."""
    items = {path: row for path, row in rows.items() if isinstance(row, OpeningItem)}
    names = {f"{path}.taxRateId": row.tax_rate_id for path, row in items.items() if row.tax_rate_id is not None}
    rates, unknown = tax_rates.look_up(names)
    complaints.items += unknown
    terms = {}
    for path, row in items.items():
        rate, due_date = rates.get(f"{path}.taxRateId"), row.due_date or row.document_date
        if due_date < row.document_date:
            complaints.add(
                f"{path}.dueDate",
                "too_early",
                says("Must not be before {date}.", date=row.document_date),
            )
        terms[path] = ItemTerms(due_date, row.document_date, row.number, None if rate is None else rate.id)
    return terms


def _check_sums(balances: Rows, legs: Mapping[str, Leg], refs: Mapping[str, Any], complaints: Complaints) -> None:
    """Complain of an account whose items do not sum to the given balance."""
    currency = workspace_settings.current().base_currency
    sums: dict[str, int] = defaultdict(int)
    for leg in legs.values():
        sums[leg.account_id] += leg.amount
    for path, row in balances.items():
        account = refs[f"{path}.accountId"]
        side = "debit" if row.debit is not None else "credit"
        balance = complaints.minor(row.debit or row.credit or Decimal(0), currency, f"{path}.{side}")
        rest = (balance if side == "debit" else -balance) - sums[account.id]
        if rest:
            message = says(
                "The documents of account {code} do not add up to its balance: {amount} {side} is missing.",
                code=account.code,
                amount=money.shown(abs(rest), currency),
                side=Word("debit") if rest > 0 else Word("credit"),
            )
            complaints.add(f"{path}.{side}", "wrong_sum", message)


class Collection:
    @endpoint(permission="finance.read")
    def on_get(self) -> OpeningView:
        """Show the opening balances in force; null where none have been entered.

        It names the day, the journal entry, and the months for comparison that were entered.
        """
        entry = current()
        if entry is None:
            return OpeningView()
        months = [*comparison.months()]
        return OpeningView(date=entry.date, journal_entry_id=entry.id, number=entry.number, months=months)

    @endpoint(
        permission="finance.write",
        refuses=(
            UnknownReference,
            open_items.StillSettled,
            *(periods.PeriodLocked, periods.DateInFuture, ledger.UnbalancedEntry, ledger.AmountOutOfRange),
        ),
        prepare=opening_sheet.read_table,
    )
    def on_post(self, body: NewOpeningBalances, prepared: ReadTable | None) -> OpeningBalancesView:
        """Enter the opening balances, or enter them again.

        A difference between the sides goes to the opening balance account. Each receivable and payable is given item by
        item, with the old number and due date, for payments, reminders and ageing. Entering them again reverses the
        earlier entry on its own date and posts the new one, until that day is locked. `dryRun` only checks.

        `months` are balances of earlier months, such as the previous year's, which the balance sheet shows where its
        `compareDate` is before the books.

        With `source`, the table is an export of sales invoices or of bills from Xero as it is. The unpaid ones are
        added to the opening balances of that day; the same file again adds nothing. Contacts are found by their names.
        """
        return enter(body, prepared)
