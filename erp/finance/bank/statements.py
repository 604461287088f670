"""Imported statements: each line once, and only statements whose balances agree with their lines."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

import msgspec

from erp.finance.bank import own_accounts, reconciliation, store
from erp.finance.bank.bank_accounts import of_path, refer
from erp.finance.bank.bodies import BankAccountChange, BankStatementFile, CsvColumns, CsvHead
from erp.finance.bank.formats import csv_proposed, reading
from erp.finance.bank.formats.csv_mapped import Columns
from erp.finance.bank.formats.csv_proposed import Proposal
from erp.finance.bank.formats.model import MappingNeeded, NotAStatement, ReadLine, ReadStatement, Reason
from erp.finance.bank.models import BankFeed, BankLine, BankStatement
from erp.finance.books.accounts import AccountRef
from erp.kernel import caller, clock, money
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Invalid, Refusal
from erp.kernel.intake import text
from erp.kernel.intake.budget import go_on
from erp.kernel.language import says
from erp.store import control, events, workspace_settings
from erp.store.records import new_id


class BalancesDiffer(Refusal):
    """The transactions add up to {sum}, but the closing balance is {closing}. Transactions are missing."""

    status = 422


class NewLine(msgspec.Struct, frozen=True):
    """A line with its amount in minor units and its key, which identifies it in another import."""

    key: str
    amount: int
    read: ReadLine


class ImportedStatement(msgspec.Struct, kw_only=True):
    """A statement of a file: its account, its sum, and its new lines."""

    account: AccountRef
    number: str | None
    date_from: date
    date_to: date
    opening: int
    closing: int
    lines: Sequence[NewLine]
    new: Sequence[NewLine]
    gap: int = 0
    id: str | None = None


class Outcome(msgspec.Struct, kw_only=True):
    """The result of an import or its dry run."""

    format: reading.Format
    statements: list[ImportedStatement]
    left_out: Mapping[Reason, int]
    is_dry_run: bool


class ReadFile(NamedTuple):
    """A file that has been read: its format and statements, and the lines of each with their keys."""

    format: reading.Format
    statements: Sequence[ReadStatement]
    lines: Sequence[Sequence[NewLine]]


def read(body: BankStatementFile) -> ReadFile:
    """Read a file, which takes no lock.

    Raises:
        NotAStatement: it cannot be read.
        MappingNeeded: it is CSV, and the account has no mapping for it.
        SeveralAccounts: it has statements of several accounts, of which one is not here.
        Invalid: it is too large.
    """
    columns, currency = _format_of(body)
    try:
        file = reading.read(body.file.whole(), columns, currency)
    except MappingNeeded:
        if body.account_id is None:
            raise own_accounts.account_needed() from None
        raise
    with control.reading_own():
        accounts = own_accounts.of_statements(file.statements, body.account_id)
    seen: defaultdict[str, Counter[str]] = defaultdict(Counter)
    lines = [
        [*_lines(statement, account.currency, seen[account.id])]
        for statement, account in zip(file.statements, accounts, strict=True)
    ]
    return ReadFile(file.format, file.statements, lines)


def _format_of(body: BankStatementFile) -> tuple[Columns | None, str | None]:
    """The mapping of the account's CSV, and its currency."""
    if body.account_id is None:
        return None, None
    with control.reading_own():
        account = refer(body.account_id, "accountId")
        feed = BankFeed.find_by(account_id=account.id)
    return (Columns(**feed.csv_mapping) if feed is not None and feed.csv_mapping else None), account.currency


def propose(body: CsvHead) -> Proposal:
    """The likely mapping of a bank's CSV file.

    Raises:
        NotAStatement: it is not a table.
    """
    with control.reading_own():
        is_american = workspace_settings.current().country == "US"
    return csv_proposed.propose(
        text.lines(body.file.whole()), body.delimiter, body.skip_rows, is_month_first=is_american
    )


