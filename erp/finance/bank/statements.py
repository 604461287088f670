"""Imported statements: each line once, and only statements whose balances agree with their lines."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

import msgspec

from erp.finance.bank import reconciliation, store
from erp.finance.bank.bank_accounts import of_path, refer
from erp.finance.bank.bodies import BankAccountChange, BankStatementFile, CsvColumns, CsvHead
from erp.finance.bank.formats import csv_proposed, reading
from erp.finance.bank.formats.csv_mapped import Columns
from erp.finance.bank.formats.csv_proposed import Proposal
from erp.finance.bank.formats.model import NotAStatement, ReadLine, ReadStatement
from erp.finance.bank.models import BankFeed, BankLine, BankStatement
from erp.finance.books import accounts, ledger
from erp.finance.books.accounts import AccountRef
from erp.kernel import caller, clock, ibans, money
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
    """A statement of a file: its sum, and its new lines."""

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

    account: AccountRef
    format: reading.Format
    statements: list[ImportedStatement]
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
        Invalid: it is too large.
    """
    with control.reading_own():
        account = refer(body.account_id, "accountId")
        feed = BankFeed.find_by(account_id=account.id)
    columns = None if feed is None or not feed.csv_mapping else Columns(**feed.csv_mapping)
    file = reading.read(body.file.whole(), columns)
    seen: Counter[str] = Counter()
    lines = [[*_lines(statement, account.currency, seen)] for statement in file.statements]
    return ReadFile(file.format, file.statements, lines)


def propose(body: CsvHead) -> Proposal:
    """The likely mapping of a bank's CSV file.

    Raises:
        NotAStatement: it is not a table.
    """
    return csv_proposed.propose(text.lines(body.file.whole()), body.delimiter, body.skip_rows)


def run(body: BankStatementFile, file: ReadFile) -> Outcome:
    """Import a file that has been read, or only check it.

    Raises:
        BalancesDiffer: its lines do not lead from its opening to its closing balance.
        Invalid: it is of another account or currency.
    """
    account = refer(body.account_id, "accountId")
    feed = BankFeed.find_by(account_id=account.id)
    for statement in file.statements:
        _check_account(statement, account, feed)
    statements = _statements(file, account, body)
    if not body.dry_run:
        _learn_iban(account, feed, file.statements)
        for read_statement in statements:
            _store(read_statement, account, file.format, body.name)
    return Outcome(account=account, format=file.format, statements=statements, is_dry_run=body.dry_run)


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
        _check_free(str(values["iban"]), account)
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


def _check_free(iban: str, account: AccountRef) -> None:
    """Refuse an IBAN that belongs to another account."""
    other = BankFeed.find_by(iban=iban)
    if other is not None and other.account_id != account.id:
        code = accounts.refer(other.account_id, "accountId", postable=False).code
        message = says("{iban} belongs to account {code}.", iban=iban, code=code)
        raise Invalid.one("accountId", "wrong_account", message)


def _check_account(statement: ReadStatement, account: AccountRef, feed: BankFeed | None) -> None:
    if statement.currency not in (None, account.currency):
        message = says(
            "The statement is in {other}, but account {code} is kept in {currency}.",
            other=statement.currency,
            code=account.code,
            currency=account.currency,
        )
        raise Invalid.one("file", "wrong_currency", message)
    iban = _iban(statement)
    expected = _expected(account, feed)
    if iban and expected and iban != expected:
        message = says(
            "The statement belongs to {iban}, but account {code} has the IBAN {expected}.",
            iban=iban,
            code=account.code,
            expected=expected,
        )
        raise Invalid.one("file", "wrong_account", message)
    if iban:
        _check_free(iban, account)


def _iban(statement: ReadStatement) -> str | None:
    """The IBAN of a statement; MT940 may have the currency behind it."""
    account = statement.account or ""
    return ibans.found(account) or ibans.found(account[:-3])


def _expected(account: AccountRef, feed: BankFeed | None) -> str | None:
    """The IBAN of the account; for the default bank account, the workspace's."""
    if feed is not None and feed.iban:
        return str(feed.iban)
    is_default = account.id == ledger.default_account("bank")
    return workspace_settings.current().iban if is_default else None


def _learn_iban(account: AccountRef, feed: BankFeed | None, statements: Sequence[ReadStatement]) -> None:
    ibans = {iban for statement in statements if (iban := _iban(statement))}
    if len(ibans) == 1 and (feed is None or not feed.iban):
        _change_feed(account, feed, {"iban": ibans.pop()})


def _statements(file: ReadFile, account: AccountRef, body: BankStatementFile) -> list[ImportedStatement]:
    known_keys = store.known_keys(account.id, [line.key for lines in file.lines for line in lines])
    result: list[ImportedStatement] = []
    for statement, lines in zip(file.statements, file.lines, strict=True):
        previous = result[-1] if result else _previous(account, statement)
        result.append(_one(statement, lines, known_keys, previous, account, body))
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


def _store(statement: ImportedStatement, account: AccountRef, format: str, name: str | None) -> None:
    """Store a statement and its new lines; one without new lines is not stored twice."""
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
