"""How bank statements, their lines and the state of an account are shown."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta
from peewee import SQL

from erp.finance.bank import matching, reconciliation, store
from erp.finance.bank.bank_accounts import refer
from erp.finance.bank.bodies import Delimiter, LineFilter, ReconciliationQuery, RuleFilter, StatementFilter
from erp.finance.bank.formats.csv_proposed import Proposal
from erp.finance.bank.formats.reading import Format
from erp.finance.bank.models import BankLine, BankRule, BankStatement
from erp.finance.bank.reconciliation import State
from erp.finance.bank.statements import Outcome
from erp.finance.bank.store import BookEntry
from erp.finance.bank.suggestions import Because, Finder, Suggestion
from erp.finance.books import accounts
from erp.kernel import caller, money
from erp.kernel.language import says
from erp.kernel.wire import wire_name
from erp.store import names, sql
from erp.web.paging import page
from erp.web.scalars import Money
from erp.web.schema import Page, RecordView, View, show


class BankStatementView(RecordView):
    """A statement with its balances. `lineCount` counts its lines, known ones too."""

    created_by: str | None
    created_by_name: str | None
    account_id: str
    account_code: str
    account_name: str
    format: Format
    name: str | None
    number: str | None
    date_from: str
    date_to: str
    currency: str
    opening: Money
    closing: Money
    line_count: int

    @classmethod
    def of_many(cls, statements: Sequence[BankStatement]) -> "list[BankStatementView]":
        """Show statements."""
        named = names.of(account=[statement.account_id for statement in statements])
        return [
            show(
                cls,
                row,
                account_code=named.code(row.account_id),
                account_name=named.name(row.account_id),
                date_from=row.date_from.isoformat(),
                date_to=row.date_to.isoformat(),
                opening=money.text(row.opening, row.currency),
                closing=money.text(row.closing, row.currency),
            )
            for row in statements
        ]


class ProposedColumnsView(View):
    """Which column probably has what; null where none looks like it."""

    date: str | None
    amount: str | None
    debit: str | None
    credit: str | None
    value_date: str | None
    text: list[str]
    party: str | None
    iban: str | None
    reference: str | None
    end_to_end: str | None
    balance: str | None
    currency: str | None


class CsvProposalView(View):
    """How a CSV file is probably to be read: with a date and amounts, it can be saved as the account's `csvMapping`."""

    columns: ProposedColumnsView
    delimiter: Delimiter
    decimal_sign: str
    date_format: str
    skip_rows: int
    headings: Annotated[list[str], Meta(description="All columns that the file has.")]
    rows: Annotated[list[list[str]], Meta(description="The first rows below the headings.")]

    @classmethod
    def of(cls, found: Proposal) -> "CsvProposalView":
        columns = ProposedColumnsView(**found.mapping.columns)
        return show(cls, found.mapping, columns=columns, headings=found.headings, rows=found.rows)


class ImportedStatementView(View):
    """A statement of a file. It has no id in a dry run, nor if all of it was known."""

    id: str | None
    number: str | None
    date_from: str
    date_to: str
    opening: Money
    closing: Money
    new: int
    known: int


class BankImportView(View):
    """What an import has done, or would do."""

    dry_run: bool
    format: Format
    new: Annotated[int, Meta(description="Lines that the account did not have.")]
    known: Annotated[int, Meta(description="Lines that it had.")]
    confirmed: Annotated[int, Meta(description="New lines that automatic rules have posted.")]
    statements: list[ImportedStatementView]
    warnings: Annotated[list[str], Meta(description="Gaps between statements, and what automatic rules could not do.")]

    @classmethod
    def of(cls, outcome: Outcome, confirmed: int, warnings: Sequence[str]) -> "BankImportView":
        """Show an import."""
        currency = outcome.account.currency
        return cls(
            dry_run=outcome.is_dry_run,
            format=outcome.format,
            new=sum(len(taken.new) for taken in outcome.taken),
            known=sum(len(taken.lines) - len(taken.new) for taken in outcome.taken),
            confirmed=confirmed,
            statements=[
                ImportedStatementView(
                    id=taken.id,
                    number=taken.number,
                    date_from=taken.date_from.isoformat(),
                    date_to=taken.date_to.isoformat(),
                    opening=money.text(taken.opening, currency),
                    closing=money.text(taken.closing, currency),
                    new=len(taken.new),
                    known=len(taken.lines) - len(taken.new),
                )
                for taken in outcome.taken
            ],
            warnings=[*_gap_warnings(outcome), *warnings],
        )


def _gap_warnings(outcome: Outcome) -> list[str]:
    currency = outcome.account.currency
    return [
        says(
            "The statement before {day} ends with {closing}, and this one begins with {opening}. One is missing.",
            day=taken.date_from,
            closing=money.shown(taken.opening - taken.gap, currency),
            opening=money.shown(taken.opening, currency),
        )
        for taken in outcome.taken
        if taken.gap and taken.new
    ]


class MatchView(View):
    """A journal entry that a line is, or is a part of. `made` says what was posted for the line."""

    entry_id: str
    entry_number: str
    date: str
    description: str
    amount: Money
    made: Literal["payment", "journal_entry"] | None
    document_id: str | None
    because: str


