"""Views of bank transactions: their matches, or suggestions."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta
from peewee import SQL, ModelSelect, fn

from erp.finance.bank import matching, store
from erp.finance.bank.bank_accounts import refer
from erp.finance.bank.bodies import LineFilter
from erp.finance.bank.models import BankLine, BankStatement
from erp.finance.bank.store import BookEntry
from erp.finance.bank.suggestions import Because, Finder, Suggestion, sure
from erp.finance.books import accounts
from erp.finance.books.models import DocumentType
from erp.finance.books.search import found
from erp.kernel import caller, money
from erp.kernel.complaints import Complaints
from erp.store import names, sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.paging import page, within
from erp.web.scalars import Money
from erp.web.schema import Page, RecordView, View, show


class MatchView(View):
    """A journal entry matched with a line or a part of it. `made` is the kind of record posted for the line."""

    entry_id: str
    entry_number: str
    date: str
    description: str
    amount: Money
    made: Literal["payment", "journal_entry"] | None
    document_id: str | None
    because: Because | Literal["manual"]


class SuggestedEntryView(View):
    """A journal entry that moves money on the account; `amount` is below zero for money out."""

    entry_id: str
    entry_number: str
    document_number: str | None
    date: str
    description: str
    amount: Money


class SuggestedItemView(View):
    """An open item, and the part of it that the line pays."""

    item_id: str
    item_number: str
    document_type: Annotated[DocumentType, Meta(description="Of the document that made it.")]
    document_id: str
    contact_id: str
    contact_name: str
    amount: Money
    discount: Money


class SuggestionView(View):
    """A suggestion for a line, with its reason. `confirm` is the body that matches it."""

    kind: Literal["entry", "payment", "rule"]
    because: Because
    reason: str
    entries: list[SuggestedEntryView]
    items: list[SuggestedItemView]
    fee_amount: Money
    is_sure: Annotated[bool, Meta(description="The whole amount, by a number or a run, and no other fits as well.")]
    account_id: str | None
    account_code: str | None
    account_name: str | None
    confirm: Annotated[dict[str, Any], Meta(description="The body that confirms it.")]

    @classmethod
    def of_line(cls, found: Sequence[Suggestion], currency: str) -> "list[SuggestionView]":
        """The suggestions for a line."""
        return [cls.of(suggestion, currency, is_sure=suggestion is sure(found)) for suggestion in found]

    @classmethod
    def of(cls, found: Suggestion, currency: str, *, is_sure: bool) -> "SuggestionView":
        rule = found.rule
        named = names.of(account=[rule.account_id]) if rule else None
        return cls(
            kind="rule" if rule else "entry" if found.entries else "payment",
            because=found.because,
            reason=found.reason,
            entries=[suggested_entry(part.entry, part.amount, currency) for part in found.entries],
            items=[
                SuggestedItemView(
                    item_id=part.item.id,
                    item_number=part.item.number,
                    document_type=part.item.document_type,
                    document_id=part.item.document_id,
                    contact_id=part.item.contact_id,
                    contact_name=part.item.contact_name,
                    amount=money.text(part.amount, currency),
                    discount=money.text(part.discount, currency),
                )
                for part in found.items
            ],
            fee_amount=money.text(found.fee, currency),
            is_sure=is_sure,
            account_id=rule.account_id if rule else None,
            account_code=named.code(rule.account_id) if rule and named else None,
            account_name=named.name(rule.account_id) if rule and named else None,
            confirm=matching.confirmation(found, currency),
        )


def suggested_entry(entry: BookEntry, amount: int, currency: str) -> SuggestedEntryView:
    """The view of an entry, with the suggested part."""
    return SuggestedEntryView(
        entry_id=entry.id,
        entry_number=entry.number,
        document_number=entry.document,
        date=entry.day,
        description=entry.shown_description,
        amount=money.text(amount, currency),
    )


LineStatus = Literal["unmatched", "matched"]
Action = Literal["confirm", "undo"]


class BankLineView(RecordView):
    """A bank transaction: below zero for money out."""

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
    can: Annotated[list[Action], Meta(description="Actions on the line open to you now.")]

    @classmethod
    def of(cls, line: BankLine) -> "BankLineView":
        return cls.of_many([line])[0]

    @classmethod
    def of_many(cls, lines: Sequence[BankLine]) -> "list[BankLineView]":
        """The views of lines, with suggestions for the unmatched ones."""
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
                suggestions=SuggestionView.of_line(
                    finders[line.account_id].of(line) if line.id in open_ids else (), line.currency
                ),
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


def listed(query: LineFilter) -> Page[BankLineView]:
    select = BankLine.select()
    if query.account_id is not None:
        select = select.where(BankLine.account == refer(query.account_id, "accountId").id)
    if query.statement_id is not None:
        select = select.where(BankLine.statement == query.statement_id)
    if query.status is not None:
        unmatched = BankLine.id.in_(SQL(f"({store.UNMATCHED})"))
        select = select.where(unmatched if query.status == "unmatched" else ~unmatched)
    select = _narrowed(within(select, query, BankLine.date), query)
    return page(select, query, views=BankLineView.of_many, sort=query.sort, sortable={"date": BankLine.date})


def _narrowed(select: "ModelSelect[Any]", query: LineFilter) -> "ModelSelect[Any]":
    """The lines with the text, in the direction and of the size that a query asks for."""
    if query.q:
        where = found(query.q, _TEXTS, ["amount"])
        ids = WORKSPACE.rows(f"SELECT id FROM bank_line WHERE {where.sql}", where.parameters)
        select = select.where(sql.among(BankLine.id, [id for (id,) in ids]))
    if query.direction is not None:
        select = select.where(BankLine.amount > 0 if query.direction == "in" else BankLine.amount < 0)
    complaints = Complaints()
    for amount, field, is_least in ((query.amount_from, "amountFrom", True), (query.amount_to, "amountTo", False)):
        if amount is not None:
            size = fn.abs(BankLine.amount)
            minor = complaints.minor(amount, _currency(query), field)
            select = select.where(size >= minor if is_least else size <= minor)
    complaints.refuse()
    return select


_TEXTS = ("party", "text", "iban", "reference", "end_to_end")


def _currency(query: LineFilter) -> str:
    """The currency of the account that a query names, else the base currency."""
    if query.account_id is None:
        return workspace_settings.current().base_currency
    return refer(query.account_id, "accountId").currency