def run(body: BankStatementFile, file: ReadFile) -> Outcome:
    """Import a file that has been read, or only check it.

    Raises:
        BalancesDiffer: its lines do not lead from its opening to its closing balance.
        SeveralAccounts, Invalid: it is of another account or currency.
    """
    accounts = own_accounts.of_statements(file.statements, body.account_id)
    for statement, account in zip(file.statements, accounts, strict=True):
        own_accounts.check(statement, account)
    statements = _statements(file, accounts, body)
    if not body.dry_run:
        for statement, account in zip(file.statements, accounts, strict=True):
            _learn_iban(account, own_accounts.iban_of(statement))
        for imported in statements:
            _store(imported, file.format, body.name)
    left_out = sum((Counter(statement.left_out) for statement in file.statements), Counter[Reason]())
    return Outcome(format=file.format, statements=statements, left_out=left_out, is_dry_run=body.dry_run)


def change_feed(id: str, body: BankAccountChange) -> BankFeed:
    """Change the bank account behind an account."""
    account = of_path(id)
    values = body.changes()
    if body.csv_mapping:
        _check_mapping(body)
        values["csv_mapping"] = msgspec.to_builtins(
            {name: getattr(body.csv_mapping, name) for name in body.csv_mapping.__struct_fields__ if name != "columns"}
        ) | {"columns": {name: getattr(body.csv_mapping.columns, name) for name in _COLUMNS}}
    if values.get("iban"):
        own_accounts.check_free(str(values["iban"]), account)
        values["iban"] = str(values["iban"])
    return _change_feed(account, BankFeed.find_by(account_id=account.id), values)


_COLUMNS = CsvColumns.__struct_fields__


def _check_mapping(body: BankAccountChange) -> None:
    columns = body.csv_mapping.columns if body.csv_mapping else None
    if columns and bool(columns.amount) == bool(columns.debit or columns.credit):
        message = says("Choose either the column for the amount, or the columns for debit and credit.")
        raise Invalid.one("csvMapping.columns.amount", "exactly_one", message)


def _change_feed(account: AccountRef, feed: BankFeed | None, values: dict[str, Any]) -> BankFeed:
    if feed is None:
        feed = BankFeed.add(account=account.id, **values)
    else:
        feed.change(**values)
    events.write("bank_account.updated", "bank_account", feed.id, {"account": account.code, "fields": sorted(values)})
    return feed


def _learn_iban(account: AccountRef, iban: str | None) -> None:
    feed = BankFeed.find_by(account_id=account.id)
    if iban and (feed is None or not feed.iban):
        _change_feed(account, feed, {"iban": iban})


def _statements(file: ReadFile, accounts: Sequence[AccountRef], body: BankStatementFile) -> list[ImportedStatement]:
    result: list[ImportedStatement] = []
    last: dict[str, ImportedStatement] = {}
    keys: defaultdict[str, list[str]] = defaultdict(list)
    for lines, account in zip(file.lines, accounts, strict=True):
        keys[account.id] += (line.key for line in lines)
    known = {account_id: store.known_keys(account_id, own) for account_id, own in keys.items()}
    for statement, lines, account in zip(file.statements, file.lines, accounts, strict=True):
        previous = last.get(account.id) or _previous(account, statement)
        last[account.id] = _one(statement, lines, known[account.id], previous, account, body)
        result.append(last[account.id])
    return result


def _lines(statement: ReadStatement, currency: str, seen: Counter[str]) -> Iterator[NewLine]:
    for line in statement.lines:
        go_on()
        amount = _minor(line.amount, currency)
        if amount:
            own = line.reference or " ".join(part for part in (line.text, line.party, line.iban) if part)
            base = hashlib.sha256(f"{line.day}|{amount}|{own}".encode()).hexdigest()
            seen[base] += 1
            yield NewLine(f"{base}-{seen[base]}", amount, line)


def _minor(value: Decimal, currency: str) -> int:
    complaints = Complaints()
    minor = complaints.minor(value, currency, "file")
    complaints.refuse()
    return minor


def _previous(account: AccountRef, statement: ReadStatement) -> BankStatement | None:
    """The last statement of the account before this one."""
    first = min([line.day for line in statement.lines] + [day for day in (statement.first,) if day], default=None)
    query = "SELECT * FROM bank_statement WHERE account_id = ? AND date_to < ? ORDER BY date_to DESC, id DESC LIMIT 1"
    statements = BankStatement.fetch(query, account.id, str(first or date.max))
    return statements[0] if statements else None