class SuggestedEntryView(View):
    """A journal entry that moves money on the account; `amount` is below zero for what went out."""

    entry_id: str
    entry_number: str
    document_number: str | None
    date: str
    description: str
    amount: Money


class SuggestedItemView(View):
    """An open item, and how much of it the line pays."""

    item_id: str
    item_number: str
    contact_id: str
    contact_name: str
    amount: Money
    discount: Money


class SuggestionView(View):
    """What a line might be, and why. `confirm` is the body that says so."""

    kind: Literal["entry", "payment", "rule"]
    because: Because
    reason: str
    entries: list[SuggestedEntryView]
    items: list[SuggestedItemView]
    fee_amount: Money
    account_id: str | None
    account_code: str | None
    account_name: str | None
    confirm: Annotated[dict[str, Any], Meta(description="What to send to confirm it.")]

    @classmethod
    def of(cls, found: Suggestion, currency: str) -> "SuggestionView":
        """Show a suggestion."""
        rule = found.rule
        named = names.of(account=[rule.account_id]) if rule else None
        return cls(
            kind="rule" if rule else "entry" if found.entries else "payment",
            because=found.because,
            reason=found.reason,
            entries=[_suggested_entry(part.entry, part.amount, currency) for part in found.entries],
            items=[
                SuggestedItemView(
                    item_id=part.item.id,
                    item_number=part.item.number,
                    contact_id=part.item.contact_id,
                    contact_name=part.item.contact_name,
                    amount=money.text(part.amount, currency),
                    discount=money.text(part.discount, currency),
                )
                for part in found.items
            ],
            fee_amount=money.text(found.fee, currency),
            account_id=rule.account_id if rule else None,
            account_code=named.code(rule.account_id) if rule and named else None,
            account_name=named.name(rule.account_id) if rule and named else None,
            confirm=matching.confirmation(found, currency),
        )


def _suggested_entry(entry: BookEntry, amount: int, currency: str) -> SuggestedEntryView:
    return SuggestedEntryView(
        entry_id=entry.id,
        entry_number=entry.number,
        document_number=entry.document,
        date=entry.day,
        description=entry.description,
        amount=money.text(amount, currency),
    )


LineStatus = Literal["unmatched", "matched"]
Action = Literal["confirm", "undo"]


class BankLineView(RecordView):
    """A line of a statement: below zero for what went out."""

    statement_id: str
    statement_number: str | None
    account_id: str
    account_code: str
    date: str
    value_date: str | None
    amount: Money
    currency: str
    text: str
    party: str | None
    iban: str | None
    reference: str | None
    end_to_end: str | None
    status: LineStatus
    matches: list[MatchView]
    suggestions: Annotated[list[SuggestionView], Meta(description="The likeliest first; none of a matched line.")]
    can: Annotated[list[Action], Meta(description="What you may do with the line now.")]

    @classmethod
    def of(cls, line: BankLine) -> "BankLineView":
        """Show a line."""
        return cls.of_many([line])[0]

    @classmethod
    def of_many(cls, lines: Sequence[BankLine]) -> "list[BankLineView]":
        """Show lines, with what the unmatched ones might be."""
        matches = store.matches([line.id for line in lines])
        open_ids = {line.id for line in lines if not any(row[-1] for row in matches.get(line.id, ()))}
        accounts_of = {line.account_id for line in lines}
        refs = {id: accounts.refer(id, "accountId", postable=False) for id in accounts_of}
        finders = {
            id: Finder(refs[id], [line for line in lines if line.account_id == id and line.id in open_ids])
            for id in accounts_of
        }
        numbers = {row.id: row.number for row in BankStatement.fetch(_NUMBERS, _ids(lines))}
        return [
            show(
                cls,
                line,
                statement_number=numbers[line.statement_id],
                account_code=refs[line.account_id].code,
                date=line.date.isoformat(),
                value_date=None if line.value_date is None else line.value_date.isoformat(),
                amount=money.text(line.amount, line.currency),
                status="unmatched" if line.id in open_ids else "matched",
                matches=[_match(row, line.currency) for row in matches.get(line.id, ()) if row[-1]],
                suggestions=[
                    SuggestionView.of(found, line.currency)
                    for found in (finders[line.account_id].of(line) if line.id in open_ids else ())
                ],
                can=caller.allowed("finance.write", {"confirm" if line.id in open_ids else "undo": lambda: None}),
            )
            for line in lines
        ]


_NUMBERS = "SELECT * FROM bank_statement WHERE id IN (SELECT value FROM json_each(?))"


def _ids(lines: Sequence[BankLine]) -> str:
    return sql.array({line.statement_id for line in lines})


def _match(row: Sequence[Any], currency: str) -> MatchView:
    _, entry_id, number, day, description, amount, made, document_id, because, _ = row
    return MatchView(
        entry_id=entry_id,
        entry_number=number,
        date=day,
        description=description,
        amount=money.text(amount, currency),
        made=made,
        document_id=document_id,
        because=because,
    )


