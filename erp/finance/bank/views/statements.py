"""Views of bank statements, their import, and the columns of a bank's CSV."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from erp.finance.bank.bank_accounts import refer
from erp.finance.bank.bodies import DecimalSign, Delimiter, StatementFilter
from erp.finance.bank.formats.csv_proposed import Proposal
from erp.finance.bank.formats.model import Reason
from erp.finance.bank.formats.reading import Format
from erp.finance.bank.models import BankStatement
from erp.finance.bank.statements import Outcome
from erp.kernel import money
from erp.kernel.language import says
from erp.store import names
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
    """The likely columns; null where none looks like it."""

    date: str | None
    amount: str | None
    debit: str | None
    credit: str | None
    value_date: str | None
    text: list[str]
    party: str | None
    payer: str | None
    payee: str | None
    iban: str | None
    reference: str | None
    end_to_end: str | None
    balance: str | None
    currency: str | None


class CsvProposalView(View):
    """The likely mapping of a CSV file: with a date and amounts, it can be saved as the account's `csvMapping`."""

    columns: ProposedColumnsView
    delimiter: Delimiter
    decimal_sign: DecimalSign
    date_format: str
    is_guess: Annotated[bool, Meta(description="Whether the file does not tell the day from the month.")]
    skip_rows: int
    headings: Annotated[list[str], Meta(description="All columns of the file.")]
    rows: Annotated[list[list[str]], Meta(description="The first rows below the headings.")]

    @classmethod
    def of(cls, found: Proposal) -> "CsvProposalView":
        columns = ProposedColumnsView(**found.mapping.columns)
        own = {"headings": found.headings, "rows": found.rows, "is_guess": found.is_guess}
        return show(cls, found.mapping, columns=columns, **own)


class ImportedStatementView(View):
    """A statement of a file. It has no id in a dry run, nor if all of it was known."""

    id: str | None
    account_id: str
    account_code: str
    number: str | None
    date_from: str
    date_to: str
    opening: Money
    closing: Money
    new: int
    known: int


class SkippedRowsView(View):
    """Rows of a CSV that are left out."""

    reason: Reason
    count: int


class BankImportView(View):
    """The result of an import or its dry run."""

    dry_run: bool
    format: Format
    new: Annotated[int, Meta(description="New lines.")]
    known: Annotated[int, Meta(description="Known lines.")]
    confirmed: Annotated[int, Meta(description="New lines posted by automatic rules.")]
    statements: list[ImportedStatementView]
    skipped: Annotated[list[SkippedRowsView], Meta(description="Rows of a CSV that were left out.")]
    warnings: Annotated[list[str], Meta(description="Gaps between statements, and failures of automatic rules.")]

    @classmethod
    def of(cls, outcome: Outcome, confirmed: int, warnings: Sequence[str]) -> "BankImportView":
        return cls(
            dry_run=outcome.is_dry_run,
            format=outcome.format,
            new=sum(len(statement.new) for statement in outcome.statements),
            known=sum(len(statement.lines) - len(statement.new) for statement in outcome.statements),
            confirmed=confirmed,
            statements=[
                ImportedStatementView(
                    id=statement.id,
                    account_id=statement.account.id,
                    account_code=statement.account.code,
                    number=statement.number,
                    date_from=statement.date_from.isoformat(),
                    date_to=statement.date_to.isoformat(),
                    opening=money.text(statement.opening, statement.account.currency),
                    closing=money.text(statement.closing, statement.account.currency),
                    new=len(statement.new),
                    known=len(statement.lines) - len(statement.new),
                )
                for statement in outcome.statements
            ],
            skipped=[SkippedRowsView(reason=reason, count=count) for reason, count in outcome.left_out.items()],
            warnings=[*_gap_warnings(outcome), *warnings],
        )


def _gap_warnings(outcome: Outcome) -> list[str]:
    return [
        says(
            "The statement before {day} ends with {closing}, but this one begins with {opening}. A "
            "statement is missing.",
            day=statement.date_from,
            closing=money.shown(statement.opening - statement.gap, statement.account.currency),
            opening=money.shown(statement.opening, statement.account.currency),
        )
        for statement in outcome.statements
        if statement.gap and statement.new
    ]


def listed(query: StatementFilter) -> Page[BankStatementView]:
    select = BankStatement.select()
    if query.account_id is not None:
        select = select.where(BankStatement.account == refer(query.account_id, "accountId").id)
    sortable = {"dateTo": BankStatement.date_to}
    return page(select, query, views=BankStatementView.of_many, sort=query.sort, sortable=sortable)