def _one(
    statement: ReadStatement,
    lines: Sequence[NewLine],
    known_keys: set[str],
    previous: ImportedStatement | BankStatement | None,
    account: AccountRef,
    body: BankStatementFile,
) -> ImportedStatement:
    days = [line.read.day for line in lines]
    days += [day for day in (statement.first, statement.last) if day is not None]
    if not days:
        raise NotAStatement(says("The file has no transactions and no balance."), field="file")
    opening = _opening(statement, previous, min(days), account, body)
    total = sum(line.amount for line in lines)
    closing = _closing(statement, opening + total, account, body)
    if opening + total != closing:
        raise BalancesDiffer(
            field="file",
            sum=money.shown(opening + total, account.currency),
            closing=money.shown(closing, account.currency),
        )
    return ImportedStatement(
        account=account,
        number=statement.number,
        date_from=min(days),
        date_to=max(days),
        opening=opening,
        closing=closing,
        lines=lines,
        new=[line for line in lines if line.key not in known_keys],
        gap=opening - previous.closing if previous is not None else 0,
    )


def _opening(
    statement: ReadStatement,
    previous: ImportedStatement | BankStatement | None,
    first: date,
    account: AccountRef,
    body: BankStatementFile,
) -> int:
    value = statement.opening if statement.opening is not None else body.opening_balance
    if value is not None:
        return _minor(value, account.currency)
    balance = reconciliation.balance_before(account, first) if previous is None else int(previous.closing)
    if balance is None:
        message = says("The file has no opening balance. Enter the one on your bank statement.")
        raise Invalid.one("openingBalance", "required", message)
    return balance


def _closing(statement: ReadStatement, computed: int, account: AccountRef, body: BankStatementFile) -> int:
    value = statement.closing if statement.closing is not None else body.closing_balance
    return computed if value is None else _minor(value, account.currency)


def _store(statement: ImportedStatement, format: str, name: str | None) -> None:
    """Store a statement and its new lines; one without new lines is not stored twice."""
    account = statement.account
    if not statement.new and store.covers(account.id, statement.date_from, statement.date_to):
        return
    statement.id = new_id()
    BankStatement.add(
        id=statement.id,
        account=account.id,
        format=format,
        name=name,
        number=statement.number and statement.number[:200],
        date_from=statement.date_from,
        date_to=statement.date_to,
        currency=account.currency,
        opening=statement.opening,
        total=statement.closing - statement.opening,
        closing=statement.closing,
        line_count=len(statement.lines),
    )
    _store_lines(statement.id, statement.new, account)
    data: dict[str, Any] = {
        "account": account.code,
        "dateFrom": str(statement.date_from),
        "dateTo": str(statement.date_to),
    }
    data |= {"new": len(statement.new), "known": len(statement.lines) - len(statement.new)}
    events.write("bank_statement.imported", "bank_statement", statement.id, data)


_COLUMNS_OF_LINE = (
    *("id", "version", "created_at", "updated_at", "created_by", "statement_id", "account_id", "line_key", "position"),
    *("date", "value_date", "amount", "currency", "text", "party", "iban", "reference", "end_to_end"),
)


def _store_lines(statement_id: str, lines: Sequence[NewLine], account: AccountRef) -> None:
    """Store the lines at once, since a file may have thousands of them."""
    now = clock.stamp()
    own = (1, now, now, caller.current().user_id, statement_id, account.id)
    rows = [
        (new_id(), *own, line.key, position, *_dates(line.read), line.amount, account.currency, *_texts(line.read))
        for position, line in enumerate(lines, 1)
    ]
    store.add_lines(_COLUMNS_OF_LINE, rows)
    BankLine.record_whole_rows(_COLUMNS_OF_LINE, rows, ("statement_id", "account_id"))


def _dates(line: ReadLine) -> tuple[str, str | None]:
    return line.day.isoformat(), None if line.value_day is None else line.value_day.isoformat()


def _texts(line: ReadLine) -> tuple[str | None, ...]:
    return line.text[:2000], line.party and line.party[:200], line.iban, line.reference, line.end_to_end