class BankRuleView(RecordView):
    """What lines with a text are posted to."""

    text: str
    account_id: str
    account_code: str
    account_name: str
    tax_rate_id: str | None
    tax_rate_name: str | None
    description: str | None
    is_automatic: bool

    @classmethod
    def of(cls, rule: BankRule) -> "BankRuleView":
        """Show a rule."""
        return cls.of_many([rule])[0]

    @classmethod
    def of_many(cls, rules: Sequence[BankRule]) -> "list[BankRuleView]":
        """Show rules."""
        named = names.of(account=[rule.account_id for rule in rules], tax_rate=[rule.tax_rate_id for rule in rules])
        return [
            show(
                cls,
                rule,
                account_code=named.code(rule.account_id),
                account_name=named.name(rule.account_id),
                tax_rate_name=named.name(rule.tax_rate_id) if rule.tax_rate_id else None,
            )
            for rule in rules
        ]


class GapView(View):
    """Days between two statements on which the balance has changed: one is missing."""

    after: str
    before: str
    closing: Money
    opening: Money


class ReconciliationView(View):
    """Where an account stands: its books against its statements, in its currency.

    `difference` is what the bank has more than the books. Unmatched lines and entries explain it but for `unexplained`.
    """

    account_id: str
    account_code: str
    account_name: str
    currency: str
    date: str
    iban: str | None
    csv_mapping: dict[str, Any] | None
    statements: int
    book_balance: Money
    statement_balance: Money | None
    difference: Money | None
    unexplained: Money | None
    unmatched_lines: int
    unmatched_lines_total: Money
    unmatched_entries: int
    unmatched_entries_total: Money
    entries: Annotated[list[SuggestedEntryView], Meta(description="Unmatched entries, the first 200.")]
    gaps: list[GapView]
    reconciled_through: Annotated[
        str | None, Meta(description="The last day through which each line has its entry, and each entry its line.")
    ]

    @classmethod
    def of(cls, state: State) -> "ReconciliationView":
        """Show the state of an account."""
        currency = state.account.currency

        def text(amount: int | None) -> str | None:
            return None if amount is None else money.text(amount, currency)

        return cls(
            account_id=state.account.id,
            account_code=state.account.code,
            account_name=names.of(account=[state.account.id]).name(state.account.id) or "",
            currency=currency,
            date=state.day.isoformat(),
            iban=state.feed.iban if state.feed else None,
            csv_mapping=_mapping(state.feed.csv_mapping) if state.feed and state.feed.csv_mapping else None,
            statements=state.statement_count,
            book_balance=money.text(state.book, currency),
            statement_balance=text(state.bank),
            difference=text(state.difference),
            unexplained=text(state.unexplained),
            unmatched_lines=len(state.lines),
            unmatched_lines_total=money.text(sum(line.amount for line in state.lines), currency),
            unmatched_entries=len(state.entries),
            unmatched_entries_total=money.text(sum(entry.left for entry in state.entries), currency),
            entries=[_suggested_entry(entry, entry.left, currency) for entry in state.entries[:200]],
            gaps=[
                GapView(
                    after=gap.after.isoformat(),
                    before=gap.before.isoformat(),
                    closing=money.text(gap.closing, currency),
                    opening=money.text(gap.opening, currency),
                )
                for gap in state.gaps
            ],
            reconciled_through=state.through.isoformat() if state.through else None,
        )


def _mapping(stored: dict[str, Any]) -> dict[str, Any]:
    """The mapping as it is sent."""
    columns = {wire_name(name): value for name, value in stored["columns"].items() if value}
    return {wire_name(name): value for name, value in stored.items()} | {"columns": columns}


def state(id: str, query: ReconciliationQuery) -> ReconciliationView:
    """The state of an account."""
    return ReconciliationView.of(reconciliation.of(id, query.date))


def statements(query: StatementFilter) -> Page[BankStatementView]:
    """The page of statements that a query asks for."""
    select = BankStatement.select()
    if query.account_id is not None:
        select = select.where(BankStatement.account == refer(query.account_id, "accountId").id)
    sortable = {"dateTo": BankStatement.date_to}
    return page(select, query, views=BankStatementView.of_many, sort=query.sort, sortable=sortable)


def lines(query: LineFilter) -> Page[BankLineView]:
    """The page of lines that a query asks for."""
    select = BankLine.select()
    if query.account_id is not None:
        select = select.where(BankLine.account == refer(query.account_id, "accountId").id)
    if query.statement_id is not None:
        select = select.where(BankLine.statement == query.statement_id)
    if query.status is not None:
        unmatched = BankLine.id.in_(SQL(f"({store.UNMATCHED})"))
        select = select.where(unmatched if query.status == "unmatched" else ~unmatched)
    if query.date_from is not None:
        select = select.where(BankLine.date >= query.date_from)
    if query.date_to is not None:
        select = select.where(BankLine.date <= query.date_to)
    return page(select, query, views=BankLineView.of_many, sort=query.sort, sortable={"date": BankLine.date})


def rules(query: RuleFilter) -> Page[BankRuleView]:
    """The page of rules that a query asks for."""
    return page(BankRule.select(), query, views=BankRuleView.of_many, sort=query.sort)
